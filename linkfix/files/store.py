"""A temporary database for what a run remembers of a large site beyond what fits in memory.

Input: texts by keys, in tables. Output: the text of a key. SQLite keeps the pages in use in memory, and the others in a file
without a name, which the system removes with the process. So nothing is left behind after a kill, and what is small
never reaches the disk. A store must not be used after a fork: each process makes its own.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

#: The memory in KiB that a store uses for pages.
_PAGES = 4 * 1024
#: How many bytes of a shelf are in memory.
MOST_KEPT = 4 * 1024 * 1024


class Store:
    """A temporary database. It is opened when the first table is made."""

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._count = 0

    def table(self) -> StoredTexts:
        """Return a new, empty table."""
        if self._connection is None:
            import sqlite3

            self._connection = sqlite3.connect("", isolation_level=None)
            for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_PAGES}"):
                self._connection.execute(f"PRAGMA {pragma}")
        self._count += 1
        return StoredTexts(self._connection, f"texts{self._count}")


class StoredTexts:
    """A table of texts by their keys. Both may be any strings, with lone surrogates too.

    Args:
        connection: to the database.
        name: of the table, which is made.

    """

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        connection.execute(f"CREATE TABLE {name} (key BLOB PRIMARY KEY, text BLOB) WITHOUT ROWID")
        self._find = f"SELECT text FROM {name} WHERE key = ?"  # noqa: S608 - a name of our own
        self._add = f"INSERT OR REPLACE INTO {name} VALUES (?, ?)"  # noqa: S608

    def find(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the texts of those keys that have one."""
        execute, query, found = self._connection.execute, self._find, dict[str, str]()
        for key in keys:
            row = execute(query, (_octets(key),)).fetchone()
            if row is not None:
                found[key] = row[0].decode("utf-8", "surrogatepass")
        return found

    def add(self, texts: Mapping[str, str]) -> None:
        """Add texts by their keys; an earlier text of a key is replaced."""
        self._connection.execute("BEGIN")
        # In the order of the table, neighbours are written together.
        rows = sorted((_octets(key), _octets(text)) for key, text in texts.items())
        self._connection.executemany(self._add, rows)
        self._connection.execute("COMMIT")


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class Shelf:
    """Octets by their numbers, from 0; what is large is in a temporary file without a name.

    After a fork both processes read what was added before.
    """

    def __init__(self) -> None:
        #: The offset at which each row ends, and the rows that are not in the file yet.
        self._ends = array("Q")
        self._kept: list[bytes] = []
        self._size = 0
        self._file: IO[bytes] | None = None

    def __len__(self) -> int:
        return len(self._ends)

    def __iter__(self) -> Iterator[bytes]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> bytes:
        stored = len(self._ends) - len(self._kept)
        if number >= stored or self._file is None:
            return self._kept[number - stored]
        start = self._ends[number - 1] if number else 0
        return os.pread(self._file.fileno(), self._ends[number] - start, start)

    def add(self, data: bytes) -> None:
        """Append a row."""
        self._kept.append(data)
        self._ends.append((self._ends[-1] if self._ends else 0) + len(data))
        self._size += len(data)
        if self._size > MOST_KEPT:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed with the shelf
                weakref.finalize(self, self._file.close)
            for each in self._kept:
                rest = memoryview(each)
                while rest:
                    rest = rest[self._file.write(rest) :]
            self._kept, self._size = [], 0
