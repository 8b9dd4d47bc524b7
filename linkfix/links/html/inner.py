"""The simple links of HTML, in a document or inside a value of another one: their rows, their layers, and a batch of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from linkfix.links.batch import Batch
from linkfix.links.builder import Builder, Slot, Target, Value
from linkfix.links.html.embedded import Inside
from linkfix.links.link import Kind, Link, Place, Query
from linkfix.links.table import Entry, html_table
from linkfix.markup import layers
from linkfix.markup.html.tokens import LinkColumns, LinkKey
from linkfix.markup.html.treeconstruction.groups_data import HTML

_Row = tuple[Target, Kind, layers.Layer, Query]
LAYERS: dict[str | None, layers.Layer] = {
    '"': layers.HTML_DOUBLE,
    "'": layers.HTML_SINGLE,
    "": layers.HTML_UNQUOTED,
    None: layers.HTML_UNQUOTED,
}


@lru_cache(maxsize=1024)
def row_of(key: LinkKey) -> tuple[Entry, Target, str]:
    """Return the row of the table for a simple link, its target and its quote."""
    element, attribute = key[0].lower().decode("ascii"), key[1].lower().decode("ascii")
    entry = html_table(()).of_element(HTML, element)[attribute][0]
    return entry, Target(element, HTML, attribute, "html"), key[2].decode("ascii")


@lru_cache(maxsize=1024)
def _row_in(key: LinkKey, embedded: str, query: Query) -> _Row:
    """Return target, kind, layer and query of a simple link of an embedded document, by its kind and its query."""
    entry, target, quote = row_of(key)
    target = target._replace(embedded=embedded)
    return target, entry.kind, LAYERS[quote], entry.query if query == "document" else query


class InnerBatch(Batch):
    """Simple links of an HTML document, or of a part of one, inside a value.

    Args:
        builder: source and lines of the outer document.
        part: returns the value of the outer document, and the part of it that is the inner document.
        columns: the links as the tokenizer returns them.
        inside: the inner document.

    """

    def __init__(
        self,
        builder: Builder,
        part: Callable[[], tuple[Value, Slot]],
        columns: LinkColumns,
        inside: Inside,
    ) -> None:
        are_single = not inside.bases
        super().__init__(
            builder, columns.values, columns.starts, self._places, are_single=are_single
        )
        self._part = part
        self._columns = columns
        self._inside = inside

    def _places(self, indices: Sequence[int]) -> list[Place]:
        place, layers = self._builder.place, self._part()[1].layers
        rows = self._rows(indices)
        return [place(target, kind, (layer, *layers), query) for target, kind, layer, query in rows]

    def _links(self, indices: Sequence[int]) -> list[Link]:
        value, slot = self._part()
        links: list[Link] = []
        columns = zip(indices, self._starts(indices), self._rows(indices), strict=True)
        for index, start, row in columns:
            target, kind, layer, query = row
            own = slot.part(start, start + len(self.views[index]), layer)
            links.append(value.link(own, target, kind, query, self.resolver))
        return links

    def _rows(self, indices: Sequence[int]) -> Iterator[_Row]:
        """Yield the target of each link, its kind, its layer, and how its query is mapped."""
        inside = self._inside
        for key in self._columns.keys(indices):
            row = _row_in(key, inside.kind.name, inside.query)
            yield (row[0]._replace(bases=inside.bases), *row[1:]) if inside.bases else row
