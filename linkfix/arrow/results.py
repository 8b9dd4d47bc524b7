"""Results as record batches of a bounded size."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

#: The most rows of a batch, and about the most bytes of content or text.
_MOST_ROWS, _MOST_BYTES = 8192, 16 * 1024 * 1024


class Contents:
    """The new contents of a batch, one after the other in one piece of memory: the values of a column of bytes."""

    def __init__(self) -> None:
        #: All values; the present one is at the end.
        self.file = io.BytesIO()
        self._ends = [0]
        self._present: list[bool] = []

    @property
    def size(self) -> int:
        """The number of bytes so far."""
        return self.file.tell()

    def write(self, data: bytes | memoryview) -> None:
        """Append bytes to the present value."""
        self.file.write(data)

    def discard(self) -> None:
        """Discard the present value."""
        self.file.seek(self._ends[-1])
        self.file.truncate()

    def end(self, *, is_null: bool = False) -> None:
        """End the present value."""
        self._ends.append(self.size)
        self._present.append(not is_null)

    def array(self) -> pa.Array:
        """Return the values; they share the memory of this object, which must not be used any more."""
        ends = pa.array(self._ends, pa.int32()).buffers()[1]
        present = pa.array(self._present, pa.bool_()).buffers()[1]
        data = pa.py_buffer(self.file.getbuffer())
        return pa.Array.from_buffers(pa.binary(), len(self._present), [present, ends, data])


class Results:
    """Collect rows into record batches.

    Args:
        schema: of the batches.

    Attributes:
        contents: the values of the column ``content``; empty where the schema has none.

    """

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self._begin()

    def _begin(self) -> None:
        self._columns: list[list[Any]] = [[] for _ in self._schema]
        self._size = 0
        self.contents = Contents()

    def add(self, kept: Sequence[Any], values: dict[str, Any]) -> Iterator[pa.RecordBatch]:
        """Add a row; yield a batch if it is full.

        Args:
            kept: the first values.
            values: the others by the names of their columns; a missing one is null.

        """
        for column, value in zip(self._columns, kept, strict=False):
            column.append(value)
        for column, name in zip(
            self._columns[len(kept) :], self._schema.names[len(kept) :], strict=True
        ):
            value = values.get(name)
            column.append(value)
            self._size += len(value) if isinstance(value, str) else 8
        if len(self._columns[0]) >= _MOST_ROWS or self._size + self.contents.size >= _MOST_BYTES:
            yield from self.rest()

    def rest(self) -> Iterator[pa.RecordBatch]:
        """Yield a batch of the rows that no batch has yet, if there are any."""
        if self._columns[0]:
            arrays = [
                self.contents.array() if field.name == "content" else _array(values, field.type)
                for values, field in zip(self._columns, self._schema, strict=True)
            ]
            self._begin()
            yield pa.RecordBatch.from_arrays(arrays, schema=self._schema)


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
