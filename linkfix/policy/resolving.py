"""Resolve references as their readers do.

Input: a converted reference and a base URL. Output: an absolute URI. A Web Address is resolved by the URL Standard; the
result is spelled as by RFC 3986, 5.2, if that is the same URL, and else as browsers serialize it. All other references
are resolved by RFC 3986. Results are remembered, since pages repeat their links.
"""

from __future__ import annotations

import re
from functools import lru_cache

from linkfix.iri import decode_dot_segments, parse_url, resolve
from linkfix.iri.quick import ORIGIN

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
#: References that both standards resolve alike: below any base, and below one of the following.
_ABSOLUTE = re.compile(rf"{ORIGIN}(?=[/?#]|\Z)[!-\[\]-~]*+")
_RELATIVE = re.compile(rf"(?!{_SCHEME.pattern}|//)[!-\[\]-~]*+")
_BASE = re.compile(rf"{ORIGIN}(?=[/?#]|\Z)(?:(?!/\.|/%2[Ee])[!-\[\]-~])*+")
_PLAIN = r"A-Za-z0-9\-._~!$&()*+,;=:@/%"
#: URLs that the serializer of the standard surely returns as they are.
_SERIALIZED = re.compile(
    r"https?://(?:(?!xn--)[a-z0-9][a-z0-9-]*+\.)*+(?!xn--)[a-z][a-z0-9-]*+(?=/)"
    rf"(?:(?!/\.|/%2[Ee])[{_PLAIN}])*+(?:\?[{_PLAIN}?]*+)?+(?:#[{_PLAIN}?]*+)?+"
)
#: A URI of a special scheme without an authority, which has another meaning to the URL Standard.
_NO_AUTHORITY = re.compile(r"(?:https?|ftp|wss?):(?!//[^/?#])|file:(?!/)", re.ASCII | re.IGNORECASE)
#: The path of a file, if neither it nor the reference can have a drive letter (URL Standard, 4.2).
_FILE = re.compile(r"[Ff][Ii][Ll][Ee]:///(?!/)(?:(?!/\.|/%2[Ee])[!-9;-\[\]-{}~])*+")
_DRIVE = re.compile(r"[:|]")


def resolved(uri: str, base: str | None, *, web: bool = True) -> str | None:
    """Resolve a reference to an absolute URI.

    Args:
        uri: a valid URI reference.
        base: the absolute IRI that it is relative to; None if unknown.
        web: whether it is read as a Web Address.

    Returns:
        None if it is relative to an unknown base, or to one without relative references.

    """
    short = len(uri) + len(base or "") <= _REMEMBERED
    return (_resolved_before if short else _resolved)(uri, base, web)


def _resolved(uri: str, base: str | None, web: bool) -> str | None:
    if base is not None and _SCHEME.match(base) is None:
        base = None
    if base is None and _SCHEME.match(uri) is None:
        return None
    if not web or _are_alike(uri, base):
        return _by_rfc(uri, base, strict=not web)
    url = parse_url(uri, base) if base is None or parse_url(base) else parse_url(uri)
    if url is None:
        return None
    spelled = _by_rfc(uri, base, strict=False)
    return spelled if parse_url(spelled) == url else url.href


def _are_alike(uri: str, base: str | None) -> bool:
    """Return whether the two standards resolve a reference alike."""
    if _ABSOLUTE.fullmatch(uri):
        return True
    if base is None or not _RELATIVE.fullmatch(uri):
        return False
    if _BASE.fullmatch(base):
        return True
    return _FILE.fullmatch(base) is not None and _DRIVE.search(uri) is None


def _by_rfc(uri: str, base: str | None, *, strict: bool) -> str:
    reference = decode_dot_segments(uri)
    return (
        reference if base is None else resolve(decode_dot_segments(base), reference, strict=strict)
    )


def serialized(uri: str, *, web: bool = True) -> str | None:
    """Return an absolute URI as the URL Standard, 4.5, serializes it.

    Args:
        uri: of `resolved`.
        web: whether it was read as a Web Address.

    Returns:
        None for no URL, and for a URI of another reader that the standard takes for another URL (``http:a``).

    """
    if _SERIALIZED.fullmatch(uri):
        return uri
    if not web and _NO_AUTHORITY.match(uri):
        return None
    url = parse_url(uri)
    return None if url is None else url.href


def leaves(reference: str, base: str) -> bool:
    """Return whether a relative path has more steps up than its base URL has folders."""
    depth = base.partition("://")[2].count("/") - 1
    if reference.count("..") <= depth:
        return False
    path = reference.partition("#")[0].partition("?")[0]
    first, _, _ = path.partition("/")
    if not first or ":" in first:
        return False
    for segment in path.split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(segment, 1)
        if depth < 0:
            return True
    return False


#: The greatest length in code points of a reference with its base that is remembered: pages repeat their links, and
#: a link with a new target is resolved more than once.
_REMEMBERED = 512
_resolved_before = lru_cache(maxsize=1024)(_resolved)
