"""Take elements from expat: the way for documents in which a DTD makes some of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from linkfix.errors import LimitExceededError
from linkfix.markup.xmlelements import over
from linkfix.markup.xmlevents import XMLAttribute
from linkfix.markup.xmltags import ATTRIBUTE, TAG

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from xml.parsers import expat

    from linkfix.markup.xmlelements import Elements
    from linkfix.markup.xmlevents import Limits
    from linkfix.markup.xmlinput import ExpatInput
    from linkfix.markup.xmltags import Held

__all__ = ["MadeElements"]

#: A DTD can make as many attributes of each tag as it declares defaults. So many of them, and one for each
#: character of the document besides, are more than any document needs.
_FREE_ATTRIBUTES = 100_000


class MadeTag:
    """A start tag that expat has told of.

    Args:
        given: what expat reads, which knows the characters that it means.
        held: the document.
        start: offset in the view at which expat stands: at the tag, or at a reference to an entity.
        name: of the element, in expat's letters.
        pairs: names and values of its attributes, in turn.

    """

    def __init__(
        self, given: ExpatInput, held: Held, start: int, name: str, pairs: list[str]
    ) -> None:
        self._given = given
        self._held = held
        self._pairs = pairs
        self.key = self.name = name
        self.names = pairs[::2]
        self.start = start
        self.is_empty = False
        if not name.isascii():
            self.name = given.text(name, None if self._tag is None else self._tag[1])
        if not all(map(str.isascii, self.names)):
            self.names = [given.text(each, self._raw(n, 1)) for n, each in enumerate(self.names)]

    @cached_property
    def _tag(self) -> re.Match[bytes] | None:
        return TAG.match(self._held.view, self.start - self._held.base)

    @cached_property
    def _spans(self) -> list[re.Match[bytes]]:
        """The attributes in the tag; expat gives these first and in order, then the defaults."""
        tag = self._tag
        return [] if tag is None else list(ATTRIBUTE.finditer(tag.string, *tag.span(2)))

    @property
    def content(self) -> int | None:
        """See `Tag.content`."""
        return None if self._tag is None else self._held.base + self._tag.end()

    def _raw(self, number: int, group: int | None = None) -> bytes | None:
        if number >= len(self._spans):
            return None
        found = self._spans[number]
        return found[group or found.lastindex or 2]

    def attribute(self, number: int, namespace: str, local: str) -> XMLAttribute:
        """See `Tag.attribute`."""
        name, value = self.names[number], self._pairs[2 * number + 1]
        if not value.isascii():
            value = self._given.text(value, self._raw(number))
        if number >= len(self._spans):
            return XMLAttribute(name, namespace, local, None, None, "", "", value)
        found = self._spans[number]
        group = found.lastindex or 2
        start, end = (self._held.base + offset for offset in found.span(group))
        quote = '"' if group == 2 else "'"
        return XMLAttribute(name, namespace, local, start, end, quote, "", value)


class MadeElements:
    """Hand on the tags that expat tells of.

    Args:
        parser: from which to take them, from the root element on.
        given: what it reads.
        held: the document.
        elements: which takes the tags.
        limits: what the document may need.
        unit: how many bytes of the document stand for one unit of its view.
        index: gives the offset in the view at which expat stands.

    Attributes:
        depth: how many elements are open.
        last_tag: offset in the view of the last tag that was seen.

    """

    def __init__(
        self,
        parser: expat.XMLParserType,
        given: ExpatInput,
        held: Held,
        elements: Elements,
        limits: Limits,
        unit: int,
        index: Callable[[], int],
    ) -> None:
        self._parser = parser
        self._given = given
        self._held = held
        self._elements = elements
        self._limits = limits
        self._unit = unit
        self._index = index
        self._text: list[str] = []
        #: How many attributes there have been.
        self._attributes = 0
        self.depth = 0
        self.last_tag = -1
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self._end

    def start(self, name: str, pairs: list[str]) -> None:
        """Take a start tag, as expat gives it."""
        index = self.last_tag = self._index()
        if self.depth and self.depth >= self._limits.depth:
            raise over(self._limits, "the depth of elements", "depth", index * self._unit)
        self._attributes += len(pairs) // 2
        if self._attributes > _FREE_ATTRIBUTES + index:
            raise LimitExceededError(
                "the DTD makes more attributes than the document has characters",
                hint="remove the defaults of attributes from the DTD that many elements have",
                offset=index * self._unit,
            )
        tag = MadeTag(self._given, self._held, index, name, pairs)
        self._elements.start(tag, lambda: self.depth)
        self.depth += 1
        self._text = []
        wants_text = self._elements.opened is not None
        self._parser.CharacterDataHandler = self._text.append if wants_text else None

    def _end(self, name: str) -> None:
        self.depth -= 1
        opened = self._elements.opened
        if opened is not None:
            self._parser.CharacterDataHandler = None
            index = self.last_tag = self._index()
            view, base = self._held.view, self._held.base
            # Of an empty-element tag expat tells as of two, the second just after it.
            is_empty = index == opened.start and view.startswith(b"/>", index - base - 2)
            literal = view.startswith(b"</", index - base) and not is_empty
            text = self._given.text("".join(self._text))
            self._elements.content(index, "", text, literal=literal)
        self._elements.end(name)
