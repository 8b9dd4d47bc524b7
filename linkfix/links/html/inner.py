"""The simple links of HTML, in a document or inside a value of another one: their rows, their layers, and a batch of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from linkfix.links.batch import Batch
from linkfix.links.builder import Builder
from linkfix.links.html.embedded import Inside
from linkfix.links.link import Link, Place
from linkfix.links.table import Entry, html_table
from linkfix.links.value import Slot, Target, Value
from linkfix.markup import layers
from linkfix.markup.html.tokens import LinkColumns, LinkKey
from linkfix.markup.html.treeconstruction.groups_data import HTML

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
    entry = html_table().of_element(HTML, element)[attribute][0]
    return entry, Target(element, HTML, attribute, "html"), key[2].decode("ascii")


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
        super().__init__(builder, columns.values, are_single=not inside.bases)
        self._part = part
        self._columns = columns
        self._inside = inside

    def places(self, indices: Sequence[int]) -> list[Place]:
        """Return the places of links."""
        return [link.place for link in self._links(indices, with_lines=False)]

    def _links(self, indices: Sequence[int], *, with_lines: bool) -> list[Link]:
        columns, inside = self._columns, self._inside
        value, slot = self._part()
        links: list[Link] = []
        starts = columns.starts(indices)
        for index, key, start in zip(indices, columns.keys(indices), starts, strict=True):
            entry, target, quote = row_of(key)
            target = target._replace(bases=inside.bases, embedded=inside.kind.name)
            own = slot.part(start, start + len(self.views[index]), LAYERS[quote])
            query = entry.query if inside.query == "document" else inside.query
            link = value.link(own, target, entry.kind, query, with_line=with_lines)
            links.append(link)
        return links
