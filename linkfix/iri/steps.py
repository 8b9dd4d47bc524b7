"""The steps of the drafts one by one, each by its section.

A program needs `convert` and `resolve`; these are for those who follow a draft, and for those who teach one. Preprocessing
decodes octets to characters (3987bis, 3.1) and splits lists into references (weber, 4); `uri_to_iri_steps` shows the six
steps from a URI to an IRI (3987bis, 3.7 and 3.7.1). The other steps are done by the modules that they are imported from.
"""

import codecs
import re
from typing import Final

from linkfix.deferred import pattern
from linkfix.iri.conversion import leiri_to_iri, uri_to_iri, web_address_to_iri
from linkfix.iri.converter import iri_to_uri
from linkfix.iri.layout import Span
from linkfix.iri.octets import RUN
from linkfix.iri.resolution import decode_dot_segments, remove_dot_segments
from linkfix.iri.unicode.bidi import within
from linkfix.iri.unicode.ucd import to_nfc
from linkfix.iri.unicode.uts46 import Profile

__all__ = [
    "decode_dot_segments", "from_octets", "href_charset", "iri_to_uri", "leiri_to_iri",
    "remove_dot_segments", "split_list", "uri_to_iri", "uri_to_iri_steps", "web_address_to_iri",
    "within",
]  # fmt: skip

_UNICODE: Final = pattern("utf[-_]?(?:7|8|16|32)|utf-8-sig|utf-(?:16|32)-[bl]e")


def _is_unicode(charset: str) -> bool:
    return _UNICODE.match(codecs.lookup(charset).name) is not None


def from_octets(octets: bytes, charset: str, *, nfc: bool | None = None) -> str:
    """Convert a reference in some charset to characters (3987bis, 3.1 and 5.3.2.2).

    Args:
        octets: the reference in a document or protocol.
        charset: a name of the charset in Python's codecs.
        nfc: whether to normalize the result to NFC; None to do so unless the charset is an encoding of Unicode.

    Returns:
        The reference; malformed octets become U+FFFD.

    Raises:
        LookupError: for an unknown charset.

    """
    text = octets.decode(charset, "replace")
    if nfc is None:
        nfc = not _is_unicode(charset)
    return to_nfc(text) if nfc else text


def href_charset(charset: str | None) -> str:
    """Return the charset that the query of a Web Address is mapped in (3987bis, 7.2).

    Args:
        charset: the charset of the document, or None where nothing is known of it.

    """
    return "utf-8" if charset is None or _is_unicode(charset) else charset


def split_list(text: str) -> list[Span]:
    """Find the references in a list that is separated by spaces (weber, 4 steps 1 and 2).

    Args:
        text: references between blocks of U+0020; space, CR, LF and tab at both ends are not
            part of the list.

    Returns:
        The span of each reference, in code points from the start of ``text``.

    """
    start = len(text) - len(text.lstrip(" \r\n\t"))
    end = len(text.rstrip(" \r\n\t"))
    return [found.span() for found in re.compile("[^ ]+").finditer(text, start, end)]


_UNRESERVED: Final = pattern(r"[A-Za-z0-9\-._~]")


def uri_to_iri_steps(uri: str, *, idna: Profile = "uts46") -> tuple[str, ...]:
    """Return the result of each of the six steps for a URI.

    Args:
        uri: a URI reference.
        idna: the variant of ToASCII that must map U-labels back.

    Returns:
        Six texts in the notation of 3.7.1, in which ``<c3>`` is an octet that is not ASCII.

    """
    second = RUN.sub(lambda run: _octets(run[0], legal_only=False), uri)
    third = RUN.sub(lambda run: _octets(run[0], legal_only=True), uri)
    fifth = uri_to_iri(uri, idna=None).text
    return uri, second, third, _written(uri, fifth), fifth, uri_to_iri(uri, idna=idna).text


def _octets(run: str, *, legal_only: bool) -> str:
    """Decode a run of octets to the notation of 3.7.1."""
    pieces = []
    for character in bytes.fromhex(run.replace("%", "")).decode("utf-8", "surrogateescape"):
        octets = character.encode("utf-8", "surrogateescape")
        legal = not "\udc80" <= character <= "\udcff"
        if character.isascii():
            kept = _UNRESERVED.match(character)
            pieces.append(character if kept else f"%{ord(character):02X}")
        elif legal or not legal_only:
            pieces += (f"<{octet:02x}>" for octet in octets)
        else:
            pieces += (f"%{octet:02X}" for octet in octets)
    return "".join(pieces)


def _written(uri: str, iri: str) -> str:
    """Write the characters that the URI had as octets as octets."""
    raw = set(uri)
    return "".join(
        character
        if character.isascii() or character in raw
        else "".join(f"<{octet:02x}>" for octet in character.encode())
        for character in iri
    )
