"""The targets of fragments in the documents of a site, by their paths.

The names of the documents that were used last are in memory, all others in a `Store`. So each document is read at most
once for its names, however large the site is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.site.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.site.store import StoredTexts

__all__ = ["Fragments"]

#: How many bytes of names are in memory, and how many each name needs besides its characters.
MOST = 24 * 1024 * 1024
_EACH = 112


class Fragments:
    """The targets of fragments in documents.

    Args:
        store: the database for those that do not fit in memory; None for one of its own.

    """

    def __init__(self, store: Store | None = None) -> None:
        self._store = store or Store()
        self._stored: StoredTexts | None = None
        #: By path: the names, None where they are not known; the last used at the end.
        self._names: dict[str, frozenset[str] | None] = {}
        self._size = 0
        #: The paths in memory whose names are not on the disk.
        self._unsaved: set[str] = set()

    def __contains__(self, path: str) -> bool:
        """Return whether something was added for a document."""
        return path in self._names or self._load(path)

    def add(self, path: str, names: Iterable[str] | None) -> None:
        """Add the names of a document in place of earlier ones; None where they cannot be known."""
        if path in self._names:
            self._size -= _size(self._names.pop(path))
        self._unsaved.add(path)
        self._keep(path, None if names is None else frozenset(names))

    def of(self, path: str) -> frozenset[str] | None:
        """Return the names of a document; None where they are not known.

        Raises:
            KeyError: nothing was added for the document.

        """
        if path not in self:
            raise KeyError(path)
        names = self._names[path] = self._names.pop(path)
        return names

    def _keep(self, path: str, names: frozenset[str] | None) -> None:
        """Keep names in memory, and move others to the disk if they are too many."""
        self._names[path] = names
        self._size += _size(names)
        if self._size > MOST:
            self._move_oldest()

    def _move_oldest(self) -> None:
        """Move the names that were not used for longest to the disk, except the last ones."""
        oldest = dict[str, str]()
        while self._size > MOST // 2 and len(self._names) > 1:
            path = next(iter(self._names))
            names = self._names.pop(path)
            self._size -= _size(names)
            if path in self._unsaved:
                # The mark distinguishes no names from unknown ones.
                oldest[path] = "" if names is None else "\0".join(["+", *names])
                self._unsaved.remove(path)
        if self._stored is None:
            self._stored = self._store.table()
        self._stored.add(oldest)

    def _load(self, path: str) -> bool:
        """Load the names of a document from the disk; return whether they are there."""
        text = None if self._stored is None else self._stored.find([path]).get(path)
        if text is None:
            return False
        self._keep(path, frozenset(text.split("\0")[1:]) if text else None)
        return True


def _size(names: frozenset[str] | None) -> int:
    return _EACH if names is None else _EACH + sum(map(len, names)) + _EACH * len(names)
