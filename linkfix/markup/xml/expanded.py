"""Read elements that are not entirely in the document, since a DTD declares entities or attributes.

Input: the tags that expat reports. Output: tags for `Elements`, with the spans of those attributes that are in the
document. Only expat knows the values of entities and the defaults of attributes. So if an internal subset declares any,
expat reports every element. The cost: a call of Python for each tag, so such documents are read more slowly.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from linkfix.errors import LimitExceededError
from linkfix.markup.xml.elements import Elements
from linkfix.markup.xml.events import XMLAttribute
from linkfix.markup.xml.input import ExpatInput
from linkfix.markup.xml.tags import TAG, Buffer, Tag

if TYPE_CHECKING:
    from xml.parsers import expat


#: A DTD can add as many attributes to each tag as it declares defaults. The limit for a document is this number and
#: one attribute for each character.
_FREE_ATTRIBUTES = 100_000


class ExpandedTag(Tag):
    """A start tag that expat has reported.

    Args:
        source: the input of expat, which maps expat's letters to characters.
        buffer: the buffered part of the document.
        start: offset in the view that expat reports: of the tag, or of a reference to an entity.
        name: name of the element, in expat's letters.
        pairs: names and values of its attributes, in turn.

    """

    def __init__(  # the tag itself is matched when it is needed
        self, source: ExpatInput, buffer: Buffer, start: int, name: str, pairs: list[str]
    ) -> None:
        self._source = source
        self._buffer = buffer
        self._pairs = pairs
        self.key = self.name = name
        self.names = pairs[::2]
        self.start = start
        self.is_empty = False
        if not (name.isascii() and all(map(str.isascii, self.names))):
            literal = [] if self._tag is None else self._tag.names
            self.name: str = source.text(name) if self._tag is None else self._tag.name
            self.names: list[str] = [*literal, *map(source.text, self.names[len(literal) :])]

    @cached_property
    def _tag(self) -> Tag | None:
        """The tag in the document; None for a tag in an entity."""
        found = TAG.match(self._buffer.view, self.start - self._buffer.base)
        return None if found is None else self._buffer.tag(found)

    @property
    def content(self) -> int | None:
        """The offset in the view at which its content begins; None for a tag in an entity."""
        return None if self._tag is None else self._tag.content

    def attribute(self, number: int) -> XMLAttribute:
        """Return an attribute, as `Tag.attribute` does."""
        value = self._pairs[2 * number + 1]
        # expat reports the attributes in the tag first and in order, then the defaults.
        if self._tag is None or number >= len(self._tag.names):
            name, text = self.names[number], self._source.text(value)
            local = name.partition(":")[2] if ":" in name else name
            return XMLAttribute(name, "", local, None, None, "", "", text)
        found = self._tag.attribute(number)
        is_literal = not value.isascii() and "&" not in found.spelling
        text = found.spelling if is_literal else self._source.text(value)
        return found._replace(spelling="", expanded=text)

    def has(self, beginnings: re.Pattern[bytes]) -> bool:
        """Return whether a value may begin so, as `Tag.has` does."""
        values = "".join(f'"{value}' for value in self._pairs[1::2])
        return beginnings.search(values.encode("utf-8", "replace")) is not None


class ExpandedElements:
    """Pass the tags that expat reports to `Elements`.

    Args:
        parser: reports the tags, from the root element on.
        source: the input of the parser.
        buffer: the buffered part of the document.
        elements: turns tags into events.

    Attributes:
        last_tag: offset in the view of the last tag.

    """

    def __init__(
        self,
        parser: expat.XMLParserType,
        source: ExpatInput,
        buffer: Buffer,
        elements: Elements,
    ) -> None:
        self._parser = parser
        self._source = source
        self._buffer = buffer
        self._elements = elements
        self._text: list[str] = []
        #: The number of attributes so far.
        self._attributes = 0
        self.last_tag: int = -1
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self._end

    def start(self, name: str, pairs: list[str]) -> None:
        """Pass a start tag to `Elements`; the arguments are those of expat's handler."""
        index = self.last_tag = self._source.index(self._parser)
        if self._elements.depth >= max(self._elements.limits.depth, 1):
            raise self._elements.over("the depth of elements", "depth", index)
        self._attributes += len(pairs) // 2
        if self._attributes > _FREE_ATTRIBUTES + index:
            raise LimitExceededError(
                "the DTD makes more attributes than the document has characters",
                hint="remove the defaults of attributes from the DTD that many elements have",
                offset=index * self._elements.unit,
            )
        if self._elements.opened is not None:
            text = self._source.text("".join(self._text))
            literal = self._buffer.view.startswith(b"<", index - self._buffer.base)
            self._elements.content(index, "", text, literal=literal, is_whole=False)
        self._elements.start(ExpandedTag(self._source, self._buffer, index, name, pairs))
        self._text = []
        wants_text = self._elements.opened is not None
        self._parser.CharacterDataHandler = self._text.append if wants_text else None

    def _end(self, name: str) -> None:
        opened = self._elements.opened
        if opened is not None:
            self._parser.CharacterDataHandler = None
            index = self.last_tag = self._source.index(self._parser)
            view, base = self._buffer.view, self._buffer.base
            # expat reports an empty-element tag as a start tag and an end tag; the second has the offset after it.
            is_empty = index == opened.start and view.startswith(b"/>", index - base - 2)
            literal = view.startswith(b"</", index - base) and not is_empty
            text = self._source.text("".join(self._text))
            self._elements.content(index, "", text, literal=literal)
        self._elements.end(name)
