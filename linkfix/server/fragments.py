"""The targets of fragments in the documents of a site, by their paths.

The names in a document are one row of a `Shelf`, so that each document is read at most once for its names, however large the site
is. The names in few documents are sets, since a document often has many links to another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from linkfix.files.store import Shelf

if TYPE_CHECKING:
    from linkfix.markup.detect import DocumentType

#: The documents whose names are known: what an ``id`` is in other XML depends on its document type.
NAMING: frozenset[DocumentType] = frozenset({"html", "xhtml"})

#: In how many documents the names are sets.
MOST_SETS = 256


class Fragments:
    """The targets of fragments in documents."""

    def __init__(self) -> None:
        self._rows = Shelf()
        #: By path: the number of the row, and the names; the last used at the end.
        self._numbers: dict[str, int] = {}
        self._sets: dict[str, frozenset[str] | None] = {}

    def __contains__(self, path: str) -> bool:
        """Return whether something was added for a document."""
        return path in self._numbers

    def add(self, path: str, names: Iterable[str] | None) -> None:
        """Add the names of a document in place of earlier ones; None where they cannot be known."""
        self._sets.pop(path, None)
        self._numbers[path] = len(self._rows)
        # The mark distinguishes no names from unknown ones.
        text = "" if names is None else "\0".join(["+", *dict.fromkeys(names)])
        self._rows.add(text.encode("utf-8", "surrogatepass"))

    def of(self, path: str) -> frozenset[str] | None:
        """Return the names of a document; None where they are not known.

        Raises:
            KeyError: nothing was added for the document.

        """
        if path in self._sets:
            names = self._sets.pop(path)
        else:
            text = self._rows[self._numbers[path]].decode("utf-8", "surrogatepass")
            names = frozenset(text.split("\0")[1:]) if text else None
            if len(self._sets) >= MOST_SETS:
                del self._sets[next(iter(self._sets))]
        self._sets[path] = names
        return names
