"""Verify a new document before its commit."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import IO, TYPE_CHECKING, BinaryIO

from linkfix.errors import VerificationError
from linkfix.files.commit import check_unchanged

if TYPE_CHECKING:
    from linkfix.verifying import Settings

#: The largest document in bytes that is verified. One of this size, full of links, needs 600 MB of memory, and a
#: worker has 1,024 (`--memory`).
MOST = 8 * 1024 * 1024


class Copy:
    """A sink that writes to another sink, and keeps up to `MOST` bytes.

    Args:
        sink: the other sink.
        source: the old document, of which nothing is read yet.

    Attributes:
        before: the status of that; None if it is no file of this machine.
        pieces: what was written; None for more than `MOST` bytes.

    """

    def __init__(self, sink: IO[bytes], source: BinaryIO) -> None:
        self.before: os.stat_result | None = _status(source)
        self._sink = sink
        self._size = 0
        self.pieces: list[bytes] | None = []

    def write(self, data: bytes) -> int:
        """Write bytes, and keep them."""
        self._size += len(data)
        if self._size > MOST:
            self.pieces = None
        elif self.pieces is not None:
            self.pieces.append(data)
        return self._sink.write(data)


def _status(file: BinaryIO) -> os.stat_result | None:
    try:
        return os.fstat(file.fileno())
    except (AttributeError, OSError):
        return None


def confirm(source: BinaryIO, copy: Copy, settings: Settings) -> None:
    """Compare a document with its replacement, unless that is too large.

    Args:
        source: the old document; it is read again from its beginning.
        copy: the new one.
        settings: how both are read, and how they may differ.

    Raises:
        UnreadableError: they differ since the old one has changed.
        VerificationError: they differ in more than the spelling of links.

    """
    from linkfix.verifying import verify

    if copy.pieces is None:
        return
    source.seek(0)
    again = replace(settings, policy=settings.policy.again)
    difference = verify(source.read(), b"".join(copy.pieces), again)
    if difference is not None:
        if copy.before is not None and (now := _status(source)) is not None:
            check_unchanged(copy.before, now, None)
        raise VerificationError(
            f"the new document differs in more than links, and was discarded: {difference}",
            hint="please report this with the document; --no-verify writes it all the same",
            line=difference.line,
            column=difference.column,
            offset=difference.offset,
        )
