"""A temporary database for what a run remembers of a large site beyond what fits in memory.

Input: texts by keys, in tables. Output: the text of a key. SQLite keeps the pages in use in memory, and the others in a file
without a name, which the system removes with the process. So nothing is left behind after a kill, and what is small
never reaches the disk. A store must not be used after a fork: each process makes its own.
"""

import os
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping

from linkfix.files.system import read_at

#: The memory in KiB that a store uses for pages.
_PAGES = 4 * 1024
#: How many bytes of a shelf are in memory.
MOST_KEPT = 1024 * 1024


class StoredTexts:
    """A table of texts by their keys, in a database of its own. Both may be any strings, with lone surrogates too."""

    def __init__(self) -> None:
        import sqlite3

        # The collector closes it in whichever thread it runs.
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self._connection.close)
        for pragma in ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_PAGES}"):
            self._connection.execute(f"PRAGMA {pragma}")
        self._connection.execute(
            "CREATE TABLE texts (key BLOB PRIMARY KEY, text BLOB) WITHOUT ROWID"
        )

    def find(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the texts of those keys that have one."""
        execute, found = self._connection.execute, dict[str, str]()
        for key in keys:
            row = execute("SELECT text FROM texts WHERE key = ?", (_octets(key),)).fetchone()
            if row is not None:
                found[key] = row[0].decode("utf-8", "surrogatepass")
        return found

    def add(self, texts: Mapping[str, str]) -> None:
        """Add texts by their keys; an earlier text of a key is replaced."""
        self._connection.execute("BEGIN")
        # In the order of the table, neighbours are written together.
        rows = sorted((_octets(key), _octets(text)) for key, text in texts.items())
        self._connection.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?)", rows)
        self._connection.execute("COMMIT")


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


class Shelf:
    """Octets by their numbers, from 0; what is large is in a temporary file without a name.

    After a fork both processes read what was added before.
    """

    def __init__(self) -> None:
        from tempfile import SpooledTemporaryFile

        self._ends = array("Q")
        self._file = SpooledTemporaryFile[bytes](MOST_KEPT)
        weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        return len(self._ends)

    def __iter__(self) -> Iterator[bytes]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> bytes:
        start = self._ends[number - 1] if number else 0
        size = self._ends[number] - start
        if self._ends[-1] > MOST_KEPT:  # in a file, whose position processes share
            return read_at(self._file.fileno(), size, start)
        self._file.seek(start)
        return self._file.read(size)

    def add(self, data: bytes) -> None:
        """Append a row."""
        self._file.seek(0, os.SEEK_END)
        self._file.write(data)
        self._file.flush()
        self._ends.append(self._file.tell())
