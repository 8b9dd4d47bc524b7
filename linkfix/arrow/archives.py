"""The documents of WARC files as record batches, which the other functions of this package read.

A row is what the command line calls a document: the body of a record, or its HTTP header if that has links. A damaged
record is a row with what can be read of it, and the reason in ``error``. The file is read as a stream; memory depends on the
largest document only.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO

import pyarrow as pa

from linkfix.arrow.schemas import DOCUMENTS, Contents, Results
from linkfix.errors import LimitExceededError, LinkfixError
from linkfix.jobs.failures import contained
from linkfix.warc import WHOLE, Head, Record, Span, documents

#: The largest document in bytes: a row of an engine is in memory as a whole.
LARGEST = 256 * 1024 * 1024


def read_warc(
    source: BinaryIO, name: str = "", *, largest: int = LARGEST, span: Span = WHOLE
) -> Iterator[pa.RecordBatch]:
    """Yield the documents of a WARC file.

    Args:
        source: a binary file, at its beginning.
        name: of the file.
        largest: the largest document in bytes; a larger one is a row with an error, without its content.
        span: which records, for a file that can be sought in.

    Returns:
        Batches with the columns of `linkfix.arrow.DOCUMENTS`. If the file itself cannot be read any further, the last row
        says why.

    """
    results = Results(DOCUMENTS)
    try:
        with contained():
            for document in documents(source, name, span=span):
                row = row_of(document, results.contents, largest)
                yield from results.add((), {"archive": name, **row})
    except LinkfixError as error:
        results.contents.discard()
        results.contents.end()
        yield from results.add((), {"file": name, "archive": name, "error": _reason(error)})
    yield from results.rest()


def row_of(document: Record | Head, contents: Contents, largest: int = LARGEST) -> dict[str, Any]:
    """Write the content of a document; return the other columns but for ``archive``.

    Args:
        document: of a WARC file.
        contents: where its content is written to.
        largest: the largest document in bytes.

    """
    reason = None
    try:
        with contained():
            size = 0
            for piece in document.chunks():
                size += len(piece)
                if size > largest:
                    raise LimitExceededError(
                        f"the document has more than {largest:,} bytes",
                        hint="raise `largest`, as far as memory goes",
                    )
                contents.write(piece)
    except LimitExceededError as error:
        contents.discard()
        reason = _reason(error)
    except LinkfixError as error:
        reason = _reason(error)
    contents.end()
    return {
        "file": document.name,
        "offset": document.offset,
        "url": document.address,
        "type": None if document.type is None else document.content_type,
        "charset": document.charset,
        "error": reason,
    }


def _reason(error: LinkfixError) -> str:
    """Return why a document cannot be read, without its name, which is in ``file``."""
    error.file = None
    return str(error)
