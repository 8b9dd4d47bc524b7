"""Tar archives (POSIX pax, ustar, and GNU's), which may be compressed with gzip as a whole.

`tarfile` reads them. The copy keeps every block of a member that stays, and of one that changes all headers, in which only its
size and the checksum are other ones. Links, devices and sparse files are no members.
"""

import os
import tarfile
import zlib
from collections.abc import Iterator
from functools import partial
from io import BufferedReader
from typing import IO, BinaryIO

from linkfix.containers.members import PIECE, Changes, Container, copied, damaged, pieces

_BLOCK = tarfile.BLOCKSIZE
_FAULTS = (tarfile.TarError, zlib.error, EOFError, ValueError, OverflowError)
#: The size, and the checksum, in a header.
_SIZE, _SUM = slice(124, 136), slice(148, 156)


class TarContainer(Container):
    """The members of a tar archive; argument and errors are those of `linkfix.containers.opened`."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        # A compressed archive is decompressed once.
        plain = isinstance(file, BufferedReader)
        self._file = file if plain else copied(iter(partial(file.read, PIECE), b""))
        try:
            with tarfile.open(
                fileobj=self._file, mode="r:", encoding="utf-8", errors="surrogateescape"
            ) as archive:
                members = archive.getmembers()
        except _FAULTS as error:
            raise damaged(error) from error
        self._infos: dict[str, tarfile.TarInfo] = {}
        for info in members:
            name = info.name.removeprefix("./")
            if info.isdir():
                self._infos[f"{name}/"] = info
                continue
            is_file = info.isreg() and info.sparse is None and "size" not in info.pax_headers
            if self.add(name if is_file else "", info.size):  # what has no name is counted
                self._infos[name] = info

    def open(self, name: str) -> BinaryIO:
        """Return the content of a member; the errors are those of `Container.open`."""
        info = self._infos[name]
        return copied(pieces(self._file, info.offset_data, info.offset_data + info.size))

    def copy(self, new: Changes) -> Iterator[bytes]:
        """Yield the octets of the archive with new content and names of some members; the errors are those of `Container.copy`."""
        at, folders = 0, [name for name in self._infos if name.endswith("/")]
        names = self.with_folders(new.names, folders)
        for name in sorted({*new, *names}, key=lambda each: self._infos[each].offset):
            info = self._infos[name]
            body, end = info.offset_data, info.offset_data + info.size
            content: IO[bytes] = self._file
            span = body, end
            if name in new:
                content = new[name]
                span = 0, content.seek(0, os.SEEK_END)
            if name in names:
                yield from pieces(self._file, at, info.offset)
                yield _renamed(info, names[name], span[1] - span[0])
            else:
                yield from pieces(self._file, at, body - _BLOCK)
                yield _resized(b"".join(pieces(self._file, body - _BLOCK, body)), span[1] - span[0])
            yield from pieces(content, *span)
            yield bytes((span[0] - span[1]) % _BLOCK)
            at = end + -info.size % _BLOCK
        yield from pieces(self._file, at, self._file.seek(0, os.SEEK_END))


def _renamed(info: tarfile.TarInfo, name: str, size: int) -> bytes:
    """Return the headers of a member with another name and size."""
    prefix = "./" * info.name.startswith("./")
    headers = {key: value for key, value in info.pax_headers.items() if key != "path"}
    made = info.replace(name=prefix + name.rstrip("/"))
    made.size, made.pax_headers = size, headers
    return made.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")


def _resized(head: bytes, size: int) -> bytes:
    """Return a header with another size (POSIX, pax, ustar interchange format)."""
    made = bytearray(head)
    made[_SIZE] = b"%011o\0" % size
    made[_SUM] = b" " * 8
    made[_SUM] = b"%06o\0 " % sum(made)
    return bytes(made)
