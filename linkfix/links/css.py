"""Find the links of style sheets: documents, ``style`` elements and ``style`` attributes.

The query of an imported style sheet's URL is mapped to octets in UTF-8. For other URLs browsers and the standard
disagree: Chromium uses the charset of the style sheet, CSS Values 4, 4.5 prescribes UTF-8.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkfix.errors import LimitExceededError
from linkfix.links.batch import Batch
from linkfix.links.builder import Builder
from linkfix.links.link import Kind, Link, Query
from linkfix.links.scope import Scope
from linkfix.links.value import Slot, Target, Value
from linkfix.markup.css import urls
from linkfix.markup.html.tokenizer import MAX_TAG
from linkfix.markup.layers import RAW_TEXT


def links_of_declarations(value: Value, slot: Slot, target: Target, query: Query) -> Iterator[Link]:
    """Yield the links of the CSS in a value.

    Args:
        value: the value in the document.
        slot: the part of the value that is CSS.
        target: the element and attribute of the value.
        query: how queries are mapped in this part of the document.

    """
    for first, last, layer, imported in urls(slot.value):
        how: Query = "utf-8" if imported else query
        yield value.link(slot.part(first, last, layer), target, Kind.CSS, how)


class StyleSheet:
    """Find the links of a style sheet. It is buffered whole.

    Args:
        builder: source and lines of the document.
        scope: which values count as links.
        limit: the longest style sheet that is read, in units of the view.

    Attributes:
        offset: the offset in the view before which every byte has been read.

    """

    def __init__(self, builder: Builder, scope: Scope, limit: int = MAX_TAG) -> None:
        self.offset: int = 0
        self._builder = builder
        self._scope = scope
        self._limit = limit
        self._size = 0

    def links(self, view: bytes, *, final: bool) -> Iterator[Batch | Link]:
        """Read the next bytes of the view; yield all links after the last ones.

        Args:
            view: the bytes.
            final: whether the document ends with them.

        Raises:
            LimitExceededError: the style sheet is too long.

        """
        self._size += len(view)
        if self._size > self._limit:
            raise LimitExceededError(
                f"it is longer than {self._limit} bytes, and read as a whole",
                hint="split it into several",
                offset=0,
            )
        if not final:
            return
        self.offset = self._size
        yield from self._found(self._builder.value(0, self._size, RAW_TEXT))

    def _found(self, value: Value) -> Iterator[Batch | Link]:
        """Yield the links of the whole text."""
        for first, last, layer, imported in urls(value.slot.value):
            element = "@import" if imported else "url()"
            if self._scope.allows_name(element):
                part = value.slot.part(first, last, layer)
                target = Target(element, "", "", "css")
                yield value.link(part, target, Kind.CSS, "utf-8" if imported else "disputed")
