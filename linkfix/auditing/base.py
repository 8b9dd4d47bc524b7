"""Resolve ordinary values against a base URL, faster than in general.

Input: an ordinary value. Output: an absolute URI. A path without dots is appended to the folder of the base URL, or to its
root, and steps up are removed from it once for all links. Anything else, such as a query, is resolved in general. The
result is the same as that of `linkfix.policy.resolving.resolved`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from linkfix.iri import comparison_form
from linkfix.iri.ordinary import ORDINARY
from linkfix.policy.resolving import resolved

#: How links inside a document begin.
LOCAL = frozenset({"", "#", "?"})
#: Folders to which a relative path can be appended; the group ends at the root of their paths. A drive letter, which no path
#: leaves (URL Standard, 4.4, "file slash state"), needs resolution.
_DIRECTORY = re.compile(
    r"(?!file:///[A-Za-z]:)([a-z]+://[^/?#]*/)"
    r"(?:(?!\.{1,2}+/)(?:[A-Za-z0-9\-._~!$&()*+,;=@:]|%[0-9A-Fa-f]{2})++/)*"
)
#: A path of steps up only.
_STEPS = re.compile(r"(?:\./)?((?:\.\./)*)")
#: The addresses of folders whose address is not known; no document has links to them.
_MADE_UP = re.compile(r"http://folder-[0-9]+\.invalid(?=/)")
#: How many different steps up a base URL remembers.
_MOST_STEPS = 32


class BaseURL:
    """A base URL for ordinary values.

    Args:
        uri: absolute URI of a document or its base, "" if unknown.

    Attributes:
        uri: that URI.
        directory: the URI up to its last slash, to which relative paths are appended.
        is_normal: whether every ordinary value resolves to a target in the normal form of its scheme
            (3987bis, 5.3.3).

    """

    __slots__ = ("_above", "_root", "directory", "is_normal", "uri")

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.directory = uri[: uri.rfind("/") + 1]
        #: The length of the part that no step up removes; 0 if every path needs resolution.
        self._root, self.is_normal = _read(self.directory)
        #: The directory for each path of steps up, "" if it needs resolution.
        self._above: dict[str, str] = {}

    def targets(self, values: Iterable[str]) -> list[str | None]:
        """Resolve values to absolute URIs, None for each that fails.

        Args:
            values: ordinary values (`ORDINARY`) of links to other documents.

        """
        return [self.target(value) for value in values]

    def target(self, value: str) -> str | None:
        """Resolve a value to an absolute URI, None if that fails.

        Args:
            value: an ordinary value (`ORDINARY`).

        """
        if value[0] not in "./?#":
            if value.startswith(("http:", "https:")):
                return value
            if self._root:
                return self.directory + value
        elif value[0] == ".":
            steps = value.rfind("./") + 2
            above = self._above_by(value[:steps])
            if above and steps < len(value):
                return above + value[steps:]
        elif value[0] == "/" and self._root:
            return self.directory[: self._root] + value[1:]
        return resolved(value, self.uri)

    def _above_by(self, steps: str) -> str:
        """Return the directory for a path of steps up, "" if it needs resolution."""
        above = self._above.get(steps)
        if above is None:
            above = self._after(steps)
            if len(self._above) < _MOST_STEPS:
                self._above[steps] = above
        return above

    def _after(self, steps: str) -> str:
        found = _STEPS.fullmatch(steps)
        if found is None or not self._root:
            return ""
        end = len(self.directory)
        for _ in range(len(found[1]) // len("../")):
            # No step leads above the root (RFC 3986, 5.2.4).
            end = max(self._root, self.directory.rfind("/", 0, end - 1) + 1)
        return self.directory[:end]


@lru_cache(maxsize=1024)
def base_url(uri: str) -> BaseURL:
    """Return the base URL for a URI, the same object for all its links."""
    return BaseURL(uri)


@lru_cache(maxsize=1024)
def _read(directory: str) -> tuple[int, bool]:
    """Return the offset of a directory's path after its root, 0 if paths need resolution; and if it is normal."""
    found = _DIRECTORY.fullmatch(directory)
    if found is None:
        return 0, False
    is_ordinary = is_ordinary_target(directory)
    return found.end(1), is_ordinary or comparison_form(directory) == directory


def is_ordinary_target(target: str) -> bool:
    """Return whether an absolute URI of http, https or a local file is an ordinary value.

    It is then in the normal form of its scheme (3987bis, 5.3.3).
    """
    local = target.removeprefix("file://") if target.startswith("file:///") else target
    return ORDINARY.fullmatch(local) is not None


def made_up(number: int) -> str:
    """Return an address for a folder of a run whose address is not known."""
    return f"http://folder-{number}.invalid/"


def shown(message: str) -> str:
    """Return a message with paths in place of URIs that are `made_up`."""
    return _MADE_UP.sub("", message)
