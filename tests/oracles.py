"""Somebody else's judgement of links: validity, and where a browser goes."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

import ada_url
import rfc3987

if TYPE_CHECKING:
    from linkfix.charset import Charset

__all__ = ["destination", "is_iri_reference", "is_uri_reference"]

_IRI = rfc3987.get_compiled_pattern("^%(IRI_reference)s$")
_URI = rfc3987.get_compiled_pattern("^%(URI_reference)s$")
_SPECIAL = ("http:", "https:", "ftp:", "file:")
#: RFC 3986 3.3 to 3.5: what may stand in a path, a query or a fragment.
_PCHAR = "!$&'()*+,;=:@-._~%"


def is_uri_reference(text: str) -> bool:
    """Whether a text is a URI-reference of RFC 3986."""
    return _URI.match(text) is not None


def is_iri_reference(text: str) -> bool:
    """Whether a text is an IRI-reference of RFC 3987."""
    return _IRI.match(text) is not None


def destination(value: str, base: str, charset: Charset | None) -> str | None:
    """Where a browser goes from a link, normalized as DESIGN.md says for I1; None for nowhere.

    Args:
        value: of the link, character references replaced.
        base: absolute URL of the document.
        charset: of the document; None where queries are UTF-8.

    """
    cleaned = re.sub("[\t\n\r]", "", value.strip("".join(map(chr, range(0x21)))))
    cleaned = cleaned.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    scheme = re.match("([A-Za-z][A-Za-z0-9+.-]*):", cleaned)
    if charset is not None and (scheme is None or scheme[0].lower() in _SPECIAL):
        before, hash_, fragment = cleaned.partition("#")
        path, mark, query = before.partition("?")
        cleaned = path + mark + _encoded(query, charset) + hash_ + fragment
    try:
        url = ada_url.URL(cleaned, base)
    except ValueError:
        return None
    return normalized(url.href)


def _encoded(query: str, charset: Charset) -> str:
    """The query percent-encoded after encoding (URL Standard, 1.3)."""

    def run(match: re.Match[str]) -> str:
        pieces: list[str] = []
        for has, chars in groupby(match[0], lambda char: _has(charset, char)):
            if not has:
                pieces += (f"%26%23{ord(char)}%3B" for char in chars)
                continue
            octets = charset.encode("".join(chars))
            pieces += (
                chr(o) if 0x21 < o < 0x7F and chr(o) not in "#<>'" else f"%{o:02X}" for o in octets
            )
        return "".join(pieces)

    return re.sub("[^\x00-\x7f]+", run, query)


def _has(charset: Charset, char: str) -> bool:
    try:
        charset.encode(char)
    except UnicodeEncodeError:
        return False
    return True


def normalized(href: str) -> str:
    """A URL with what RFC 3986 does not allow percent-encoded, and 6.2.2.1 and 6.2.2.2 applied."""
    scheme, colon, rest = href.partition(":")
    before, hash_, fragment = rest.partition("#")
    path, mark, query = before.partition("?")
    authority = ""
    if path.startswith("//"):
        authority, slash, path = path[2:].partition("/")
        authority = "//" + authority
        path = slash + path
    parts = [quote(p, safe="/?" + _PCHAR) for p in (query, fragment)]
    return (
        scheme
        + colon
        + _percent(quote(authority, safe="/[]" + _PCHAR))
        + _percent(quote(path, safe="/" + _PCHAR))
        + mark
        + _percent(parts[0])
        + hash_
        + _percent(parts[1])
    )


def _percent(text: str) -> str:
    text = re.sub("%(?![0-9A-Fa-f]{2})", "%25", text)

    def one(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if char.isascii() and (char.isalnum() or char in "-._~") else match[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", one, text)
