"""The frames of WARC records in a file: the span of each record, compressed or not.

The framing of WARC 1.1, 4: a line with the version, named fields, an empty line, a block of
``Content-Length`` bytes, two line ends. In a compressed file each record is a gzip member of its own
(annex D); a file that was compressed as a whole is read as well. Damage costs one record: reading continues at the
next one.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO, NamedTuple

from linkfix.errors import UnreadableError
from linkfix.files.access import chunks
from linkfix.files.gzipped import begins_archive
from linkfix.files.local import GZIP
from linkfix.markup.detect import file_name
from linkfix.policy import gate

# --- Bytes with look-ahead: of a file, of one gzip member in it, of a message body --------------------

#: How many bytes are worked on at a time.
PIECE = 64 * 1024
#: How many compressed bytes are looked at together: members are often short.
_WINDOW = 16 * 1024


class Stream:
    """Pieces of bytes, to peek at and to consume.

    Args:
        pieces: the bytes.
        offset: of the first one.
        source: the file that they are of; None for bytes that cannot be read again.

    Attributes:
        offset: of the next byte.
        again: the offset before which bytes were read a second time; they are not read a third time.
        tee: a file to which consumed bytes are copied; None for none.

    """

    def __init__(
        self, pieces: Iterator[bytes], offset: int = 0, source: BinaryIO | None = None
    ) -> None:
        self._pieces = pieces
        self._source = source if source is not None and source.seekable() else None
        #: The position of offset 0 in the file.
        self._origin = 0 if self._source is None else self._source.tell() - offset
        self.again: int = 0
        self._data = b""
        self._at = 0
        self.offset: int = offset
        self.tee: IO[bytes] | None = None

    def peek(self, size: int, least: int | None = None) -> bytes:
        """Return the next bytes without consuming them.

        Args:
            size: how many at most.
            least: how many to wait for; None for `size`. Fewer are returned only at the end.

        """
        wanted = size if least is None else least
        while len(self._data) - self._at < wanted:
            more = next(self._pieces, None)
            if more is None:
                break
            self._data = self._data[self._at :] + more
            self._at = 0
        return self._data[self._at : self._at + size]

    def take(self, size: int) -> bytes:
        """Return at least one of the next `size` bytes; none at the end."""
        data = self.peek(size, 1)
        self._at += len(data)
        self.offset += len(data)
        if self.tee is not None:
            self.tee.write(data)
        return data

    def rewind(self, offset: int) -> bool:
        """Go back, and return whether that is possible: in a file that can be sought in, where nothing was read again yet."""
        if self._source is None or offset < self.again:
            return False
        self.again = self.offset
        self._source.seek(self._origin + offset)
        self._pieces, self._data, self._at, self.offset = chunks(self._source), b"", 0, offset
        return True

    def rest(self) -> Iterator[bytes]:
        """Consume the rest."""
        while data := self.take(PIECE):
            yield data


def inflated(raw: Stream, wbits: int = zlib.MAX_WBITS + 16) -> Iterator[bytes]:
    """Decompress the content of a stream, up to the end of the compressed data: by default of a gzip member.

    Args:
        raw: the stream; only the compressed bytes are consumed, and of damaged ones only those before the damage.
        wbits: the format, as for `zlib.decompressobj`.

    Raises:
        UnreadableError: the data is damaged or ends early, after the readable bytes.

    """
    inflater = zlib.decompressobj(wbits)
    ended = False
    while not ended:
        # A whole window: what can be read before a damage must not depend on the sizes of the pieces.
        data = raw.peek(_WINDOW)
        try:
            piece = inflater.decompress(data, PIECE)
        except zlib.error as error:
            raise UnreadableError(f"the compressed data is damaged: {error}") from error
        # At the end, after a call that stopped at PIECE, both attributes have the same bytes.
        ended = inflater.eof
        rest = inflater.unused_data if ended else inflater.unconsumed_tail
        used = len(data) - len(rest)
        if used:
            raw.take(used)
        if piece:
            yield piece
        elif not used and not ended:
            raise UnreadableError("the compressed data ends early")


# --- Frames --------------------------------------------------------------------------------

#: The largest record in bytes that is buffered in memory; a larger one goes to a temporary file.
SPOOL = 1024 * 1024
#: The longest header that is read.
_LONGEST = 1024 * 1024
_VERSION = re.compile(rb"WARC/[0-9]+\.[0-9]+\r?\n")
_BEGINNING = re.compile(rb"(?<=\n)WARC/[0-9]+\.[0-9]+\r?\n|" + re.escape(GZIP))
_EMPTY_LINE = re.compile(rb"\n\r?\n")
_LENGTH = re.compile(rb"\nContent-Length[ \t]*:[ \t]*([0-9]{1,18})[ \t]*\r?\n", re.IGNORECASE)
#: More than what `_BEGINNING` matches can be long.
_OVERLAP = 32


class Span(NamedTuple):
    """The records that begin in a part of a file; offsets in bytes from the start of the file.

    Attributes:
        start: 0, or one of the `borders`.
        end: another one of them; None for the end of the file.

    """

    start: int = 0
    end: int | None = None


#: All records of a file.
WHOLE = Span()


def is_archive(prefix: bytes, name: str = "") -> bool:
    """Return whether a file is a WARC file: by its name, or by its first bytes.

    Args:
        prefix: its first bytes, a hundred or so.
        name: of the file, or "".

    """
    return file_name(name).lower().endswith((".warc", ".warc.gz")) or _begins(prefix)


def _begins(data: bytes) -> bool:
    return data.startswith(b"WARC/") or (data.startswith(GZIP) and begins_archive(data))


def head_of(stream: Stream | Frame) -> bytes:
    """Return the lines up to and including the first empty one, without consuming them.

    Returns:
        All bytes if no line is empty; ``b""`` if they are longer than a header that is read.

    """
    size = 2048
    while True:
        data = stream.peek(size)
        if (end := _EMPTY_LINE.search(data)) is not None:
            return data[: end.end()]
        if len(data) < size:
            return data
        if size > _LONGEST:
            return b""
        size *= 2


def deflated(pieces: Iterator[bytes], wbits: int = zlib.MAX_WBITS + 16) -> Iterator[bytes]:
    """Compress bytes, a record into a gzip member of its own by default; the format is as for `zlib.compressobj`."""
    deflater = zlib.compressobj(wbits=wbits)
    yield from map(deflater.compress, pieces)
    yield deflater.flush()


class Frame:
    """One record, or the bytes in place of one. It can be read until the next one is requested.

    Attributes:
        offset: of the record, or of its gzip member, in bytes from the start of the file.
        head: its version and fields, with the empty line; ``b""`` if they cannot be read.
        compressed: whether it is in a gzip member.
        again: whether it is in a part of the file that is read again after a damage.
        shared: whether another record follows in the same member; known when it is finished.
        error: the error in it so far.

    """

    def __init__(self, raw: Stream, member: Stream | None, start: int, *, keep: bool) -> None:
        self.offset: int = start
        self.head: bytes = b""
        self.compressed: bool = member is not None
        self.again: bool = self.offset < raw.again
        self.error: UnreadableError | None = None
        self._raw = raw
        self._stream: Stream = raw if member is None else member
        self._left = 0
        self._block = self._stream.offset
        self._broken = False
        self._finished = False
        # The first record of a member is kept as the member is, for mostly there is no other in it.
        self._first = member is not None and not member.offset
        self._start = self._stream.offset
        self._size = 0
        self.shared: bool = False
        self._kept: IO[bytes] | None = None
        if keep:
            self._kept = SpooledTemporaryFile(SPOOL)  # noqa: SIM115 - closed by close()
            (raw if self._first else self._stream).tee = self._kept
        self._begin()

    def _begin(self) -> None:
        try:
            self._line_ends()
            head = head_of(self._stream)
        except UnreadableError as error:
            self._fail(error.message, broken=True)
            return
        length = _LENGTH.search(head)
        if not _VERSION.match(head):
            if self._stream.peek(1):
                self._fail("no WARC record begins here")
        elif length is None:
            self._fail("the record has no Content-Length that can be used")
        else:
            self.head = self._stream.take(len(head))
            self._left = int(length[1])
            self._block = self._stream.offset

    def peek(self, size: int) -> bytes:
        """Return the next bytes of the block without consuming them: fewer only at its end."""
        try:
            return self._stream.peek(min(size, self._left))
        except UnreadableError as error:
            self._fail(error.message, broken=True)
            return b""

    def take(self, size: int) -> bytes:
        """Return at least one of the next `size` bytes of the block; none at its end."""
        try:
            data = self._stream.take(min(size, self._left)) if self._left else b""
        except UnreadableError as error:
            self._fail(error.message, broken=True)
            return b""
        if self._left and not data:
            self._fail(f"the record ends {self._left} bytes early")
        self._left -= len(data)
        return data

    def block(self) -> Iterator[bytes]:
        """Yield the rest of the block, in pieces.

        Raises:
            UnreadableError: the record is damaged or ends early, after the readable pieces.

        """
        while data := self.take(PIECE):
            yield data
        self.finish()
        if self.error is not None:
            raise self.error

    def finish(self) -> None:
        """Go to the beginning of the next record, and check that this one is whole."""
        if self._finished:
            return
        self._finished = True
        while self.take(PIECE):
            pass
        try:
            if not self._broken:
                self._end()
        except UnreadableError as error:
            self._fail(error.message, broken=True)
        self._size = self._stream.offset - self._start
        if self._broken:
            # Records behind a damage may have been decompressed as if they were of this one.
            if self.compressed and self._raw.rewind(self.offset) and self._first and self._kept:
                self._kept.seek(0)
                self._kept.truncate()
            self._skip(self._raw)
        self._raw.tee = self._stream.tee = None

    def _end(self) -> None:
        ended = self._line_ends()
        if not self._stream.peek(1):
            if self.error is not None and self._rewind():
                self._skip(self._stream)
            return
        if not self.head:
            self._skip(self._stream)
        # In a file, a line end that follows is enough. In a member, octets that follow it may be compressed ones of others.
        elif not (ended and not self.compressed) and not self._begins_here():
            self._fail("the record does not end where its Content-Length says")
            self._rewind()
            self._skip(self._stream)
        self.shared = self.compressed and bool(self._stream.peek(1))

    def _rewind(self) -> bool:
        """Go back to the beginning of a block that may have run over other records; return whether that was possible."""
        if self._stream is not self._raw or not self._stream.rewind(self._block):
            return False
        if self._kept is not None:
            self._kept.seek(self._block - self._start)
            self._kept.truncate()
        return True

    def _line_ends(self) -> bool:
        """Consume line ends; return whether there were any."""
        before = self._stream.offset
        while data := self._stream.peek(4, 1):
            size = len(data) - len(data.lstrip(b"\r\n"))
            if not size:
                break
            self._stream.take(size)
        return self._stream.offset > before

    def _fail(self, message: str, *, broken: bool = False) -> None:
        self._left = 0
        self._broken |= broken
        if self.error is None:
            self.error = UnreadableError(message)

    def _begins_here(self) -> bool:
        data = self._stream.peek(_OVERLAP)
        return bool(_VERSION.match(data)) or (self._stream is self._raw and data.startswith(GZIP))

    def _skip(self, stream: Stream) -> None:
        """Go on to the next record: a line with a version, or in a file a gzip member too."""
        stream.take(1)
        while data := stream.peek(PIECE):
            for found in _BEGINNING.finditer(data):
                at = found.start()
                if found[0] != GZIP or (stream is self._raw and _begins(data[at:])):
                    stream.take(at)
                    return
            stream.take(len(data) - _OVERLAP if len(data) == PIECE else len(data))

    def copy(self) -> Iterator[bytes]:
        """Return the bytes of the record in the file, up to the beginning of the next one.

        A record that shares a gzip member with others is returned as a member of its own.

        Raises:
            UnreadableError: the damaged record shares a gzip member with others, so that its bytes are unknown.

        """
        self.finish()
        if self._kept is None:
            raise ValueError("the bytes of this record were not kept")
        self._kept.seek(0)
        kept = Stream(iter(partial(self._kept.read, PIECE), b""))
        if not self.compressed or (self._first and (not self.shared or self._broken)):
            return kept.rest()
        if self._broken:
            raise UnreadableError(
                "the archive was compressed as a whole and is damaged, so it cannot be rewritten",
                hint="decompress it first",
                offset=self.offset,
            )
        return deflated(_inflated(kept, self._size) if self._first else kept.rest())

    def close(self) -> None:
        """Forget the bytes that were kept."""
        if self._kept is not None:
            self._kept.close()


def _inflated(kept: Stream, size: int) -> Iterator[bytes]:
    member = Stream(inflated(kept))
    while size and (data := member.take(min(size, PIECE))):
        size -= len(data)
        yield data


def frames(source: BinaryIO, *, keep: bool = False, span: Span = WHOLE) -> Iterator[Frame]:
    """Yield the records of a file one after the other, the damaged ones too.

    Args:
        source: a binary file, at its beginning; one that can be sought in for a part of it.
        keep: whether `Frame.copy` will be called.
        span: which records.

    Raises:
        ArgumentError: the source is no binary file.
        UnreadableError: the file itself cannot be read.

    """
    gate.binary("source", source, "rb")
    if span.start:
        source.seek(span.start)
    raw = Stream(chunks(source), span.start, source)
    while raw.peek(1) and (span.end is None or raw.offset < span.end):
        start = raw.offset
        member = Stream(inflated(raw)) if raw.peek(len(GZIP)) == GZIP else None
        more = True
        while more:
            frame = Frame(raw, member, start, keep=keep)
            try:
                yield frame
                frame.finish()
            finally:
                frame.close()
            more = frame.shared


def borders(source: BinaryIO, size: int, parts: int) -> Iterator[int]:
    """Yield where a file can be divided into parts of about the same size: offsets of records.

    Bytes that look like the beginning of a record prove nothing, since a block may have any bytes, those of another WARC file
    too. So the records before the last border are read one after the other, as `frames` does it for every reader; their
    blocks are not. A file that was compressed as a whole has no border.

    Args:
        source: a binary file, at its beginning.
        size: of the file in bytes.
        parts: how many parts there may be.

    Raises:
        UnreadableError: the file itself cannot be read.

    """
    part = 1
    for frame in frames(source):
        # What is read again depends on what was read before, so it is not divided.
        if not frame.again and frame.offset * parts >= size * part:
            yield frame.offset
            part = frame.offset * parts // size + 1
            if part >= parts:
                return
