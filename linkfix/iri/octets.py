"""Octets and characters: percent-decoding (3987bis, 3.7), and queries in the charset of the document (3.5).

Decoding makes characters of some octets, and leaves the others percent-encoded. A query is encoded as browsers do it (URL
Standard, 1.3 and 4.4).
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import takewhile
from typing import Final
from urllib.parse import unquote_to_bytes

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.model import Edit, QueryEncoder, apply
from linkfix.iri.unicode import ucd

#: The surrogates for octets that are no part of legal UTF-8 (PEP 383).
_ESCAPED: Final = pattern("[\udc80-\udcff]")
#: What begins the directives in a fragment, which browsers cut off (URL Fragment Text Directives, 3.1).
_DIRECTIVE: Final = ":~:"
#: Percent-encoded octets in a row.
RUN: Final = re.compile("(?:%[0-9A-Fa-f]{2})+")


@cache
def _decodable(component: str, *, ascii_only: bool, in_directive: bool) -> re.Pattern[str]:
    """Match the characters that a component may contain unencoded after decoding."""
    unreserved = chars.UNRESERVED.replace(r"\-", "") if in_directive else chars.UNRESERVED
    if ascii_only:
        return re.compile(f"[{unreserved}]+")
    private = chars.IPRIVATE if component == "query" else ""
    allowed = unreserved + chars.UCSCHAR + private
    return re.compile(chars.one_of(allowed, but=chars.NOT_DECODED) + "+")


@cache
def _raw(component: str) -> re.Pattern[str]:
    """Match a character that a component may contain, or that delimits it."""
    return re.compile(chars.one_of(chars.ICOMPONENT[component] + ":/?#@."))


def decode_run(
    text: str,
    start: int,
    end: int,
    component: str,
    *,
    ascii_only: bool = False,
    backslash: bool = False,
    whole: bool = True,
) -> list[Edit]:
    """Decode a run of percent-encoded octets (3987bis, 3.7 steps 2 to 5).

    Legal UTF-8 of unreserved characters is decoded. Encoded are left: reserved characters, ``%``, ASCII that URIs do
    not allow, the exclusions of 2.2, 4.1 and 6.1, and a character that would not be in NFC there (url-i18n-07, 3.1
    g); in a fragment ``-`` in a text directive, and ``~`` that would begin one (URL Fragment Text Directives, 3.3). A run
    that is not UTF-8 as a whole is left too: parts of another charset's octets can be legal UTF-8 by chance.

    Args:
        text: the whole text.
        start: code point offset of the run's first ``%``.
        end: code point offset behind its last digit.
        component: the component around it.
        ascii_only: decode no octet above 0x7F.
        backslash: whether a backslash in front of the run becomes a slash.
        whole: false to decode the legal UTF-8 in a run that is not all UTF-8, as 3.7 prints it.

    Returns:
        The edits of ``text``.

    """
    # An octet that is no part of legal UTF-8 becomes a lone surrogate, which is not decodable.
    octets = bytes.fromhex(text[start:end].replace("%", ""))
    decoded = octets.decode("utf-8", "surrogateescape")
    if whole and not ascii_only and _ESCAPED.search(decoded):
        return []
    in_directive = False
    if component == "fragment":
        in_directive = text.rfind(_DIRECTIVE, 0, start) > text.find("#")
        if decoded == "~" and text[start - 1 : start] == text[end : end + 1] == ":":
            return []  # it would begin a directive
    edits: list[Edit] = []
    position = start
    last = 0
    known = _decodable(component, ascii_only=ascii_only, in_directive=in_directive)
    for found in known.finditer(decoded):
        position += _length(decoded[last : found.start()])
        last = found.end()
        width = _length(found[0])
        is_marked = any(map(ucd.combining, text[position + width : position + width + 1]))
        if found[0].isascii() and not is_marked:
            edits.append(Edit(position, position + width, found[0]))
        else:
            edits += _stable(text, position, found[0], end, component, backslash=backslash)
        position += width
    return edits


def decode_text(text: str, component: str, *, ascii_only: bool = False) -> str:
    """Decode every run in ``text`` as ``decode_run`` does."""
    runs = (run.span() for run in RUN.finditer(text))
    edits = [e for span in runs for e in decode_run(text, *span, component, ascii_only=ascii_only)]
    return apply(text, edits)


def percent_decode(text: str) -> bytes:
    """Percent-decode a text to octets, with its characters in UTF-8 (URL Standard, 1.3)."""
    return unquote_to_bytes(text.encode("utf-8", "surrogatepass"))


def _length(decoded: str) -> int:
    return 3 * len(decoded.encode("utf-8", "surrogateescape"))


#: So many marks in a row are judged together.
_MOST_MARKS: Final = 32


def _stable(
    text: str, start: int, characters: str, end: int, component: str, *, backslash: bool
) -> list[Edit]:
    """Decode the characters at ``start`` that normalization to NFC would leave alone there."""
    position = start
    before = text[start - 1 : start]
    if before and ucd.combining(before):
        # A mark behind marks is judged by all of them, and by what they belong to: it stays.
        marks = len([*takewhile(ucd.combining, characters)])
        position += _length(characters[:marks])
        characters = characters[marks:]
        before = text[position - 1]
    elif before == "\\" and backslash:
        before = "/"
    if before and not _raw(component).match(before) and not ucd.combining(before):
        before = chars.quote(before)[-1]  # it will be percent-encoded itself
    elif before:
        before = ucd.normalize("NFC", before)[-1]  # whether it is in NFC does not matter here
    stop = position + _length(characters)
    after = _marks_at(text, stop) if end == stop else ""
    if _is_stable(before + characters, after):
        return [Edit(position, stop, characters)] if characters else []
    edits: list[Edit] = []
    is_left = False
    for i, character in enumerate(characters):
        following = after if i + 1 == len(characters) else ""
        stop = position + _length(character)
        is_mark = ucd.combining(character) != 0
        is_left = (is_left and is_mark) or not _is_stable(before + character, following)
        if is_left:
            before = text[stop - 1]
        else:
            edits.append(Edit(position, stop, character))
            # A mark is judged together with the marks in front of it.
            before = before + character if is_mark and len(before) < _MOST_MARKS else character
        position = stop
    return edits


def _is_stable(text: str, after: str) -> bool:
    """Return whether a text is in NFC and stays so in front of another one, whatever form that is in."""
    return ucd.is_nfc(text) and (
        not after or ucd.normalize("NFC", text + after) == text + ucd.normalize("NFC", after)
    )


def _marks_at(text: str, position: int) -> str:
    """Return the character at a position, and the marks behind it if it is one itself."""
    end = position + 1
    if ucd.combining(text[position : position + 1] or "a"):
        while end < len(text) and end - position < _MOST_MARKS and ucd.combining(text[end]):
            end += 1
    return text[position:end]


# --- Queries ----------------------------------------------------------------------------------------

#: The characters that an encoder can change: all beyond ASCII, and the three controls that the ISO-2022-JP encoder
#: refuses.
NEEDS_ENCODER: Final = pattern("[^\x00-\x0d\x10-\x1a\x1c-\x7f]")

#: The placeholder for a character that a charset lacks while the others are encoded.
_MARK: Final = "\x01"
#: Octets, read as Latin-1, that no query may contain; ``%`` stays before hexadecimal digits, since a browser does
#: not check whether a ``%`` is from the encoder.
_NO_QUERY: Final = pattern(f"%(?![0-9A-Fa-f]{{2}})|[^%{chars.COMPONENT['query']}]")


def encoded_query(text: str, encoder: QueryEncoder, *, references: bool) -> str:
    """Encode a query, and percent-encode the octets that a URI cannot contain.

    Args:
        text: the query, or a part of it.
        encoder: maps characters to octets.
        references: whether a character that the charset lacks becomes ``%26%23N%3B``, a
            percent-encoded numeric character reference, as in browsers.

    Returns:
        ASCII text.

    Raises:
        UnicodeEncodeError: for a character that the charset lacks, unless ``references``.

    """
    text = chars.SURROGATE.sub("\ufffd", text)
    try:
        return _escape(encoder(text))
    except UnicodeEncodeError:
        if not references:
            raise
    lacking = "".join(char for char in set(text) if not _can_encode(char, encoder))
    # The encoder is run once, since one with states goes on in the state that a lacking character
    # leaves it in. No charset has the octet of the mark within a longer character.
    apart = re.compile(f"[{_MARK}{re.escape(lacking)}]")
    between = apart.findall(text)
    return "".join(
        _escape(octets) + instead
        for octets, instead in zip(
            encoder(apart.sub(_MARK, text)).split(_MARK.encode()),
            [*map(_reference, between), ""],
            strict=True,
        )
    )


def _escape(octets: bytes) -> str:
    return _NO_QUERY.sub(lambda found: chars.HEX[ord(found[0])], octets.decode("latin-1"))


def _can_encode(character: str, encoder: QueryEncoder) -> bool:
    try:
        encoder(character)
    except UnicodeEncodeError:
        return False
    return True


def _reference(character: str) -> str:
    if character == _MARK:
        return chars.quote(character)
    # The ISO-2022-JP encoder reports U+FFFD for the controls it refuses (Encoding, 12.2.2).
    number = 0xFFFD if character in "\x0e\x0f\x1b" else ord(character)
    return f"%26%23{number}%3B"


_FORM: Final = re.compile(rb"[^A-Za-z0-9*\-._ ]")


def read_parameters(query: str, decode: Callable[[bytes], str] | None) -> list[tuple[str, str]]:
    """Return the names and values in a query (URL Standard, 5.1), by a decoder or in UTF-8."""
    decode = decode or (lambda octets: octets.decode("utf-8", "replace"))
    pairs = (pair.replace("+", " ").partition("=") for pair in query.split("&") if pair)
    return [
        (decode(percent_decode(name)), decode(percent_decode(value))) for name, _, value in pairs
    ]


def write_parameters(pairs: Iterable[tuple[str, str]], encoder: QueryEncoder | None) -> str:
    """Return the query with such names and values (URL Standard, 5.2), by an encoder or in UTF-8."""
    encoder = encoder or str.encode

    def octets(char: str) -> bytes:
        try:
            return encoder(char)
        except UnicodeEncodeError:
            return f"&#{ord(char)};".encode()

    def written(text: str) -> str:
        text = chars.SURROGATE.sub("\ufffd", text)
        try:
            found = encoder(text)
        except UnicodeEncodeError:
            found = b"".join(map(octets, text))
        return _FORM.sub(lambda octet: b"%%%02X" % octet[0][0], found).decode().replace(" ", "+")

    return "&".join(f"{written(name)}={written(value)}" for name, value in pairs)
