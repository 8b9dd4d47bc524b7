"""A file that is created late: the first bytes are buffered in memory."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: How many bytes are buffered in memory.
_LITTLE = 1024 * 1024


class LateFile(io.BufferedIOBase):
    """A binary file to write, created once there is much to write, or `created` is called.

    Args:
        create: creates the file, open for writing.

    """

    def __init__(self, create: Callable[[], BinaryIO]) -> None:
        self._create = create
        self._file: BinaryIO = io.BytesIO()
        self._is_created = False
        self._failure: OSError | None = None

    def created(self) -> BinaryIO:
        """Return the file itself, with the bytes so far.

        Raises:
            OSError: it cannot be created or written, now or at an earlier try.

        """
        if self._failure is not None:
            raise self._failure
        try:
            if not self._is_created:
                written = self._file
                self._file = self._create()
                self._is_created = True
                written.seek(0)
                self._file.write(written.read())
            self._file.flush()
        except OSError as error:
            self._failure = error
            raise
        return self._file

    def release(self) -> None:
        """Create the file with the bytes so far, and leave it open for its creator."""
        self.created()
        self._file = io.BytesIO()

    def fileno(self) -> int:
        """Create the file, and return its descriptor."""
        return self.created().fileno()

    def writable(self) -> bool:
        """Return True: it can be written."""
        return True

    def seekable(self) -> bool:
        """Return True: it has a position."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes, and return their number."""
        try:
            count = self._file.write(data)
        except OSError as error:
            self._failure = error
            raise
        if self._failure is not None or (not self._is_created and self._file.tell() > _LITTLE):
            self.created()
        return count

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a position, and return it."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the position: the number of written bytes, unless `seek` changed it."""
        return self._file.tell()

    def truncate(self, size: int | None = None, /) -> int:
        """Truncate it, by default at the position."""
        return self._file.truncate(size)

    def flush(self) -> None:
        """Flush the file, if there is one."""
        self._file.flush()

    def close(self) -> None:
        """Close it; bytes that are only in memory are discarded."""
        try:
            super().close()
        finally:
            self._file.close()
