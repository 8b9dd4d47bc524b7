"""The second reading of an audit: the files in which the join has found something, or that are rewritten.

Input: the documents of a run, and in which of them something was found. Output: the files that are read again, in their order.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from linkfix.files.paths import split_packed
from linkfix.files.tree import Found


class Reread(NamedTuple):
    """A file that is read again, or a container whose members are: it is replaced whole.

    Attributes:
        path: of the file.
        size: of its first document in bytes.
        documents: each with the numbers of what was found in it.

    """

    path: str
    size: int
    documents: list[tuple[Found, list[int]]]


class Rereads(Sequence[Reread]):
    """The files that are read again, in their order; each is made when it is asked for, since they may be many.

    Args:
        documents: of the run.
        numbers: of those documents that are read again, ascending.
        found_in: for each thing that was found, the number of its document (`Join.numbers`).
        together: whether the members of a container are read one after the other, and it is replaced whole.

    """

    def __init__(
        self,
        documents: Sequence[Found],
        numbers: list[int],
        found_in: array[int],
        *,
        together: bool,
    ) -> None:
        self._documents, self._together = documents, together
        if together:
            firsts: dict[str, int] = {}
            numbers = sorted(numbers, key=lambda n: firsts.setdefault(self._path(n), n))
        self._numbers = array("Q", numbers)
        #: Where the documents of each file begin.
        self._starts = array("Q", [0])
        for _, some in groupby(numbers, key=self._path if together else None):
            self._starts.append(self._starts[-1] + sum(1 for _ in some))
        #: What was found, in the order of the documents, and the document of each.
        self._rows = array("Q", sorted(range(len(found_in)), key=found_in.__getitem__))
        self._keys = array("Q", map(found_in.__getitem__, self._rows))

    def _path(self, number: int) -> str:
        """Return the path of the file that has a document."""
        path = self._documents[number].path
        while self._together and (packed := split_packed(path)):
            path = packed[0]
        return path

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, place: int) -> Reread:  # type: ignore[override]
        numbers = self._numbers[self._starts[place] : self._starts[place + 1]]
        some = [(self._documents[n], self._rows_of(n)) for n in numbers]
        return Reread(self._path(numbers[0]), some[0][0].size, some)

    def _rows_of(self, number: int) -> list[int]:
        rows = slice(bisect_left(self._keys, number), bisect_right(self._keys, number))
        return self._rows[rows].tolist()
