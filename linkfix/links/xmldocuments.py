"""The links of HTML that is the text of elements of XML, taken where it stands.

There may be thousands of such documents in one of XML, each of them short, and most of them hold nothing
but simple links. These are made from where they stand in the source, without a map of
the whole text. What takes more to tell is left to `links_of_value`, and gives the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from linkfix.links.value import Slot
from linkfix.markup.layers import CDATA
from linkfix.markup.xmltexts import TextView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.links.builder import Builder
    from linkfix.links.html import HTMLFinder
    from linkfix.links.link import Place, Query
    from linkfix.markup.htmlrun import Found
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
        self._is_own_view = builder.charset.is_own_view
        #: Places of simple links, by what these are spelled in and what that says of queries.
        self._places: dict[tuple[Layer, Query], dict[tuple[bytes, bytes, bytes], Place]] = {}

    def links(
        self, spans: list[tuple[int, int]], layer: Layer, query: Query
    ) -> list[list[WholeLink] | None]:
        """Give the links of texts that hold documents.

        Args:
            spans: for each text the offsets in the view of its beginning and end, the marks of a
                CDATA section left out.
            layer: that they are spelled in.
            query: how queries are mapped in them.

        Returns:
            For each text the links, those left out that nobody needs to see; None where it takes
            more to tell.

        """
        if not self._is_own_view:
            return [None] * len(spans)
        starts, sources = self._builder.parts(spans)
        whole = b"\0".join(sources)
        text = TextView(whole, []) if layer is CDATA else TextView.of(whole)
        views = [] if text is None else text.view.split(b"\0")
        found = self._html.simple_links(views)
        if text is None or (
            any(each and each[0].starts for each in found) and not text.tells_spellings()
        ):
            if len(spans) == 1:
                return [None]
            return [self.links([span], layer, query)[0] for span in spans]
        return [*self._made(starts, sources, views, found, text, layer, query)]

    def _made(
        self,
        starts: list[int],
        sources: list[bytes],
        views: list[bytes],
        found: list[Found],
        text: TextView,
        layer: Layer,
        query: Query,
    ) -> Iterator[list[WholeLink] | None]:
        """Make the links of texts from those of their views; `text` is that of all of them."""
        decode, places = self._builder.charset.decode, self._places.setdefault((layer, query), {})
        before = shown = 0
        for origin, source, view, each in zip(starts, sources, views, found, strict=True):
            links: list[WholeLink] = []
            for key, at, spelled in zip(*each[0], strict=True) if each is not None else ():
                place = places.get(key)
                if place is None:
                    place = self._html.place_inside(key, layer, query)
                    if len(places) < _PLACES:
                        places[key] = place
                first = text.spelling(shown + at) - before
                raw, spelling = spelled, None
                if b"&" in spelled or not source.startswith(spelled, first):
                    raw = source[first : text.spelling(shown + at + len(spelled)) - before]
                    outer = Slot(layer.read(decode(raw)), (layer,))
                    spelling = outer.part(0, len(outer.value), place.layers[0]).spelled
                value = decode(raw) if spelling is None else spelling.value
                links.append((origin + first, value, raw, place, spelling))
            before, shown = before + len(source) + 1, shown + len(view) + 1
            self._html.passed_inside += 0 if each is None else each[1]
            yield None if each is None else links
