"""The second reading of an audit: the files in which the join has found something, or that are rewritten.

Input: the documents of a run, and what the join has found in them. Output: the files that are read again, in their order, and the
work on each.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from itertools import chain, groupby, starmap
from typing import TYPE_CHECKING, NamedTuple

from linkfix.files.paths import file_of
from linkfix.files.tree import Found
from linkfix.jobs.wire import Event, Frame, frame_of

if TYPE_CHECKING:
    from linkfix.files.store import Shelf
    from linkfix.sites.audit_work import AuditWorker


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
        return file_of(path) if self._together else path

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, place: int) -> Reread:  # type: ignore[override]
        numbers = self._numbers[self._starts[place] : self._starts[place + 1]]
        some = [(self._documents[n], self._rows_of(n)) for n in numbers]
        return Reread(self._path(numbers[0]), some[0][0].size, some)

    def _rows_of(self, number: int) -> list[int]:
        rows = slice(bisect_left(self._keys, number), bisect_right(self._keys, number))
        return self._rows[rows].tolist()


class AuditAgain:
    """The work on a file that is read again.

    Args:
        worker: has read the documents.
        shelf: has what was found (`linkfix.facts.join.Join.found`).
        damaged: the paths of files that could not be read to their end.

    """

    def __init__(self, worker: AuditWorker, shelf: Shelf, damaged: Container[str]) -> None:
        self._worker, self._shelf, self._damaged = worker, shelf, damaged

    def __call__(self, part: Reread) -> Iterator[Event]:
        """Yield the events of `linkfix.sites.audit_work`."""
        if [each.path for each, _ in part.documents] == [part.path]:
            yield from self._again(*part.documents[0])
            return
        from linkfix.sites.writing import replaced

        with replaced(part.path, signed=self._worker.signed):
            events = [*chain.from_iterable(starmap(self._again, part.documents))]
        yield from events

    def recall(self, part: Reread) -> list[Frame] | None:
        """Return the events of a file that is not read, or those that the cache has (`linkfix.jobs.pool.run`)."""
        found, numbers = part.documents[0]
        rows = self._rows(found, numbers)
        if not self._worker.rewrites and not _is_read(rows):
            return [*map(frame_of, self._events(found, rows))]
        return self._worker.recalled(found, rows[0][1])

    def _again(self, found: Found, numbers: list[int]) -> Iterator[Event]:
        rows = self._rows(found, numbers)
        return self._worker.kept(found, self._events(found, rows), rows[0][1])

    def _events(self, found: Found, rows: list[tuple[str, list[bytes]]]) -> Iterator[Event]:
        return self._worker.second(found, rows, is_damaged=found.path in self._damaged)

    def _rows(self, found: Found, numbers: list[int]) -> list[tuple[str, list[bytes]]]:
        """Return what was found in a file, by the names of its documents."""
        by_name: dict[str, list[bytes]] = {} if numbers else {found.path: []}
        for number in numbers:
            line, _, row = self._shelf[number].partition(b"\n")
            (name,) = json.loads(line)
            by_name.setdefault(name, []).append(row)
        return [*by_name.items()]


def _is_read(rows: list[tuple[str, list[bytes]]]) -> bool:
    """Return whether a document is read for the places of its links: the first value of a row, which may be long, is `Wanted.is_read`."""
    return any(row.startswith(b"[true") for _, some in rows for row in some)
