"""Codecs: what is between the octets of a document and those of its file.

A codec opens and creates. `decoded` returns a file as its document is read; `encoded` returns what a document is written to,
so that the new file is coded as the one that was read. Neither asks what the document is. A file that is read as its document has ``made_as``,
which returns what is written as a file of its kind; that has ``finish_document``, and ``discard_document``, which discards the
file with the document. There is one codec so far, gzip
(RFC 1952), and all other files are their documents. A document that does not change has the very octets of its file
again. The weak spot: where a file cannot be read again (standard input), such a document is compressed anew.
"""

from collections.abc import Callable
from typing import IO, BinaryIO, cast

from linkfix.files.local import can_seek
from linkfix.markup.detect import has_gzip_name

#: How a gzip member begins: its magic number and the one method there is (RFC 1952, 2.3.1).
GZIP = b"\x1f\x8b\x08"
#: How many bytes of a file show what it is.
_PREFIX = 4096


def decoded(file: BinaryIO, name: str = "", *, owned: bool = False) -> BinaryIO:
    """Return a file as its document is read: the file itself, or one that decompresses it.

    Args:
        file: at its beginning; it stays there.
        name: of the file; "" for one without a name, in which any compressed document is read, but no archive.
        owned: whether to close the file with what is returned.

    Raises:
        OSError: it cannot be read.

    """
    if name and not has_gzip_name(name):
        return file
    prefix = _prefix(file)
    if not prefix.startswith(GZIP):
        return file
    from linkfix.files.gzipped import GzipReader, begins_archive, header

    if not name and begins_archive(prefix):
        return file
    reader = GzipReader(file, header(prefix))
    reader.myfileobj = file if owned else None  # type: ignore[assignment]
    return cast("BinaryIO", reader)


def encoded(sink: IO[bytes], like: object) -> IO[bytes]:
    """Return what a document is written to, so that its file is coded as another one.

    Args:
        sink: the new file.
        like: the other one, as `decoded` returned it.

    """
    made_as: Callable[[IO[bytes]], IO[bytes]] | None = getattr(like, "made_as", None)
    return sink if made_as is None else made_as(sink)


def finish(sink: object) -> None:
    """Write what is left of a document to its file; its document is whole."""
    finish_document: Callable[[], None] | None = getattr(sink, "finish_document", None)
    if finish_document is not None:
        finish_document()


def discard(sink: IO[bytes]) -> None:
    """Discard what was written of a document; nothing more is."""
    discard_document: Callable[[], None] | None = getattr(sink, "discard_document", None)
    if discard_document is not None:
        discard_document()
    else:
        sink.seek(0)
        sink.truncate()


def _prefix(file: BinaryIO) -> bytes:
    peek: Callable[[int], bytes] | None = getattr(file, "peek", None)
    if peek is not None:
        return peek(_PREFIX)[:_PREFIX]
    if not can_seek(file):
        return b""
    at = file.tell()
    prefix = file.read(_PREFIX)
    file.seek(at)
    return prefix
