"""Where a browser goes from a link, by an independent URL parser.

ada-url implements the URL Standard in C++. It encodes queries in UTF-8 only, so the query is
percent-encoded in the charset of the document first (URL Standard, 1.3).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from linkfix.charset import Charset

_C0_OR_SPACE = "".join(map(chr, range(0x21)))
_SCHEME = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")
_SPECIAL = ("http:", "https:", "ftp:", "file:")
#: RFC 3986 3.3 to 3.5: the characters of a path, a query or a fragment.
_PCHAR = "!$&'()*+,;=:@-._~%"


def destination(
    value: str, base: str, charset: Charset | None, *, exact: bool = False
) -> str | None:
    """Return the URL that a browser resolves a link to; None if it resolves to nothing.

    Args:
        value: of the link, character references replaced.
        base: absolute URL of the document.
        charset: of the query; None for UTF-8.
        exact: return what the parser serializes, and no normal form of it.

    """
    import ada_url

    cleaned = re.sub("[\t\n\r]", "", value.strip(_C0_OR_SPACE))
    cleaned = cleaned.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    scheme = _SCHEME.match(cleaned)
    if charset is not None and (scheme is None or scheme[0].lower() in _SPECIAL):
        before, hash_, fragment = cleaned.partition("#")
        path, mark, query = before.partition("?")
        cleaned = path + mark + _encoded(query, charset) + hash_ + fragment
    try:
        url = ada_url.URL(cleaned, base)
    except ValueError:
        return None
    return url.href if exact else normalized(url.href)


def _encoded(query: str, charset: Charset) -> str:
    """Percent-encode a query after encoding it in a charset (URL Standard, 1.3)."""

    def run(match: re.Match[str]) -> str:
        text = match[0]
        apart = iter([char for char in text if char == "\x01" or not charset.has(char)])
        octets = charset.encode(text, missing=lambda _: b"\x01")
        return "".join(_reference(next(apart)) if o == 1 else _octet(o) for o in octets)

    # An encoder with states may write ASCII beside other characters in a state of theirs.
    return re.sub(r"[\s\S]+" if charset.has_states else "[^\x00-\x7f]+", run, query)


def _octet(octet: int) -> str:
    char = chr(octet)
    return char if "\x20" < char < "\x7f" and char not in "#<>'" else f"%{octet:02X}"


def _reference(char: str) -> str:
    """Return the replacement of a character that the charset lacks; U+0001 replaces itself."""
    if char == "\x01":
        return "%01"
    number = 0xFFFD if char in "\x0e\x0f\x1b" else ord(char)
    return f"%26%23{number}%3B"


def normalized(href: str) -> str:
    """Return a URL in one form: RFC 3986, 6.2.2.1 and 6.2.2.2, and no character that it forbids."""
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
    if "%" not in text:
        return text
    text = re.sub("%(?![0-9A-Fa-f]{2})", "%25", text)

    def one(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if char.isascii() and (char.isalnum() or char in "-._~") else match[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", one, text)
