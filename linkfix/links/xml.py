"""Find the links among the elements of XML, by the vocabularies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.links import prolog
from linkfix.links.html import HTMLFinder, links_of_value
from linkfix.links.link import Kind, Link
from linkfix.links.schemas.document import DocumentTypes
from linkfix.links.scope import EVERYTHING
from linkfix.links.settings import XMLSettings
from linkfix.links.sought import SIGNATURE, sought, wanted_attributes
from linkfix.links.table import (
    PREFIXES,
    Entry,
    without_namespace,
    xml_rows,
    xml_table,
)
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
from linkfix.markup.xmlelements import XMLNS_NAMESPACE, Interest
from linkfix.markup.xmlevents import XMLContent, XMLDoctype, XMLElement, XMLInstruction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from linkfix.links.builder import Builder
    from linkfix.links.schemas import ElementType
    from linkfix.links.scope import Scope
    from linkfix.links.value import Value
    from linkfix.markup.layers import Layer
    from linkfix.markup.skipping import Clean
    from linkfix.markup.xmlevents import XMLAttribute, XMLEvent
    from linkfix.markup.xmltags import Sought

__all__ = ["XMLFinder"]

_LAYERS = {'"': XML_DOUBLE, "'": XML_SINGLE, "": XML_DOUBLE}
_XHTML_LAYERS = {'"': XHTML_DOUBLE, "'": XHTML_SINGLE, "": XHTML_DOUBLE}
_XSLT = "http://www.w3.org/1999/XSL/Transform"
#: Kinds of values that are one link.
_WHOLE = frozenset({Kind.SINGLE, Kind.IDENTITY, Kind.HASH_NAME})
#: What is read as it is spelled, whatever its layer, and has been decoded without an error.
_PLAIN = re.compile(r"[^&<\s\ufffd]+")
#: The most namespaces of a usual document, and code points in them and their prefixes.
_USUAL_BINDINGS, _USUAL_NAMES = 64, 8192
_PLACES = frozenset({"id", "xml:id"})
_BASE = (PREFIXES["xml"], "base")
#: What declares a namespace, by its name (3987bis, 5.3.1).
_DECLARATION = (Entry(Kind.IDENTITY, "document", (), "Namespaces in XML 1.0, 3"),)
_IN_DTD = "it is not in the document itself but in its DTD"
_IN_ENTITY = "it is not in the document itself but in an entity"
_MIXED = "there is markup in the middle of it"
#: What a "<" can be written as; other entities that hold one are not read here.
_TAG_BEGINS = ("<", "&lt;", "&LT;", "&#")
_IS_TEMPLATE = "it is an attribute value template, which only the transformation fills in"
_UNQUOTED = "there are no quotes around it"


class XMLFinder:
    """Find links in the elements of an XML document.

    Args:
        builder: of the document.
        on_name: called with each name that a fragment can lead to; None if nobody asks.
        scope: what counts as a link.
        settings: how the document is read.
        clean: the values that nobody needs to see; None to give every link.
        declarations: whether the names of namespaces are given where they are declared.

    Attributes:
        signature: byte offset, line and column of the first XML Signature; None for none so far.

    """

    def __init__(
        self,
        builder: Builder,
        on_name: Callable[[str], None] | None = None,
        scope: Scope = EVERYTHING,
        settings: XMLSettings | None = None,
        clean: Clean | None = None,
        *,
        declarations: bool = False,
    ) -> None:
        self._builder = builder
        self._on_name = on_name
        #: The attributes that name places, where somebody asks.
        self._places = _PLACES if on_name is not None else frozenset[str]()
        self._scope = scope
        self._clean = clean
        self._declarations = declarations
        self._html = HTMLFinder(builder, scope=scope, clean=clean)
        self._settings = settings or XMLSettings()
        self._types = DocumentTypes.of(self._settings)
        self._found: ElementType | None = None
        self._layers, self._text_layer = _LAYERS, XML_TEXT
        self._root: str | None = None
        self._is_stateless = not builder.charset.has_states
        self._is_stylesheet = False
        self.signature: tuple[int, int, int] | None = None

    @property
    def passed_inside(self) -> int:
        """How many clean links were passed over in the documents that values hold."""
        return self._html.passed_inside

    @property
    def interest(self) -> Interest:
        """What the scanner is to give."""
        return Interest(
            self._wants_text,
            self._wanted_attributes,
            self._sought,
            _is_usual,
            self._typed(),
            self._declarations,
        )

    def _wants_text(self, namespace: str, local: str) -> bool:
        """Tell whether the text of an element may be a link; the root is the first one asked for."""
        if self._root is None:
            self._root = without_namespace(local) if not namespace else ""
        return (namespace or self._root, local) in xml_table().contents

    def _wanted_attributes(
        self, namespace: str, local: str, bindings: Mapping[str, str]
    ) -> frozenset[str] | None:
        """Give the names of attributes without which an element holds nothing; None to see it."""
        if namespace == SIGNATURE or self._scope.add or _are_unusual(bindings):
            return None
        under = frozenset(bindings.items())
        return wanted_attributes(namespace or self._root or "", local, under, self._places)

    def _sought(self, bindings: Mapping[str, str], is_usual: bool) -> Sought | None:
        """Give all names that matter under certain namespaces; None where every tag does."""
        if self._scope.add or SIGNATURE in bindings.values() or _are_unusual(bindings):
            return None
        clean = self._clean if is_usual else None
        under = frozenset(bindings.items())
        return sought(under, self._root or "", self._places, clean, self._declarations)

    def _typed(self) -> Callable[[XMLElement], bool] | None:
        """Give what tells for each element whether its text is wanted, where there is a schema."""
        if self._types is None:
            return None
        has_content = self._types.has_content
        return lambda element: (
            has_content(element) or self._wants_text(element.namespace, element.local)
        )

    def links(self, event: XMLEvent) -> Iterator[Link]:
        """Give the links of one event of the scanner, in the order of the document."""
        if isinstance(event, XMLElement):
            yield from self._of_attributes(event)
        elif isinstance(event, XMLContent):
            yield from self._of_content(event)
        elif isinstance(event, XMLInstruction):
            yield from prolog.of_instruction(self._builder, event)
        else:
            self._take_doctype(event)
            if self._settings.dtd:
                yield from prolog.of_doctype(self._builder, event)

    def _take_doctype(self, doctype: XMLDoctype) -> None:
        if prolog.has_xhtml_entities(doctype):
            self._layers, self._text_layer = _XHTML_LAYERS, XHTML_TEXT

    def _of_attributes(self, element: XMLElement) -> Iterator[Link]:
        found = self._found = self._types.next() if self._types is not None else None
        if not element.depth:
            simplified = any(a.namespace == _XSLT for a in element.attributes)
            self._is_stylesheet = simplified or element.namespace == _XSLT
        if element.namespace == SIGNATURE and self.signature is None:
            start = self._builder.byte_offset(element.start)
            self.signature = (start, *self._builder.move(start))
        rows = self._rows_of(element.namespace, element.local)
        if self._on_name is not None:
            for attribute in element.attributes:
                if attribute.local == "id":
                    self._on_name(self._value_of(attribute))
        attributes = element.attributes
        if attributes and attributes[-1].start is None:  # defaults come where the tag begins
            attributes = tuple(sorted(attributes, key=lambda a: a.start or 0))
        for attribute in attributes:
            name = (attribute.namespace, attribute.local)
            key = name if attribute.namespace else attribute.local
            entries = rows.get(key, ())
            if found is not None and not entries:
                use = found.attributes.get(key)
                entries = () if use is None else use.entries(self._value_of(attribute))
            if self._declarations and attribute.namespace == XMLNS_NAMESPACE and attribute.value:
                entries = _DECLARATION
            if not entries and not self._scope.add:
                continue
            entry = self._choose(element, attribute.name, entries)
            if entry is None:
                continue
            # xml:base holds for the other attributes of its element, but not for itself.
            bases = element.bases[:-1] if name == _BASE else element.bases
            target = Target(element.name, element.namespace, attribute.name, "xml", bases)
            if self._is_plain_link(attribute.spelling, entry) and not self._is_stylesheet:
                layer = self._layers[attribute.quote]
                yield self._plain_link(attribute, target, entry, layer)
                continue
            value = self._attribute(element, attribute)
            yield from links_of_value(self._html, value, value.slot, target, entry)

    def _is_plain_link(self, spelling: str, entry: Entry) -> bool:
        """Tell whether a value is one link from end to end and spelled as itself."""
        return (
            entry.kind in _WHOLE and _PLAIN.fullmatch(spelling) is not None and self._is_stateless
        )

    def _plain_link(
        self, spelled: XMLAttribute | XMLContent, target: Target, entry: Entry, layer: Layer
    ) -> Link:
        builder = self._builder
        place = builder.place(target, entry.kind, (layer,), entry.query)
        first, last = spelled.start or 0, spelled.end or 0
        start, end = builder.byte_offset(first), builder.byte_offset(last)
        line, column = builder.move(start)
        return Link(start, end, line, column, spelled.spelling, builder.slice(first, last), place)

    def _choose(
        self, element: XMLElement, attribute: str, entries: Iterable[Entry]
    ) -> Entry | None:
        """Give the row that counts for an attribute, the user's choice before the tables'."""
        scope = self._scope
        if not scope.add and not scope.restricts:
            return next((entry for entry in entries if _applies(entry, element)), None)

        def value_of(name: str) -> str | None:
            return next(
                (a.value.lower() for a in element.attributes if a.name.lower() == name), None
            )

        chosen = scope.added(element.name, attribute, value_of) if scope.add else None
        if chosen is None:
            chosen = next((entry for entry in entries if _applies(entry, element)), None)
        if chosen is None or not scope.restricts:
            return chosen
        return chosen if scope.allows(element.name, attribute, value_of) else None

    def _rows_of(
        self, namespace: str, local: str
    ) -> Mapping[str | tuple[str, str], tuple[Entry, ...]]:
        return xml_rows(namespace or self._root or "", local)

    def _attribute(self, element: XMLElement, attribute: XMLAttribute) -> Value:
        layer = self._layers[attribute.quote]
        if attribute.start is None or attribute.end is None:
            return self._builder.value(
                element.start, element.start, layer, fixed=_IN_DTD, instead=lambda: attribute.value
            )
        fixed = "" if attribute.quote else _UNQUOTED
        if self._is_stylesheet and element.namespace != _XSLT and "{" in attribute.value:
            fixed = _IS_TEMPLATE
        return self._builder.value(
            attribute.start, attribute.end, layer, fixed=fixed, instead=lambda: attribute.value
        )

    def _value_of(self, attribute: XMLAttribute) -> str:
        """Give the value of an attribute; the scanner's view may not show all of it."""
        if attribute.start is None or attribute.end is None or attribute.value.isascii():
            return attribute.value
        value = self._builder.value(attribute.start, attribute.end, self._layers[attribute.quote])
        return attribute.value if value.fixed else value.slot.value

    def _of_content(self, content: XMLContent) -> Iterator[Link]:
        element = content.element
        key = (element.namespace or self._root or "", element.local)
        entry = xml_table().contents.get(key)
        entries: tuple[Entry, ...] = () if entry is None else (entry,)
        if entry is None and self._found is not None and self._found.content is not None:
            entries = self._found.content.entries(content.value)
        entry = self._choose(element, "", entries)
        if entry is None:
            return
        if entry.kind is Kind.DOCUMENT and content.literal and self._is_plain(content):
            return
        target = Target(element.name, element.namespace, "", "xml", element.bases)
        if self._is_plain_link(content.spelling, entry):
            yield self._plain_link(content, target, entry, self._text_layer)
            return
        value = self._content(content)
        yield from links_of_value(self._html, value, value.slot, target, entry)

    def _spelling(self, content: XMLContent) -> str:
        return content.spelling or self._builder.text(content.start, content.end)

    def _is_plain(self, content: XMLContent) -> bool:
        """Tell whether it is plain to see that a text holds no tags once it is read."""
        spelling = self._spelling(content)
        return not any(mark in spelling for mark in _TAG_BEGINS)

    def _content(self, content: XMLContent) -> Value:
        start, end, layer, fixed = content.start, content.end, self._text_layer, ""
        if not content.literal:
            fixed = _IN_ENTITY
        elif "<" in (text := self._spelling(content)):
            inner = _one_cdata_section(text)
            if inner is None:
                fixed = _MIXED
            else:
                layer = CDATA
                before, after = inner
                start += self._units(text[:before])
                end -= self._units(text[after:])
        return self._builder.value(start, end, layer, fixed=fixed, instead=lambda: content.value)

    def _units(self, text: str) -> int:
        charset = self._builder.charset
        return len(charset.encode(text)) // charset.unit


def _are_unusual(bindings: Mapping[str, str]) -> bool:
    """Tell whether so much is bound that nothing had better be remembered for it."""
    if len(bindings) > _USUAL_BINDINGS:
        return True
    return sum(map(len, bindings)) + sum(map(len, bindings.values())) > _USUAL_NAMES


def _is_usual(base: str) -> bool:
    """Tell whether a base has a web scheme, or none and so that of the base around it."""
    return ":" not in base or base.strip()[:5].lower() in {"http:", "https"}


def _applies(entry: Entry, element: XMLElement) -> bool:
    if not entry.when:
        return True
    values = {attribute.name: attribute.value for attribute in element.attributes}
    return all(values.get(name, "").lower() in wanted for name, wanted in entry.when)


def _one_cdata_section(text: str) -> tuple[int, int] | None:
    """Give the span of the only thing there is in the text of an element, a CDATA section."""
    inner = text.strip(" \t\r\n")
    if not inner.startswith("<![CDATA[") or inner.find("]]>") != len(inner) - 3:
        return None
    start = text.index("<![CDATA[") + 9
    return start, text.rindex("]]>")
