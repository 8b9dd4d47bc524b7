"""Where ordinary values lead."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.iri import comparison_form
from linkfix.iri.ordinary import ORDINARY
from linkfix.policy.resolving import resolved

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Place", "is_ordinary_target", "place_at"]

#: Places to which a relative path is simply appended; the root of their paths ends the group.
_DIRECTORY = re.compile(
    r"([a-z]+://[^/?#]*/)"
    r"(?:(?!\.{1,2}+/)(?:[A-Za-z0-9\-._~!$&()*+,;=@:]|%[0-9A-Fa-f]{2})++/)*"
)
#: A path that does nothing but go up.
_STEPS = re.compile(r"(?:\./)?((?:\.\./)*)")
#: How many different steps up a place remembers.
_MOST_STEPS = 32


class Place:
    """What ordinary values are resolved against.

    Args:
        uri: absolute URI of a document or its base, "" where it is not known.

    Attributes:
        uri: the same.
        directory: what is put before a relative path: the URI up to its last slash.
        is_normal: whether every ordinary value leads from here to a target in normal form by the scheme's
            rules (3987bis, 5.3.3).

    """

    __slots__ = ("_above", "_root", "directory", "is_normal", "uri")

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.directory = uri[: uri.rfind("/") + 1]
        #: How long that is which no step up removes; 0 where nothing is simply appended.
        self._root, self.is_normal = _read(self.directory)
        #: Steps up, each to the directory that it leads to, "" where that takes resolution.
        self._above: dict[str, str] = {}

    def targets(self, values: Iterable[str]) -> list[str | None]:
        """Give the absolute URIs that values lead to, see `target`.

        Args:
            values: which `ORDINARY` matches, and which lead out of their document.

        """
        return [self.target(value) for value in values]

    def target(self, value: str) -> str | None:
        """Give the absolute URI that a value leads to; None where that fails.

        Args:
            value: which `ORDINARY` matches.

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
        return resolved(value, self.uri)

    def _above_by(self, steps: str) -> str:
        """Give the directory that steps up lead to, "" where that takes resolution."""
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
def place_at(uri: str) -> Place:
    """Give the place at a URI, made once for all the links there."""
    return Place(uri)


@lru_cache(maxsize=1024)
def _read(directory: str) -> tuple[int, bool]:
    """Give where the root of a directory's path ends, 0 where it takes resolution, and if it is normal."""
    found = _DIRECTORY.fullmatch(directory)
    if found is None:
        return 0, False
    is_ordinary = is_ordinary_target(directory)
    return found.end(1), is_ordinary or comparison_form(directory) == directory


def is_ordinary_target(target: str) -> bool:
    """Tell whether an absolute URI of http, https or a local file is spelled like most.

    It is then in normal form by the scheme's rules (3987bis, 5.3.3).
    """
    local = target.removeprefix("file://") if target.startswith("file:///") else target
    return ORDINARY.fullmatch(local) is not None
