"""Bytes with look-ahead: of a file, of one gzip member in it, of a message body."""

import zlib
from collections.abc import Iterator
from typing import IO, BinaryIO

from linkfix.errors import UnreadableError
from linkfix.files.access import chunks

#: How a gzip member begins: its magic number and the one method there is (RFC 1952, 2.3.1).
GZIP = b"\x1f\x8b\x08"
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


class Member(Stream):
    """The content of a gzip member at the beginning of another stream.

    Reading raises UnreadableError if the member is damaged or ends early; the stream is then before the unreadable
    bytes. At the end it is after the member.

    Attributes:
        start: its offset in the other stream.

    """

    def __init__(self, raw: Stream) -> None:
        self.start: int = raw.offset
        super().__init__(inflated(raw, zlib.MAX_WBITS + 16))


def inflated(raw: Stream, wbits: int) -> Iterator[bytes]:
    """Decompress the content of a stream, up to the end of the compressed data.

    Args:
        raw: the stream; only the compressed bytes are consumed.
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
