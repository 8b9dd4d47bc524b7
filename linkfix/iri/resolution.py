"""Resolution of references against a base, and back (RFC 3986, 5.2; 3987bis, 6.5).

Everything that resolves a reference does it here. `resolve` follows one standard. `resolved` resolves as the readers
of a link do: a Web Address by the URL Standard, spelled as by RFC 3986, 5.2, if that is the same URL, and else as browsers
serialize it; all others by RFC 3986. A `BaseURL` keeps what is known about a base, so that most links are appended to
its folder or its root. Results are remembered, since pages repeat their links.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, Literal

from linkfix.deferred import pattern
from linkfix.iri.chars import SCHEME
from linkfix.iri.model import need, need_text
from linkfix.iri.quick import ORIGIN
from linkfix.iri.reference import Reference, parse, split
from linkfix.iri.url import parse_url

#: References that both standards resolve alike: below any base, and below one of the following.
_ABSOLUTE: Final = pattern(rf"{ORIGIN}(?=[/?#]|\Z)[!-\[\]-~]*+")
_RELATIVE: Final = pattern(rf"(?!{SCHEME.pattern}|//)[!-\[\]-~]*+")
_BASE: Final = pattern(rf"{ORIGIN}(?=[/?#]|\Z)(?:(?!/\.|/%2[Ee])[!-\[\]-~])*+")
#: The path of a file, if neither it nor the reference can have a drive letter (URL Standard, 4.2).
_FILE: Final = pattern(r"[Ff][Ii][Ll][Ee]:///(?!/)(?:(?!/\.|/%2[Ee])[!-9;-\[\]-{}~])*+")
_DRIVE: Final = pattern(r"[:|]")
_PLAIN: Final = r"A-Za-z0-9\-._~!$&()*+,;=:@/%"
#: URLs that the serializer of the standard surely returns as they are.
_SERIALIZED: Final = pattern(
    r"https?://(?:(?!xn--)[a-z0-9][a-z0-9-]*+\.)*+(?!xn--)[a-z][a-z0-9-]*+(?=/)"
    rf"(?:(?!/\.|/%2[Ee])[{_PLAIN}])*+(?:\?[{_PLAIN}?]*+)?+(?:#[{_PLAIN}?]*+)?+"
)
#: A URI of a special scheme without an authority, which has another meaning to the URL Standard.
_NO_AUTHORITY: Final = pattern(
    r"(?:https?|ftp|wss?):(?!//[^/?#])|file:(?!/)", re.ASCII | re.IGNORECASE
)
#: Folders to which a relative path can be appended; the group ends at the root of their paths. A drive letter, which no path
#: leaves (URL Standard, 4.4, "file slash state"), needs resolution.
_DIRECTORY: Final = pattern(
    r"(?!file:///[A-Za-z]:)([a-z]+://[^/?#]*/)"
    r"(?:(?!\.{1,2}+/)(?:[A-Za-z0-9\-._~!$&()*+,;=@:]|%[0-9A-Fa-f]{2})++/)*"
)
#: A path of steps up only.
_STEPS: Final = pattern(r"(?:\./)?((?:\.\./)*)")
#: How many different steps up a base URL remembers.
_MOST_STEPS: Final = 32
#: The greatest length in code points of a reference with its base that is remembered: pages repeat their links, and
#: a link with a new target is resolved more than once.
_REMEMBERED: Final = 512
_DOT_SEGMENT: Final = pattern(r"(?:(?<=/)|\A)(?:\.|%2[Ee]){1,2}(?=/|\Z)")


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


class BaseURL:
    """A base URL, and what is relative to it.

    Args:
        uri: absolute URI of a document or its base, "" if unknown. Nothing is relative to one without a scheme.

    Attributes:
        uri: that URI.
        directory: the URI up to its last slash, to which relative paths are appended.
        root: the length of the part of it that no step up removes; 0 if every path needs resolution.

    """

    __slots__ = ("_above", "_base", "_depth", "_is_alike", "_is_file", "directory", "root", "uri")

    def __init__(self, uri: str) -> None:
        self.uri: str = uri
        self.directory: str = uri[: uri.rfind("/") + 1]
        found = _DIRECTORY.fullmatch(self.directory)
        self.root: int = 0 if found is None else found.end(1)
        self._above = lru_cache(_MOST_STEPS)(self._after)
        self._base = decode_dot_segments(uri) if SCHEME.match(uri) else ""
        #: How many folders it has.
        self._depth = uri.partition("://")[2].count("/") - 1
        #: Whether both standards resolve most relative references alike; those without a drive letter.
        self._is_file = _FILE.fullmatch(uri) is not None
        self._is_alike = self._is_file or _BASE.fullmatch(uri) is not None

    def target(self, value: str) -> str | None:
        """Resolve an ordinary value of a link to another document, as `resolve` does, and faster.

        A path without dots is appended to the folder or the root; steps up are removed once for all links.

        Args:
            value: an ordinary value (`linkfix.iri.quick`).

        """
        if value[0] not in "./?#":
            if value.startswith(("http:", "https:")):
                return value
            if self.root:
                return self.directory + value
        elif value[0] == ".":
            steps = value.rfind("./") + 2
            above = self._above(value[:steps])
            if above and steps < len(value):
                return above + value[steps:]
        elif value[0] == "/" and self.root:
            return self.directory[: self.root] + value[1:]
        return resolved(value, self.uri)

    def _after(self, steps: str) -> str:
        """Return the directory after a path of steps up, "" if it needs resolution."""
        found = _STEPS.fullmatch(steps)
        if found is None or not self.root:
            return ""
        end = len(self.directory)
        for _ in range(len(found[1]) // len("../")):
            # No step leads above the root (RFC 3986, 5.2.4).
            end = max(self.root, self.directory.rfind("/", 0, end - 1) + 1)
        return self.directory[:end]

    def resolve(self, reference: str, *, web: bool = True) -> str | None:
        """Resolve a reference as its readers do (`resolved`)."""
        if not self._base and SCHEME.match(reference) is None:
            return None
        if not web or self._reads_alike(reference):
            return self._by_rfc(reference, strict=not web)
        # Against a base that is no URL only absolute references are resolved.
        url = parse_url(reference, self.uri if self._base and parse_url(self.uri) else None)
        if url is None:
            return None
        spelled = self._by_rfc(reference, strict=False)
        return spelled if parse_url(spelled) == url else url.href

    def _reads_alike(self, reference: str) -> bool:
        """Return whether the two standards resolve a reference alike."""
        if _ABSOLUTE.fullmatch(reference):
            return True
        if not self._is_alike or not _RELATIVE.fullmatch(reference):
            return False
        return not self._is_file or _DRIVE.search(reference) is None

    def _by_rfc(self, reference: str, *, strict: bool) -> str:
        reference = decode_dot_segments(reference)
        return resolve(self._base, reference, strict=strict) if self._base else reference

    def is_left_by(self, reference: str) -> bool:
        """Return whether a relative path has more steps up than this base has folders."""
        depth = self._depth
        if reference.count("..") <= depth:
            return False
        path = split(reference)[0].split("/")
        if not path[0] or ":" in path[0]:
            return False
        for segment in path:
            depth += {"..": -1, ".": 0, "": 0}.get(segment, 1)
            if depth < 0:
                return True
        return False


#: The base URL for a URI, the same object for all its links.
base_url: Callable[[str], BaseURL] = lru_cache(maxsize=1024)(BaseURL)


def _resolved(reference: str, base: str | None, web: bool) -> str | None:
    return base_url(base or "").resolve(reference, web=web)


_resolved_before = lru_cache(maxsize=1024)(_resolved)


def resolved(reference: str, base: str | None, *, web: bool = True) -> str | None:
    """Resolve a reference to an absolute URI as its readers do.

    Args:
        reference: a valid URI reference.
        base: the absolute IRI that it is relative to; None if unknown.
        web: whether it is read as a Web Address.

    Returns:
        None if it is relative to an unknown base, or to one without relative references.

    """
    is_short = len(reference) + len(base or "") <= _REMEMBERED
    return (_resolved_before if is_short else _resolved)(reference, base, web)


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


def without_dots(uri: str) -> str:
    """Write the path of an absolute URI as browsers do, without dot segments (URL Standard, 4.4)."""
    if "/." not in uri and "/%2" not in uri and "://" in uri:
        return uri
    url = parse_url(uri)
    if url is None:
        return uri
    return replace(url, query=None, fragment=None).href + "".join(split(uri)[1:])
