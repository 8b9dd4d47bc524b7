"""The labelled digests of WARC records: ``sha1:`` and a value in base 32, mostly (WARC 1.1, 5.8)."""

import base64
import hashlib
import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from linkfix.errors import UnreadableError

_HEX = re.compile(r"[0-9A-Fa-f]*")


class Digest:
    """A digest to be computed as another was: by the same algorithm, written in the same way.

    Args:
        label: the other, as the field of a record has it; "" for none, as a text too.

    Raises:
        UnreadableError: an algorithm that is not known, or no digest.

    """

    def __init__(self, label: str) -> None:
        self._algorithm, _, value = label.partition(":")
        self._hash: Any = None
        if not label:
            return
        if not (label.isascii() and label.isprintable()):
            raise UnreadableError(f"the digest {label!r} is damaged")
        try:
            self._hash = hashlib.new(
                self._algorithm.lower().replace("-", ""), usedforsecurity=False
            )
            self._hash.digest()  # an algorithm with results of any length needs one (TypeError)
        except (TypeError, ValueError) as error:
            raise UnreadableError(
                f"the digest {label!r} has an algorithm that linkfix does not know"
            ) from error
        self._write = _encoder(value, self._hash.digest_size)

    def update(self, data: bytes) -> None:
        """Add the next bytes."""
        if self._hash is not None:
            self._hash.update(data)

    def __str__(self) -> str:
        if self._hash is None:
            return ""
        return f"{self._algorithm}:{self._write(self._hash.digest())}"


def _encoder(value: str, size: int) -> Callable[[bytes], str]:
    """Return the encoder of digests that fits one of `size` bytes: base 16, 32 or 64."""
    if len(value) == 2 * size and _HEX.fullmatch(value):
        lower = value == value.lower()
        return lambda digest: digest.hex() if lower else digest.hex().upper()
    if len(value.rstrip("=")) == -(-size * 4 // 3):
        safe = "-" in value or "_" in value
        write: Callable[[bytes], bytes] = base64.urlsafe_b64encode if safe else base64.b64encode
    else:
        write = base64.b32encode

    def encode(digest: bytes) -> str:
        text = write(digest).decode("ascii")
        text = text if value.endswith("=") else text.rstrip("=")
        return text.lower() if write is base64.b32encode and value.islower() else text

    return encode


# --- The results of rewritten payloads, for the records that repeat them --------------------------


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
