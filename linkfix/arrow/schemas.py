"""The schemas of the record batches that linkfix returns.

Positions are as everywhere in linkfix: lines and columns from 1, columns in code points; ``start`` and ``end`` in bytes;
``first`` and ``last`` in code points of the value. ``document`` is the number of the document in the input, from 0.
Every schema ends with ``error``: why the document cannot be processed. The other fields of such a row are null.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from linkfix.errors import ArgumentError


def _fields(kind: pa.DataType, names: str) -> list[pa.Field]:
    """Return the fields of a type whose names are in a text."""
    return [pa.field(name, kind) for name in names.split()]


_TEXT, _NUMBER, _BYTES = pa.string(), pa.int64(), pa.binary()
_DOCUMENT = [*_fields(_NUMBER, "document"), *_fields(_TEXT, "url")]
_PLACE = _fields(_NUMBER, "line column start end")
_ERROR = _fields(_TEXT, "error")

#: One row for each document of a WARC file. `file` is its name as the command line has it, `archive` the name of the WARC file,
#: `offset` that of the record, or of its gzip member; `type` is null for a damaged record of unknown content.
DOCUMENTS = pa.schema(
    _fields(_TEXT, "file archive")
    + _fields(_NUMBER, "offset")
    + _fields(_TEXT, "url type charset")
    + _fields(_BYTES, "content")
    + _ERROR
)
#: One row for each link (`linkfix.Link`). `embedded` is the kind of the embedded document that it is in; null for none.
_OF_LINK = _fields(_TEXT, "element namespace attribute kind value resolved charset embedded")
LINKS = pa.schema(_DOCUMENT + _PLACE + _OF_LINK + _ERROR)
#: One row for each finding (`linkfix.Finding`).
FINDINGS = pa.schema(
    _DOCUMENT
    + _PLACE
    + _fields(_TEXT, "rule name severity message section element attribute value")
    + _fields(_NUMBER, "first last")
    + _fields(_TEXT, "suggestion")
    + _ERROR
)
#: One row for each document, in the order of the input. `content` is that of the input where there is an error, or no document.
REWRITTEN = pa.schema(
    _DOCUMENT
    + _fields(_BYTES, "content")
    + _fields(_TEXT, "type charset")
    + _fields(_NUMBER, "links changed kept")
    + _ERROR
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
        ArgumentError: the input has no such column, or the result has one of that name.

    """
    for name in keep:
        if name not in source.names:
            raise ArgumentError(f"the input has no column {name!r} to keep")
        if name in schema.names:
            raise ArgumentError(f"the result has a column {name!r} of its own")
    return pa.schema([*(source.field(name) for name in keep), *schema])


# --- Results as record batches of a bounded size --------------------------------------------------

#: The most rows of a batch, and about the most bytes of content or text.
_MOST_ROWS, _MOST_BYTES = 8192, 16 * 1024 * 1024
#: The types of values that have as many bytes, or characters, as they are long.
_LONG = (str, bytes, bytearray, memoryview)


def collected(rows: Iterable[dict[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield rows as record batches.

    Args:
        rows: values by the names of their columns; a missing one is null.
        schema: of the batches.

    """
    some: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        some.append(row)
        size += sum(len(each) if isinstance(each, _LONG) else 8 for each in row.values())
        if len(some) >= _MOST_ROWS or size >= _MOST_BYTES:
            yield _batch(some, schema)
            some, size = [], 0
    if some:
        yield _batch(some, schema)


def _batch(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    columns = ([row.get(name) for row in rows] for name in schema.names)
    return pa.RecordBatch.from_arrays([*map(_array, columns, schema.types)], schema=schema)


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """Return a column. Strings of Arrow are UTF-8, which has no lone surrogates: these become U+FFFD."""
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        clean = [
            value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            if isinstance(value, str)
            else value
            for value in values
        ]
        return pa.array(clean, kind)
