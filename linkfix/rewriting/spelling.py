"""Spell a link's new value in the markup and the charset of the document.

Unchanged characters keep the author's bytes. New ones are written in the document's charset, with character references
where the markup or the charset needs them. Each result is read back before it is used, so that a spelling with another
meaning is never written.
"""

import re

from linkfix.charset.model import CodePoints
from linkfix.deferred import pattern
from linkfix.iri import Conversion
from linkfix.iri.quick import canonical
from linkfix.links import Link
from linkfix.links.html.hashes import HASHED
from linkfix.links.parts import is_one
from linkfix.links.templates import IS_TEMPLATE, READ_DIFFERENTLY
from linkfix.markup.layers import COMMENT, HTML_UNQUOTED, RAW_TEXT, read_layers, write_layers
from linkfix.policy import Policy
from linkfix.policy.violation_data import NAMED

_ESCAPE = b"\x1b"
#: The layers in which a quotation mark is written as itself, and ends nothing.
_TRANSPARENT = frozenset({RAW_TEXT, COMMENT})
_ASCII_OCTET = pattern("%([0-7][0-9A-Fa-f])")
#: What is read as itself in every layer, quotes or none, and so is not escaped in any either.
_PLAIN = re.compile(r"""[^\x00-\x20"&'()<>\\\x7f-\x9f\ud800-\udfff\ufffd-\uffff]++""")


def spelled(policy: Policy, link: Link, conversion: Conversion) -> tuple[bytes | None, str]:
    """Return the new bytes of a link, or None and why it is left; "" where nothing changes.

    Args:
        policy: how the link was converted.
        link: of a document.
        conversion: of its value.

    """
    if not conversion.ok:
        return None, conversion.problems[0].message
    if not conversion.edits:
        return None, ""
    why = kept(policy, link, conversion.text)
    if why is not None:
        return None, why
    new = spell(link, conversion)
    return new, "" if new is not None else "there is no way to write the new value there"


def kept(policy: Policy, link: Link, text: str) -> str | None:
    """Return why a link is left although it has a new value, "" for what is no fault; None if it may be written.

    Args:
        policy: how the link was converted.
        link: of a document.
        text: its new value.

    """
    if link.malformed and policy.disputed == "leave":
        return "some of its bytes are malformed"
    is_converted = (link.fixed == IS_TEMPLATE and policy.scope.templates.convert) or (
        link.fixed == READ_DIFFERENTLY and policy.is_for_browsers(link)
    )
    if link.fixed and not is_converted:
        return link.fixed
    if link.place.hashed:
        return HASHED
    if renames(link, text):
        return "" if canonical("uri")(link.value) else NAMED.message
    return None


def renames(link: Link, text: str) -> bool:
    """Return whether a new value names another element of the document itself for Firefox.

    Firefox strips no space at the end of a fragment alone. In style sheets and SVG that is a name (CSS Values 4, 4.5; SVG 2,
    16.1), in which Firefox decodes octets of ASCII alone; Chromium resolves and decodes it like every reference.
    """
    if link.syntax != "web" or not (link.value[:1] == text[:1] == "#"):
        return False
    if link.place.names:
        return _name(link.value) != _name(text)
    return link.value.rstrip("\t\n\r")[-1] == " "


def _name(value: str) -> str:
    return _ASCII_OCTET.sub(lambda octet: chr(int(octet[1], 16)), value)


def spell(link: Link, conversion: Conversion) -> bytes | None:
    """Return the new bytes of a link.

    Args:
        link: of a document.
        conversion: of `link.value`.

    Returns:
        The bytes, with quotes if the link had none and now needs them; None if the value cannot be written there.

    """
    text = conversion.text
    if not is_one(link.kind, text):
        return None
    try:
        plainly = spell_plainly(link, text)
        return _spell(link, conversion) if plainly is None else plainly
    except UnicodeEncodeError:
        return None


def _spell(link: Link, conversion: Conversion) -> bytes | None:
    """Write the value as its author would, else with every ampersand escaped, and read it back."""
    stateful = _ESCAPE in link.raw or link.state or link.end_state
    write = _write_anew if stateful else _write
    for careful in (False, True):
        new = write(link, conversion, careful=careful)
        if _read(link, new) == conversion.text and _is_read_alike(link, new):
            return new if _can_stand_unquoted(link, new) else _quoted(link, new)
    return None


def _is_read_alike(link: Link, new: bytes) -> bool:
    """Return whether all readers of the document decode the new bytes of a link alike."""
    charset = link.charset
    # expat reads XML in a charset with states as long as it is ASCII.
    is_new = charset.has_states and _ESCAPE in new and _ESCAPE not in link.raw
    return charset.agrees(new, link.state) and not (is_new and charset.iana is not None)


def spell_plainly(link: Link, text: str) -> bytes | None:
    """Return the bytes of a new value that needs no references; else None.

    The old value must have none either, except ampersands that are all spelled ``&amp;``.
    """
    charset, spelling, plain = link.place.charset, link.spelling, text
    if charset.has_states or not (text.isascii() or charset.is_unicode):
        return None
    if "&" in text and text.count("&") > link.value.count("&"):  # a new one is escaped
        return None
    if _may_end_comment(link, text):
        return None
    if "~" in text and text.count("~") > link.value.count("~") and not charset.encodable("~"):
        return None
    if spelling is not None and spelling.source != spelling.value:
        if spelling.source != spelling.value.replace("&", "&amp;"):
            return None
        plain, text = text.replace("&", ""), text.replace("&", "&amp;")
    elif "&" in text and read_layers(text, link.layers) == text:
        plain = text.replace("&", "")
    return charset.encode(text) if _PLAIN.fullmatch(plain) else None


def _write(link: Link, conversion: Conversion, *, careful: bool) -> bytes:
    """Put the value together from old bytes and new; `careful` escapes every ampersand."""
    spelled = link.spelled
    octets = CodePoints(link.charset, link.raw, link.state)

    def old(start: int, end: int) -> bytes:
        if start >= end:
            return b""
        if careful:
            return _encode(link, link.value[start:end])
        if spelled.starts is not None:
            start, end = spelled.starts[start], spelled.starts[end]
        return link.raw[octets[start] : octets[end]]

    pieces: list[bytes] = []
    position = 0
    for edit in conversion.edits:
        pieces += (old(position, edit.start), _encode(link, edit.text))
        position = edit.end
    pieces.append(old(position, len(link.value)))
    return b"".join(pieces)


def _write_anew(link: Link, conversion: Conversion, *, careful: bool) -> bytes:
    """Encode the whole value again: in a charset with states, bytes cannot be moved.

    The bytes end in the state of the old ones. They may end with an escape sequence: the next character ends the
    link, and is no other escape sequence.
    """
    pieces: list[str] = []
    position = 0
    for edit in conversion.edits:
        pieces += (_old_text(link, position, edit.start, careful=careful), _escape(link, edit.text))
        position = edit.end
    pieces.append(_old_text(link, position, len(link.value), careful=careful))
    return link.charset.encode("".join(pieces), link.state, end=link.end_state)


def _old_text(link: Link, start: int, end: int, *, careful: bool) -> str:
    if careful:
        return _escape(link, link.value[start:end])
    return link.spelled.spelling(start, end) if start < end else ""


def _encode(link: Link, text: str) -> bytes:
    """Write new characters, with references where they are needed.

    Raises:
        UnicodeEncodeError: a character that the charset lacks, in a syntax without references.

    """
    return link.charset.encode(_escape(link, text), link.state)


def _escape(link: Link, text: str) -> str:
    return write_layers(text, link.layers, link.charset.encodable)


def _read(link: Link, new: bytes) -> str:
    return read_layers(link.charset.decode(new, link.state), link.layers)


def _can_stand_unquoted(link: Link, new: bytes) -> bool:
    if HTML_UNQUOTED not in link.layers:
        return True
    text = link.charset.decode(new, link.state)
    stands = bool(text) and text[0] not in "\"'" and not any(c in "\t\n\f\r >" for c in text)
    return stands and not _may_end_comment(link, text)


def _may_end_comment(link: Link, text: str) -> bool:
    """Return whether a new value without quotes, and the end of its tag, would end the comment around them."""
    return text.endswith("-") and HTML_UNQUOTED in link.layers and COMMENT in link.layers


def _quoted(link: Link, new: bytes) -> bytes | None:
    """Return new bytes in quotes; None where they cannot be, as in another attribute."""
    around = link.layers[link.layers.index(HTML_UNQUOTED) + 1 :]
    if '"' in link.charset.decode(new, link.state) or not _TRANSPARENT.issuperset(around):
        return None
    quote = link.charset.encode('"')
    return quote + new + quote
