"""The targets of fragments in the documents of a site, by their paths.

The names in a document are one text, which is small. The texts that were used last are in memory, all others in a `Store`. So
each document is read at most once for its names, however large the site is. The names in few documents are sets,
since a document often has many links to another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from linkfix.files.store import Store, StoredTexts

if TYPE_CHECKING:
    from linkfix.markup.detect import DocumentType

#: The documents whose names are known: what an ``id`` is in other XML depends on its document type.
NAMING: frozenset[DocumentType] = frozenset({"html", "xhtml"})

#: How many bytes of texts and paths are in memory, and how many each document needs besides its characters.
MOST = 8 * 1024 * 1024
_EACH = 256
#: In how many documents the names are sets.
MOST_SETS = 256


class Fragments:
    """The targets of fragments in documents.

    Args:
        store: the database for those that do not fit in memory; None for one of its own.

    """

    def __init__(self, store: Store | None = None) -> None:
        self._store = store or Store()
        self._stored: StoredTexts | None = None
        #: By path: the names as one text (`_text`); the last used at the end.
        self._texts: dict[str, str] = {}
        self._size = 0
        #: The paths in memory whose texts are not on the disk.
        self._unsaved: set[str] = set()
        #: By path: the names; the last used at the end.
        self._sets: dict[str, frozenset[str] | None] = {}

    def __contains__(self, path: str) -> bool:
        """Return whether something was added for a document."""
        return path in self._sets or path in self._texts or self._load(path)

    def add(self, path: str, names: Iterable[str] | None) -> None:
        """Add the names of a document in place of earlier ones; None where they cannot be known."""
        self._sets.pop(path, None)
        if path in self._texts:
            self._size -= _size(path, self._texts.pop(path))
        self._unsaved.add(path)
        self._keep(path, _text(names))

    def of(self, path: str) -> frozenset[str] | None:
        """Return the names of a document; None where they are not known.

        Raises:
            KeyError: nothing was added for the document.

        """
        if path in self._sets:
            names = self._sets.pop(path)
        elif path in self:
            text = self._texts[path] = self._texts.pop(path)
            names = _names(text)
            if len(self._sets) >= MOST_SETS:
                del self._sets[next(iter(self._sets))]
        else:
            raise KeyError(path)
        self._sets[path] = names
        return names

    def _keep(self, path: str, text: str) -> None:
        """Keep a text in memory, and move others to the disk if they are too many."""
        self._texts[path] = text
        self._size += _size(path, text)
        if self._size > MOST:
            self._move_oldest()

    def _move_oldest(self) -> None:
        """Move the texts that were not used for longest to the disk, except the last ones."""
        oldest = dict[str, str]()
        while self._size > MOST // 2 and len(self._texts) > 1:
            path = next(iter(self._texts))
            text = self._texts.pop(path)
            self._size -= _size(path, text)
            if path in self._unsaved:
                oldest[path] = text
                self._unsaved.remove(path)
        if self._stored is None:
            self._stored = self._store.table()
        self._stored.add(oldest)

    def _load(self, path: str) -> bool:
        """Load the names of a document from the disk; return whether they are there."""
        text = None if self._stored is None else self._stored.find([path]).get(path)
        if text is None:
            return False
        self._keep(path, text)
        return True


def _text(names: Iterable[str] | None) -> str:
    """Return names as one text; the mark distinguishes no names from unknown ones."""
    return "" if names is None else "\0".join(["+", *dict.fromkeys(names)])


def _names(text: str) -> frozenset[str] | None:
    return frozenset(text.split("\0")[1:]) if text else None


def _size(path: str, text: str) -> int:
    return len(path) + len(text) + _EACH
