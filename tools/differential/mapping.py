"""An independent mapping of links: LEIRIs by 3987bis, 7.1 and 3.6, Web Addresses by ada-url.

Nothing here is linkfix's own, so that it can judge what linkfix writes (`xml_corpus.py`, tests/xml/test_readers.py).
"""

from __future__ import annotations

import codecs
import re

import ada_url
import idna

from linkfix.iri.unicode import ucd

__all__ = ["judge", "leiri_to_uri", "same_target"]

BASE = "http://base.example/dir/page"
#: RFC 3986, appendix B, with a scheme as section 3.1 has it.
_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)
_UNRESERVED = "A-Za-z0-9\\-._~"
_SUB_DELIMS = "!$&'()*+,;="
_PCHAR = f"{_UNRESERVED}{_SUB_DELIMS}:@"


def _encoded(text: str, allowed: str, encoding: str = "utf-8") -> str:
    """Percent-encode what a component may not have (3987bis, 3.6 and 7.1), a stray percent sign too."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        encoding = "utf-8"

    def one(found: re.Match[str]) -> str:
        octets = found[0].encode(encoding, "surrogatepass" if encoding == "utf-8" else "strict")
        # ISO-2022-JP writes characters with the octets of others.
        return "".join(chr(o) if re.match(f"[{allowed}]", chr(o)) else f"%{o:02X}" for o in octets)

    return re.sub(f"(?:%(?![0-9A-Fa-f]{{2}})|[^%{allowed}])+", one, text)


def _host(text: str) -> str:
    """Map a host: percent-encoded UTF-8 is decoded, and labels are A-labels (3987bis, 3.4)."""
    decoded = re.sub(
        "(?:%[0-9A-Fa-f]{2})+",
        lambda found: bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace"),
        text,
    )
    if decoded.isascii():
        return text
    try:
        return idna.encode(decoded, uts46=True, transitional=False).decode()
    except idna.IDNAError:
        return text


def leiri_to_uri(text: str, encoding: str = "utf-8") -> str:
    """Map a LEIRI reference to a URI reference.

    Args:
        text: the reference.
        encoding: Python's name of the charset that the query of an http or https reference is mapped to.

    """
    if not codecs.lookup(encoding).name.startswith("utf"):
        # A mark after an escape belongs to no letter of the escape.
        pieces = re.split("(%[0-9A-Fa-f]{2})", text)
        text = "".join(ucd.normalize("NFC", piece) for piece in pieces)
    found = _PARTS.fullmatch(text.strip(" \t\r\n"))
    assert found is not None
    scheme, authority, path, query, fragment = found.groups()
    if (scheme or "http").lower() not in {"http", "https"}:
        encoding = "utf-8"
    new = "" if scheme is None else f"{scheme}:"
    if authority is not None:
        user, at, rest = authority.rpartition("@")
        host, port = re.fullmatch(r"(\[.*\]|[^:]*)(.*)", rest, re.DOTALL).groups()  # type: ignore[union-attr]
        new += "//" + _encoded(user, f"{_UNRESERVED}{_SUB_DELIMS}:") + at + _host(host) + port
    new += _encoded(path, _PCHAR + "/")
    if query is not None:
        new += "?" + _encoded(query, _PCHAR + "/?", encoding)
    if fragment is not None:
        new += "#" + _encoded(fragment, _PCHAR + "/?")
    return new


def _normal(uri: str) -> str:
    """Return a URI with escapes of unreserved characters decoded, and the others in upper case (RFC 3986, 6.2.2)."""

    def one(found: re.Match[str]) -> str:
        char = chr(int(found[0][1:], 16))
        return char if re.match(f"[{_UNRESERVED}]", char) else found[0].upper()

    return re.sub("%[0-9A-Fa-f]{2}", one, uri)


def same_target(old: str, new: str, encoding: str = "utf-8") -> bool:
    """Return whether two LEIRIs map to the same URI."""
    return _normal(leiri_to_uri(old, encoding)) == _normal(leiri_to_uri(new, encoding))


def _href(text: str, encoding: str) -> str | None:
    before, mark, fragment = text.partition("#")
    path, question, query = before.partition("?")
    if not query.isascii() and not codecs.lookup(encoding).name.startswith("utf"):
        # URL Standard, 1.3: a character that the charset lacks is sent as a reference.
        octets = query.encode(encoding, "percent-encoded-reference")
        query = "".join(chr(o) if o < 0x80 else f"%{o:02X}" for o in octets)
    try:
        href = ada_url.URL(path + question + query + mark + fragment, base=BASE).href
    except ValueError:
        return None
    return leiri_to_uri(href)  # what browsers send, and no URI may have: a backslash in a query


def _reference(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return f"%26%23{ord(error.object[error.start])}%3B", error.start + 1


codecs.register_error("percent-encoded-reference", _reference)


def _same_address(old: str, new: str, encoding: str) -> bool:
    one, other = _href(old, encoding), _href(new, encoding)
    return one is not None and other is not None and _normal(one) == _normal(other)


def judge(old: str, new: str, encoding: str) -> str:
    """Return how a new value follows from the old one; "" if it does not."""
    if same_target(old, new, encoding):
        return "LEIRI"
    if _same_address(old, new, encoding):
        return "Web Address"
    ours, theirs = old.split(), new.split()
    if len(ours) == len(theirs) and all(
        same_target(one, other, encoding) or _same_address(one, other, encoding)
        for one, other in zip(ours, theirs, strict=True)
    ):
        return "list"
    if "<" in old and _same_html(old, new):
        return "HTML"
    # A style sheet, a srcset, a URI specification: characters around URLs stay.
    if len(old) < 100_000 and _same_pieces(old, new, encoding):
        return "pieces"
    return ""


_DELIMITERS = re.compile(r"""([\s"'(),;<>]+)""")


def _same_pieces(old: str, new: str, encoding: str) -> bool:
    ours, theirs = _DELIMITERS.split(old), _DELIMITERS.split(new)
    return len(ours) == len(theirs) and all(
        one == other or same_target(one, other, encoding) or _same_address(one, other, encoding)
        for one, other in zip(ours, theirs, strict=True)
    )


def _same_html(old: str, new: str) -> bool:
    from lxml import html

    one, other = ([*html.fromstring(f"<div>{text}</div>").iter()] for text in (old, new))
    if [node.tag for node in one] != [node.tag for node in other]:
        return False
    for before, after in zip(one, other, strict=True):
        if (before.text, before.tail, before.keys()) != (after.text, after.tail, after.keys()):
            return False
        for name, value in zip(map(str, before.keys()), map(str, before.values()), strict=True):
            there = str(after.get(name) or "")
            if value != there and not (
                _same_address(value, there, "utf-8") or _same_pieces(value, there, "utf-8")
            ):
                return False
    return True
