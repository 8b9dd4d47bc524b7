"""The values of an XML document: how they are read, and the links of those that are simple."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from linkfix.links.kinds import links_of_value
from linkfix.links.link import Kind, Link
from linkfix.links.table import xml_rows, xml_table
from linkfix.links.value import Target
from linkfix.markup.layers import (
    CDATA,
    XHTML_DOUBLE,
    XHTML_SINGLE,
    XHTML_TEXT,
    XML_DOUBLE,
    XML_SINGLE,
    XML_TEXT,
)
from linkfix.markup.xmlvalues import attribute_value, character_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from linkfix.charset import Charset
    from linkfix.links.builder import Builder
    from linkfix.links.html import HTMLFinder
    from linkfix.links.link import Place
    from linkfix.links.table import Entry
    from linkfix.markup.layers import Layer
    from linkfix.markup.references import Spelled
    from linkfix.markup.xmlevents import XMLHolder, XMLValue

__all__ = ["XHTML_LAYERS", "XSLT", "XMLValues", "applies"]

XSLT = "http://www.w3.org/1999/XSL/Transform"
#: What values are spelled in, by what is around them (see `XMLHolder.quote`).
_LAYERS = {'"': XML_DOUBLE, "'": XML_SINGLE, "": XML_TEXT, "[": CDATA}
#: The same where the document knows the entities of XHTML.
XHTML_LAYERS = {'"': XHTML_DOUBLE, "'": XHTML_SINGLE, "": XHTML_TEXT, "[": CDATA}
#: Kinds of values that are one link.
_WHOLE = frozenset({Kind.SINGLE, Kind.IDENTITY, Kind.HASH_NAME})
_VALUE = r"(?! )[^<\t\n\r\ufffd\0]++(?<! )"
#: Values that are read as they are spelled, whatever their layer, but for references, and have been decoded
#: without an error; with a NUL, which XML has none of, between one and the next.
_PLAIN_VALUES = re.compile(rf"{_VALUE}(?:\0{_VALUE})*+")
#: What surrounds a link without being part of it (XML Schema Part 2, 3.2.17: collapse).
_SPACE = " \t\n\r"
_IS_TEMPLATE = "it is an attribute value template, which only the transformation fills in"


#: What is known of a link but for its line and column: the byte offset at which it begins, its characters,
#: bytes and place, and how the characters are spelled where not as themselves.
WholeLink: TypeAlias = "tuple[int, str, bytes, Place, Spelled | None]"


class _Row(NamedTuple):
    """What is known of all values that one holder has, but for the values.

    Attributes:
        entry: the row of the table; None where they hold no links.
        target: what their links belong to.
        place: that of a link which is a value as a whole; None where values hold links otherwise.

    """

    entry: Entry | None
    target: Target
    place: Place | None


class XMLValues:
    """Make links of the values of one document.

    Args:
        builder: of the document.
        html: finds the links of HTML in values.

    Attributes:
        layers: what values are spelled in, by what is around them.
        root: what stands for the namespace of elements that have none; None as long as nobody knows.
        is_stylesheet: whether the document is an XSLT style sheet.

    """

    def __init__(self, builder: Builder, html: HTMLFinder) -> None:
        self._builder = builder
        self._html = html
        #: What has been found out about simple values, by what holds them.
        self._rows: dict[XMLHolder, _Row] = {}
        self.layers: Mapping[str, Layer] = _LAYERS
        self.root: str | None = None
        self.is_stylesheet = False

    def links(self, values: list[XMLValue]) -> list[Link]:
        """Give the links of values that are all there is to see of their elements."""
        at_once = self._at_once(values)
        if at_once is not None:
            return at_once
        links: list[Link] = []
        whole: list[WholeLink] = []
        rows, read = self._rows, self._read
        for holder, first, last in values:
            entry, target, place = rows.get(holder) or self._row(holder)
            if entry is None:
                continue
            if place is not None:
                link = read(first, last, place)
                if link is not None:
                    whole.append(link)
                    continue
            links += self._together(whole)
            whole.clear()
            links += self._others(holder, first, last, entry, target)
        return links + self._together(whole)

    def _at_once(self, values: list[XMLValue]) -> list[Link] | None:
        """Make the links of values column by column; None where it takes more to tell what one is."""
        builder, known = self._builder, self._rows
        places = [(known.get(holder) or self._row(holder)).place for holder, *_ in values]
        if None in places or not builder.charset.is_own_view:
            return None
        starts, raws = builder.parts([(first, last) for _, first, last in values])
        text = builder.charset.decode(b"\0".join(raws))
        if _PLAIN_VALUES.fullmatch(text) is None:
            return None
        found = text.split("\0")
        spellings: list[Spelled | None] = [None] * len(found)
        for index, (value, place) in enumerate(zip(found, places, strict=True)):
            if "&" in value and place is not None:
                spellings[index] = spelled = _spelled(value, place)
                if spelled is None:
                    return None
                found[index] = spelled.value
        lines, columns = builder.lines(starts)
        return Link.plain(
            starts, lines, columns, found, raws, cast("list[Place]", places), spellings
        )

    def _read(self, first: int, last: int, place: Place) -> WholeLink | None:
        """Read a value that is one link; None where it takes more to tell what it is."""
        start, raw = self._builder.part(first, last)
        value = place.charset.decode(raw)
        if _PLAIN_VALUES.fullmatch(value) is None:
            return None
        if "&" not in value:
            return start, value, raw, place, None
        spelled = _spelled(value, place)
        return None if spelled is None else (start, spelled.value, raw, place, spelled)

    def _together(self, whole: list[WholeLink]) -> list[Link]:
        """Make the links of values that come one after the other."""
        if not whole:
            return []
        starts, values, raws, places, spellings = zip(*whole, strict=True)
        lines, columns = self._builder.lines([*starts])
        return Link.plain(starts, lines, columns, values, raws, places, spellings)

    def _others(
        self, holder: XMLHolder, first: int, last: int, entry: Entry, target: Target
    ) -> Iterable[Link]:
        """Give the links of a value that is all there is to see of its element, but is not plain."""
        builder, quote = self._builder, holder.quote

        def read() -> str:
            text = builder.text(first, last)
            if holder.attribute:
                return attribute_value(text)
            return character_data(text if not quote else f"<![CDATA[{text}]]>")

        fixed = self.fixed(target, read)
        value = builder.value(first, last, self.layers[quote], fixed=fixed, instead=read)
        return links_of_value(self._html, value, value.slot, target, entry)

    def _row(self, holder: XMLHolder) -> _Row:
        layer, charset = self.layers[holder.quote], self._builder.charset
        row = _row_of(holder, self.root or "", layer, charset)
        if self.is_stylesheet:
            row = row._replace(place=None)
        if len(self._rows) < 1024:  # documents can write tags in ways without end
            self._rows[holder] = row
        return row

    def place(self, target: Target, entry: Entry, quote: str) -> Place | None:
        """Give the place of a link that is a value as a whole; None where it may be none."""
        if entry.kind not in _WHOLE or self._builder.charset.has_states or self.is_stylesheet:
            return None
        return self._builder.place(target, entry.kind, (self.layers[quote],), entry.query)

    def whole(self, first: int, last: int, place: Place) -> list[Link]:
        """Make the link of a value from end to end; none where it takes more to tell what it is."""
        found = self._read(first, last, place)
        return [] if found is None else self._together([found])

    def fixed(self, target: Target, read: Callable[[], str]) -> str:
        """Say why a value is not its own to rewrite, or ""."""
        is_template = self.is_stylesheet and target.attribute and target.namespace != XSLT
        return _IS_TEMPLATE if is_template and "{" in read() else ""


def _spelled(value: str, place: Place) -> Spelled | None:
    """Read the references in a value that is one link; None where it takes more to tell what it is."""
    spelled = place.layers[0].read(value)
    if not spelled.complete or spelled.value != spelled.value.strip(_SPACE):
        return None
    return spelled


@lru_cache(maxsize=1024)
def _row_of(holder: XMLHolder, root: str, layer: Layer, charset: Charset) -> _Row:
    """Find out what is known of the values of a holder, under a root that stands for no namespace."""
    namespace = holder.namespace or root
    entries: Iterable[Entry]
    if holder.attribute:
        entries = xml_rows(namespace, holder.local).get(holder.key, ())
    else:
        found = xml_table().contents.get((namespace, holder.local))
        entries = () if found is None else (found,)
    entry = next((entry for entry in entries if applies(entry, lambda: holder.values)), None)
    target = Target(holder.element, holder.namespace, holder.attribute, "xml", holder.bases)
    is_plain = entry is not None and entry.kind in _WHOLE and not charset.has_states
    if entry is None or not is_plain:
        return _Row(entry, target, None)
    return _Row(entry, target, target.place(entry.kind, (layer,), charset, entry.query))


def applies(entry: Entry, values: Callable[[], Mapping[str, str]]) -> bool:
    """Tell whether a row counts for an element, `values` giving those of its attributes."""
    if not entry.when:
        return True
    found = values()
    return all(found.get(name, "").lower() in wanted for name, wanted in entry.when)
