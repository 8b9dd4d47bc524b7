"""The tags of XML, and the buffered part of a document that contains them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.markup.xml.events import XMLAttribute

if TYPE_CHECKING:
    from linkfix.charset import Charset

TAG = re.compile(rb"""<(?P<start>[^\t\n\r />]++)((?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>""")
ATTRIBUTE = re.compile(
    rb"""[\t\n\r ]++([^\t\n\r =]++)[\t\n\r ]*+=[\t\n\r ]*+(?:"([^"]*+)"|'([^']*+)')"""
)
#: The opening marks of tokens that can contain a "<", with their closing marks.
MARKS = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
#: The quote around the value of an attribute, by its group.
_QUOTES = {2: '"', 3: "'", 4: ""}


class Buffer:
    """The buffered part of a document, as octets and in the view.

    Args:
        charset: charset of the document.

    Attributes:
        view: its view, with characters beyond ASCII masked as in the input of expat.
        base: offset of its first unit in the view of the document.

    """

    def __init__(self, charset: Charset) -> None:
        self.view: bytes = b""
        self.base: int = 0
        self._source = b""
        self._charset = charset

    @property
    def end(self) -> int:
        """The offset in the view at which the part ends."""
        return self.base + len(self.view)

    def add(self, source: bytes, view: bytes) -> None:
        """Append the next octets, and the same octets in the view."""
        same = source is view and self._source is self.view
        self.view = self.view + view if self.view else view
        self._source = self.view if same else self._source + source

    def restart(self, offset: int, rest: tuple[bytes, bytes]) -> None:
        """Keep the document from an offset in the view on, with its own octets; `rest` are those after the buffered ones."""
        self.forget(offset)
        self._source += rest[0]
        self.view = self._source if self._charset.is_own_view else self.view + rest[1]

    def forget(self, offset: int) -> None:
        """Discard everything before an offset in the view."""
        keep = offset - self.base
        same = self._source is self.view
        self.view = self.view[keep:]
        self._source = self.view if same else self._source[keep * self._charset.unit :]
        self.base = offset

    def text(self, start: int, end: int) -> str:
        """Return the characters between two indexes of `view`."""
        unit = self._charset.unit
        return self._charset.decode(self._source[start * unit : end * unit])

    def group(self, match: re.Match[bytes], group: int | str) -> str:
        """Return the characters of a group of a match in `view`."""
        raw = match[group]
        return raw.decode() if raw.isascii() else self.text(*match.span(group))


class Tag:
    """A start tag in the view of the document.

    Args:
        buffer: the buffered part of the document.
        match: match of the tag in its view, with the group ``start`` for its name.
        attributes: pattern of an attribute; the groups after its name are those of `_QUOTES`. Values are taken as they
            are spelled, unless it is `ATTRIBUTE`.

    Attributes:
        key: its name in the form in which end tags are compared.
        name: its name as written.
        names: the names of its attributes, as written; defaults last.
        start: offset in the view of its ``<``.
        is_empty: whether it is known to be an empty-element tag.

    """

    __slots__ = ("_attributes", "_base", "_end", "_is_expanded", "_text", "is_empty", "key", "name", "names", "start")  # fmt: skip

    def __init__(
        self, buffer: Buffer, match: re.Match[bytes], attributes: re.Pattern[bytes] = ATTRIBUTE
    ) -> None:
        self._base = base = buffer.base
        self._text = text = buffer.group
        self._is_expanded = attributes is not ATTRIBUTE
        first, end = match.span()
        self._attributes = list(attributes.finditer(match.string, match.end("start"), end))
        self.key: str = match["start"].decode("latin-1")
        self.name: str = text(match, "start")
        self.names: list[str] = [text(item, 1) for item in self._attributes]
        self.start: int = base + first
        self._end = end
        self.is_empty: bool = match.string[end - 2 : end] == b"/>"

    @property
    def content(self) -> int | None:
        """The offset in the view at which its content begins; None for a tag in an entity."""
        return self._base + self._end

    def attribute(self, number: int) -> XMLAttribute:
        """Return the attribute of a number, from 0, without its namespace."""
        item = self._attributes[number]
        group = item.lastindex or 2
        start, end = item.span(group)
        name, spelling, base = self.names[number], self._text(item, group), self._base
        expanded = spelling if self._is_expanded else None
        local = name.partition(":")[2] if ":" in name else name
        return XMLAttribute(
            name, "", local, base + start, base + end, _QUOTES[group], spelling, expanded
        )

    def attributes(self) -> list[XMLAttribute]:
        """Return all attributes, without their namespaces."""
        return [*map(self.attribute, range(len(self.names)))]
