"""The codings of an HTTP message body: undone for reading, done again for writing.

Transfer codings (RFC 9112, 7) and content codings (RFC 9110, 8.4.1). A header often names a coding that the body
does not have, since the archiver decoded it. Such a body is read unchanged, as browsers and replay tools do, and is
written without the coding again.
"""

import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from linkfix.errors import UnreadableError
from linkfix.warc.frames import PIECE, Stream, deflated, inflated

_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
#: How long the line before a chunk may be, and how long what follows the coded bytes.
_LINE, _TRAILER = 4096, 64 * 1024
#: The octets that no text has (MIME Sniffing Standard, 3). Some text, as `/*` in br, begins like coded content.
_NO_TEXT = re.compile(rb"[\0-\x08\v\x0e-\x1a\x1c-\x1f]")
#: Registered codings that linkfix cannot decode. Browsers ignore unregistered ones.
_UNKNOWN = frozenset(
    ["aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd"]
)


def _ignore(_: bytes) -> None:
    pass


class Body:
    """The body of one message, with the codings that its header names.

    Args:
        transfer: the value of ``Transfer-Encoding``, or "".
        content: the value of ``Content-Encoding``, or "".

    Raises:
        UnreadableError: a coding that cannot be undone.

    """

    def __init__(self, transfer: str = "", content: str = "") -> None:
        # Codings are named in the order in which they were applied.
        self._content = _codings(content)
        self._transfer = _codings(transfer)

    def decode(
        self, pieces: Iterator[bytes], entity: Callable[[bytes], None] = _ignore
    ) -> Iterator[bytes]:
        """Decode the content.

        Args:
            pieces: the body.
            entity: called with the pieces between the transfer codings and the content codings.

        Raises:
            UnreadableError: the body is damaged or ends early, after the readable pieces.

        """
        for coding in reversed(self._transfer):
            pieces = coding.decode(pieces)
        pieces = seen(pieces, entity)
        for coding in reversed(self._content):
            pieces = coding.decode(pieces)
        return pieces

    def encode(
        self, pieces: Iterator[bytes], entity: Callable[[bytes], None] = _ignore
    ) -> Iterator[bytes]:
        """Encode a body with the codings that `decode` found."""
        for coding in self._content:
            pieces = coding.encode(pieces)
        pieces = seen(pieces, entity)
        for coding in self._transfer:
            pieces = coding.encode(pieces)
        return pieces


def seen(pieces: Iterator[bytes], watch: Callable[[bytes], object]) -> Iterator[bytes]:
    """Yield the same pieces; call `watch` with each one before."""
    for piece in pieces:
        watch(piece)
        yield piece


class _Coding:
    """One coding of one body. Decode first: that detects whether the body has the coding."""

    def __init__(self) -> None:
        self._applied = True
        self._trailer = b""

    def decode(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Undo the coding; raises UnreadableError where it is damaged or ends early."""
        body = Stream(pieces)
        self._applied = self._is_in(body)
        yield from self._decoded(body) if self._applied else body.rest()

    def encode(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Do the coding again, as it was found."""
        stream = Stream(pieces)
        # Blocks of one size, so that the encoded result depends only on the bytes.
        blocks = (stream.take(len(data)) for data in iter(partial(stream.peek, PIECE), b""))
        yield from self._encoded(blocks) if self._applied else blocks

    def _keep_rest(self, body: Stream, end: str) -> None:
        """Keep the bytes behind the coded ones, which readers ignore, for `encode`."""
        self._trailer = body.peek(_TRAILER)
        body.take(len(self._trailer))
        if body.peek(1):
            raise UnreadableError(f"there are too many bytes after {end}")

    def _is_in(self, body: Stream) -> bool:
        raise NotImplementedError

    def _decoded(self, body: Stream) -> Iterator[bytes]:
        raise NotImplementedError

    def _encoded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        raise NotImplementedError


class _Chunked(_Coding):
    def _is_in(self, body: Stream) -> bool:
        return bool(_CHUNK.match(body.peek(_LINE)))

    def _decoded(self, body: Stream) -> Iterator[bytes]:
        while size := self._size(body):
            while size:
                data = body.take(min(size, PIECE))
                if not data:
                    raise UnreadableError("the chunked body ends early")
                size -= len(data)
                yield data
            end = re.match(rb"\r?\n", body.peek(2))
            if end is None:
                raise UnreadableError("a chunk does not end where its size says")
            body.take(end.end())
        self._keep_rest(body, "the last chunk")

    @staticmethod
    def _size(body: Stream) -> int:
        data = body.peek(_LINE)
        line = _CHUNK.match(data)
        if line is None:
            early = len(data) < _LINE and b"\n" not in data
            raise UnreadableError("the chunked body ends early" if early else "a chunk has no size")
        body.take(line.end())
        return int(line[1], 16)

    def _encoded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        for block in blocks:
            yield b"%x\r\n%b\r\n" % (len(block), block)
        yield b"0\r\n" + self._trailer


class _Deflated(_Coding):
    """The codings that zlib knows: gzip (RFC 1952), deflate (RFC 1950), and deflate without its frame."""

    def __init__(self, wbits: int) -> None:
        super().__init__()
        self._wbits = wbits

    def _is_in(self, body: Stream) -> bool:
        """Find out whether the body is coded as it says; a deflate without its frame is common."""
        prefix = body.peek(_LINE)
        may_be_bare = self._wbits == zlib.MAX_WBITS and _NO_TEXT.search(prefix)
        bare = (-zlib.MAX_WBITS,) if may_be_bare else ()
        for wbits in (self._wbits, *bare) if prefix else ():
            with suppress(zlib.error):
                zlib.decompressobj(wbits).decompress(prefix, 1)
                self._wbits = wbits
                return True
        return False

    def _decoded(self, body: Stream) -> Iterator[bytes]:
        more = True
        while more:
            yield from inflated(body, self._wbits)
            more = self._wbits > zlib.MAX_WBITS and body.peek(2) == b"\x1f\x8b"
        self._keep_rest(body, "the compressed data")

    def _encoded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        yield from deflated(blocks, self._wbits)
        yield self._trailer


class _Brotli(_Coding):
    """The coding br (RFC 7932), by any package with a module ``brotli``."""

    def __init__(self) -> None:
        super().__init__()
        try:
            import brotli
        except ImportError as error:
            raise UnreadableError(
                "the content is coded in br, and the package brotli is not installed",
                hint="pip install 'linkfix[warc]'",
            ) from error
        # Without a limit of its output the decoder needs as much memory as the content has bytes.
        if not hasattr(brotli.Decompressor, "can_accept_more_data"):
            raise UnreadableError(
                "the content is coded in br, and the package brotli is older than 1.2",
                hint="pip install --upgrade 'linkfix[warc]'",
            )
        self._brotli: Any = brotli

    def _is_in(self, body: Stream) -> bool:
        """Find out whether the body is coded; one with bytes behind its coded content is, and is damaged."""
        data, decoder = body.peek(_LINE), self._brotli.Decompressor()
        with suppress(UnreadableError):
            self._step(decoder, data)
            return bool(decoder.is_finished() or _NO_TEXT.search(data))
        decoder, has_content = self._brotli.Decompressor(), False
        with suppress(UnreadableError):
            for octet in data:
                has_content |= bool(self._step(decoder, bytes((octet,))))
                if decoder.is_finished():
                    return has_content
        return False

    def _step(self, decoder: Any, data: bytes = b"") -> bytes:
        """Return more output, for some bytes or for those that the decoder has."""
        try:
            return bytes(decoder.process(data, output_buffer_limit=PIECE))
        except self._brotli.error as error:
            raise UnreadableError("the compressed data is damaged") from error

    def _decoded(self, body: Stream) -> Iterator[bytes]:
        decoder = self._brotli.Decompressor()
        while data := body.peek(_LINE, 1):
            piece = self._step(decoder, data)
            body.take(len(data))
            yield piece
            while not decoder.is_finished() and (piece or not decoder.can_accept_more_data()):
                piece = self._step(decoder)
                yield piece
        if not decoder.is_finished():
            raise UnreadableError("the compressed data ends early")

    def _encoded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        coder = self._brotli.Compressor()
        yield from map(coder.process, blocks)
        yield coder.finish()


_CODINGS: dict[str, Callable[[], _Coding]] = {
    "chunked": _Chunked,
    **dict.fromkeys(("gzip", "x-gzip"), partial(_Deflated, zlib.MAX_WBITS + 16)),
    "deflate": partial(_Deflated, zlib.MAX_WBITS),
    "br": _Brotli,
}


def _codings(value: str) -> list[_Coding]:
    names = [name.strip().lower() for name in value.split(",")]
    if unknown := next(filter(_UNKNOWN.__contains__, names), None):
        raise UnreadableError(f"the content is coded in {unknown}, which linkfix cannot undo")
    return [_CODINGS[name]() for name in names if name in _CODINGS]
