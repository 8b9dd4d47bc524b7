"""The spans of the components of a reference, as RFC 3986 or as a browser reads them.

Both readings return a ``Layout``, so that all later steps are the same.
A span is a pair of code point offsets into the text read; an absent component has no span, an
empty one an empty span.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from linkfix.deferred import pattern
from linkfix.iri.chars import SCHEME
from linkfix.iri.reference import components

Span: TypeAlias = tuple[int, int]

#: URL Standard, 3.1: the special schemes with their default ports.
SPECIAL: Final[dict[str, int | None]] = {
    "http": 80,
    "https": 443,
    "ws": 80,
    "wss": 443,
    "ftp": 21,
    "file": None,
}

_SOLIDUS: Final = pattern("/")
_SLASH: Final = re.compile(r"[/\\]")
_SLASHES: Final = re.compile(r"[/\\]*")
_HOST: Final = pattern(r"(?:\[[^\]]*+\]?+|[^:\[]++)*+")
#: URL Standard, 4.3: "starts with a Windows drive letter".
DRIVE: Final = re.compile(r"[A-Za-z][:|](?=[/\\?#]|\Z)")


class ConversionError(ValueError):
    """A text that a browser could not parse, or that cannot be converted.

    Attributes:
        rule: kebab-case identifier of the reason.
        component: the component to blame.
        span: where it is.

    """

    def __init__(self, rule: str, component: str, span: Span, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.component = component
        self.span = span


class Base(NamedTuple):
    """What the reading of a relative reference needs to know of its base.

    Attributes:
        scheme: in lower case.
        opaque: whether nothing but a fragment can be resolved against it.
        directories: the directories of its path, in order, for ``file`` alone.

    """

    scheme: str
    opaque: bool = False
    directories: tuple[str, ...] = ()


@dataclass(slots=True)
class Layout:
    """The spans of the components of one text.

    Attributes:
        scheme: the scheme that applies, in lower case: its own, or the base's.
        absolute: whether the text names its scheme.
        opaque: whether the path is opaque to a browser.
        lead: the span between the scheme and the authority or path, usually slashes.
        userinfo, host, port, query, fragment: spans without delimiters, or None.
        path: span of the path.
        drive: offset of the ``|`` of a Windows drive letter in the path, or -1.
        inherits: whether the text has a scheme and is relative to its base nevertheless.

    """

    scheme: str
    absolute: bool
    path: Span
    opaque: bool = False
    lead: Span = (0, 0)
    userinfo: Span | None = None
    host: Span | None = None
    port: Span | None = None
    query: Span | None = None
    fragment: Span | None = None
    drive: int = -1
    inherits: bool = False

    @property
    def scheme_end(self) -> int:
        """Offset of the colon behind the scheme of an absolute reference."""
        return self.lead[0] - 1

    def spans(self) -> Iterator[tuple[str, Span]]:
        """Yield the components but scheme and port that are not empty."""
        for name in ("userinfo", "host", "path", "query", "fragment"):
            start, end = getattr(self, name) or (0, 0)
            if start < end:
                yield name, (start, end)

    @property
    def special(self) -> bool:
        """Whether the scheme is one of the URL Standard's special schemes."""
        return self.scheme in SPECIAL


def read_generic(text: str) -> Layout:
    """Read a text by the generic syntax (RFC 3986, 3 and Appendix B; weber, 5).

    Never fails: what is not the syntax's shows in the components.
    """
    found = components(text)
    scheme, userinfo, host, port, _, query, fragment = found.groups()
    start = 0 if scheme is None else len(scheme) + 1
    layout = Layout((scheme or "").lower(), scheme is not None, found.span(5), lead=(start, start))
    if host is not None:
        layout.lead = (start, start + 2)
        layout.host = found.span(3)
    layout.userinfo = None if userinfo is None else found.span(2)
    layout.port = None if port is None else found.span(4)
    layout.query = None if query is None else found.span(6)
    layout.fragment = None if fragment is None else found.span(7)
    return layout


def read_web(text: str, base: Base) -> Layout:
    """Read a text as the URL parser does (URL Standard, 4.4).

    Args:
        text: a Web Address, stripped as the parser does.
        base: the base of a relative reference.

    Returns:
        The layout; host and port are not validated.

    Raises:
        ConversionError: for a relative reference without a usable base, or a missing host.

    """
    hash_at = text.find("#")
    end = len(text) if hash_at < 0 else hash_at
    fragment = None if hash_at < 0 else (hash_at + 1, len(text))
    mark = text.find("?", 0, end)
    query = None if mark < 0 else (mark + 1, end)
    end = end if mark < 0 else mark
    found = SCHEME.match(text, 0, end)
    start = found.end() if found else 0
    scheme = found[1].lower() if found else base.scheme
    layout = Layout(scheme, bool(found), (start, end), lead=(start, start))
    layout.query, layout.fragment = query, fragment
    same = scheme == base.scheme and not base.opaque
    if not found and base.opaque:
        if fragment is None or start < end or query or not base.scheme:
            raise ConversionError("base-opaque", "reference", (0, len(text)), _OPAQUE_BASE)
    elif scheme == "file":
        _read_file(text, layout, base if same else None)
    elif scheme in SPECIAL:
        slashes = _SLASHES.match(text, start, end)
        close = slashes.end() if slashes else start
        if close - start >= 2 or not same:
            layout.lead = (start, close)
            _read_authority(text, layout, close, end, _SLASH)
    elif text.startswith("//", start, end):
        layout.lead = (start, start + 2)
        _read_authority(text, layout, start + 2, end, _SOLIDUS)
    elif found:
        layout.opaque = not text.startswith("/", start, end)
    layout.inherits = bool(found) and same and layout.special and layout.lead == (start, start)
    return layout


_OPAQUE_BASE: Final = "a relative reference cannot be resolved against this base"


def _read_authority(
    text: str, layout: Layout, start: int, end: int, terminator: re.Pattern[str]
) -> None:
    close = terminator.search(text, start, end)
    layout.path = (close.start() if close else end, end)
    end = layout.path[0]
    # The last ``@`` ends the user, and the first ``:`` outside brackets the host.
    at = text.rfind("@", start, end)
    if at >= 0:
        layout.userinfo = (start, at)
        start = at + 1
    found = _HOST.match(text, start, end)
    colon = found.end() if found else end
    layout.host = host = (start, colon)
    layout.port = (colon + 1, end) if colon < end else None
    if start == colon and (layout.special or layout.userinfo or layout.port):
        raise ConversionError("host-missing", "host", host, "the host is missing")


def _read_file(text: str, layout: Layout, base: Base | None) -> None:
    """Read what follows ``file:``, where a drive letter is neither host nor segment."""
    start, end = layout.path
    slashes = _SLASHES.match(text, start, end)
    count = (slashes.end() if slashes else start) - start
    directories: tuple[str, ...] = ()
    if count >= 2:
        layout.lead = (start, start + 2)
        close = _SLASH.search(text, start + 2, end)
        host_end = close.start() if close else end
        drive = DRIVE.match(text, start + 2, host_end)
        if drive and drive.end() == host_end:
            layout.path = (start + 2, end)
        else:
            layout.host = (start + 2, host_end)
            layout.path = (host_end, end)
    elif base and not DRIVE.match(text, start + count, end):
        # A root keeps the base's drive, a relative path its directories.
        directories = base.directories[:1] if count else base.directories
        if count and not (directories and DRIVE_LETTER.fullmatch(directories[0])):
            directories = ()
    begin, end = layout.path
    if text.find("|", begin, end) >= 0:
        layout.drive = follow_path(text[begin:end], directories, "file")[1]
        if layout.drive >= 0:
            layout.drive += begin


def port_of(text: str, span: Span) -> int:
    """Return the number of a port, 0 for an empty one (URL Standard, 4.4, port state).

    Raises:
        ConversionError: it is no number, or too large.

    """
    port = text[slice(*span)]
    if port.strip("0123456789"):
        raise ConversionError("port-invalid", "port", span, "a port is written in decimal digits")
    significant = port.lstrip("0")
    if len(significant) > 5 or int(significant or 0) > 65535:
        raise ConversionError("port-out-of-range", "port", span, "a port is at most 65535")
    return int(significant or 0)


_SINGLE_DOT: Final = frozenset({".", "%2e", "%2E"})
_DOUBLE_DOT: Final = pattern(r"(?:\.|%2[eE]){2}")
#: A segment that begins as a dot segment does.
_DOT: Final = pattern(r"(?:\A|[/\\])(?:\.|%2[eE])")
#: URL Standard, 4.3: "Windows drive letter".
DRIVE_LETTER: Final = pattern("[A-Za-z][:|]")


def follow_path(path: str, directories: Sequence[str], scheme: str) -> tuple[list[str], int]:
    """Follow a path from the directories that it is relative to (URL Standard, 4.4, path state).

    Args:
        path: as it is written; with a slash in front it begins at the root, which `directories` is then.
        directories: of the base, as they are serialized.
        scheme: of the URL.

    Returns:
        The segments of the whole path as they are written, none for an empty path; and the offset in `path` of the ``|``
        that the parser turns into the colon of a drive letter, or -1.

    """
    if not path:
        return [], -1
    is_file = scheme == "file"
    found = _SLASH.split(path) if scheme in SPECIAL else path.split("/")
    segments, drive, position, is_dot = [*directories], -1, 0, False
    if not found[0] and len(found) > 1:
        position = 1
        del found[0]
    if not (is_file or _DOT.search(path)):
        return [*segments, *found], -1
    for segment in found:
        is_up = _DOUBLE_DOT.fullmatch(segment) is not None
        is_dot = is_up or segment in _SINGLE_DOT
        if is_up and segments:
            # No step leads above a drive letter.
            if not (is_file and len(segments) == 1 and DRIVE_LETTER.fullmatch(segments[0])):
                segments.pop()
        elif not is_dot:
            if is_file and not segments and DRIVE_LETTER.fullmatch(segment):
                drive = position + 1 if segment[1] == "|" else -1
                segment = f"{segment[0]}:"
            segments.append(segment)
        position += len(segment) + 1
    if is_dot:
        segments.append("")  # a path that ends in dots names a directory
    return segments, drive
