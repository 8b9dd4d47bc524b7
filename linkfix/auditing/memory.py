"""What a site remembers of its links: texts by keys, in tables that never forget.

A table is a mapping that grows. At its limit it moves to a disk, if the caller has one, and a text that is asked for comes
back. So memory is bounded. This module opens no file: `linkfix.files.store` is such a disk. Beyond the limit, a key
that is not in memory is looked up on the disk if another one of its hash is there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import filterfalse
from typing import Protocol

#: How many bytes of texts and keys of a table are in memory, and how many each text needs besides its characters.
MOST = 8 * 1024 * 1024
_EACH = 160
#: How many hashes a table distinguishes, so that the disk is seldom asked for a key that it has not; a power of two.
_HASHES = 2 * 1024 * 1024


class Disk(Protocol):
    """A table of texts outside of memory."""

    def find(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the texts of those keys that have one."""
        ...

    def add(self, texts: Mapping[str, str]) -> None:
        """Add texts by their keys; an earlier text of a key is replaced."""
        ...


class Table:
    """Texts by keys.

    Args:
        disk: returns a new, empty table on a disk; None for unlimited memory.

    """

    def __init__(self, disk: Callable[[], Disk] | None = None) -> None:
        self._disk = disk
        self._size = 0
        self._texts: dict[str, str] = {}
        self._moved: Disk | None = None
        #: For each hash one bit, whether a key of this hash has moved.
        self._hashes = bytearray()

    def find(self, keys: Collection[str]) -> dict[str, str]:
        """Return the texts of those keys that have one."""
        texts = self._texts
        found = {key: texts[key] for key in texts.keys() & keys}
        if self._moved is not None and len(found) < len(keys):
            hashes, last = self._hashes, _HASHES - 1
            rest = [
                key
                for key in keys
                if key not in found and hashes[(bit := hash(key) & last) >> 3] >> (bit & 7) & 1
            ]
            if rest and (moved := self._moved.find(rest)):
                found |= moved
                self.add(moved)
        return found

    def new(self, keys: Iterable[str]) -> list[str]:
        """Return the keys without a text, each once."""
        new = [*dict.fromkeys(filterfalse(self._texts.__contains__, keys))]
        if self._moved is None or not new:
            return new
        return [*filterfalse(self.find(new).__contains__, new)]

    def add(self, texts: Mapping[str, str]) -> None:
        """Add texts by their keys; an earlier text of a key is replaced."""
        self._texts.update(texts)
        if self._disk is not None:
            self._size += sum(map(len, texts)) + sum(map(len, texts.values())) + _EACH * len(texts)
            if self._size > MOST:
                self._move(self._disk)

    def _move(self, disk: Callable[[], Disk]) -> None:
        """Move everything to a disk."""
        if self._moved is None:
            self._moved, self._hashes = disk(), bytearray(_HASHES // 8)
        hashes, last = self._hashes, _HASHES - 1
        for key in self._texts:
            bit = hash(key) & last
            hashes[bit >> 3] |= 1 << (bit & 7)
        self._moved.add(self._texts)
        self._texts.clear()
        self._size = 0
