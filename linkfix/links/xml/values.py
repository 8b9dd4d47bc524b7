"""Find the links of XML values that the scanner returns without their elements.

Input: columns of values with their contexts. Output: batches of values that are one link each, and single links of
all others. The table is looked up once for each context; a value then costs one match of a pattern.

A text can contain markup: CDATA sections, comments, instructions. If all characters but white space are in one piece,
the piece is the value. Otherwise the HTML in all pieces is read as one text. A link of it is in one piece, and is
written as that piece is spelled. A link across several pieces is listed and left.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from linkfix.charset.model import CodePoints
from linkfix.links.batch import Batch, InnerBatch, Starts
from linkfix.links.builder import Builder, Slot, Target, Value
from linkfix.links.html.embedded import HTML_IN_XML, Inside
from linkfix.links.html.finder import INERT, HTMLFinder
from linkfix.links.link import UNKNOWN_BASE, WEB_NAMESPACES, XML_BASE, Kind, Link, Place
from linkfix.links.parts import BEGINNING, UNKNOWN, links_of_value, looks_like_links
from linkfix.links.scope import Scope
from linkfix.links.table import Element, Entry, xml_rows, xml_table
from linkfix.links.templates import FOR_READERS
from linkfix.markup import layers
from linkfix.markup.html.elements_data import HTML
from linkfix.markup.layers import CDATA, Layer, Piece, pieces
from linkfix.markup.xml.elements import XML_NAMESPACE
from linkfix.markup.xml.events import attribute_value, character_data
from linkfix.markup.xml.input import ASCII_TRAILS

if TYPE_CHECKING:
    from linkfix.markup.html.tokens import LinkColumns
    from linkfix.markup.xml.events import (
        Key,
        XMLAttribute,
        XMLContent,
        XMLContext,
        XMLElement,
        XMLValues,
    )

XSLT = "http://www.w3.org/1999/XSL/Transform"
#: The layer of a value by its quote (`XMLContext.quote`).
XML_LAYERS = {'"': layers.XML_DOUBLE, "'": layers.XML_SINGLE, "": layers.XML_TEXT, "[": CDATA}
#: The same where the document knows the entities of XHTML.
XHTML_LAYERS = {
    '"': layers.XHTML_DOUBLE,
    "'": layers.XHTML_SINGLE,
    "": layers.XHTML_TEXT,
    "[": CDATA,
}
_IN_TEXT = Inside(HTML_IN_XML)
#: Kinds of values that are one link.
_WHOLE = frozenset({Kind.SINGLE, Kind.IDENTITY, Kind.HASH_NAME})
#: A value that is one link from end to end: no white space around it or line ends inside (XML Schema Part 2, 3.2.17:
#: collapse), and no references except to the predefined entities (XML 1.0, 4.6).
_ONE_LINK = re.compile(rb"(?! )(?:[^<&\t\n\r\0]++|&(?:amp|lt|gt|quot|apos);)++(?<! )")
#: Such values, each with a NUL after it, which no XML contains.
_ALL_LINKS = re.compile(rb"(?:%b\0)*+" % _ONE_LINK.pattern)
#: The spellings of "<", without entities that contain one.
_TAG_BEGINS = (b"<", b"&lt;", b"&LT;", b"&#")
#: The most contexts whose rows are cached.
_KEPT = 1024


def names_target(element: XMLElement, key: Key) -> bool:
    """Return whether an attribute of an element names a target of fragments (HTML Standard, 7.4.6.3)."""
    if key == "name":
        return (element.namespace, element.local) == (HTML, "a")
    return key in {"id", (XML_NAMESPACE, "id")}


class _Way(Enum):
    """How the links of a value are returned."""

    SINGLE = "in a batch of links under the base URL of the document"
    WHOLE = "in a batch of other values that are one link each"
    PARTS = "as single links"
    NONE = "there are none"


class _Row(NamedTuple):
    """The properties that all values of one context have in common.

    Attributes:
        entry: the row of the table; None for no links.
        target: the element and attribute of the values.
        place: the place of a value that is one link; None if values of the context are no links as a whole.
        way: how a value that is one link is returned.
        is_id: whether the value is no link, but the target of fragments.

    """

    entry: Entry | None
    target: Target
    place: Place | None
    way: _Way
    is_id: bool


class ValueFinder:
    """Find the links of values.

    Args:
        builder: source and lines of the document.
        names: the set to which the targets of fragments are added; None to add none.
        scope: which values count as links.
        unknown: whether values that look like links in unknown attributes are returned.

    Attributes:
        embedded: the numbers of links in embedded documents so far (`linkfix.links.html.embedded.counted_as`).
        layers: the layer of a value by its quote.
        is_feed: whether the document is a feed.
        is_stylesheet: whether the document is an XSLT style sheet.
        is_page: whether it is XHTML, SVG or MathML, which browsers show: a ``base`` element counts (HTML Standard, 2.4.1).
        hashes_styles: whether a policy of the page may have hashes of styles from here on (`linkfix.links.html.hashes`).

    """

    def __init__(
        self, builder: Builder, names: set[str] | None, scope: Scope, *, unknown: bool
    ) -> None:
        self._builder = builder
        self._names = names
        self._scope = scope
        self._unknown = unknown
        self.embedded: Counter[str] = Counter()
        charset = builder.charset
        self._can_batch = charset.is_own_view or charset.unit > 1
        self._is_masked = charset.name in ASCII_TRAILS
        self._rows: dict[XMLContext, _Row] = {}
        self.layers: Mapping[str, Layer] = XML_LAYERS
        self.is_feed: bool = False
        self.is_stylesheet: bool = False
        self.is_page: bool = False
        self.hashes_styles: bool = False

    @cached_property
    def html(self) -> HTMLFinder:
        """The finder of the links of HTML in values."""
        finder = HTMLFinder(self._builder, scope=self._scope)
        finder.embedded = self.embedded
        return finder

    def _of_values(self, values: XMLValues) -> Iterator[Batch | Link]:
        """Yield the links of values, in the order of the document."""
        contexts, starts, views = values.contexts, values.starts, values.views
        known = {each: self._rows.get(each) or self._row(each) for each in dict.fromkeys(contexts)}
        rows = [known[context] for context in contexts]
        # The octets of characters beyond ASCII are masked in the input of expat.
        if self._is_masked and not b"".join(views).isascii():
            views = [
                view if view.isascii() else self._builder.slice(start, start + len(view))
                for start, view in zip(starts(range(len(views))), views, strict=True)
            ]
        if self._names is not None:
            for index in [index for index, row in enumerate(rows) if row.is_id]:
                (start,), view = starts([index]), views[index]
                text = self._builder.text(start, start + len(view))
                self._names.add(self.layers[contexts[index].quote].read(text).value)
        way = rows[0].way
        if (
            all(row.place and row.way is way for row in known.values())
            and all(context.quote != "[" for context in known)
            and _ALL_LINKS.fullmatch(b"\0".join((*views, b"")))
        ):
            yield self._batch(rows, starts, views)
            return
        ways = [*map(self._way, rows, contexts, views)]
        columns = zip(ways, rows, contexts, starts(range(len(views))), views, strict=True)
        found = [each for each in columns if each[0] is not _Way.NONE]
        simple = self._simple(found)
        for way, group in groupby(found, itemgetter(0)):
            if way is _Way.PARTS:
                for _, row, context, start, view in group:
                    yield from self._of_value(row, context, start, start + len(view), simple)
            else:
                _, alike, _, offsets, raws = zip(*group, strict=True)
                yield self._batch(alike, _chosen(offsets), [*raws])

    def _batch(self, rows: Sequence[_Row], starts: Starts, views: list[bytes]) -> Batch:
        """Return a batch of values that are one link each, with their rows and their offsets in the view."""

        def places(indices: Sequence[int]) -> list[Place]:
            return [place for index in indices if (place := rows[index].place) is not None]

        are_single = rows[0].way is _Way.SINGLE
        return Batch(self._builder, views, starts, places, are_single=are_single)

    def _way(self, row: _Row, context: XMLContext, view: bytes) -> _Way:
        if row.place is not None:
            if _ONE_LINK.fullmatch(view) and (context.quote != "[" or b"&" not in view):
                return row.way
            return _Way.PARTS
        if row.entry is None or (row.entry.kind is Kind.DOCUMENT and not has_tags(view)):
            return _Way.NONE
        if row.entry is UNKNOWN and BEGINNING.match(view) is None:
            return _Way.NONE
        return _Way.PARTS

    def _simple(
        self, found: Iterable[tuple[_Way, _Row, XMLContext, int, bytes]]
    ) -> dict[int, list[LinkColumns]]:
        """Return the links of those values that are documents of HTML without difficulties, by the offsets of the values."""
        texts = dict[int, str]()
        for _, row, context, start, view in found:
            entry, quote = row.entry, context.quote
            if entry and entry.kind is Kind.DOCUMENT and quote in {"", "["} and not entry.fixed:
                spelled = self.layers[quote].read(self._builder.text(start, start + len(view)))
                if spelled.complete and "\ufffd" not in spelled.value:
                    texts[start] = spelled.value
        return self.html.simple(texts, _IN_TEXT) if texts else {}

    def _of_value(
        self,
        row: _Row,
        context: XMLContext,
        first: int,
        last: int,
        simple: Mapping[int, list[LinkColumns]],
    ) -> Iterable[Batch | Link]:
        """Return the links of one value between two offsets in the view; `simple` is from `_simple`."""
        builder, quote, entry, target = self._builder, context.quote, row.entry, row.target
        if entry is None:
            return ()

        def read() -> str:
            text = builder.text(first, last)
            if context.attribute:
                return attribute_value(text)
            return character_data(text if not quote else f"<![CDATA[{text}]]>")

        if entry is UNKNOWN and not looks_like_links(read()):
            return ()
        if (columns := simple.get(first)) is not None:

            def part() -> tuple[Value, Slot]:
                value = builder.value(first, last, self.layers[quote], instead=read)
                return value, value.slot

            inside = Inside(HTML_IN_XML, entry.query, target.bases)
            return [InnerBatch(builder, part, each, inside) for each in columns]
        return self.split(first, last, quote, target, entry, read)

    def split(
        self,
        first: int,
        last: int,
        quote: str,
        target: Target,
        entry: Entry,
        read: Callable[[], str],
        fixed: str = "",
    ) -> Iterable[Batch | Link]:
        """Return the links of a value by its row.

        Args:
            first: offset in the view at which it begins.
            last: offset in the view at which it ends.
            quote: as `XMLContext.quote`.
            target: the element and attribute of the value.
            entry: the row.
            read: returns the value with its entities expanded.
            fixed: why it cannot be rewritten, if that is known.

        """
        is_template = self.is_stylesheet and target.attribute
        fixed = fixed or (INERT if self._is_base(target) and not target.sets_base else "")
        fixed = fixed or entry.fixed or (FOR_READERS if is_template and "{" in read() else "")
        value = self._builder.value(first, last, self.layers[quote], fixed=fixed, instead=read)
        return links_of_value(self.html, value, value.slot, target, entry)

    def _listed(self, element: XMLElement, key: Key) -> tuple[Entry, ...]:
        """Return the rows of the tables for an attribute of an element, and for its text by ""."""
        conventions = self._scope.conventions
        if key:
            return xml_rows(element.vocabulary, element.local, conventions).get(key, ())
        entry = xml_table(conventions).contents.get((element.vocabulary, element.local))
        return () if entry is None else (entry,)

    def _choose(
        self, element: XMLElement, attribute: str, entries: tuple[Entry, ...]
    ) -> Entry | None:
        """Return the row that applies to an attribute: one of the user's choice, else one of the tables."""
        if not (entries or self._scope.add):
            return None

        def of_attribute(name: str) -> str | None:
            return {each.name: each.value for each in element.attributes}.get(name)

        def value_of(name: str) -> str | None:
            return next(
                (self._value_of(a) for a in element.attributes if a.name.lower() == name), None
            )

        described = lambda: Element(  # noqa: E731
            element.name, value_of, is_html=False, namespace=element.namespace
        )
        return self._scope.choose(entries, of_attribute, described, attribute)

    def _value_of(self, attribute: XMLAttribute) -> str:
        """Return the value of an attribute with the characters that the scanner's view masks."""
        if attribute.start is None or attribute.end is None or attribute.value.isascii():
            return attribute.value
        layer = self.layers[attribute.quote or '"']
        value = self._builder.value(attribute.start, attribute.end, layer)
        return attribute.value if value.fixed else value.slot.value

    def _row(self, context: XMLContext) -> _Row:
        element, attribute = context.element, context.attribute
        entries = self._listed(element, context.key)
        entry = self._choose(element, attribute, entries)
        is_id = entry is None and names_target(element, context.key)
        if self._unknown and attribute and not entries and not is_id:
            entry = UNKNOWN
        target = self.target(element, attribute)
        place, way = None, _Way.PARTS
        if (
            entry is not None
            and entry.kind in _WHOLE
            and not (entry.fixed or entry.listed)
            and self._can_batch
            and not (self.is_stylesheet or self._is_base(target))
        ):
            own = (self.layers[context.quote],)
            place = self._builder.place(target, entry.kind, own, entry.query)
            is_single = entry.kind is Kind.SINGLE and not target.bases
            way = _Way.SINGLE if is_single else _Way.WHOLE
        row = _Row(entry, target, place, way, is_id)
        if len(self._rows) < _KEPT:  # documents can spell tags in unlimited ways
            self._rows[context] = row
        return row

    def target(self, element: XMLElement, attribute: str) -> Target:
        """Return the target of an attribute by its name as written, or of the text of an element by "".

        Browsers ignore ``xml:base``, feed readers follow it (RFC 4287, 2). It applies to the other attributes of its
        element, but not to itself. Links of literal result elements are relative to the result (XSLT 3.0, 11.1).
        """
        namespace, is_web = element.namespace, element.namespace in WEB_NAMESPACES
        bases = element.bases
        if attribute == XML_BASE:
            bases = bases[:-1]
        elif self.is_stylesheet and namespace != XSLT:
            bases = (UNKNOWN_BASE,)
        elif is_web and not self.is_feed:
            bases = ()
        target = Target(element.name, namespace, attribute, "xml", bases, feed=self.is_feed)
        is_style = (attribute or element.local) == "style"
        return target._replace(
            sets_base=self._is_base(target) and not element.is_inert,
            hashed=self.hashes_styles and is_style and is_web,
        )

    def _is_base(self, target: Target) -> bool:
        is_href = (target.namespace, target.attribute) == (HTML, "href")
        return is_href and self.is_page and target.element.rpartition(":")[2] == "base"


def _chosen(offsets: Sequence[int]) -> Starts:
    return lambda indices: [offsets[index] for index in indices]


def has_tags(text: bytes) -> bool:
    """Return whether the value of a text can contain tags."""
    return any(mark in text for mark in _TAG_BEGINS)


MIXED = "there is markup in the middle of it"
_SPACE = " \t\r\n"


def mixed_links(
    builder: Builder,
    content: XMLContent,
    text: str,
    layer: Layer,
    html: HTMLFinder,
    target: Target,
    entry: Entry,
) -> Iterable[Batch | Link]:
    """Return the links of a text whose spelling contains markup.

    Args:
        builder: source and lines of the document.
        content: the text.
        text: its spelling.
        layer: the layer of a piece that is no section.
        html: finds the links of HTML.
        target: the element of the text.
        entry: the row of the table for the text.

    """
    found = [*pieces(text)]
    unit, start = builder.charset.unit, builder.byte_offset(content.start)
    octets = builder.slice(content.start, content.end)
    points = CodePoints(builder.charset, octets, builder.state(start))
    # The byte offsets of the pieces. Escape sequences after a mark of ASCII belong to the piece.
    starts = [start + (points[p.start - 1] + unit if p.start else 0) for p in found]
    ends = [start + points[piece.end] for piece in found]
    first, last, fixed = content.start, content.end, entry.fixed
    number = _only_piece(text, found)
    is_joined = number is None and entry.kind is Kind.DOCUMENT
    own = layer
    if number is not None:
        origin = builder.origin
        first, last = (starts[number] - origin) // unit, (ends[number] - origin) // unit
        own = CDATA if found[number].is_section else layer
    elif is_joined:
        own = layers.XHTML_MIXED if layer is layers.XHTML_TEXT else layers.XML_MIXED
    else:
        fixed = fixed or MIXED
    value = builder.value(first, last, own, fixed=fixed, instead=lambda: content.value)
    links = links_of_value(html, value, value.slot, target, entry)
    return _in_pieces(links, found, starts, ends, layer) if is_joined else links


def _only_piece(text: str, found: list[Piece]) -> int | None:
    """Return the only piece that is not white space, or a section if there is none; None if there are several."""
    filled = [n for n, piece in enumerate(found) if text[piece.start : piece.end].strip(_SPACE)]
    if not filled:
        filled = [n for n, piece in enumerate(found) if piece.is_section] or [0]
    start, end, is_section = found[filled[0]]
    return None if len(filled) > 1 or (not is_section and "<" in text[start:end]) else filled[0]


def _in_pieces(
    links: Iterable[Batch | Link],
    found: list[Piece],
    starts: list[int],
    ends: list[int],
    layer: Layer,
) -> Iterator[Link]:
    """Yield links in the layers of their pieces."""
    places: dict[tuple[Place, Layer], Place] = {}
    each = (one.links() if isinstance(one, Batch) else [one] for one in links)
    for link in chain.from_iterable(each):
        number = bisect_right(starts, link.start) - 1
        if link.fixed:
            yield link
        elif link.end > ends[number]:
            yield link._replace(fixed=MIXED)
        else:
            own = CDATA if found[number].is_section else layer
            key = link.place, own
            if key not in places:
                places[key] = replace(link.place, layers=(*link.place.layers[:-1], own))
            yield link._replace(place=places[key])
