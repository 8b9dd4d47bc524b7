"""Links that are read column by column: the whole values of attributes and texts."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from linkfix.links.link import Link
from linkfix.links.value import Target, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from linkfix.links.builder import Builder
    from linkfix.links.link import Place
    from linkfix.links.templates import Marker
    from linkfix.markup.htmltokens import LinkColumns, LinkKey
    from linkfix.markup.references import Spelled

__all__ = ["Batch", "HTMLBatch"]

_ZEROS: Iterable[int] = repeat(0)


class Batch:
    """Links one after the other, each the whole value of an attribute or the whole text of an element.

    A consumer looks at the column `views`, and asks for `Link` objects only where it needs them: before the next
    bytes of the document are read.

    Args:
        builder: of the document.
        views: the bytes of the ASCII view that each value is spelled with, without NUL. ASCII stands for itself,
            every other byte for something beyond ASCII.
        are_single: whether each is a link (`Kind.SINGLE`) that the base of the document rules.

    Attributes:
        views: see above.
        are_single: see above.
        marker: marks links that are templates.

    """

    def __init__(self, builder: Builder, views: list[bytes], *, are_single: bool) -> None:
        self._builder = builder
        self.views = views
        self.are_single = are_single
        self.marker: Marker | None = None

    def __len__(self) -> int:
        return len(self.views)

    def starts(self, indices: Sequence[int]) -> list[int]:
        """Return the offsets in the view at which values begin."""
        raise NotImplementedError

    def places(self, indices: Sequence[int]) -> list[Place]:
        """Return the places of links; equal places of one document are mostly one object."""
        raise NotImplementedError

    def links(self, indices: Sequence[int] | None = None, *, with_lines: bool = True) -> list[Link]:
        """Return links.

        Args:
            indices: of those that are wanted, ascending and not before those of an earlier call; None for all.
            with_lines: whether lines and columns are counted; else they are 0.

        """
        builder, raws = self._builder, self.views
        if indices is None:
            indices = range(len(raws))
        else:
            raws = [raws[index] for index in indices]
        starts, places = self.starts(indices), self.places(indices)
        charset, origin = builder.charset, builder.byte_offset(0)
        if charset.unit > 1:
            pairs = zip(starts, raws, strict=True)
            raws = [builder.slice(start, start + len(raw)) for start, raw in pairs]
        if origin or charset.unit > 1:
            starts = [origin + start * charset.unit for start in starts]
        lines, columns = builder.lines(starts) if with_lines else (_ZEROS, _ZEROS)
        text = b"\0".join(raws)
        if charset.unit == 1 and text.isascii():
            values = text.decode("ascii").split("\0")
        else:
            values = [*map(charset.decode, raws)]
        spellings: list[Spelled | None] = [None] * len(values)
        for index, value in enumerate(values if b"&" in text else ()):
            if "&" in value:
                spelled = places[index].layers[0].read(value)
                values[index] = spelled.value
                spellings[index] = None if spelled.is_literal else spelled
        links = Link.of_columns(starts, lines, columns, values, raws, places, spellings)
        if not text.isascii():
            for index, value in enumerate(values):
                if "\ufffd" in value:
                    links[index] = self._perhaps_malformed(links[index])
        return links if self.marker is None else self.marker.marked(links)

    def _perhaps_malformed(self, link: Link) -> Link:
        """Return a link of which some bytes may be no characters."""
        place, builder = link.place, self._builder
        value = Value(builder, link.start, link.raw, place.layers[0])
        target = Target(place.element, place.namespace, place.attribute, place.markup, place.bases)
        made = value.link(value.slot, target, place.kind, place.query)
        return made._replace(line=link.line, column=link.column, place=place)


class HTMLBatch(Batch):
    """Simple links of HTML.

    Args:
        builder: of the document.
        columns: the links as the tokenizer returns them.
        place: returns the place of a link by how it is written.

    """

    def __init__(
        self, builder: Builder, columns: LinkColumns, place: Callable[[LinkKey], Place]
    ) -> None:
        super().__init__(builder, columns.values, are_single=True)
        self._columns = columns
        self._place = place

    def starts(self, indices: Sequence[int]) -> list[int]:
        """See `Batch.starts`."""
        return self._columns.starts(indices)

    def places(self, indices: Sequence[int]) -> list[Place]:
        """See `Batch.places`."""
        return [*map(self._place, self._columns.keys(indices))]
