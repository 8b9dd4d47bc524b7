"""A temporary database for what a run remembers of a large site beyond what fits in memory.

Input: texts by keys, in tables. Output: the text of a key. SQLite keeps the pages in use in memory, and the others in a file
without a name, which the system removes with the process. So nothing is left behind after a kill, and what is small
never reaches the disk. A store must not be used after a fork: each process makes its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

#: The memory in KiB that a store uses for pages.
_PAGES = 4 * 1024


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
