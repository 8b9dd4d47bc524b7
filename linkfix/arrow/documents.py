"""The rows of record batches as documents.

Input: record batches with a column of bytes. Output: documents that are read from the memory of the batch, piece by piece.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa

from linkfix.arrow.schemas import DOCUMENTS, collected
from linkfix.charset import label_of
from linkfix.errors import ArgumentError, LimitExceededError, LinkfixError, UnreadableError
from linkfix.files.access import chunks
from linkfix.files.local import decoded
from linkfix.jobs.failures import contained
from linkfix.markup.detect import DocumentType, type_of_content
from linkfix.policy import gate
from linkfix.policy.bases import resolvable
from linkfix.policy.policy import Source
from linkfix.warc import WHOLE, Head, Record, Span
from linkfix.warc import documents as documents_in


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns of the input. All but `content` may be missing, and each value may be null.

    Attributes:
        content: the bytes of the document, without the codings of HTTP: ``binary``, ``large_binary`` or ``binary_view``.
        url: its absolute URI, the base of its links.
        type: the Content-Type of the transport. With one of no document, such as ``image/png``, a row is not read; without
            one, the first bytes decide.
        charset: the label of the charset from the transport; it goes before the one in `type`.
        error: why the content ends early, as that of a damaged record does. What can be read of it is read.

    """

    content: str = "content"
    url: str = "url"
    type: str = "type"
    charset: str = "charset"
    error: str = "error"


@dataclass(frozen=True, slots=True)
class Document:
    """A row of the input.

    Attributes:
        number: of the row in the input, from 0.
        content: its bytes; None if the row has none.
        url: its absolute URI; None if unknown.
        type: of the document; None to detect it by the first bytes.
        charset: the label from the transport; None for none.
        is_other: whether its Content-Type says that it is no document.
        error: why its content ends early; "" if it is whole.
        kept: the values of the columns to keep, by their names.

    """

    number: int
    content: memoryview | None
    url: str | None
    type: DocumentType | None
    charset: str | None
    is_other: bool
    error: str
    kept: dict[str, Any]

    @property
    def source(self) -> Source:
        """What is known about it."""
        return Source(type=self.type, charset=self.charset, base=resolvable(self.url))

    def file(self) -> BinaryIO:
        """Return its content as a file, decompressed if it is compressed (`linkfix.files.local`)."""
        return decoded(pa.BufferReader(self.content or b""))

    def pieces(self, file: BinaryIO | None = None) -> Iterator[bytes]:
        """Yield its bytes; a copy of each piece and never one of all.

        Args:
            file: its content, as `file` returns it.

        Raises:
            UnreadableError: its content ends early, after the readable bytes.

        """
        yield from chunks(file or self.file())
        if self.error:
            raise UnreadableError(self.error)


def documents(
    batches: Iterable[pa.RecordBatch], columns: Columns, keep: Sequence[str]
) -> Iterator[Document]:
    """Yield the documents of record batches.

    Args:
        batches: with the same schema.
        columns: their names.
        keep: the names of columns to keep.

    Raises:
        ArgumentError: there is no column of bytes of that name.

    """
    number = 0
    for batch in batches:
        check_batch(batch, columns)
        contents = batch.column(columns.content)
        urls, types, charsets, errors = (
            batch.column(name).to_pylist() if name in batch.schema.names else [None] * len(batch)
            for name in (columns.url, columns.type, columns.charset, columns.error)
        )
        kept = {name: batch.column(name) for name in keep}
        rows = zip(urls, types, charsets, errors, strict=True)
        for row, (url, kind, label, error) in enumerate(rows):
            buffer = contents[row].as_buffer()
            yield Document(
                number,
                None if buffer is None else memoryview(buffer),
                url or None,
                _type(kind) if kind else None,
                label or (label_of(kind) if kind else None),
                bool(kind) and _type(kind) is None,
                error or "",
                {name: column[row] for name, column in kept.items()},
            )
            number += 1


def _type(content_type: str) -> DocumentType | None:
    """Return the type of a document by its Content-Type; None if it is no document."""
    return "http" if content_type == Head.content_type else type_of_content(content_type)


_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)


def no_batches(given: object) -> ArgumentError:
    """Return the error of an argument that should be record batches."""
    kind = f"{type(given).__module__.partition('.')[0]}.{type(given).__name__}"
    hint = "write table.to_batches(), or [batch]"
    return ArgumentError(f"batches is no iterable of record batches ({kind})", hint=hint)


def check_batch(batch: pa.RecordBatch, columns: Columns) -> None:
    """Refuse what is no record batch, one without a column of bytes, and columns of another type.

    Raises:
        ArgumentError: it is such.

    """
    if not isinstance(batch, pa.RecordBatch):
        raise no_batches(batch)
    schema = batch.schema
    if columns.content not in schema.names:
        raise ArgumentError(
            f"the input has no column {columns.content!r}; name the one with the bytes of the documents "
            f"with Columns(content=…); it has {', '.join(schema.names)}"
        )
    kind = schema.field(columns.content).type
    known = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)
    if not any(is_binary(kind) for is_binary in known):
        raise ArgumentError(
            f"the column {columns.content!r} is of type {kind}; bytes of documents are of type binary"
        )
    for name in (columns.url, columns.type, columns.charset, columns.error):
        if name not in schema.names:
            continue
        kind = schema.field(name).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not any(is_text(kind) for is_text in _TEXTS):
            raise ArgumentError(
                f"the column {name!r} is of type {kind}, and no text; name another one with Columns(…)"
            )


# --- The documents of WARC files as record batches, which the other functions of this package read -
# A row is what the command line calls a document: the body of a record, or its HTTP header if that has links. A damaged
# record is a row with what can be read of it, and the reason in ``error``. The file is read as a stream; memory depends on the
# largest document only.

#: The largest document in bytes: a row of an engine is in memory as a whole.
LARGEST = 256 * 1024 * 1024


def read_warc(
    source: BinaryIO, name: str = "", *, largest: int = LARGEST, span: Span = WHOLE
) -> Iterator[pa.RecordBatch]:
    """Return the documents of a WARC file, as an iterator.

    Args:
        source: a binary file, at its beginning.
        name: of the file.
        largest: the largest document in bytes; a larger one is a row with an error, without its content.
        span: which records, for a file that can be sought in.

    Returns:
        Batches with the columns of `linkfix.arrow.DOCUMENTS`. If the file itself cannot be read any further, the last row
        says why.

    Raises:
        ArgumentError: the source is no binary file.

    """
    gate.binary("source", source, "rb")
    return collected(_rows_of(source, name, largest, span), DOCUMENTS)


def _rows_of(source: BinaryIO, name: str, largest: int, span: Span) -> Iterator[dict[str, Any]]:
    try:
        with contained():
            for document in documents_in(source, name, span=span):
                yield {"archive": name, **_row_of(document, largest)}
    except LinkfixError as error:
        yield {"file": name, "archive": name, "content": b"", "error": _reason(error)}


def _row_of(document: Record | Head, largest: int) -> dict[str, Any]:
    """Return the columns of a document but for ``archive``."""
    content, reason = bytearray(), None
    try:
        with contained():
            for piece in document.chunks():
                if len(content) + len(piece) > largest:
                    raise LimitExceededError(
                        f"the document has more than {largest:,} bytes",
                        hint="raise `largest`, as far as memory goes",
                    )
                content += piece
    except LinkfixError as error:
        reason = _reason(error)
        if isinstance(error, LimitExceededError):
            content.clear()
    return {
        "file": document.name,
        "offset": document.offset,
        "url": document.address,
        "type": None if document.type is None else document.content_type,
        "charset": document.charset,
        "content": content,
        "error": reason,
    }


def _reason(error: LinkfixError) -> str:
    """Return why a document cannot be read, without its name, which is in ``file``."""
    error.file = None
    return error.text
