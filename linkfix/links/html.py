"""Find the links among the start tags of HTML, in documents and in values that hold documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from linkfix.links.link import Kind
from linkfix.links.parts import spans
from linkfix.links.table import Entry, html_table
from linkfix.links.value import Target
from linkfix.markup.feedback import TreeFeedback
from linkfix.markup.html import HTMLTokenizer
from linkfix.markup.layers import HTML_DOUBLE, HTML_SINGLE, HTML_UNQUOTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.links.builder import Builder
    from linkfix.links.link import Link
    from linkfix.links.value import Slot, Value
    from linkfix.markup.html import Attribute, StartTag

__all__ = ["HTMLFinder", "links_of_value"]

LAYERS = {'"': HTML_DOUBLE, "'": HTML_SINGLE, "": HTML_UNQUOTED, None: HTML_UNQUOTED}
_NOT_ASCII = re.compile("[^\x00-\x7f]")


class HTMLFinder:
    """Find links in the start tags of an HTML document."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._rows: dict[tuple[str, bytes], dict[bytes, tuple[str, Entry]]] = {}

    def links(self, tag: StartTag) -> Iterator[Link]:
        """Give the links of one tag, in the order of its attributes."""
        for attribute, name, entry in self._found(tag, self._builder.text):
            value = self._builder.value(attribute.start, attribute.end, LAYERS[attribute.quote])
            target = Target(tag.name.decode("ascii", "replace"), tag.namespace, name, "html")
            yield from links_of_value(self, value, value.slot, target, entry)

    def document(
        self, value: Value, slot: Slot, query: Literal["document", "utf-8"]
    ) -> Iterator[Link]:
        """Give the links of an HTML document, or a part of one, that a value holds.

        Args:
            value: of the document around it.
            slot: the inner document.
            query: whether the outer document's charset applies to the queries of its links.

        """
        text = slot.value
        tokenizer = HTMLTokenizer(TreeFeedback())
        tags = tokenizer.feed(_NOT_ASCII.sub("\xff", text).encode("latin-1")) + tokenizer.close()
        for tag in tags:
            for attribute, name, entry in self._found(tag, lambda a, b: text[a:b]):
                part = slot.part(attribute.start, attribute.end, LAYERS[attribute.quote])
                target = Target(tag.name.decode("ascii", "replace"), tag.namespace, name, "html")
                yield from links_of_value(self, value, part, target, entry, query)

    def _found(
        self, tag: StartTag, text: Callable[[int, int], str]
    ) -> Iterator[tuple[Attribute, str, Entry]]:
        """Give the attributes of a tag that are in the table; `text` gives characters by span."""
        key = (tag.namespace, tag.name)
        rows = self._rows.get(key)
        if rows is None:
            rows = self._rows_of(*key)
        if not rows:
            return
        attributes = list(tag.attributes())
        for attribute in attributes:
            row = rows.get(attribute.name)
            if row is not None and (not row[1].when or _applies(row[1], attributes, text)):
                yield attribute, *row

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


def _applies(entry: Entry, attributes: list[Attribute], text: Callable[[int, int], str]) -> bool:
    present = {attribute.name: attribute for attribute in attributes}
    for name, wanted in entry.when:
        attribute = present.get(name.encode())
        if attribute is None:
            return False
        if (
            LAYERS[attribute.quote].read(text(attribute.start, attribute.end)).value.lower()
            != wanted
        ):
            return False
    return True


def links_of_value(
    finder: HTMLFinder,
    value: Value,
    slot: Slot,
    target: Target,
    entry: Entry,
    query: Literal["document", "utf-8"] = "document",
) -> Iterator[Link]:
    """Give the links that a value holds, by its kind.

    Args:
        finder: for documents inside the value.
        value: of the document.
        slot: the part of it that is looked at.
        target: what it belongs to.
        entry: its row of the table.
        query: whether the document's charset applies in this part of the document.

    """
    if query == "document":
        query = entry.query
    if value.fixed:
        yield value.link(slot, target, entry.kind, query)
    elif entry.kind is Kind.DOCUMENT:
        yield from finder.document(value, slot, query)
    else:
        for first, last, layer in spans(entry.kind, slot.value, target.markup):
            yield value.link(slot.part(first, last, layer), target, entry.kind, query)
