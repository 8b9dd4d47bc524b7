"""Take elements from expat: the way for documents in which a DTD makes some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.markup.xmlelements import over
from linkfix.markup.xmlevents import XMLAttribute
from linkfix.markup.xmltags import ATTRIBUTE, TAG, Tag

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from xml.parsers import expat

    from linkfix.markup.xmlelements import Elements
    from linkfix.markup.xmlevents import Limits
    from linkfix.markup.xmlinput import ExpatInput
    from linkfix.markup.xmltags import Held

__all__ = ["MadeElements"]


class MadeTag(Tag):
    """A start tag that expat has told of.

    Args:
        given: what expat reads, which knows the characters that it means.
        held: the document.
        start: offset in the view at which expat stands: at the tag, or at a reference to an entity.
        name: of the element, in expat's letters.
        pairs: names and values of its attributes, in turn.

    """

    __slots__ = ("_given", "_pairs", "_spans", "content", "is_empty", "key", "name", "names", "start")  # fmt: skip

    def __init__(
        self, given: ExpatInput, held: Held, start: int, name: str, pairs: list[str]
    ) -> None:
        self._given = given
        self._pairs = pairs
        self.key = name
        self.start = start
        self.is_empty = False
        found = TAG.match(held.view, start - held.base)
        self.content = None if found is None else held.base + found.end()
        # expat gives the attributes of the tag first and in order, then the defaults.
        self._spans: list[re.Match[bytes]] = []
        if found is not None:
            self.is_empty = found[0].endswith(b"/>")
        if found is not None and pairs:
            self._spans = list(ATTRIBUTE.finditer(held.view, *found.span(2)))
        self._base = held.base
        self.name = name
        self.names = pairs[::2]
        if not name.isascii():
            self.name = given.text(name, None if found is None else found[1])
        if not all(map(str.isascii, self.names)):
            self.names = [given.text(each, self._raw(n, 1)) for n, each in enumerate(self.names)]

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
        start, end = (self._base + offset for offset in found.span(group))
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
        #: Whether the last tag was an empty-element tag, of which expat tells as of two.
        self._was_empty = False
        self.depth = 0
        self.last_tag = -1
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self._end

    def start(self, name: str, pairs: list[str]) -> None:
        """Take a start tag, as expat gives it."""
        index = self.last_tag = self._index()
        if self.depth and self.depth >= self._limits.depth:
            raise over(self._limits, "the depth of elements", "depth", index * self._unit)
        tag = MadeTag(self._given, self._held, index, name, pairs)
        self._elements.start(tag, self.depth)
        self._was_empty = tag.is_empty
        self.depth += 1
        self._text = []
        wants_text = self._elements.opened is not None
        self._parser.CharacterDataHandler = self._text.append if wants_text else None

    def _end(self, name: str) -> None:
        self.depth -= 1
        if self._elements.opened is not None:
            self._parser.CharacterDataHandler = None
            index = self.last_tag = self._index()
            literal = self._held.view.startswith(b"</", index - self._held.base)
            text = self._given.text("".join(self._text))
            self._elements.content(index, "", text, literal=literal)
        if not self._was_empty:
            self._elements.end(name)
        self._was_empty = False
