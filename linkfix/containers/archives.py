"""Archives: ZIP files (APPNOTE 6.3.10), and with them EPUB, OpenDocument and Office Open XML; tar archives.

`zipfile` reads the central directory and the members. The copy with new members is made here, since `zipfile` makes every
header anew: of a member that stays all octets are copied, from its local header up to the next one; of one that changes the
headers are kept but for the sizes and the checksum, and the content is compressed with the same method, if that is here. The weak spot: a copy
whose offsets need ZIP64, where those of the old file do not, is refused.
"""

import lzma
import os
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BufferedReader
from typing import IO, BinaryIO

from linkfix.containers.members import PIECE, Changes, Container, copied, damaged, pieces
from linkfix.errors import LimitExceededError, UnreadableError

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR64 = struct.Struct("<4sLQL")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
#: The flags: the content is encrypted; its sizes are behind it; the name is UTF-8 (APPNOTE, 4.4.4).
_ENCRYPTED, _DESCRIPTOR, _UTF8 = 0x1, 0x8, 0x800
#: A value of 32 bits that stands in the extra field of ZIP64, and the number of that field (APPNOTE, 4.5.3).
_ELSEWHERE, _EXTRA64 = 0xFFFFFFFF, 1
#: What zipfile, tarfile and their decompressors raise for damaged data.
_FAULTS = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError, OverflowError, RuntimeError, LookupError)  # fmt: skip


class ZipContainer(Container):
    """The members of a ZIP file; argument and errors are those of `linkfix.containers.opened`."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        with _faults():
            self._end = self._read_end()
            self._zip = zipfile.ZipFile(file)
            self._end_at = file.seek(0, os.SEEK_END) - len(self._end)
            names = [_name(info) for info in self._zip.filelist]
        last = 0
        for info in sorted(self._zip.filelist, key=lambda each: each.header_offset):
            # Members that share octets are a bomb, or read otherwise by other programs.
            if info.header_offset < last:
                raise damaged("members overlap")
            last = info.header_offset + _LOCAL.size + info.compress_size
        self._infos = {
            name: info
            for name, info in zip(names, self._zip.filelist, strict=True)
            if name.endswith("/") or self.add(name, info.file_size)
        }

    def open(self, name: str) -> BinaryIO:
        """Return the content of a member; the errors are those of `Container.open`."""
        info = self._infos[name]
        if info.flag_bits & _ENCRYPTED:
            raise UnreadableError("it is encrypted", hint="decrypt it first")
        with _faults(), self._zip.open(info) as file:
            return copied(iter(partial(file.read, PIECE), b""))

    def copy(self, new: Changes) -> Iterator[bytes]:
        """Yield the octets of the ZIP file with new content and names of some members; the errors are those of `Container.copy`."""
        folders = [name for name in self._infos if name.endswith("/")]
        names = self.with_folders(new.names, folders)
        members = {id(self._infos[name]): name for name in (*new, *names)}
        with _faults():
            heads = self._heads()
        order = sorted(self._zip.filelist, key=lambda each: each.header_offset)
        starts = [*(info.header_offset for info in order), self._zip.start_dir]
        yield from pieces(self._file, 0, starts[0])
        by = 0
        for info, start, end in zip(order, starts, starts[1:], strict=False):
            head = _moved(heads[id(info)], by)
            local, content, span = b"", self._file, (start, end)
            if (name := members.get(id(info))) is not None:
                with _faults():
                    local = self._local(info)
                    span = start + len(local), end
                    if name in names:
                        head = _renamed(head, _CENTRAL, 3, 10, names[name])
                        local = _renamed(local, _LOCAL, 2, 9, names[name])
                    if name in new:
                        local, content, sizes = self._made(info, local, new[name])
                        head, span = _resized(head, sizes, _method(info)), (0, sizes[1])
            heads[id(info)] = head
            yield local
            yield from pieces(content, *span)
            by += len(local) + span[1] - span[0] - (end - start)
        directory = b"".join(heads[id(info)] for info in self._zip.filelist)
        yield directory + _ended(self._end, by, len(directory))

    def _read_end(self) -> bytes:
        """Return what is behind the central directory: its end record, and those of ZIP64 before it."""
        size = self._file.seek(0, os.SEEK_END)
        start = max(0, size - _END.size - 0xFFFF - _END64.size - _LOCATOR64.size)
        self._file.seek(start)
        tail = self._file.read(size - start)
        at = tail.rfind(b"PK\5\6")
        if at < 0:
            raise damaged("it has no end of central directory record")
        directory = _END.unpack_from(tail, at)[5]
        if at >= _LOCATOR64.size and tail.startswith(b"PK\6\7", at - _LOCATOR64.size):
            at -= _LOCATOR64.size + _END64.size
            if at < 0 or not tail.startswith(b"PK\6\6", at):
                raise damaged("a record of ZIP64 is not where it belongs")
            directory = _END64.unpack_from(tail, at)[8]
        self.check_number(directory // 512)
        return tail[at:]

    def _heads(self) -> dict[int, bytes]:
        """Return the header of each member in the central directory."""
        self._file.seek(self._zip.start_dir)
        directory = self._file.read(self._end_at - self._zip.start_dir)
        heads, at = {}, 0
        for info in self._zip.filelist:
            end = at + _CENTRAL.size + sum(_CENTRAL.unpack_from(directory, at)[10:13])
            heads[id(info)] = directory[at:end]
            at = end
        if at != len(directory):
            raise damaged("its central directory has octets that are no header")
        return heads

    def _local(self, info: zipfile.ZipInfo) -> bytes:
        """Return the local header of a member."""
        self._file.seek(info.header_offset)
        head = self._file.read(_LOCAL.size)
        return head + self._file.read(sum(_LOCAL.unpack(head)[9:]))

    @staticmethod
    def _made(
        info: zipfile.ZipInfo, local: bytes, file: IO[bytes]
    ) -> tuple[bytes, BinaryIO, tuple[int, int, int]]:
        """Return the local header of a member with new content, that compressed, and its checksum and sizes."""
        if info.flag_bits & _ENCRYPTED:
            raise UnreadableError(f"{info.filename} is encrypted")
        length, crc = file.seek(0, os.SEEK_END), 0
        for piece in pieces(file, 0, length):
            crc = zlib.crc32(piece, crc)
        content = copied(_METHODS[_method(info)](pieces(file, 0, length)))
        sizes = crc, content.seek(0, os.SEEK_END), length
        fields = [*_LOCAL.unpack_from(local)]
        start = _LOCAL.size + fields[9]
        extra = _small(local[start:])
        fields[2] &= ~_DESCRIPTOR
        fields[3], fields[6:9], fields[10] = _method(info), sizes, len(extra)
        return _LOCAL.pack(*fields) + local[_LOCAL.size : start] + extra, content, sizes


def _deflated(octets: Iterator[bytes]) -> Iterator[bytes]:
    deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    yield from map(deflater.compress, octets)
    yield deflater.flush()


#: How content is compressed, by the number of the method (APPNOTE, 4.4.5).
_METHODS: dict[int, Callable[[Iterator[bytes]], Iterator[bytes]]] = {
    zipfile.ZIP_STORED: iter,
    zipfile.ZIP_DEFLATED: _deflated,
}


def _method(info: zipfile.ZipInfo) -> int:
    """Return the method by which new content of a member is compressed."""
    return info.compress_type if info.compress_type in _METHODS else zipfile.ZIP_DEFLATED


def _name(info: zipfile.ZipInfo) -> str:
    """Return the name of a member; zipfile has read its octets as code page 437 where no flag says UTF-8."""
    name = info.orig_filename
    return name if info.flag_bits & _UTF8 else os.fsdecode(name.encode("cp437"))


def _renamed(head: bytes, form: struct.Struct, flags: int, length: int, name: str) -> bytes:
    """Return a header of a form with another name; the numbers are those of its fields with the flags and the length."""
    octets, fields = os.fsencode(name), [*form.unpack_from(head)]
    if not octets.isascii():
        fields[flags] &= ~_UTF8
        fields[flags] |= _UTF8 * (name == octets.decode("utf-8", "replace"))
    rest = head[form.size + fields[length] :]
    fields[length] = len(octets)
    return form.pack(*fields) + octets + rest


def _moved(head: bytes, by: int) -> bytes:
    """Return a header of the central directory with another offset of the member."""
    fields = [*_CENTRAL.unpack_from(head)]
    if fields[16] != _ELSEWHERE:
        fields[16] += by
        if fields[16] >= _ELSEWHERE:
            raise LimitExceededError("the new container would have more than 4 GiB")
        return _CENTRAL.pack(*fields) + head[_CENTRAL.size :]
    at = _offset_at(head)
    offset = int.from_bytes(head[at : at + 8], "little") + by
    return head[:at] + offset.to_bytes(8, "little") + head[at + 8 :]


def _resized(head: bytes, sizes: tuple[int, int, int], method: int) -> bytes:
    """Return a header of the central directory with another checksum, sizes below 4 GiB, and the method of compression."""
    fields = [*_CENTRAL.unpack_from(head)]
    start = _CENTRAL.size + fields[10]
    end = start + fields[11]
    extra = _small(head[start:end])
    if fields[16] == _ELSEWHERE:
        at = _offset_at(head)
        extra = struct.pack("<2H", _EXTRA64, 8) + head[at : at + 8] + extra
    fields[3] &= ~_DESCRIPTOR
    fields[4] = method
    fields[7:10], fields[11] = sizes, len(extra)
    return _CENTRAL.pack(*fields) + head[_CENTRAL.size : start] + extra + head[end:]


def _offset_at(head: bytes) -> int:
    """Return where a header of the central directory has an offset of 64 bits."""
    fields = _CENTRAL.unpack_from(head)
    start = _CENTRAL.size + fields[10]
    at = _extra64_at(head[start : start + fields[11]])
    if at < 0:
        raise damaged("an offset is missing")
    return int(start) + at + 4 + 8 * fields[8:10].count(_ELSEWHERE)


def _extra64_at(extra: bytes) -> int:
    """Return the offset of the field of ZIP64 among extra fields; -1 if there is none."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == _EXTRA64:
            return at
        at += 4 + size
    return -1


def _small(extra: bytes) -> bytes:
    """Return extra fields without that of ZIP64."""
    at = _extra64_at(extra)
    if at < 0:
        return extra
    return extra[:at] + extra[at + 4 + int.from_bytes(extra[at + 2 : at + 4], "little") :]


def _ended(end: bytes, by: int, size: int) -> bytes:
    """Return the records behind the central directory, which has moved and has another size."""
    longer, made = 0, b""
    if end.startswith(b"PK\6\6"):
        fields = [*_END64.unpack_from(end)]
        longer = size - fields[8]
        fields[8:10] = size, fields[9] + by
        locator = [*_LOCATOR64.unpack_from(end, _END64.size)]
        locator[2] += by + longer
        made = _END64.pack(*fields) + _LOCATOR64.pack(*locator)
        end = end[len(made) :]
    last = [*_END.unpack_from(end)]
    last[5] = last[5] if last[5] == _ELSEWHERE else size
    last[6] = last[6] if last[6] == _ELSEWHERE else last[6] + by
    return made + _END.pack(*last) + end[_END.size :]


@contextmanager
def _faults() -> Iterator[None]:
    """Convert what zipfile and tarfile raise."""
    try:
        yield
    except _FAULTS as error:
        raise damaged(error) from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise damaged(error) from error  # by bzip2


# --- Tar archives (POSIX pax, ustar, and GNU's), which may be compressed with gzip as a whole ---------
# `tarfile` reads them. The copy keeps every block of a member that stays, and of one that changes all headers, in which only its
# size and the checksum are other ones. Links, devices and sparse files are no members.

_BLOCK = tarfile.BLOCKSIZE
#: The size, and the checksum, in a header.
_SIZE, _SUM = slice(124, 136), slice(148, 156)


class TarContainer(Container):
    """The members of a tar archive; argument and errors are those of `linkfix.containers.opened`."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        # A compressed archive is decompressed once.
        if not isinstance(file, BufferedReader):
            file = copied(iter(partial(file.read, PIECE), b""))
        self._file = file
        with _faults():
            archive = tarfile.TarFile(fileobj=file, encoding="utf-8", errors="surrogateescape")
            members = archive.getmembers()
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
                yield _tar_renamed(info, names[name], span[1] - span[0])
            else:
                yield from pieces(self._file, at, body - _BLOCK)
                yield _tar_resized(
                    b"".join(pieces(self._file, body - _BLOCK, body)), span[1] - span[0]
                )
            yield from pieces(content, *span)
            yield bytes((span[0] - span[1]) % _BLOCK)
            at = end + -info.size % _BLOCK
        yield from pieces(self._file, at, self._file.seek(0, os.SEEK_END))


def _tar_renamed(info: tarfile.TarInfo, name: str, size: int) -> bytes:
    """Return the headers of a member with another name and size."""
    prefix = "./" * info.name.startswith("./")
    headers = {key: value for key, value in info.pax_headers.items() if key != "path"}
    made = info.replace(name=prefix + name.rstrip("/"))
    made.size, made.pax_headers = size, headers
    return made.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")


def _tar_resized(head: bytes, size: int) -> bytes:
    """Return a header with another size (POSIX, pax, ustar interchange format)."""
    made = bytearray(head)
    made[_SIZE] = b"%011o\0" % size
    made[_SUM] = b" " * 8
    made[_SUM] = b"%06o\0 " % sum(made)
    return bytes(made)
