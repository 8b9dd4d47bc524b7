"""The codec of compressed documents: gzip (RFC 1952). Only `linkfix.files.local` loads it, when such a file is met."""

from __future__ import annotations

import gzip
import io
import shutil
import struct
import zlib
from collections.abc import Callable
from hashlib import blake2b
from typing import IO, TYPE_CHECKING, BinaryIO

from linkfix.errors import LimitExceededError, LinkfixError
from linkfix.files.system import can_seek

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: The most octets of a document in a compressed file: a small file may be made into any number of them.
MOST_DECODED = 256 * 1024 * 1024
#: A header without a name and a time.
_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\2\xff"


def begins_archive(prefix: bytes) -> bool:
    """Return whether the first bytes are those of a WARC file, which has codings of its own."""
    try:
        return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(prefix, 5) == b"WARC/"
    except zlib.error:
        return False


def header(prefix: bytes) -> bytes:
    """Return the header of a gzip member: its time, system, name and comment (RFC 1952, 2.3)."""
    flags, at = prefix[3] if len(prefix) > 3 else 0, 10
    if flags & 4:
        at += 2 + int.from_bytes(prefix[at : at + 2], "little")
    for flag in (8, 16):
        if flags & flag:
            at = prefix.find(b"\0", at) + 1
            if not at:
                return _HEADER
    at += 2 if flags & 2 else 0
    return prefix[:at] if len(prefix) >= at else _HEADER


class GzipReader(gzip.GzipFile):
    """The document in a compressed file.

    Args:
        file: the compressed file, at its beginning.
        header: of its first member.

    Reading raises `LinkfixError` where the data is damaged, after the readable octets, and `LimitExceededError` after
    `MOST_DECODED` octets.

    Attributes:
        file: the compressed file.
        header: of its first member.

    """

    def __init__(self, file: BinaryIO, header: bytes) -> None:
        super().__init__(fileobj=file, mode="rb")
        self.file = file
        self.header = header
        self._digest = blake2b()
        self._digested = 0

    def read1(self, size: int = -1) -> bytes:
        """Return the next octets, some of `size`; none at the end."""
        at = self.tell()
        data = self._checked(super().read1, size)
        if at + len(data) > MOST_DECODED:
            raise LimitExceededError(
                f"the document in this compressed file has more than {MOST_DECODED >> 20} MiB",
                hint="decompress it, if it is one that you trust",
                file=self._file_name(),
            )
        if self._digested < at + len(data):
            self._digest.update(data[self._digested - at :])
            self._digested = at + len(data)
        return data

    def read(self, size: int | None = -1) -> bytes:
        """Return the next `size` octets, or all that are left."""
        pieces, left = [], -1 if size is None else size
        while left and (data := self.read1(left if left > 0 else io.DEFAULT_BUFFER_SIZE)):
            pieces.append(data)
            left -= len(data) if left > 0 else 0
        return b"".join(pieces)

    def peek(self, n: int) -> bytes:
        """Return some of the next octets, which stay."""
        return self._checked(super().peek, n)

    def made_as(self, sink: IO[bytes]) -> GzipWriter:
        """Return what a document is written to, so that its file is compressed as this one."""
        return GzipWriter(sink, self)

    def is_same(self, digest: bytes) -> bool:
        """Return whether the octets that were read have a digest, and the file can be read again."""
        return self._digest.digest() == digest and can_seek(self.file)

    def _checked(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise LinkfixError(
                f"the compressed data is damaged: {error}", file=self._file_name()
            ) from error

    def _file_name(self) -> str | None:
        name = getattr(self.file, "name", None)
        return name if isinstance(name, str) else None


class GzipWriter:
    """A compressed file that a document is written to.

    Args:
        sink: the file.
        like: the compressed file that was read; the new one has its header, and all of its octets if the document is the
            same.

    """

    def __init__(self, sink: IO[bytes], like: GzipReader) -> None:
        self._sink = sink
        self._like = like
        self._start = sink.tell() if can_seek(sink) else None
        self._deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        self._digest = blake2b()
        self._crc = 0
        self._size = 0
        self._is_finished = False

    def write(self, data: ReadableBuffer) -> int:
        """Write octets of the document, and return their number."""
        octets = bytes(data)
        if octets and not self._size:
            self._sink.write(self._like.header)
        self._digest.update(octets)
        self._crc = zlib.crc32(octets, self._crc)
        self._size += len(octets)
        self._sink.write(self._deflater.compress(octets))
        return len(octets)

    def finish_document(self) -> None:
        """End the document."""
        if self._is_finished:
            return
        self._is_finished = True
        if self._start is not None and self._like.is_same(self._digest.digest()):
            self._sink.seek(self._start)
            self._sink.truncate()
            self._like.file.seek(0)
            shutil.copyfileobj(self._like.file, self._sink)
            return
        if not self._size:
            self._sink.write(self._like.header)
        self._sink.write(self._deflater.flush())
        self._sink.write(struct.pack("<LL", self._crc, self._size & 0xFFFFFFFF))

    def discard_document(self) -> None:
        """Discard the document, and with it the file."""
        self._is_finished = True
        self._sink.seek(0)
        self._sink.truncate()

    def flush(self) -> None:
        """Write what can be read already."""
        if self._size and not self._is_finished:
            self._sink.write(self._deflater.flush(zlib.Z_SYNC_FLUSH))
        self._sink.flush()

    def fileno(self) -> int:
        """Return the descriptor of the file."""
        return self._sink.fileno()
