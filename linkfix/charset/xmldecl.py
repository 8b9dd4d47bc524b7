"""The charset of an XML document by its first bytes and its XML declaration (XML 1.0, 4.3.3 and F.1)."""

from __future__ import annotations

import re
from typing import NamedTuple

from linkfix.deferred import pattern


class Family(NamedTuple):
    """A family of charsets in which the first bytes begin an XML document.

    Attributes:
        codec: the codec of Python in which an XML declaration can be read.
        default: name of the charset without a declaration; None if there is no support.
        unit: bytes of an ASCII character.

    """

    codec: str
    default: str | None
    unit: int = 1


#: Appendix F.1, "without a byte order mark", the longer patterns first. A document without an XML declaration begins
#: with another "<" or a blank, which shows the width too.
FAMILIES: tuple[tuple[re.Pattern[bytes], Family], ...] = (
    (pattern(rb"\0\0\0[<\t\n\r ]"), Family("utf-32-be", "UTF-32BE", 4)),
    (pattern(rb"[<\t\n\r ]\0\0\0"), Family("utf-32-le", "UTF-32LE", 4)),
    (pattern(rb"\0\0<\0|\0<\0\0"), Family("", None, 4)),
    (pattern(rb"\0[<\t\n\r ]"), Family("utf-16-be", "UTF-16BE", 2)),
    (pattern(rb"[<\t\n\r ]\0"), Family("utf-16-le", "UTF-16LE", 2)),
    (pattern(rb"\x4C\x6F\xA7\x94"), Family("cp037", "IBM037")),
    (pattern(rb""), Family("latin-1", "UTF-8")),
)

#: White space as XML has it, and NEL: the line end of EBCDIC documents.
_DECLARATION = pattern(
    r"""
    <\?xml [\t\n\r\x85\ ]+
    (?: version [\t\n\r\x85\ ]* = [\t\n\r\x85\ ]* (?: "[^"<>]*" | '[^'<>]*' ) [\t\n\r\x85\ ]+ )?
    encoding [\t\n\r\x85\ ]* = [\t\n\r\x85\ ]* (?P<quote> ["'] ) (?P<label> (?: (?! (?P=quote) ) [^<>] )+ ) (?P=quote)
    """,
    re.VERBOSE,
)


#: A short declaration, or the beginning of a document without one, in ASCII. With fewer bytes than `family` or a
#: declaration needs, more could follow.
_ASCII_START = pattern(
    rb"<\?xml[\t\n\r ][\t\n\r -=@-~]{0,128}+\?>|<(?!\?xml)[!?A-Za-z][\t\n\r -~]{3}"
)


def family(data: bytes) -> Family:
    """Return the family of charsets for the first four bytes of a document without byte order mark."""
    return next(found for pattern, found in FAMILIES if pattern.match(data))


def xml_start(data: bytes) -> bytes | None:
    """Return the first bytes of a document in an ASCII-compatible charset that decide its charset.

    Args:
        data: the document, or its beginning.

    Returns:
        The XML declaration, or without one the beginning of the document; None if the bytes do not show either, or are
        not ASCII.

    """
    found = _ASCII_START.match(data)
    return found and found[0]


def declared_label(text: str) -> re.Match[str] | None:
    """Return a match of the XML declaration at the start of `text`, with the label as its group (XML 1.0, 4.3.3 [80])."""
    return _DECLARATION.match(text)
