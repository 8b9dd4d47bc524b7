"""Where a browser goes, by the URL Standard's parser of somebody else (ada)."""

from __future__ import annotations

import re

import ada_url

_UNRESERVED = r"A-Za-z0-9._~\-"
_PCHAR = _UNRESERVED + "!$&'()*+,;=:@"
_ALLOWED = {"path": _PCHAR + "/", "query": _PCHAR + "/?", "fragment": _PCHAR + "/?"}
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(text: str, base: str | None) -> str | None:
    """Return the serialization of ``text`` parsed against ``base``, or None for failure."""
    text = _SURROGATE.sub("\ufffd", text)
    try:
        parsed = ada_url.URL(text, base) if base is not None else ada_url.URL(text)
    except ValueError:
        return None
    return str(parsed.href)


def destination(text: str, base: str | None) -> str | None:
    """Return ``parse`` with every way to write the same octets made equal.

    What RFC 3986 does not allow in its place is percent-encoded (a stray ``%`` as ``%25``), the
    digits of percent-encoded octets become upper case, unreserved characters are decoded (RFC
    3986, 6.2.2.1 and 6.2.2.2).
    """
    href = parse(text, base)
    if href is None:
        return None
    head, mark, fragment = href.partition("#")
    head, query_mark, query = head.partition("?")
    scheme, _, rest = head.partition(":")
    authority = ""
    if rest.startswith("//"):
        cut = rest.find("/", 2)
        cut = len(rest) if cut < 0 else cut
        authority, rest = rest[:cut], rest[cut:]
        userinfo, at, host = authority.rpartition("@")
        authority = (
            _canonical(userinfo, _ALLOWED["path"])
            + at
            + (host if "[" in host else _canonical(host, _ALLOWED["path"]))
        )
    return (
        f"{scheme}:{authority}{_canonical(rest, _ALLOWED['path'])}"
        f"{query_mark}{_canonical(query, _ALLOWED['query'])}"
        f"{mark}{_canonical(fragment, _ALLOWED['fragment'])}"
    )


def aligned(text: str) -> str:
    """Return a text with its percent-encoding normalized (RFC 3986, 6.2.2.1 and 6.2.2.2)."""
    return _canonical(text, "\x00-\U0010ffff")


def _canonical(text: str, allowed: str) -> str:
    def encode(found: re.Match[str]) -> str:
        if found["octet"]:
            character = chr(int(found["octet"][1:], 16))
            return character if re.fullmatch(f"[{_UNRESERVED}]", character) else found[0].upper()
        return "".join(f"%{octet:02X}" for octet in found[0].encode())

    return re.sub(f"(?P<octet>%[0-9A-Fa-f]{{2}})|%|[^{allowed}]", encode, text)
