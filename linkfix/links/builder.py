"""Make links out of spans: decode the bytes, read the references, count lines, split lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from linkfix.charset.view import AFTER_ESCAPE
from linkfix.links.link import Context, Kind, Link
from linkfix.links.parts import spans
from linkfix.links.position import Position
from linkfix.markup.references import Spelled, html_attribute, xml_attribute, xml_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.charset import Charset, View
    from linkfix.links.table import Entry

__all__ = ["Builder", "Place"]

_XML_SPACE = " \t\n\r"
#: What begins an escape sequence of ISO-2022-JP, whose other bytes look like ASCII.
_ESCAPE = b"\x1b"
_ESCAPE_LENGTH = 3


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands.

    Attributes:
        element: name of the element.
        namespace: namespace name of the element.
        attribute: name of the attribute, "" for the element's text.
        start: where the value begins, as an offset in the view.
        end: where it ends, likewise.
        context: what stands around it.
        bases: the values of the ``xml:base`` attributes in force.
        value: what the value is, where its spelling does not tell.
        fixed: why the bytes are not the value's own to rewrite, or "".

    """

    element: str
    namespace: str
    attribute: str
    start: int
    end: int
    context: Context
    bases: tuple[str, ...] = ()
    value: str = ""
    fixed: str = ""


class Builder:
    """Hold the part of the document that the scanner is at work on, and make links from it.

    Args:
        charset: of the document.
        view: the view that the scanner reads, asked for decoder states.
        markup: whose character references are used.
        origin: byte offset of the first byte that the view shows.

    """

    def __init__(
        self, charset: Charset, view: View, markup: Literal["html", "xml"], origin: int
    ) -> None:
        self.charset = charset
        self._view = view
        self._markup = markup
        self._origin = origin
        self._chunks: list[bytes] = []
        self._base = origin
        self._position = Position(charset)
        self._cursor = origin

    def add(self, source: bytes) -> None:
        """Take the next bytes of the document."""
        self._chunks.append(source)

    def release(self, offset: int) -> None:
        """Let go of all that stands before an offset in the view."""
        start = self.byte_offset(offset)
        self.move(start)
        self._chunks = [self._source()[start - self._base :]]
        self._base = start
        forget = getattr(self._view, "forget", None)
        if forget is not None:
            forget(start - self._origin)

    def byte_offset(self, offset: int) -> int:
        """Turn an offset in the view into one in the source."""
        return self._origin + offset * self.charset.unit

    def slice(self, start: int, end: int) -> bytes:
        """Give the bytes of the source between two offsets in the view."""
        unit = self.charset.unit
        shift = self._origin - self._base
        return self._source()[start * unit + shift : end * unit + shift]

    def move(self, start: int) -> tuple[int, int]:
        """Count on to a byte offset; give its line and column."""
        if start > self._cursor:
            source = self._source()[self._cursor - self._base : start - self._base]
            self._position.advance(source, self._state(self._cursor))
            self._cursor = start
        return self._position.line, self._position.column

    def _source(self) -> bytes:
        if len(self._chunks) > 1:
            self._chunks = [b"".join(self._chunks)]
        return self._chunks[0] if self._chunks else b""

    def _state(self, start: int) -> int:
        return self._view.state(start - self._origin)

    def links(self, place: Place, entry: Entry) -> Iterator[Link]:
        """Give the links that a value holds."""
        start = self.byte_offset(place.start)
        state = self._state(start)
        raw = self.slice(place.start, place.end)
        text = self.charset.decode(raw, state)
        spelled = self._read(text, place.context)
        fixed = place.fixed
        if fixed or not spelled.complete:
            fixed = fixed or "an entity reference is part of it"
            spelled = Spelled(place.value or spelled.value, spelled.source)
            yield self._link(place, entry, start, raw, state, spelled, fixed)
            return
        malformed = "\ufffd" in text and not self._survives(text, raw, state)
        if self._markup == "xml" and entry.kind in {Kind.SINGLE, Kind.IDENTITY}:
            ranges = [_collapsed(spelled.value)]
        else:
            ranges = list(spans(entry.kind, spelled.value))
        if ranges == [(0, len(spelled.value))]:
            yield self._link(place, entry, start, raw, state, spelled, fixed, malformed)
            return
        plain = raw.isascii() and not state and _ESCAPE not in raw
        offsets = None if plain else self.charset.offsets(raw, state)
        for first, last in ranges:
            part, source_start, source_end = _part(spelled, first, last)
            if offsets is not None:
                source_start, source_end = offsets[source_start], offsets[source_end]
            else:
                source_start *= self.charset.unit
                source_end *= self.charset.unit
            # An escape sequence of ISO-2022-JP belongs to the character after it.
            while self._state(start + source_start) >= AFTER_ESCAPE:
                source_start -= _ESCAPE_LENGTH
            begin = start + source_start
            yield self._link(
                place,
                entry,
                begin,
                raw[source_start:source_end],
                self._state(begin),
                part,
                fixed,
                malformed and "\ufffd" in part.value,
            )

    def _survives(self, text: str, raw: bytes, state: int) -> bool:
        try:
            return self.charset.encode(text, state) == raw
        except UnicodeEncodeError:
            return False

    def _read(self, text: str, context: Context) -> Spelled:
        if self._markup == "html":
            return html_attribute(text)
        if context is Context.TEXT:
            return xml_text(text)
        if context is Context.CDATA:
            return Spelled(text, text)
        return xml_attribute(text)

    def _link(
        self,
        place: Place,
        entry: Entry,
        start: int,
        raw: bytes,
        state: int,
        spelled: Spelled,
        fixed: str,
        malformed: bool = False,
    ) -> Link:
        line, column = self.move(start)
        return Link(
            start,
            start + len(raw),
            line,
            column,
            place.element,
            place.namespace,
            place.attribute,
            entry.kind,
            spelled.value,
            spelled,
            raw,
            place.context,
            self._markup,
            self.charset,
            state,
            self._state(start + len(raw)),
            entry.query,
            place.bases,
            malformed,
            fixed,
        )


def _collapsed(value: str) -> tuple[int, int]:
    """Give the span of an anyURI within its white space (XML Schema Part 2, 3.2.17: collapse)."""
    start = len(value) - len(value.lstrip(_XML_SPACE))
    return start, max(start, len(value.rstrip(_XML_SPACE)))


def _part(spelled: Spelled, first: int, last: int) -> tuple[Spelled, int, int]:
    """Give a part of a value with its spelling, and the span of that in the whole spelling."""
    value = spelled.value[first:last]
    if spelled.starts is None:
        return Spelled(value, value), first, last
    start, end = spelled.starts[first], spelled.starts[last]
    starts = [offset - start for offset in spelled.starts[first : last + 1]]
    return Spelled(value, spelled.source[start:end], starts), start, end
