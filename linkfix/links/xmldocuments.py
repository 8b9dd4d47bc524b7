"""The links of HTML that is the text of elements of XML, taken where it stands.

There may be thousands of such documents in one of XML, each of them short, and most of them hold nothing
but simple links. These are made from where they stand in the source, without a map of
the whole text. What takes more to tell is left to `links_of_value`, and gives the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from linkfix.charset.view import View
from linkfix.links.value import Slot
from linkfix.markup.layers import CDATA
from linkfix.markup.xmltexts import TextView

if TYPE_CHECKING:
    from linkfix.links.builder import Builder
    from linkfix.links.html import HTMLFinder
    from linkfix.links.link import Place, Query
    from linkfix.markup.layers import Layer
    from linkfix.markup.references import Spelled

__all__ = ["WholeLink", "XMLDocuments"]

#: What is known of a link but for its line and column: the byte offset at which it begins, its characters,
#: bytes and place, and how the characters are spelled where not as themselves.
WholeLink: TypeAlias = "tuple[int, str, bytes, Place, Spelled | None]"

#: How many places are remembered: names have many spellings.
_PLACES = 1024


class XMLDocuments:
    """Find the links of the documents in the texts of one of XML.

    Args:
        builder: of the document of XML.
        html: finds the links of HTML.

    """

    def __init__(self, builder: Builder, html: HTMLFinder) -> None:
        self._builder = builder
        self._html = html
        self._is_own_view = type(builder.charset.view()) is View
        #: Places of simple links, by what these are spelled in and what that says of queries.
        self._places: dict[tuple[Layer, Query], dict[tuple[bytes, bytes, bytes], Place]] = {}

    def links(self, start: int, end: int, layer: Layer, query: Query) -> list[WholeLink] | None:
        """Give the links of a text that holds a document.

        Args:
            start: offset in the view at which it begins, the marks of a CDATA section left out.
            end: where it ends.
            layer: that it is spelled in.
            query: how queries are mapped in it.

        Returns:
            The links, those left out that nobody needs to see; None where it takes more to tell.

        """
        if not self._is_own_view:
            return None
        builder, html = self._builder, self._html
        origin, _, source = builder.part(start, end)
        text = TextView(source, []) if layer is CDATA else TextView.of(source)
        found = None if text is None else html.simple_links(text.view)
        if text is None or found is None or (found[0] and not text.tells_spellings()):
            return None
        html.passed_inside += found[1]
        decode, places = builder.charset.decode, self._places.setdefault((layer, query), {})
        links: list[WholeLink] = []
        for key, at, spelled in found[0]:
            place = places.get(key)
            if place is None:
                place = html.place_inside(key, layer, query)
                if len(places) < _PLACES:
                    places[key] = place
            first = text.spelling(at)
            raw, spelling = spelled, None
            if b"&" in spelled or not source.startswith(spelled, first):
                raw = source[first : text.spelling(at + len(spelled))]
                outer = Slot(layer.read(decode(raw)), (layer,))
                spelling = outer.part(0, len(outer.value), place.layers[0]).spelled
            value = decode(raw) if spelling is None else spelling.value
            links.append((origin + first, value, raw, place, spelling))
        return links
