"""A file that is made late: what is written is held in memory while it is little."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import ReadableBuffer

__all__ = ["LateFile"]

#: How much is held in memory.
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
        """Give the file itself, with what was written so far.

        Raises:
            OSError: it cannot be made or written, now or when that was tried before.

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
        """Make the file, and give its descriptor."""
        return self.made().fileno()

    def writable(self) -> bool:
        """Say that it can be written."""
        return True

    def seekable(self) -> bool:
        """Say that it has a position."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes, and give how many."""
        try:
            count = self._file.write(data)
        except OSError as error:
            self._failure = error
            raise
        if self._failure is not None or (not self._is_made and self._file.tell() > _LITTLE):
            self.made()
        return count

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a position, and give it."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Give the position: how many bytes were written, unless somebody went elsewhere."""
        return self._file.tell()

    def truncate(self, size: int | None = None, /) -> int:
        """Cut it off, at the position if nothing else is said."""
        return self._file.truncate(size)

    def flush(self) -> None:
        """Give what was written to the file, if there is one."""
        self._file.flush()

    def close(self) -> None:
        """Close it; what was only held in memory is gone."""
        try:
            super().close()
        finally:
            self._file.close()
