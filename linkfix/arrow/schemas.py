"""The schemas of the record batches that linkfix returns.

Positions are as everywhere in linkfix: lines and columns from 1, columns in code points; ``start`` and ``end`` in bytes;
``first`` and ``last`` in code points of the value. ``document`` is the number of the document in the input, from 0.
Every schema ends with ``error``: why the document cannot be processed. The other fields of such a row are null.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

_DOCUMENT = [("document", pa.int64()), ("url", pa.string())]
_PLACE = [
    ("line", pa.int64()),
    ("column", pa.int64()),
    ("start", pa.int64()),
    ("end", pa.int64()),
]
_ERROR = [("error", pa.string())]

#: One row for each document of a WARC file. `file` is its name as the command line has it, `archive` the name of the WARC file,
#: `offset` that of the record, or of its gzip member; `type` is null for a damaged record of unknown content.
DOCUMENTS = pa.schema(
    [
        ("file", pa.string()),
        ("archive", pa.string()),
        ("offset", pa.int64()),
        ("url", pa.string()),
        ("type", pa.string()),
        ("charset", pa.string()),
        ("content", pa.binary()),
        *_ERROR,
    ]
)
#: One row for each link (`linkfix.Link`). `embedded` is the kind of the embedded document that it is in; null for none.
LINKS = pa.schema(
    [
        *_DOCUMENT,
        *_PLACE,
        ("element", pa.string()),
        ("namespace", pa.string()),
        ("attribute", pa.string()),
        ("kind", pa.string()),
        ("value", pa.string()),
        ("resolved", pa.string()),
        ("charset", pa.string()),
        ("embedded", pa.string()),
        *_ERROR,
    ]
)
#: One row for each finding (`linkfix.Finding`).
FINDINGS = pa.schema(
    [
        *_DOCUMENT,
        *_PLACE,
        ("rule", pa.string()),
        ("name", pa.string()),
        ("severity", pa.string()),
        ("message", pa.string()),
        ("section", pa.string()),
        ("element", pa.string()),
        ("attribute", pa.string()),
        ("value", pa.string()),
        ("first", pa.int64()),
        ("last", pa.int64()),
        ("suggestion", pa.string()),
        *_ERROR,
    ]
)
#: One row for each document, in the order of the input. `content` is that of the input where there is an error, or no document.
REWRITTEN = pa.schema(
    [
        *_DOCUMENT,
        ("content", pa.binary()),
        ("type", pa.string()),
        ("charset", pa.string()),
        ("links", pa.int64()),
        ("changed", pa.int64()),
        ("kept", pa.int64()),
        *_ERROR,
    ]
)
#: As `REWRITTEN`; `charset` is the one before the conversion.
TRANSCODED = REWRITTEN


def with_kept(schema: pa.Schema, source: pa.Schema, keep: Sequence[str]) -> pa.Schema:
    """Return the schema of results with columns of the input before the others.

    Args:
        schema: `LINKS`, `FINDINGS`, `REWRITTEN` or `TRANSCODED`.
        source: of the input.
        keep: the names of columns of the input that each row of a result has as well.

    Raises:
        ValueError: the input has no such column, or the result has one of that name.

    """
    for name in keep:
        if name not in source.names:
            raise ValueError(f"the input has no column {name!r} to keep")
        if name in schema.names:
            raise ValueError(f"the result has a column {name!r} of its own")
    return pa.schema([*(source.field(name) for name in keep), *schema])
