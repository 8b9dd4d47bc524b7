"""Find the links among the elements of XML, by the vocabularies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.errors import LinkfixError
from linkfix.links import prolog
from linkfix.links.html import HTMLFinder
from linkfix.links.kinds import links_of_value
from linkfix.links.link import Kind, Link
from linkfix.links.schemas.document import DocumentTypes
from linkfix.links.scope import EVERYTHING
from linkfix.links.selectors import Element
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
from linkfix.links.xmlvalues import XHTML_LAYERS, XSLT, XMLValues, applies
from linkfix.markup.layers import (
    CDATA,
)
from linkfix.markup.xmlelements import XMLNS_NAMESPACE, Interest
from linkfix.markup.xmlevents import XMLContent, XMLElement, XMLInstruction, XMLRun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from linkfix.links.builder import Builder
    from linkfix.links.schemas import ElementType
    from linkfix.links.scope import Scope
    from linkfix.links.value import Value
    from linkfix.markup.xmlevents import XMLAttribute, XMLDoctype, XMLEvent
    from linkfix.markup.xmlskipping import Sought

__all__ = ["XMLFinder"]

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
_UNQUOTED = "there are no quotes around it"


class XMLFinder:
    """Find links in the elements of an XML document.

    Args:
        builder: of the document.
        names: the set to which the names that fragments can lead to are added; None for none.
        scope: what counts as a link.
        settings: how the document is read.
        declarations: whether the names of namespaces are given where they are declared.

    Attributes:
        signature: byte offset, line and column of the first XML Signature; None for none so far.

    """

    def __init__(
        self,
        builder: Builder,
        names: set[str] | None = None,
        scope: Scope = EVERYTHING,
        settings: XMLSettings | None = None,
        *,
        declarations: bool = False,
    ) -> None:
        self._builder = builder
        self._fragments = names
        #: The attributes that name places, where somebody asks.
        self._places = _PLACES if names is not None else frozenset[str]()
        self._scope = scope
        self._declarations = declarations
        self._html = HTMLFinder(builder, scope=scope)
        self._settings = settings or XMLSettings()
        self._types = DocumentTypes.of(self._settings)
        self._found: ElementType | None = None
        self._values = XMLValues(builder, self._html)
        self.signature: tuple[int, int, int] | None = None
        #: Why the schema that the document names cannot be used, with the place of the root element.
        self._schema_problem: LinkfixError | None = None

    def take_schema_problem(self) -> LinkfixError | None:
        """Return why the schema that the document names cannot be used, once; None for no reason."""
        problem, self._schema_problem = self._schema_problem, None
        return problem

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
        values = self._values
        if values.root is None:
            values.root = without_namespace(local) if not namespace else ""
        return (namespace or values.root, local) in xml_table().contents

    def _wanted_attributes(
        self, namespace: str, local: str, bindings: Mapping[str, str]
    ) -> frozenset[str] | None:
        """Give the names of attributes without which an element holds nothing; None to see it."""
        if namespace == SIGNATURE or self._scope.add or _are_unusual(bindings):
            return None
        under = frozenset(bindings.items())
        return wanted_attributes(namespace or self._values.root or "", local, under, self._places)

    def _sought(self, bindings: Mapping[str, str], _is_usual: bool) -> Sought | None:
        """Give all names that matter under certain namespaces; None where every tag does."""
        if self._scope.add or _are_unusual(bindings) or SIGNATURE in bindings.values():
            return None
        under = frozenset(bindings.items())
        simple = not self._scope.restricts
        return sought(
            under, self._values.root or "", self._places, None, self._declarations, simple
        )

    def _typed(self) -> Callable[[XMLElement], bool] | None:
        """Give what tells for each element whether its text is wanted, where there is a schema."""
        if self._types is None:
            return None
        has_content = self._types.has_content
        return lambda element: (
            has_content(element) or self._wants_text(element.namespace, element.local)
        )

    def links(self, events: Iterable[XMLEvent]) -> list[Link]:
        """Give the links of events of the scanner, in the order of the document."""
        links: list[Link] = []
        for event in events:
            if isinstance(event, XMLRun):
                links += self._values.links(event.values)
            elif isinstance(event, XMLElement):
                links += self._of_attributes(event)
            elif isinstance(event, XMLContent):
                links += self._of_content(event)
            elif isinstance(event, XMLInstruction):
                links += prolog.of_instruction(self._builder, event)
            else:
                links += self._of_doctype(event)
        return links

    def _of_doctype(self, doctype: XMLDoctype) -> Iterable[Link]:
        if prolog.has_xhtml_entities(doctype):
            self._values.layers = XHTML_LAYERS
        return prolog.of_doctype(self._builder, doctype) if self._settings.dtd else ()

    def _of_attributes(self, element: XMLElement) -> Iterator[Link]:
        found = self._found = self._types.next() if self._types is not None else None
        if not element.depth:
            simplified = any(a.namespace == XSLT for a in element.attributes)
            self._values.is_stylesheet = simplified or element.namespace == XSLT
            self._note_problem(element)
        if element.namespace == SIGNATURE and self.signature is None:
            start = self._builder.byte_offset(element.start)
            self.signature = (start, *self._builder.move(start))
        rows = self._rows_of(element.namespace, element.local)
        if self._fragments is not None:
            self._fragments.update(self._value_of(a) for a in element.attributes if a.local == "id")
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
            yield from self._of_attribute(element, attribute, target, entry)

    def _note_problem(self, root: XMLElement) -> None:
        problem = None if self._types is None else self._types.problem
        if problem is None:
            return
        offset = self._builder.byte_offset(root.start)
        line, column = self._builder.move(offset)
        about = f" {problem.file}" if problem.file else ""
        self._schema_problem = LinkfixError(
            f"the schema{about} that it names cannot be used: {problem.message}",
            hint=problem.hint or "correct the schema or the catalog",
            offset=offset,
            line=line,
            column=column,
        )

    def _of_attribute(
        self, element: XMLElement, attribute: XMLAttribute, target: Target, entry: Entry
    ) -> Iterable[Link]:
        start, end, quote = attribute.start, attribute.end, attribute.quote
        if start is None or end is None:
            start = end = element.start
            fixed = _IN_DTD
        elif not quote:
            fixed = _UNQUOTED
        else:
            place = self._values.place(target, entry, quote) if attribute.spelling else None
            links = [] if place is None else self._values.whole(start, end, place)
            if links:
                return links
            fixed = self._values.fixed(target, lambda: attribute.value)
        layer = self._values.layers[quote or '"']
        value = self._builder.value(start, end, layer, fixed=fixed, instead=lambda: attribute.value)
        return links_of_value(self._html, value, value.slot, target, entry)

    def _choose(
        self, element: XMLElement, attribute: str, entries: Iterable[Entry]
    ) -> Entry | None:
        """Give the row that counts for an attribute, the user's choice before the tables'."""
        scope = self._scope

        def values() -> dict[str, str]:
            return {each.name: each.value for each in element.attributes}

        if not scope.add and not scope.restricts:
            return next((entry for entry in entries if applies(entry, values)), None)

        def value_of(name: str) -> str | None:
            return next(
                (self._value_of(a) for a in element.attributes if a.name.lower() == name), None
            )

        described = Element(element.name, value_of, is_html=False)
        chosen = scope.added(described, attribute) if scope.add else None
        if chosen is None:
            chosen = next((entry for entry in entries if applies(entry, values)), None)
        if chosen is None or not scope.restricts:
            return chosen
        return chosen if scope.allows(described, attribute) else None

    def _rows_of(
        self, namespace: str, local: str
    ) -> Mapping[str | tuple[str, str], tuple[Entry, ...]]:
        return xml_rows(namespace or self._values.root or "", local)

    def _value_of(self, attribute: XMLAttribute) -> str:
        """Give the value of an attribute; the scanner's view may not show all of it."""
        if attribute.start is None or attribute.end is None or attribute.value.isascii():
            return attribute.value
        layer = self._values.layers[attribute.quote or '"']
        value = self._builder.value(attribute.start, attribute.end, layer)
        return attribute.value if value.fixed else value.slot.value

    def _of_content(self, content: XMLContent) -> Iterable[Link]:
        element = content.element
        key = (element.namespace or self._values.root or "", element.local)
        entry = xml_table().contents.get(key)
        entries: tuple[Entry, ...] = () if entry is None else (entry,)
        if entry is None and self._found is not None and self._found.content is not None:
            entries = self._found.content.entries(content.value)
        entry = self._choose(element, "", entries)
        if entry is None:
            return ()
        if entry.kind is Kind.DOCUMENT and self._is_plain(content):
            return ()
        target = Target(element.name, element.namespace, "", "xml", element.bases)
        place = self._values.place(target, entry, "") if content.spelling else None
        if place is not None and content.literal:
            links = self._values.whole(content.start, content.end, place)
            if links:
                return links
        value = self._content(content)
        return links_of_value(self._html, value, value.slot, target, entry)

    def _spelling(self, content: XMLContent) -> str:
        return content.spelling or self._builder.text(content.start, content.end)

    def _is_plain(self, content: XMLContent) -> bool:
        """Tell whether it is plain to see that a text holds no tags once it is read."""
        text = self._spelling(content) if content.literal else content.value
        return not any(mark in text for mark in _TAG_BEGINS)

    def _content(self, content: XMLContent) -> Value:
        start, end, layer, fixed = content.start, content.end, self._values.layers[""], ""
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


def _one_cdata_section(text: str) -> tuple[int, int] | None:
    """Give the span of the only thing there is in the text of an element, a CDATA section."""
    inner = text.strip(" \t\r\n")
    if not inner.startswith("<![CDATA[") or inner.find("]]>") != len(inner) - 3:
        return None
    start = text.index("<![CDATA[") + 9
    return start, text.rindex("]]>")
