"""The tags of XML, and the buffered part of a document that contains them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from linkfix.markup.xml.events import XMLAttribute

if TYPE_CHECKING:
    from linkfix.charset import Charset

TAG = re.compile(rb"""<([^\t\n\r />]++)((?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>""")
ATTRIBUTE = re.compile(
    rb"""[\t\n\r ]++([^\t\n\r =]++)[\t\n\r ]*+=[\t\n\r ]*+(?:"([^"]*+)"|'([^']*+)')"""
)
#: Everything before the next start tag, comment, section or instruction.
END_TAGS = re.compile(rb"(?:[^<]*+</[^>]*+>)*+")


class Buffer:
    """The buffered part of a document, as octets and in the view.

    Args:
        charset: charset of the document.

    Attributes:
        view: its view, with characters beyond ASCII masked as in the input of expat.
        base: offset of its first unit in the view of the document.

    """

    def __init__(self, charset: Charset) -> None:
        self.view = b""
        self.base = 0
        self._source = b""
        self._charset = charset
        self._unit = charset.unit
        self._is_own_view = charset.is_own_view

    @property
    def end(self) -> int:
        """The offset in the view at which the part ends."""
        return self.base + len(self.view)

    def add(self, source: bytes, view: bytes) -> None:
        """Append the next octets, and the same octets in the view."""
        same = source is view and self._source is self.view
        self.view = self.view + view if self.view else view
        self._source = self.view if same else self._source + source

    def octets(self, start: int) -> bytes:
        """Return the view from an offset on; the octets of the document, if they are their own view."""
        if self._is_own_view:
            return self._source[start - self.base :]
        return self.view[start - self.base :]

    def forget(self, offset: int) -> None:
        """Discard everything before an offset in the view."""
        keep = offset - self.base
        same = self._source is self.view
        self.view = self.view[keep:]
        self._source = self.view if same else self._source[keep * self._unit :]
        self.base = offset

    def text(self, start: int, end: int) -> str:
        """Return the characters between two indexes of `view`."""
        unit = self._unit
        return self._charset.decode(self._source[start * unit : end * unit])


class Tag(Protocol):
    """A start tag, from any reader.

    Attributes:
        key: its name in the form in which end tags are compared.
        name: its name as written.
        names: the names of its attributes, as written; defaults last.
        start: offset in the view of its ``<``.
        is_empty: whether it is known to be an empty-element tag.

    """

    key: str
    name: str
    names: list[str]
    start: int
    is_empty: bool

    @property
    def content(self) -> int | None:
        """The offset in the view at which its content begins; None for a tag in an entity."""

    def attribute(self, number: int, namespace: str, local: str) -> XMLAttribute:
        """Return an attribute.

        Args:
            number: number of the attribute, from 0.
            namespace: namespace name of the attribute, "" for none.
            local: name of the attribute without prefix.

        """

    def has(self, beginnings: re.Pattern[bytes]) -> bool:
        """Return whether a value may begin with the match of a pattern, which begins with a quote."""


class ViewTag:
    """A start tag in the view of the document.

    Args:
        buffer: the buffered part of the document.
        match: match of `TAG` in its view.

    """

    __slots__ = ("_attributes", "_buffer", "_end", "_match", "is_empty", "key", "name", "names", "start")  # fmt: skip

    def __init__(self, buffer: Buffer, match: re.Match[bytes]) -> None:
        self._buffer = buffer
        raw = match[1]
        self.key = raw.decode("latin-1")
        self.name = self.key if raw.isascii() else buffer.text(*match.span(1))
        self.start = buffer.base + match.start()
        self._match = match
        self._end = match.end()
        self.is_empty = match.string[match.end() - 2 : match.end() - 1] == b"/"
        self._attributes = list(ATTRIBUTE.finditer(match.string, *match.span(2)))
        self.names: list[str] = [
            item[1].decode() if item[1].isascii() else buffer.text(*item.span(1))
            for item in self._attributes
        ]

    @property
    def content(self) -> int:
        """The offset in the view at which its content begins."""
        return self._buffer.base + self._end

    def attribute(self, number: int, namespace: str, local: str) -> XMLAttribute:
        """Return an attribute, as `Tag.attribute` does."""
        item = self._attributes[number]
        group = item.lastindex or 2
        start, end = item.span(group)
        raw = item[group]
        spelling = raw.decode() if raw.isascii() else self._buffer.text(start, end)
        base = self._buffer.base
        quote = '"' if group == 2 else "'"
        name = self.names[number]
        return XMLAttribute(name, namespace, local, base + start, base + end, quote, spelling)

    def has(self, beginnings: re.Pattern[bytes]) -> bool:
        """Return whether a value may begin so, as `Tag.has` does."""
        return beginnings.search(self._match.string, *self._match.span(2)) is not None
