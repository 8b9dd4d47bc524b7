"""Resolution of references against a base, and back (RFC 3986, 5.2; 3987bis, 6.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from linkfix.iri.arguments import need, need_text
from linkfix.iri.reference import Reference, parse
from linkfix.iri.url import parse_url

_DOT_SEGMENT: Final = re.compile(r"(?:(?<=/)|\A)(?:\.|%2[Ee]){1,2}(?=/|\Z)")


def decode_dot_segments(reference: str) -> str:
    """Decode the dots of dot segments, as a browser does before it removes them (URL Standard, 4.1).

    Args:
        reference: any reference.

    Returns:
        The same with each segment like ``%2E%2e`` written with dots. An opaque path has no segments.

    """
    if "%2e" not in reference and "%2E" not in reference:
        return reference
    parts = parse(reference)
    if parts.scheme is not None and parts.host is None and not parts.path.startswith("/"):
        return reference
    path = _DOT_SEGMENT.sub(lambda dots: re.sub("%2[Ee]", ".", dots[0]), parts.path)
    return str(parts._replace(path=path))


def remove_dot_segments(path: str) -> str:
    """Remove the complete path segments ``.`` and ``..`` (RFC 3986, 5.2.4)."""
    if "/." not in path and not path.startswith("."):
        return path
    segments = path.split("/")
    output: list[str] = []
    if path.startswith("/"):
        del segments[0]
    else:
        while len(segments) > 1 and segments[0] in {".", ".."}:
            del segments[0]
        first = segments.pop(0)
        output = [first] if first not in {".", ".."} else []
    for i, segment in enumerate(segments):
        if segment in {".", ".."}:
            if segment == ".." and output:
                output.pop()
            if i + 1 == len(segments):
                output.append("/")
        else:
            output.append(f"/{segment}")
    return "".join(output)


def resolve(
    base: str, reference: str, *, strict: bool = True, syntax: Literal["iri", "web"] = "iri"
) -> str:
    """Resolve a reference against a base, as RFC 3986, 5.2.2 or as browsers do.

    Args:
        base: an absolute IRI; its fragment does not count. It must have a scheme; the rest is parsed and not
            validated, as that of `reference` (`violations` validates).
        reference: any reference.
        strict: false to read a reference with the scheme of the base as relative, if ``syntax`` is ``iri``.
        syntax: ``iri`` for RFC 3986, which keeps every component as it is spelled; ``web`` for the URL
            Standard, whose result is a serialized URL (`parse_url` returns its parts).

    Returns:
        The target.

    Raises:
        ValueError: for a base without a scheme, and for a Web Address that no browser can resolve.

    """
    need(("iri", "web"), syntax=syntax)
    need_text(base=base, reference=reference)
    if syntax == "web":
        url = parse_url(reference, base)
        if url is None:
            raise ValueError(f"no browser can resolve {reference!r} against {base!r}")
        return url.href
    start, target = _parsed(base), parse(reference)
    if start.scheme is None:
        raise ValueError(f"the base {base!r} has no scheme")
    scheme, userinfo, host, port, path, query, fragment = target
    if not strict and scheme is not None and scheme.lower() == start.scheme.lower():
        scheme = None
    if scheme is None and host is None:
        _, userinfo, host, port, _, _, _ = start
        if not path:
            path, query = start.path, start.query if query is None else query
        else:
            path = _clean(path if path.startswith("/") else _merge(start, path), host)
    else:
        path = _clean(path, host)
    return str(Reference(scheme or start.scheme, userinfo, host, port, path, query, fragment))


#: A document has few bases.
_parsed = lru_cache(maxsize=16)(parse)


def _clean(path: str, host: str | None) -> str:
    path = remove_dot_segments(path)
    # Without an authority two slashes would begin one (RFC 3986, 3.3).
    return f"/.{path}" if host is None and path.startswith("//") else path


def _merge(base: Reference, path: str) -> str:
    """Put a relative path behind the directories of the base (RFC 3986, 5.2.3)."""
    if base.host is not None and not base.path:
        return f"/{path}"
    return base.path[: base.path.rfind("/") + 1] + path


def relativize(base: str, target: str, *, rootless: bool = False) -> str:
    """Write a target as a reference relative to a base, as short as possible.

    Args:
        base: an absolute IRI.
        target: an absolute IRI.
        rootless: write a path that does not begin with a slash, however long, or a fragment alone.

    Returns:
        A reference that ``resolve`` resolves against ``base`` to ``target``, except for dot segments in ``target``;
        ``target`` itself if no shorter one does.

    Raises:
        ValueError: for a base without a scheme.

    """
    wanted = resolve(base, target)
    for candidate in _candidates(parse(base), parse(wanted)):
        if rootless and (not candidate or candidate[0] in "/?"):
            continue
        short = rootless or len(candidate) <= len(target)
        if short and resolve(base, candidate) == wanted:
            return candidate
    return target


def _candidates(base: Reference, target: Reference) -> Iterator[str]:
    """Yield references to try, the shorter ones first."""
    if base.scheme != target.scheme:
        return
    local = target._replace(scheme=None)
    if base.authority == target.authority:
        bare = local._replace(userinfo=None, host=None, port=None)
        yield str(bare._replace(path="", query=None))
        yield str(bare._replace(path=""))
        if base.host is None and not base.path.startswith("/"):
            return  # a browser reads such a path as opaque, and resolves nothing against it
        here, there = base.path.split("/")[:-1], target.path.split("/")
        common = 0
        while common < min(len(here), len(there) - 1) and here[common] == there[common]:
            common += 1
        path = "../" * (len(here) - common) + "/".join(there[common:])
        first = path.partition("/")[0]
        relative = bare._replace(path=f"./{path}" if ":" in first or not first else path)
        absolute = str(bare)
        yield from sorted((str(relative), absolute), key=len)
    if target.host is not None:
        yield str(local)
