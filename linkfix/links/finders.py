"""Find the links among the tags of HTML and the elements of XML, by the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.links.builder import Builder, Place
from linkfix.links.link import Context
from linkfix.links.table import PREFIXES, Entry, html_table, xml_table
from linkfix.markup.xml import XMLContent, XMLElement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from linkfix.links.link import Link
    from linkfix.markup.html import Attribute, StartTag
    from linkfix.markup.xml import XMLAttribute

__all__ = ["HTMLFinder", "XMLFinder"]

_QUOTES = {
    '"': Context.DOUBLE_QUOTED,
    "'": Context.SINGLE_QUOTED,
    "": Context.UNQUOTED,
    None: Context.UNQUOTED,
}
_BASE = (PREFIXES["xml"], "base")


class HTMLFinder:
    """Find links in the start tags of an HTML document."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._rows: dict[tuple[str, bytes], dict[bytes, tuple[str, Entry]]] = {}

    def links(self, tag: StartTag) -> Iterator[Link]:
        """Give the links of one tag, in the order of its attributes."""
        key = (tag.namespace, tag.name)
        rows = self._rows.get(key)
        if rows is None:
            rows = self._rows_of(*key)
        if not rows:
            return
        attributes = list(tag.attributes())
        for attribute in attributes:
            row = rows.get(attribute.name)
            if row is None:
                continue
            name, entry = row
            if entry.when and not self._applies(entry, attributes):
                continue
            place = Place(
                tag.name.decode("ascii", "replace"),
                tag.namespace,
                name,
                attribute.start,
                attribute.end,
                _QUOTES[attribute.quote],
            )
            yield from self._builder.links(place, entry)

    def _rows_of(self, namespace: str, name: bytes) -> dict[bytes, tuple[str, Entry]]:
        of_element = html_table().of_element(namespace, name.decode("latin-1"))
        rows = {
            attribute.encode(): (attribute, entry)
            for attribute, entry in of_element.items()
            if isinstance(attribute, str)
        }
        if len(self._rows) < 1024:  # documents can invent names without end
            self._rows[namespace, name] = rows
        return rows

    def _applies(self, entry: Entry, attributes: list[Attribute]) -> bool:
        present = {a.name: a for a in attributes}
        for name, wanted in entry.when:
            attribute = present.get(name.encode())
            if attribute is None:
                return False
            value = self._builder.slice(attribute.start, attribute.end)
            if self._builder.charset.decode(value).lower() != wanted:
                return False
        return True


class XMLFinder:
    """Find links in the elements of an XML document."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._root = ""
        self._bases: list[tuple[int, str]] = []
        self._rows: dict[tuple[str, str], Mapping[str | tuple[str, str], Entry]] = {}

    @staticmethod
    def wants_text(namespace: str, local: str) -> bool:
        """Tell whether the text of an element may be a link."""
        return (namespace, local) in xml_table().contents

    def links(self, event: XMLElement | XMLContent) -> Iterator[Link]:
        """Give the links of one event of the scanner, in the order of the document."""
        if isinstance(event, XMLElement):
            yield from self._of_attributes(event)
        else:
            yield from self._of_content(event)

    def _of_attributes(self, element: XMLElement) -> Iterator[Link]:
        if element.depth == 0:
            self._root = element.local
        while self._bases and self._bases[-1][0] >= element.depth:
            self._bases.pop()
        key = (element.namespace, element.local)
        rows = self._rows.get(key)
        if rows is None:
            rows = xml_table().of_element(*key)
            if len(self._rows) < 1024:
                self._rows[key] = rows
        # xml:base holds for the other attributes of its element, but not for itself.
        outer = self._chain()
        for attribute in element.attributes:
            if (attribute.namespace, attribute.local) == _BASE:
                self._bases.append((element.depth, attribute.value))
        for attribute in sorted(element.attributes, key=lambda a: a.start or 0):
            name = (attribute.namespace, attribute.local)
            entry = rows.get(name if attribute.namespace else attribute.local)
            if entry is not None and self._applies(entry, element):
                bases = outer if name == _BASE else self._chain()
                yield from self._builder.links(self._place(element, attribute, bases), entry)

    def _place(self, element: XMLElement, attribute: XMLAttribute, bases: tuple[str, ...]) -> Place:
        inside = attribute.start is not None and attribute.end is not None
        return Place(
            element.name,
            element.namespace,
            attribute.name,
            attribute.start if attribute.start is not None else element.start,
            attribute.end if attribute.end is not None else element.start,
            _QUOTES[attribute.quote],
            bases,
            attribute.value,
            "" if inside else "it is not in the document itself but in its DTD",
        )

    def _of_content(self, content: XMLContent) -> Iterator[Link]:
        element = content.element
        entry = xml_table().contents[element.namespace, element.local]
        if entry.roots and self._root not in entry.roots:
            return
        start, end, context, fixed = content.start, content.end, Context.TEXT, ""
        if not content.literal:
            fixed = "it is not in the document itself but in an entity"
        else:
            raw = self._builder.slice(start, end)
            text = self._builder.charset.decode(raw)
            if "<" in text:
                inner = _one_cdata_section(text)
                if inner is None:
                    fixed = "there is markup in the middle of it"
                else:
                    context = Context.CDATA
                    before, after = inner
                    start += len(self._builder.charset.encode(text[:before])) // self._unit
                    end -= len(self._builder.charset.encode(text[after:])) // self._unit
        place = Place(
            element.name,
            element.namespace,
            "",
            start,
            end,
            context,
            self._chain(),
            content.value,
            fixed,
        )
        yield from self._builder.links(place, entry)

    @property
    def _unit(self) -> int:
        return self._builder.charset.unit

    def _chain(self) -> tuple[str, ...]:
        return tuple(base for _, base in self._bases)

    @staticmethod
    def _applies(entry: Entry, element: XMLElement) -> bool:
        if not entry.when:
            return True
        values = {a.name: a.value for a in element.attributes}
        return all(values.get(name, "").lower() == wanted for name, wanted in entry.when)


def _one_cdata_section(text: str) -> tuple[int, int] | None:
    """Give the span of the only thing there is in the text of an element, a CDATA section."""
    inner = text.strip(" \t\r\n")
    if not inner.startswith("<![CDATA[") or inner.find("]]>") != len(inner) - 3:
        return None
    start = text.index("<![CDATA[") + 9
    return start, text.rindex("]]>")
