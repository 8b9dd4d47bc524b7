"""A file that is created late: the first bytes are buffered in memory."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import ReadableBuffer

__all__ = ["LateFile"]

#: How many bytes are buffered in memory.
_LITTLE = 1024 * 1024


class LateFile(io.BufferedIOBase):
    """A binary file to write, which is not made before there is much to write, or `made` is called.

    Args:
        make: makes the file, open for writing.

    """

    def __init__(self, make: Callable[[], BinaryIO]) -> None:
        self._make = make
        self._file: BinaryIO = io.BytesIO()
        self._is_made = False
        self._failure: OSError | None = None

    def made(self) -> BinaryIO:
        """Return the file itself, with the bytes so far.

        Raises:
            OSError: it cannot be created or written, now or at an earlier try.

        """
        if self._failure is not None:
            raise self._failure
        try:
            if not self._is_made:
                written = self._file
                self._file = self._make()
                self._is_made = True
                written.seek(0)
                self._file.write(written.read())
            self._file.flush()
        except OSError as error:
            self._failure = error
            raise
        return self._file

    def release(self) -> None:
        """Make the file, with what was written, and leave it to whoever made it: it is not closed."""
        self.made()
        self._file = io.BytesIO()

    def fileno(self) -> int:
        """Create the file, and return its descriptor."""
        return self.made().fileno()

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def seekable(self) -> bool:
        """Say that it has a position."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes, and return their number."""
        try:
            count = self._file.write(data)
        except OSError as error:
            self._failure = error
            raise
        if self._failure is not None or (not self._is_made and self._file.tell() > _LITTLE):
            self.made()
        return count

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a position, and return it."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Return the position: the number of written bytes, unless `seek` changed it."""
        return self._file.tell()

    def truncate(self, size: int | None = None, /) -> int:
        """Cut it off, at the position if nothing else is said."""
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
