"""Bytes on their way from a worker to its parent: in memory while they are few, else in a file."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Spool"]

#: How many bytes are held in memory, and sent from process to process.
_FEW = 256 * 1024


class Spool:
    """What one process writes and another reads.

    A spool can be pickled: few bytes go along, for many it is the open file, which has no name and
    so is gone with the last process that has it.
    """

    def __init__(self) -> None:
        self.file: IO[bytes] = tempfile.SpooledTemporaryFile(_FEW)  # noqa: SIM115 - closed by copy_to

    def __reduce__(self) -> tuple[Callable[[Any], Spool], tuple[Any]]:
        """Send the bytes, or the file that they are in."""
        self.file.seek(0)
        few = self.file.read(_FEW + 1)
        if len(few) <= _FEW:
            return _with, (few,)
        from multiprocessing import reduction

        return _from, (reduction.DupFd(self.file.fileno()),)

    def copy_to(self, sink: IO[bytes]) -> None:
        """Write everything to a file, and forget it."""
        with self.file:
            self.file.seek(0)
            shutil.copyfileobj(self.file, sink)


def _with(data: bytes) -> Spool:
    spool = Spool()
    spool.file.write(data)
    return spool


def _from(descriptor: Any) -> Spool:
    spool = Spool.__new__(Spool)
    spool.file = os.fdopen(descriptor.detach(), "r+b")
    return spool
