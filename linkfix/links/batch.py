"""Links that are read column by column: the whole values of attributes and texts.

Input: the columns that a reader has collected. Output: the column of values, and `Link` objects for those links
that a consumer needs. So a link that nobody needs costs no Python object. A batch is valid until the next bytes of
its document are read.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import TypeAlias

from linkfix.links.builder import Builder, Slot, Target, Value
from linkfix.links.html.embedded import OUTERMOST, Inside
from linkfix.links.link import Link, Place, Resolver
from linkfix.links.table import Entry, html_table
from linkfix.markup import layers
from linkfix.markup.html.elements_data import HTML
from linkfix.markup.html.tokens import LinkColumns, LinkKey
from linkfix.markup.layers import Spelled

_ZEROS: Iterable[int] = repeat(0)

#: Functions of the indices of links: where their values begin in the view, and their places.
Starts: TypeAlias = Callable[[Sequence[int]], list[int]]
Places: TypeAlias = Callable[[Sequence[int]], list[Place]]


class Batch:
    """Links in the order of the document, each a whole value of an attribute or a whole text of an element.

    Args:
        builder: source and lines of the document.
        views: the spelling of each value, as bytes of the ASCII view without NUL. A byte of ASCII is that character,
            any other byte is part of a character beyond ASCII.
        starts: returns the offsets in the view at which values begin.
        places: returns the places of links.
        are_single: whether each link is of `Kind.SINGLE` and resolved against the base URL of the document.

    Attributes:
        views: the spelling of each value.
        places: returns the places of links.
        are_single: whether all links are single ones under the base URL of the document.
        marker: returns links with marks on templates (`linkfix.links.templates.marked`); None to mark none.
        fixed: why the links cannot be rewritten; "" for none.
        resolver: resolves the links; None where it is not known how.

    """

    def __init__(
        self,
        builder: Builder,
        views: list[bytes],
        starts: Starts,
        places: Places,
        *,
        are_single: bool,
    ) -> None:
        self._builder = builder
        self.views = views
        self._starts = starts
        self.places: Places = places
        self.are_single = are_single
        self.marker: Callable[[list[Link]], list[Link]] | None = None
        self.fixed = ""
        self.resolver: Resolver | None = None

    def __len__(self) -> int:
        return len(self.views)

    def links(self, indices: Sequence[int] | None = None) -> list[Link]:
        """Return links.

        Args:
            indices: indices of the wanted links, ascending and not before those of an earlier call; None for all.

        """
        links = self._links(range(len(self.views)) if indices is None else indices)
        if self.fixed:
            links = [link._replace(fixed=self.fixed) for link in links]
        return links if self.marker is None else self.marker(links)

    def _links(self, indices: Sequence[int]) -> list[Link]:
        """Return links, without marks on templates."""
        builder, raws = self._builder, self.views
        if len(indices) < len(raws):
            raws = [raws[index] for index in indices]
        starts, places = self._starts(indices), self.places(indices)
        charset, origin = builder.charset, builder.origin
        if charset.unit > 1:
            pairs = zip(starts, raws, strict=True)
            raws = [builder.slice(start, start + len(raw)) for start, raw in pairs]
        if origin or charset.unit > 1:
            starts = [origin + start * charset.unit for start in starts]
        lines, columns = builder.lines(starts) if builder.counts_lines else (_ZEROS, _ZEROS)
        text = charset.decode(bytes(charset.unit).join(raws))  # NUL is in no value
        values = text.split("\0")
        spellings: list[Spelled | None] = [None] * len(values)
        for index, value in enumerate(values if "&" in text else ()):
            if "&" in value:
                spelled = places[index].layers[0].read(value)
                values[index] = spelled.value
                spellings[index] = None if spelled.is_literal else spelled
        links = Link.of_columns(
            starts, lines, columns, values, raws, places, spellings, self.resolver
        )
        if "\ufffd" in text:
            for index, value in enumerate(values):
                if "\ufffd" in value:  # its bytes may be malformed
                    link = links[index]
                    own = Value(builder, link.start, link.raw, link.place.layers[0])
                    made = own.placed(own.slot, link.place, link.resolver)
                    links[index] = made._replace(line=link.line, column=link.column)
        return links


def left_as(found: Batch | Link, why: str) -> Batch | Link:
    """Return links that are not rewritten, and why."""
    if isinstance(found, Batch):
        found.fixed = why
        return found
    return found if found.fixed else found._replace(fixed=why)


# --- The simple links of HTML, in a document or inside a value of another one -----------------------

LAYERS: dict[str | None, layers.Layer] = {
    '"': layers.HTML_DOUBLE,
    "'": layers.HTML_SINGLE,
    "": layers.HTML_UNQUOTED,
    None: layers.HTML_UNQUOTED,
}


@lru_cache(maxsize=1024)
def row_of(key: LinkKey, embedded: str) -> tuple[Entry, Target, layers.Layer]:
    """Return the row of the table for a simple link in a kind of embedded documents, its target and its layer."""
    element, attribute = key[0].lower().decode("ascii"), key[1].lower().decode("ascii")
    entry = html_table(()).of_element(HTML, element)[attribute][0]
    target = Target(element, HTML, attribute, "html", embedded=embedded)
    return entry, target, LAYERS[key[2].decode("ascii")]


def place_of(
    builder: Builder, key: LinkKey, inside: Inside = OUTERMOST, outer: tuple[layers.Layer, ...] = ()
) -> Place:
    """Return the place of a simple link by the spelling of its tag, its document, and the layers around that."""
    entry, target, layer = row_of(key, inside.kind.name)
    if inside.bases:
        target = target._replace(bases=inside.bases)
    query = entry.query if inside.query == "document" else inside.query
    return builder.place(target, entry.kind, (layer, *outer), query)


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
        return self._within(indices, self._part()[1].layers)

    def _within(self, indices: Sequence[int], outer: tuple[layers.Layer, ...]) -> list[Place]:
        """Return the places of links within the layers of the inner document."""
        builder, inside = self._builder, self._inside
        return [place_of(builder, key, inside, outer) for key in self._columns.keys(indices)]

    def _links(self, indices: Sequence[int]) -> list[Link]:
        value, slot = self._part()
        links: list[Link] = []
        places = self._within(indices, slot.layers)
        columns = zip(indices, self._starts(indices), places, strict=True)
        for index, start, place in columns:
            own = slot.part(start, start + len(self.views[index]), place.layers[0])
            links.append(value.placed(own, place, self.resolver))
        return links
