"""Buffer the part of a document that a reader still needs, count its lines, and make links of its values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from linkfix.charset import Charset, View, named
from linkfix.charset.model import AFTER_ESCAPE, CodePoints
from linkfix.links.link import WEB_NAMESPACES, XML_BASE, Kind, Link, Markup, Place, Query, Resolver
from linkfix.markup.layers import Layer, Spelled

_ESCAPE_LENGTH = 3


class Slot(NamedTuple):
    """A part of a value, with its layers of spelling.

    Attributes:
        spelled: the characters, and their spelling in the document.
        layers: layers of spelling, the innermost first.
        offset: offset of the part's spelling in the spelling of the whole value, in code points.

    """

    spelled: Spelled
    layers: tuple[Layer, ...]
    offset: int = 0

    @property
    def value(self) -> str:
        """The characters."""
        return self.spelled.value

    def part(self, first: int, last: int, layer: Layer | None = None) -> Slot:
        """Return a part of the part.

        Args:
            first: code point at which it begins.
            last: code point after its last one.
            layer: the layer that it is spelled in, inside the layers of this part; None for no other layer.

        """
        value, whole, starts, _ = self.spelled
        text = source = value[first:last]
        shift = first
        if starts is not None:
            shift = starts[first]
            source = whole[shift : starts[last]]
            # Most parts have no reference, and are spelled as themselves.
            starts = None if source == text else starts.part(first, last)
        offset = self.offset + shift
        if layer is None:
            return Slot(Spelled(text, source, starts), self.layers, offset)
        inner = layer.read(text)
        if inner.starts is not None:
            starts = inner.starts.within(starts)
        return Slot(Spelled(inner.value, source, starts), (layer, *self.layers), offset)


class Target(NamedTuple):
    """The element and attribute of a value, with the bases that apply; the attributes are those of `Place`."""

    element: str
    namespace: str
    attribute: str
    markup: Markup
    bases: tuple[str, ...] = ()
    codebase: str = ""
    feed: bool = False
    embedded: str = ""
    sets_base: bool = False
    hashed: bool = False


class Value:
    """An attribute's value or an element's text in the document.

    Args:
        builder: source and lines of the document.
        start: byte offset at which the value begins.
        raw: the bytes of the value.
        layer: the layer that it is spelled in.
        fixed: the reason why it cannot be rewritten; "" for none.
        instead: returns the value where `fixed` is set, so that its spelling does not contain it.

    Attributes:
        start: byte offset at which the value begins.
        fixed: the reason why it cannot be rewritten; "" for none.
        slot: the whole value as a part.

    """

    def __init__(
        self,
        builder: Builder,
        start: int,
        raw: bytes,
        layer: Layer,
        fixed: str = "",
        instead: Callable[[], str] = str,
    ) -> None:
        charset = builder.charset
        self._builder = builder
        self.start = start
        self._raw = raw
        self._state = builder.state(start)
        text = charset.decode(raw, self._state)
        spelled = layer.read(text)
        if not fixed and not spelled.complete:
            fixed = "an entity reference is part of it"
        #: Whether the last bytes are a part of a character that the decoder of gb18030 ends after the value.
        self._is_cut = (
            text[-1:] == "\ufffd"
            and charset.decode(raw + charset.encode(">"), self._state) != text + ">"
        )
        if fixed:
            spelled = Spelled(instead() or spelled.value, text)
        self.fixed = fixed
        self.slot: Slot = Slot(spelled, (layer,))
        self._malformed = "\ufffd" in text and not self._survives(text)
        self._bytes = CodePoints(charset, raw, self._state)

    def _survives(self, text: str) -> bool:
        try:
            return self._builder.charset.encode(text, self._state) == self._raw
        except UnicodeEncodeError:
            return False

    def link(self, slot: Slot, target: Target, kind: Kind, query: Query) -> Link:
        """Return a part of the value as a link.

        Args:
            slot: the part.
            target: the element and attribute of the value.
            kind: kind of the value.
            query: how the query of the link is mapped to octets.

        """
        return self.placed(slot, self._builder.place(target, kind, slot.layers, query))

    def placed(self, slot: Slot, place: Place, resolver: Resolver | None = None) -> Link:
        """Return a part of the value as a link.

        Args:
            slot: the part.
            place: the place of the link.
            resolver: resolves the link; None where it is not known how.

        """
        builder, fixed = self._builder, self.fixed
        if fixed:
            first, last = 0, len(self._raw)
        else:
            first = self._bytes[slot.offset]
            last = self._bytes[slot.offset + len(slot.spelled.source)]
            # An escape sequence of ISO-2022-JP belongs to the character after it.
            while first and builder.state(self.start + first) >= AFTER_ESCAPE:
                first -= _ESCAPE_LENGTH
            if self._is_cut and last == len(self._raw):
                fixed = "its last bytes are malformed"
        start, end = self.start + first, self.start + last
        line, column = builder.move(start) if builder.counts_lines else (0, 0)
        return Link(
            start,
            end,
            line,
            column,
            slot.value,
            self._raw[first:last],
            place,
            builder.state(start),
            builder.state(end),
            self._malformed and "\ufffd" in slot.value,
            fixed,
            resolver,
            None if slot.spelled.is_literal else slot.spelled,
        )


# --- Lines and columns, counted forwards, so that each byte of a document is counted once ---------


class Position:
    """A position that moves forwards in a document.

    A line ends at LF, CR LF or CR. Columns count code points. Both are from 1.

    Args:
        charset: charset of the document.

    Attributes:
        line: line of the position.
        column: column of the position.

    """

    def __init__(self, charset: Charset) -> None:
        self.line: int = 1
        self.column: int = 1
        self._charset = charset
        self._after_cr = False

    def advance(self, source: bytes, start: int, end: int, state: int = 0) -> None:
        """Move over the next bytes of the document, which are whole characters.

        Args:
            source: bytes of the document.
            start: index of the first byte to move over.
            end: index after the last one.
            state: state of the charset's decoder at `start`.

        """
        if start == end:
            return
        charset = self._charset
        if charset.unit > 1:
            source, start = charset.decode(source[start:end]).encode(), 0
            end, charset = len(source), named("UTF-8")
        # No other character contains the octets of LF and CR. So only the bytes after the last line end are decoded.
        lines = source.count(b"\n", start, end)
        last = source.rfind(b"\n", start, end) if lines else -1
        if self._after_cr or source.find(b"\r", start, end) >= 0:
            lines += source.count(b"\r", start, end) - source.count(b"\r\n", start, end)
            lines -= self._after_cr and source.startswith(b"\n", start)
            self._after_cr = source.endswith(b"\r", start, end)
            last = max(last, source.rfind(b"\r", start, end))
        if last >= 0:
            self.line += lines
            self.column = 1
            start, state = last + 1, 0  # a line begins in ASCII
        tail = source[start:end]
        # In ISO-2022-JP two octets in ASCII may be one code point, after an escape sequence.
        is_ascii = tail.isascii() and not (charset.has_states and (state or b"\x1b" in tail))
        self.column += len(tail) if is_ascii else len(charset.decode(tail, state))

    def each(self, source: bytes, start: int, ends: list[int]) -> tuple[list[int], list[int]]:
        """Move to several positions, one after the other; return their lines and their columns.

        Args:
            source: bytes of the document, in a charset without states.
            start: index of the first byte to move over.
            ends: index of each position, ascending, between whole characters.

        """
        lines: list[int] = []
        columns: list[int] = []
        if not ends:
            return lines, columns
        count, rfind, until = source.count, source.rfind, ends[-1]
        has_cr = source.find(b"\r", start, until) >= 0
        ends_lines = has_cr and count(b"\r", start, until) != count(b"\r\n", start, until)
        if self._charset.unit > 1 or ends_lines or self._after_cr:  # a CR without LF ends a line
            for end in ends:
                self.advance(source, start, end)
                lines.append(self.line)
                columns.append(self.column)
                start = end
            return lines, columns
        line, column = self.line, self.column
        for end in ends:
            new = count(b"\n", start, end)
            if new:
                line += new
                column = 1
                start = rfind(b"\n", start, end) + 1
            tail = source[start:end]
            column += len(tail) if tail.isascii() else len(self._charset.decode(tail))
            start = end
            lines.append(line)
            columns.append(column)
        self.line, self.column = line, column
        return lines, columns


# --------------------------------------------------------------------------------------------------

#: The most code points, in the name of an element and its bases together, of a place that is cached.
_REMEMBERED = 4096


class Builder:
    """Return source bytes, characters, places and lines by offsets in the view.

    Args:
        charset: charset of the document.
        view: maker of the view, which has the decoder states.
        origin: byte offset of the first byte of the view.
        guessed: whether the charset is a guess (`Sniffed.guessed`).
        counts_lines: whether links get their lines and columns; else these are 0.

    Attributes:
        charset: charset of the document.
        view: maker of the view.
        origin: byte offset of the first byte of the view.

    """

    def __init__(
        self,
        charset: Charset,
        view: View,
        origin: int,
        *,
        guessed: bool = False,
        counts_lines: bool = True,
    ) -> None:
        self.charset = charset
        self.counts_lines = counts_lines
        self._has_states = charset.has_states
        self._guessed = guessed
        self.view = view
        self.origin = origin
        self._chunks: list[bytes] = []
        self._base = origin
        self._cursor = origin
        self._places: dict[tuple[Target, Kind, tuple[Layer, ...], Query], Place] = {}

    @cached_property
    def _position(self) -> Position:
        """The line and the column of `_cursor`."""
        return Position(self.charset)

    def add(self, source: bytes, *, final: bool = False) -> bytes:
        """Append the next bytes of the document, which may end with them; return their view."""
        self._chunks.append(source)
        return self.view.feed(source, final=final)

    @property
    def newest(self) -> bytes:
        """The bytes that were appended last."""
        return self._chunks[-1]

    def release(self, offset: int) -> None:
        """Discard the bytes before an offset in the view, in whole characters."""
        size = self.byte_offset(offset) - self._base
        if size <= 0:  # the lenient reader may begin before the discarded bytes
            return
        # The next octet mostly shows that the last character is whole.
        known = self._source()[: size + (self.charset.unit == 1)]
        whole = self.charset.settled(known, self.state(self._base))
        start = self._base + min(size, whole)
        if start == self._base:
            return
        self.move(start)
        self._chunks = [self._source()[start - self._base :]]
        self._base = start
        self.view.forget(start - self.origin)

    def byte_offset(self, offset: int) -> int:
        """Return the byte offset in the source of an offset in the view."""
        return self.origin + offset * self.charset.unit

    def slice(self, start: int, end: int) -> bytes:
        """Return the bytes of the source between two offsets in the view."""
        unit = self.charset.unit
        shift = self.origin - self._base
        return self._source()[start * unit + shift : end * unit + shift]

    def text(self, start: int, end: int) -> str:
        """Return the characters of the source between two offsets in the view."""
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
        """Return the value between two offsets in the view; the other arguments are those of `Value`."""
        return Value(self, self.byte_offset(start), self.slice(start, end), layer, fixed, instead)

    def place(self, target: Target, kind: Kind, layers: tuple[Layer, ...], query: Query) -> Place:
        """Return the place of the links of a value: one object for all values with equal arguments."""
        key = (target, kind, layers, query)
        place = self._places.get(key)
        if place is None:
            element, namespace, attribute, markup, bases, codebase, feed, embedded, sets_base, hashed = target  # fmt: skip
            if feed and query == "document" and namespace in WEB_NAMESPACES:
                query = "disputed"  # XHTML in a feed is shown in the page of its reader
            first = (element, namespace, attribute, kind, layers, markup, self.charset, query)
            rest = bases, self._guessed, codebase, feed, embedded, sets_base, hashed
            is_shown = namespace in WEB_NAMESPACES and attribute != XML_BASE
            is_web = markup != "xml" or is_shown or element == "?xml-stylesheet"
            place = Place(*first, *rest, syntax="web" if is_web else "leiri")
            # Documents can invent names without end, and of any length.
            length = len(target.element) + sum(map(len, (*target.bases, target.codebase)))
            if len(self._places) < 1024 and length <= _REMEMBERED:
                self._places[key] = place
        return place

    def state(self, start: int) -> int:
        """Return the state of the decoder at a byte offset."""
        return self.view.state(start - self.origin) if self._has_states else 0

    def move(self, start: int) -> tuple[int, int]:
        """Count lines up to a byte offset; return its line and column."""
        if start > self._cursor:
            first, last = self._cursor - self._base, start - self._base
            state = self.state(self._cursor)
            self._position.advance(self._source(), first, last, state)
            self._cursor = start
        return self._position.line, self._position.column

    def lines(self, starts: list[int]) -> tuple[list[int], list[int]]:
        """Count lines up to several ascending byte offsets; return their lines and their columns."""
        base = self._base
        if self.charset.has_states or not starts or starts[0] < self._cursor:
            positions = [self.move(start) for start in starts]
            return [line for line, _ in positions], [column for _, column in positions]
        ends = [start - base for start in starts] if base else starts
        cursor, self._cursor = self._cursor, starts[-1]
        return self._position.each(self._source(), cursor - base, ends)

    def _source(self) -> bytes:
        chunks = self._chunks
        if len(chunks) > 1:
            chunks[:] = [b"".join(chunks)]
        return chunks[0] if chunks else b""
