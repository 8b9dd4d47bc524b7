"""Find the links of a text in XML whose spelling contains markup: CDATA sections, comments, instructions.

Input: the spelling of the text. Output: its links. If all characters but white space are in one piece, the piece is
the value. Otherwise the HTML in all pieces is read as one text. A link of it is in one piece, and is written as
that piece is spelled. A link across several pieces is listed and left.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from linkfix.charset.model import CodePoints
from linkfix.links.batch import Batch
from linkfix.links.builder import Builder, Target
from linkfix.links.html.finder import HTMLFinder
from linkfix.links.kinds import links_of_value
from linkfix.links.link import Kind, Link, Place
from linkfix.links.table import Entry
from linkfix.markup.layers import CDATA, XHTML_MIXED, XHTML_TEXT, XML_MIXED, Layer, Piece, pieces

if TYPE_CHECKING:
    from linkfix.markup.xml.events import XMLContent

MIXED = "there is markup in the middle of it"
_SPACE = " \t\r\n"


def mixed_links(
    builder: Builder,
    content: XMLContent,
    text: str,
    layer: Layer,
    html: HTMLFinder,
    target: Target,
    entry: Entry,
) -> Iterable[Batch | Link]:
    """Return the links of a text whose spelling contains markup.

    Args:
        builder: source and lines of the document.
        content: the text.
        text: its spelling.
        layer: the layer of a piece that is no section.
        html: finds the links of HTML.
        target: the element of the text.
        entry: the row of the table for the text.

    """
    found = [*pieces(text)]
    unit, start = builder.charset.unit, builder.byte_offset(content.start)
    octets = builder.slice(content.start, content.end)
    points = CodePoints(builder.charset, octets, text, builder.state(start))
    # The byte offsets of the pieces. Escape sequences after a mark of ASCII belong to the piece.
    starts = [start + (points[p.start - 1] + unit if p.start else 0) for p in found]
    ends = [start + points[piece.end] for piece in found]
    first, last, fixed = content.start, content.end, entry.fixed
    number = _only_piece(text, found)
    is_joined = number is None and entry.kind is Kind.DOCUMENT
    own = layer
    if number is not None:
        origin = builder.origin
        first, last = (starts[number] - origin) // unit, (ends[number] - origin) // unit
        own = CDATA if found[number].is_section else layer
    elif is_joined:
        own = XHTML_MIXED if layer is XHTML_TEXT else XML_MIXED
    else:
        fixed = fixed or MIXED
    value = builder.value(first, last, own, fixed=fixed, instead=lambda: content.value)
    links = links_of_value(html, value, value.slot, target, entry)
    return _in_pieces(links, found, starts, ends, layer) if is_joined else links


def _only_piece(text: str, found: list[Piece]) -> int | None:
    """Return the only piece that is not white space, or a section if there is none; None if there are several."""
    filled = [n for n, piece in enumerate(found) if text[piece.start : piece.end].strip(_SPACE)]
    if not filled:
        filled = [n for n, piece in enumerate(found) if piece.is_section] or [0]
    start, end, is_section = found[filled[0]]
    return None if len(filled) > 1 or (not is_section and "<" in text[start:end]) else filled[0]


def _in_pieces(
    links: Iterable[Batch | Link],
    found: list[Piece],
    starts: list[int],
    ends: list[int],
    layer: Layer,
) -> Iterator[Link]:
    """Yield links in the layers of their pieces."""
    places: dict[tuple[Place, Layer], Place] = {}
    each = (one.links() if isinstance(one, Batch) else [one] for one in links)
    for link in chain.from_iterable(each):
        number = bisect_right(starts, link.start) - 1
        if link.fixed:
            yield link
        elif link.end > ends[number]:
            yield link._replace(fixed=MIXED)
        else:
            own = CDATA if found[number].is_section else layer
            key = link.place, own
            if key not in places:
                places[key] = replace(link.place, layers=(*link.place.layers[:-1], own))
            yield link._replace(place=places[key])
