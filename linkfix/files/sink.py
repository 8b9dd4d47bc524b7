"""A file that is created late: the first bytes are buffered in memory."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: How many bytes are buffered in memory.
_LITTLE = 1024 * 1024


class LateFile(SpooledTemporaryFile[bytes]):
    """A binary file to write, created once there is much to write, or `created` is called; until then it is in memory.

    Args:
        create: creates the file, open for writing.

    """

    _file: IO[bytes]

    def __init__(self, create: Callable[[], BinaryIO]) -> None:
        super().__init__()
        self._create = create
        self._is_created = False
        self._failure: OSError | None = None

    def created(self) -> IO[bytes]:
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
        self._file = BytesIO()

    def fileno(self) -> int:
        """Create the file, and return its descriptor."""
        return self.created().fileno()

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
