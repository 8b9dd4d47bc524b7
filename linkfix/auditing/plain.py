"""Values that are spelled like most, and where they lead."""

from __future__ import annotations

import re
from functools import lru_cache

from linkfix.iri import resolve

__all__ = ["PLAIN", "Place", "is_plain_target", "place_at"]

_SEGMENT = r"(?!\.{1,2}+(?:[/?#]|\Z))[A-Za-z0-9\-._~!$&()*+,;=@:]++"
_FIRST = r"(?!www\.|\.{1,2}+(?:[/?#]|\Z))[A-Za-z0-9\-._~!$&()*+,;=]++"
_REST = rf"(?:/{_SEGMENT})*+/?+"
#: Values in which no rule about spelling finds anything: lower-case http and https references
#: with an ordinary host, and relative references of ordinary segments. Most links are such.
PLAIN = re.compile(
    r"(?=.)(?:https?+://(?!xn--)(?:(?!xn--)[a-z0-9][a-z0-9-]{0,62}+\.){1,4}+(?!local(?:host)?/)"
    rf"[a-z]{{2,20}}+(?=/){_REST}|(?:/|(?:\./)?+(?:\.\./)*+)(?:{_FIRST}{_REST})?+)"
    r"(?:\?[A-Za-z0-9\-._~!$&()*+,;=:@/?]*+)?+(?:#[A-Za-z0-9\-._~!$&()*+,;=:@/?]*+)?+"
)
#: Places to which a relative path is simply appended; the root of their paths ends the group.
_DIRECTORY = re.compile(rf"([a-z]+://[^/?#]*/)(?:{_SEGMENT}/)*")


class Place:
    """What plain values are resolved against.

    Args:
        uri: absolute URI of a document or its base, "" where it is not known.

    Attributes:
        directory: what is put before a relative path: the URI up to its last slash.
        is_plain: whether every plain value leads to a plain target from here.

    """

    __slots__ = ("_root", "_uri", "directory", "is_plain")

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self.directory = uri[: uri.rfind("/") + 1]
        found = _DIRECTORY.fullmatch(self.directory)
        #: How long that is which no step up removes; 0 where nothing is simply appended.
        self._root = 0 if found is None else found.end(1)
        self.is_plain = found is not None and is_plain_target(self.directory)

    def target(self, value: str) -> str | None:
        """Give the absolute URI that a value leads to; None where that fails.

        Args:
            value: which `PLAIN` matches.

        """
        if value[0] not in "./?#":
            if value.startswith(("http:", "https:")):
                return value
            if self._root:
                return self.directory + value
        elif value[0] == ".":
            target = self._stepped(value)
            if target is not None:
                return target
        try:
            return resolve(self._uri, value, strict=False)
        except ValueError:
            return None

    def _stepped(self, value: str) -> str | None:
        """Resolve a path that begins with a dot; None where that takes more than to go up."""
        end = len(self.directory)
        steps = 2 if value.startswith("./") else 0
        while value.startswith("../", steps):
            end = self.directory.rfind("/", 0, end - 1) + 1
            steps += 3
        if not self._root or end < self._root or steps == len(value):
            return None
        return self.directory[:end] + value[steps:]


@lru_cache(maxsize=1024)
def place_at(uri: str) -> Place:
    """Give the place at a URI, made once for all the links there."""
    return Place(uri)


def is_plain_target(target: str) -> bool:
    """Tell whether an absolute URI of http, https or a local file is spelled like most.

    It is then in normal form by the scheme's rules (3987bis, 5.3.3).
    """
    local = target.removeprefix("file://") if target.startswith("file:///") else target
    return PLAIN.fullmatch(local) is not None
