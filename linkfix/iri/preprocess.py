"""Preprocessing: decode octets to characters, split lists into references."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final

from linkfix.iri.unicode.nfc import to_nfc

if TYPE_CHECKING:
    from linkfix.iri.layout import Span

_UNICODE: Final = re.compile("utf[-_]?(?:7|8|16|32)|utf-8-sig|utf-(?:16|32)-[bl]e")


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
