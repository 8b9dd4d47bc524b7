"""What became of the payloads that were rewritten, for the records that say they are the same."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

__all__ = ["Twin", "Twins"]


@dataclass(frozen=True, slots=True)
class Twin:
    """A payload that was rewritten.

    Attributes:
        digest: its new ``WARC-Payload-Digest``.
        length: how many bytes its body has now.

    """

    digest: str
    length: int


class Twins:
    """The digests of the payloads that were rewritten, and of those that were asked for in vain.

    They are held in a database on disk, so that an archive of any size takes no more memory.
    """

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None)
        self._base.execute("PRAGMA journal_mode = OFF")
        self._base.execute("CREATE TABLE done (old TEXT, uri TEXT, new TEXT, length INTEGER)")
        self._base.execute("CREATE INDEX done_old ON done (old)")
        self._base.execute("CREATE TABLE asked (old TEXT)")

    def add(self, digest: str, uri: str, new: Twin) -> None:
        """Say what became of a payload.

        Args:
            digest: what its ``WARC-Payload-Digest`` was.
            uri: where it came from.
            new: what it is now.

        """
        values = (digest, uri, new.digest, new.length)
        self._base.execute("INSERT INTO done VALUES (?, ?, ?, ?)", values)

    def find(self, digest: str, uri: str) -> Twin | None:
        """Give what became of a payload with a digest, of the one from a URI rather than another."""
        found = self._base.execute(
            "SELECT new, length FROM done WHERE old = ? ORDER BY uri = ? DESC LIMIT 1",
            (digest, uri),
        ).fetchone()
        if found is None:
            self._base.execute("INSERT INTO asked VALUES (?)", (digest,))
            return None
        return Twin(*found)

    def late(self) -> int:
        """Count the questions that were asked before there was the answer."""
        query = "SELECT count(*) FROM asked WHERE old IN (SELECT old FROM done)"
        return int(self._base.execute(query).fetchone()[0])

    def close(self) -> None:
        """Forget everything."""
        self._base.close()
