"""Hold the part of a document that a scanner is at work on, and count its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.links.position import Position
from linkfix.links.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.charset import Charset, View
    from linkfix.links.link import Kind, Place, Query
    from linkfix.links.value import Target
    from linkfix.markup.layers import Layer

__all__ = ["Builder"]

#: The longest name of an element and its bases together that anything is remembered of.
_REMEMBERED = 4096


class Builder:
    """Get at the source through offsets in its view.

    Args:
        charset: of the document.
        view: the view that the scanner reads, asked for decoder states.
        origin: byte offset of the first byte that the view shows.
        guessed: whether the charset is a guess (`Sniffed.guessed`).

    Attributes:
        charset: see above.
        view: see above.

    """

    def __init__(self, charset: Charset, view: View, origin: int, *, guessed: bool = False) -> None:
        self.charset = charset
        self._guessed = guessed
        self.view = view
        self._origin = origin
        self._chunks: list[bytes] = []
        #: Whether a CR may be among the bytes that are held, or have been just before them.
        self._has_cr = False
        self._base = origin
        self._position = Position(charset)
        self._cursor = origin
        self._places: dict[tuple[Target, Kind, tuple[Layer, ...], Query], Place] = {}

    def add(self, source: bytes) -> None:
        """Take the next bytes of the document."""
        self._has_cr = self._has_cr or b"\r" in source
        self._chunks.append(source)

    def release(self, offset: int) -> None:
        """Let go of all that stands before an offset in the view, in whole characters."""
        passed = self.byte_offset(offset) - self._base
        if passed <= 0:  # what is read leniently may begin before what has been let go
            return
        # With the octet that comes next, which mostly tells that the last character is whole.
        known = self._source()[: passed + (self.charset.unit == 1)]
        settled = self.charset.settled(known, self.state(self._base))
        start = self._base + min(passed, settled)
        if start == self._base:
            return
        self.move(start)
        self._chunks = [self._source()[start - self._base :]]
        self._base = start
        self.view.forget(start - self._origin)

    def clear(self) -> None:
        """Let go of the document, of which no more is asked for."""
        self._chunks = []

    def byte_offset(self, offset: int) -> int:
        """Turn an offset in the view into one in the source."""
        return self._origin + offset * self.charset.unit

    def slice(self, start: int, end: int) -> bytes:
        """Give the bytes of the source between two offsets in the view."""
        unit = self.charset.unit
        shift = self._origin - self._base
        return self._source()[start * unit + shift : end * unit + shift]

    def text(self, start: int, end: int) -> str:
        """Give the characters of the source between two offsets in the view."""
        state = self.state(self.byte_offset(start))
        return self.charset.decode(self.slice(start, end), state)

    def value(
        self,
        start: int,
        end: int,
        layer: Layer,
        *,
        fixed: str = "",
        instead: Callable[[], str] = str,
    ) -> Value:
        """Give the value between two offsets in the view; see `Value` for the rest."""
        return Value(self, self.byte_offset(start), self.slice(start, end), layer, fixed, instead)

    def place(self, target: Target, kind: Kind, layers: tuple[Layer, ...], query: Query) -> Place:
        """Give the place of the links of a value, the same one for all values in a like place."""
        key = (target, kind, layers, query)
        place = self._places.get(key)
        if place is None:
            place = target.place(kind, layers, self.charset, query, guessed=self._guessed)
            # Documents can invent names without end, and of any length.
            length = len(target.element) + sum(map(len, (*target.bases, target.codebase)))
            if len(self._places) < 1024 and length <= _REMEMBERED:
                self._places[key] = place
        return place

    def state(self, start: int) -> int:
        """Tell the state of the decoder at a byte offset."""
        return self.view.state(start - self._origin)

    def move(self, start: int) -> tuple[int, int]:
        """Count on to a byte offset; give its line and column."""
        if start > self._cursor:
            first, last = self._cursor - self._base, start - self._base
            state = self.state(self._cursor) if self.charset.has_states else 0
            self._position.advance(self._source(), first, last, state, cr=self._has_cr)
            self._cursor = start
        return self._position.line, self._position.column

    def lines(self, starts: list[int]) -> tuple[list[int], list[int]]:
        """Count on to several byte offsets in ascending order; give their lines and their columns."""
        base = self._base
        if self.charset.has_states or not starts or starts[0] < self._cursor:
            places = [self.move(start) for start in starts]
            return [line for line, _ in places], [column for _, column in places]
        ends = [start - base for start in starts] if base else starts
        cursor, self._cursor = self._cursor, starts[-1]
        return self._position.each(self._source(), cursor - base, ends, cr=self._has_cr)

    def _source(self) -> bytes:
        chunks = self._chunks
        if len(chunks) > 1:
            chunks[:] = [b"".join(chunks)]
        return chunks[0] if chunks else b""
