"""Find the links of a text in XML whose spelling contains markup: CDATA sections, comments, instructions.

Input: the spelling of the text. Output: its links. If all characters but white space are in one piece, the piece is
the value. Otherwise the HTML in all pieces is read as one text. A link of it is in one piece, and is written as
that piece is spelled. A link across several pieces is listed and left.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from linkfix.charset.codepoints import CodePoints
from linkfix.links.batch import Batch
from linkfix.links.builder import Builder
from linkfix.links.html.finder import HTMLFinder
from linkfix.links.kinds import links_of_value
from linkfix.links.link import Kind, Link, Place
from linkfix.links.table import Entry
from linkfix.links.value import Target, Value
from linkfix.markup.layers import CDATA, XHTML_MIXED, XHTML_TEXT, XML_MIXED, Layer
from linkfix.markup.xml.values import pieces

if TYPE_CHECKING:
    from linkfix.markup.xml.events import XMLContent

MIXED = "there is markup in the middle of it"
_SPACE = " \t\r\n"


class MixedText:
    """A text whose spelling contains markup.

    Args:
        builder: source and lines of the document.
        content: the text.
        text: its spelling.
        layer: the layer of a piece that is no section.

    """

    def __init__(self, builder: Builder, content: XMLContent, text: str, layer: Layer) -> None:
        self._builder = builder
        self._content = content
        self._text = text
        self._layer = layer
        self._pieces = [*pieces(text)]
        start = builder.byte_offset(content.start)
        points = CodePoints(
            builder.charset,
            builder.slice(content.start, content.end),
            text,
            builder.state(start),
        )
        unit = builder.charset.unit
        #: The byte offsets of the pieces. Escape sequences after a mark of ASCII belong to the piece.
        self._starts = [
            start + (points[piece.start - 1] + unit if piece.start else 0) for piece in self._pieces
        ]
        self._ends = [start + points[piece.end] for piece in self._pieces]
        self._places: dict[tuple[Place, Layer], Place] = {}

    def links(self, html: HTMLFinder, target: Target, entry: Entry) -> Iterable[Batch | Link]:
        """Return the links of the text.

        Args:
            html: finds the links of HTML.
            target: the element of the text.
            entry: the row of the table for the text.

        """
        value = self._one_piece(entry.fixed)
        if value is None and entry.kind is Kind.DOCUMENT:
            layer = XHTML_MIXED if self._layer is XHTML_TEXT else XML_MIXED
            value = self._value(layer, entry.fixed)
            return self._written(links_of_value(html, value, value.slot, target, entry))
        value = value or self._value(self._layer, entry.fixed or MIXED)
        return links_of_value(html, value, value.slot, target, entry)

    def _value(self, layer: Layer, fixed: str) -> Value:
        content = self._content
        return self._builder.value(
            content.start, content.end, layer, fixed=fixed, instead=lambda: content.value
        )

    def _one_piece(self, fixed: str) -> Value | None:
        """Return the only piece that is not white space, or a section if there is none; None if there are several."""
        text = self._text
        filled = [
            n for n, (start, end, _) in enumerate(self._pieces) if text[start:end].strip(_SPACE)
        ]
        if not filled:
            filled = [n for n, piece in enumerate(self._pieces) if piece.is_section] or [0]
        number = filled[0]
        start, end, is_section = self._pieces[number]
        if len(filled) > 1 or (not is_section and "<" in text[start:end]):
            return None
        builder = self._builder
        first, last = (
            (offset - builder.byte_offset(0)) // builder.charset.unit
            for offset in (self._starts[number], self._ends[number])
        )
        layer = CDATA if is_section else self._layer
        return builder.value(first, last, layer, fixed=fixed, instead=lambda: self._content.value)

    def _written(self, found: Iterable[Batch | Link]) -> Iterator[Link]:
        """Yield links in the layers of their pieces."""
        for one in found:
            for link in one.links() if isinstance(one, Batch) else (one,):
                number = bisect_right(self._starts, link.start) - 1
                if link.fixed:
                    yield link
                elif link.end > self._ends[number]:
                    yield link._replace(fixed=MIXED)
                else:
                    is_section = self._pieces[number].is_section
                    layer = CDATA if is_section else self._layer
                    yield link._replace(place=self._place(link.place, layer))

    def _place(self, place: Place, layer: Layer) -> Place:
        key = place, layer
        if key not in self._places:
            self._places[key] = replace(place, layers=(*place.layers[:-1], layer))
        return self._places[key]
