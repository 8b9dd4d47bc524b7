"""Find the links of style sheets: documents of their own, ``style`` elements and attributes.

The query of an imported style sheet's address is mapped to octets in UTF-8. Of other URLs browsers
and the standard differ: Chromium takes the charset of the style sheet, CSS Values 4, 4.5 UTF-8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.errors import LimitExceededError
from linkfix.links.link import Kind
from linkfix.links.selectors import Element
from linkfix.links.value import Target
from linkfix.markup.css import urls
from linkfix.markup.html import MAX_TAG
from linkfix.markup.layers import RAW_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.links.builder import Builder
    from linkfix.links.link import Link, Query
    from linkfix.links.scope import Scope
    from linkfix.links.value import Slot, Value

__all__ = ["StyleSheet", "links_of_declarations"]


def links_of_declarations(value: Value, slot: Slot, target: Target, query: Query) -> Iterator[Link]:
    """Give the links of the CSS that a value holds.

    Args:
        value: of the document.
        slot: the part of it that is looked at.
        target: what it belongs to.
        query: how queries are mapped in this part of the document.

    """
    for first, last, layer, imported in urls(slot.value):
        how: Query = "utf-8" if imported else query
        yield value.link(slot.part(first, last, layer), target, Kind.CSS, how)


class StyleSheet:
    """Find the links of a style sheet. It is held whole, for its grammar is read in one go.

    Args:
        builder: of the document.
        scope: what counts as a link.
        limit: the longest style sheet that is read, in units of the view.

    """

    def __init__(self, builder: Builder, scope: Scope, limit: int = MAX_TAG) -> None:
        #: All that stands before this offset in the view has been dealt with.
        self.offset = 0
        self._builder = builder
        self._scope = scope
        self._limit = limit
        self._size = 0

    def feed(self, view: bytes) -> None:
        """Take the next bytes of the view.

        Raises:
            LimitExceededError: the style sheet is too long.

        """
        self._size += len(view)
        if self._size > self._limit:
            raise LimitExceededError(
                f"the style sheet is longer than {self._limit} bytes",
                hint="split it into several",
                offset=0,
            )

    def close(self) -> Iterator[Link]:
        """Say that the document has ended and give its links."""
        self.offset = self._size
        value = self._builder.value(0, self._size, RAW_TEXT)
        for first, last, layer, imported in urls(value.slot.value):
            element = "@import" if imported else "url()"
            if not self._scope.restricts or self._scope.allows(
                Element(element, lambda _: None), ""
            ):
                part = value.slot.part(first, last, layer)
                target = Target(element, "", "", "css")
                yield value.link(part, target, Kind.CSS, "utf-8" if imported else "disputed")
