"""A value of the document, the parts of it that are links, and their spelling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from linkfix.charset.codepoints import CodePoints
from linkfix.charset.view import AFTER_ESCAPE
from linkfix.links.link import Kind, Link, Markup, Query
from linkfix.markup.layers import Layer, Spelled

if TYPE_CHECKING:
    from linkfix.links.builder import Builder

_ESCAPE_LENGTH = 3


class Slot(NamedTuple):
    """A part of a value, with its layers of spelling.

    Attributes:
        spelled: the characters, and their spelling in the document.
        layers: layers of spelling, the innermost first.
        offset: offset of the part's spelling in the spelling of the whole value, in code points.

    """

    spelled: Spelled
    layers: tuple[Layer, ...]
    offset: int = 0

    @property
    def value(self) -> str:
        """The characters."""
        return self.spelled.value

    def part(self, first: int, last: int, layer: Layer | None = None) -> Slot:
        """Return a part of the part.

        Args:
            first: code point at which it begins.
            last: code point after its last one.
            layer: the layer that it is spelled in, inside the layers of this part; None for no other layer.

        """
        value, whole, starts, _ = self.spelled
        text = source = value[first:last]
        shift = first
        if starts is not None:
            shift, end = starts.span(first, last)
            source = whole[shift:end]
            # Most parts have no reference, and are spelled as themselves.
            starts = None if source == text else starts.part(first, last)
        offset = self.offset + shift
        if layer is None:
            return Slot(Spelled(text, source, starts), self.layers, offset)
        inner = layer.read(text)
        if inner.starts is not None:
            starts = inner.starts.within(starts)
        return Slot(Spelled(inner.value, source, starts), (layer, *self.layers), offset)


class Target(NamedTuple):
    """The element and attribute of a value, with the bases that apply; the attributes are those of `Place`."""

    element: str
    namespace: str
    attribute: str
    markup: Markup
    bases: tuple[str, ...] = ()
    codebase: str = ""
    feed: bool = False
    embedded: str = ""


class Value:
    """An attribute's value or an element's text in the document.

    Args:
        builder: source and lines of the document.
        start: byte offset at which the value begins.
        raw: the bytes of the value.
        layer: the layer that it is spelled in.
        fixed: the reason why it cannot be rewritten; "" for none.
        instead: returns the value where `fixed` is set, so that its spelling does not contain it.

    Attributes:
        start: byte offset at which the value begins.
        fixed: the reason why it cannot be rewritten; "" for none.
        slot: the whole value as a part.

    """

    def __init__(
        self,
        builder: Builder,
        start: int,
        raw: bytes,
        layer: Layer,
        fixed: str = "",
        instead: Callable[[], str] = str,
    ) -> None:
        charset = builder.charset
        self._builder = builder
        self.start = start
        self._raw = raw
        self._state = builder.state(start)
        text = charset.decode(raw, self._state)
        spelled = layer.read(text)
        if not fixed and not spelled.complete:
            fixed = "an entity reference is part of it"
        #: Whether the last bytes are a part of a character that the decoder of gb18030 ends after the value.
        self._is_cut = (
            text[-1:] == "\ufffd"
            and charset.decode(raw + charset.encode(">"), self._state) != text + ">"
        )
        if fixed:
            spelled = Spelled(instead() or spelled.value, text)
        self.fixed = fixed
        self.slot: Slot = Slot(spelled, (layer,))
        self._malformed = "\ufffd" in text and not self._survives(text)
        self._bytes = CodePoints(charset, raw, text, self._state)

    def _survives(self, text: str) -> bool:
        try:
            return self._builder.charset.encode(text, self._state) == self._raw
        except UnicodeEncodeError:
            return False

    def link(self, slot: Slot, target: Target, kind: Kind, query: Query) -> Link:
        """Return a part of the value as a link.

        Args:
            slot: the part.
            target: the element and attribute of the value.
            kind: kind of the value.
            query: how the query of the link is mapped to octets.

        """
        builder, fixed = self._builder, self.fixed
        if fixed:
            first, last = 0, len(self._raw)
        else:
            first = self._bytes[slot.offset]
            last = self._bytes[slot.offset + len(slot.spelled.source)]
            # An escape sequence of ISO-2022-JP belongs to the character after it.
            while first and builder.state(self.start + first) >= AFTER_ESCAPE:
                first -= _ESCAPE_LENGTH
            if self._is_cut and last == len(self._raw):
                fixed = "its last bytes are malformed"
        start, end = self.start + first, self.start + last
        line, column = builder.move(start) if builder.counts_lines else (0, 0)
        return Link(
            start,
            end,
            line,
            column,
            slot.value,
            self._raw[first:last],
            builder.place(target, kind, slot.layers, query),
            builder.state(start),
            builder.state(end),
            self._malformed and "\ufffd" in slot.value,
            fixed,
            None,
            None if slot.spelled.is_literal else slot.spelled,
        )
