"""The results of rewritten payloads, for the records that repeat them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


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
    """The digests of rewritten payloads, and of payloads that were looked up in vain.

    They are in a database on disk, so that memory does not grow with the archive.
    """

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None)
        self._base.execute("PRAGMA journal_mode = OFF")
        self._base.execute("CREATE TABLE done (old TEXT, uri TEXT, new TEXT, length INTEGER)")
        self._base.execute("CREATE INDEX done_old ON done (old)")
        self._base.execute("CREATE TABLE asked (old TEXT)")

    def add(self, digest: str, uri: str, new: Twin) -> None:
        """Add the result of a payload.

        Args:
            digest: its old ``WARC-Payload-Digest``.
            uri: its URI.
            new: its new digest.

        """
        values = (digest, uri, new.digest, new.length)
        self._base.execute("INSERT INTO done VALUES (?, ?, ?, ?)", values)

    def find(self, digest: str, uri: str) -> Twin | None:
        """Return the result of a payload with a digest; the one from a URI precedes others."""
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
