"""Find the links among the elements of XML, by the vocabularies.

Input: events of the scanner. Output: batches and single links, in the order of the document. The tables define
which values are links; the user's choice, a schema and the declarations of namespaces add others. The scanner returns
most values without their elements, for `ValueFinder`; of other elements every attribute is looked up.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.links.batch import Batch
from linkfix.links.builder import Builder, Target
from linkfix.links.html.hashes import hashed
from linkfix.links.link import WEB_NAMESPACES, Kind, Link
from linkfix.links.names_data import XHTML
from linkfix.links.parts import BEGINNING, BEGINNINGS, UNKNOWN, looks_like_links
from linkfix.links.schemas import ElementType, Schema
from linkfix.links.schemas.model import SKIPPED, Use
from linkfix.links.scope import EVERYTHING, Scope
from linkfix.links.settings import XMLSettings
from linkfix.links.table import Entry, xml_table
from linkfix.links.xml.values import (
    XHTML_LAYERS,
    XSLT,
    ValueFinder,
    has_tags,
    mixed_links,
    names_target,
)
from linkfix.links.xml.wanted import SIGNATURE, LinkInterest
from linkfix.markup.html.elements_data import HTML
from linkfix.markup.layers import RAW_TEXT, XML_DOUBLE, XML_LITERAL, XML_SINGLE, Layer
from linkfix.markup.xml.elements import XMLNS_NAMESPACE, XSI_NAMESPACE
from linkfix.markup.xml.events import (
    XMLAttribute,
    XMLContent,
    XMLDoctype,
    XMLElement,
    XMLEvent,
    XMLInstruction,
    XMLValues,
    pseudo_attributes,
)

_NOT_FOUND = "add it to the catalog, or name its file with --schema"


class DocumentTypes:
    """Find out the types of elements, one after the other.

    Args:
        settings: the schema, or the catalog that finds the schema of the document.

    Attributes:
        problem: the problem of the schema that the document names; None for no problem, or no schema.

    """

    def __init__(self, settings: XMLSettings) -> None:
        self.problem: LinkfixError | None = None
        self._settings = settings
        self._schema: Schema | None = None
        #: The types of the open elements.
        self._open: list[ElementType] = []

    def type_of(self, element: XMLElement) -> ElementType | None:
        """Return the type of the next element of the document; None if there is no schema."""
        if not element.depth:
            self._schema = self._settings.schema or self._named(element)
        schema = self._schema
        if schema is None:
            return None
        del self._open[element.depth :]
        found = None if element.type is None else schema.types.get(element.type)
        if found is None:
            parent = self._open[-1] if self._open else schema.top
            found = parent.child((element.namespace, element.local)) or SKIPPED
        self._open.append(found)
        return found

    def _named(self, root: XMLElement) -> Schema | None:
        """Return the schema that the document names, or that its namespace has; None for none."""
        catalog, locations, schema = self._settings.catalog, _locations(root), None
        try:
            schema = None if catalog is None else catalog.schema_of(locations)
            if schema is None and catalog is not None and locations:
                raise UnreadableError(
                    "the catalog has no file for it", hint=_NOT_FOUND, file=locations[0]
                )
        except UnreadableError as error:
            about = f" {error.file}" if error.file else ""
            self.problem = LinkfixError(
                f"the schema{about} that it names cannot be used: {error.message}",
                hint=error.hint or "correct the schema or the catalog",
            )
        return schema


def _locations(root: XMLElement) -> list[str]:
    """Return the locations of a document's schema, and its namespace (XML Schema Part 1, 4.3.2)."""
    values = {a.local: a.value.split() for a in root.attributes if a.namespace == XSI_NAMESPACE}
    pairs = values.get("schemaLocation", [])
    own = [
        uri
        for at in range(0, len(pairs) - 1, 2)
        if pairs[at] == root.namespace
        for uri in (pairs[at + 1], pairs[at])
    ]
    return own + values.get("noNamespaceSchemaLocation", [])


#: The row of a declaration of a namespace (3987bis, 5.3.1).
_DECLARATION = (Entry(Kind.IDENTITY, "document", (), "Namespaces in XML 1.0, 3"),)
_IN_DTD = "it is not in the document itself but in its DTD"
_IN_ENTITY = "it is not in the document itself but in an entity"
_HAS_CHILD = "there is an element in the middle of it"
_UNQUOTED = "there are no quotes around it"


class XMLFinder(ValueFinder):
    """Find links in the elements of an XML document.

    Args:
        builder: source and lines of the document.
        names: the set to which the targets of fragments are added; None to add none.
        scope: which values count as links.
        settings: how the document is read.

    Attributes:
        interest: decides which elements and values the scanner returns.
        signature: byte offset, line and column of the first XML Signature; None for none so far.
        problem: the problem of the schema that the document names, with line and column of the root element; None for none.

    """

    def __init__(
        self,
        builder: Builder,
        names: set[str] | None = None,
        scope: Scope = EVERYTHING,
        settings: XMLSettings | None = None,
    ) -> None:
        self._settings = settings or XMLSettings()
        super().__init__(builder, names, scope, unknown=self._settings.unknown)
        has_types = self._settings.schema or self._settings.catalog
        self._types = DocumentTypes(self._settings) if has_types else None
        self._type: ElementType | None = None
        self.interest: LinkInterest = LinkInterest(
            self._types is not None,
            self._settings.declarations,
            BEGINNINGS if self._settings.unknown else b"",
            scope,
            names is not None,
        )
        self.signature: tuple[int, int, int] | None = None
        self.problem: LinkfixError | None = None

    def links(self, events: Iterable[XMLEvent]) -> Iterator[Batch | Link]:
        """Yield the links of events of the scanner, in the order of the document."""
        for event in events:
            if isinstance(event, XMLValues):
                yield from self._of_values(event)
            elif isinstance(event, XMLElement):
                yield from self._of_attributes(event)
            elif isinstance(event, XMLContent):
                yield from self._of_content(event)
            elif isinstance(event, XMLInstruction):
                if self._scope.links:
                    yield from _of_instruction(self._builder, event)
            else:
                yield from self._of_doctype(event)

    def _of_doctype(self, doctype: XMLDoctype) -> Iterator[Link]:
        """Yield the system identifier of a document type declaration (XML 1.0, 4.2.2)."""
        if doctype.public in XHTML and not doctype.entities:  # browsers define its entities
            self.layers: Mapping[str, Layer] = XHTML_LAYERS
        if self._settings.dtd and self._scope.links and doctype.span is not None:
            value = self._builder.value(*doctype.span, XML_LITERAL)
            target = Target("!DOCTYPE", "", "SYSTEM", "xml")
            yield value.link(value.slot, target, Kind.SINGLE, "document")

    def _of_attributes(self, element: XMLElement) -> Iterator[Batch | Link]:
        self._type = None if self._types is None else self._types.type_of(element)
        if not element.depth:
            self.is_feed: bool = element.vocabulary in xml_table(self._scope.conventions).feeds
            simplified = any(a.namespace == XSLT for a in element.attributes)
            self.is_stylesheet: bool = simplified or element.namespace == XSLT
            self.is_page: bool = element.namespace in WEB_NAMESPACES and not simplified
            self.problem = None if self._types is None else self._types.problem
            if self.problem is not None:
                self.problem.offset = start = self._builder.byte_offset(element.start)
                self.problem.line, self.problem.column = self._builder.move(start)
        if element.namespace == SIGNATURE and self.signature is None:
            start = self._builder.byte_offset(element.start)
            self.signature = (start, *self._builder.move(start))
        if self._names is not None:
            for a in element.attributes:
                if names_target(element, a.key):
                    self._names.add(self._value_of(a))
        if not self._scope.links:
            return
        if (element.namespace, element.local) == (HTML, "meta"):
            values = {a.name: self._value_of(a) for a in element.attributes}
            if "style" in hashed(values.get):
                self.hashes_styles = True
                self._rows.clear()
        attributes = element.attributes
        if (
            attributes and attributes[-1].start is None
        ):  # defaults are located at the start of the tag
            attributes = tuple(sorted(attributes, key=lambda a: a.start or 0))
        for attribute in attributes:
            yield from self._of_attribute(element, attribute)

    def _of_attribute(self, element: XMLElement, attribute: XMLAttribute) -> Iterable[Batch | Link]:
        entries, use = self._listed(element, attribute.key), None
        if attribute.namespace == XMLNS_NAMESPACE:
            if self._settings.declarations and attribute.value:
                entries = _DECLARATION
        else:
            if self._type is not None:
                use = self._type.attribute((attribute.namespace, attribute.local))
                entries = _typed(element, entries, use, lambda: self._value_of(attribute))
            if self._settings.unknown and not (entries or use or attribute.local == "id"):
                entries = (UNKNOWN,) if self._looks_like_links(attribute) else ()
        entry = self._choose(element, attribute.name, entries)
        if entry is None:
            return ()
        start, end, quote, fixed = attribute.start, attribute.end, attribute.quote, ""
        if start is None or end is None:
            start = end = element.start
            fixed = _IN_DTD
        elif not quote:
            fixed = _UNQUOTED
        target, read = self.target(element, attribute.name), lambda: attribute.value
        return self.split(start, end, quote or '"', target, entry, read, fixed)

    def _looks_like_links(self, attribute: XMLAttribute) -> bool:
        """Return whether an attribute in the document looks like links, in its spelling and in its value."""
        if attribute.start is None or attribute.end is None:
            return False
        spelling = attribute.spelling or self._builder.text(attribute.start, attribute.end)
        begins = BEGINNING.match(spelling.encode("utf-8", "replace")) is not None
        return begins and looks_like_links(self._value_of(attribute))

    def _of_content(self, content: XMLContent) -> Iterable[Batch | Link]:
        element = content.element
        entries = self._listed(element, "")
        use = None if self._type is None else self._type.content
        entry = self._choose(element, "", _typed(element, entries, use, lambda: content.value))
        if entry is None:
            return ()
        text = content.value
        if content.literal:
            text = content.spelling or self._builder.text(content.start, content.end)
        shown = text + (content.expanded or "")  # tags may be in an entity
        if entry.kind is Kind.DOCUMENT and not has_tags(shown.encode(errors="replace")):
            return ()
        target = self.target(element, "")
        if content.literal and content.is_whole and "<" in text:
            layer = self.layers[""]
            return mixed_links(self._builder, content, text, layer, self.html, target, entry)
        fixed = "" if content.literal else _IN_ENTITY
        if not content.is_whole:
            if entry.kind is Kind.DOCUMENT or not text.strip():
                return ()
            fixed = _HAS_CHILD
        start, end, read = content.start, content.end, lambda: content.value
        return self.split(start, end, "", target, entry, read, fixed)


def _typed(
    element: XMLElement, listed: tuple[Entry, ...], use: Use | None, read: Callable[[], str]
) -> tuple[Entry, ...]:
    """Return the rows for a value: those of the tables, with the type that a schema says; else those of the schema.

    Browsers know no schema, so the type does not matter in the namespaces that they read.

    Args:
        element: of the value.
        listed: the rows of the tables.
        use: what the schema says; None for nothing.
        read: returns the value.

    """
    typed = () if use is None else use.entries(read())
    if not listed:
        return typed
    if not any(entry.collapses for entry in typed) or element.namespace in WEB_NAMESPACES:
        return listed
    return tuple(entry._replace(collapses=True) for entry in listed)


def _of_instruction(builder: Builder, instruction: XMLInstruction) -> Iterator[Link]:
    """Yield the ``href`` of an ``xml-stylesheet`` instruction.

    Browsers and the query-encoding tests of the Web Platform disagree on its query.
    """
    if instruction.target != "xml-stylesheet":
        return
    value = builder.value(instruction.start, instruction.end, RAW_TEXT)
    found = pseudo_attributes(value.slot.value).get("href")
    if found is not None:
        start, end, quote = found
        slot = value.slot.part(start, end, XML_DOUBLE if quote == '"' else XML_SINGLE)
        target = Target("?xml-stylesheet", "", "href", "xml")
        yield value.link(slot, target, Kind.SINGLE, "disputed")
