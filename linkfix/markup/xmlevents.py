"""The events of XML: elements, their texts, values without elements, and the parts of the prolog."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from linkfix.markup.xmlvalues import attribute_value, character_data

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Limits", "XMLAttribute", "XMLContent", "XMLContext", "XMLDoctype", "XMLElement", "XMLEvent", "XMLInstruction", "XMLValues"]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limits:
    """What a document may need; one that needs more is refused.

    Attributes:
        token: bytes of a tag, a comment or the text of a link element.
        depth: open elements.
        attributes: attributes of one element, defaults included.
        name: code points of the name of an element or attribute.

    """

    token: int = 64 * 1024 * 1024
    depth: int = 10_000
    attributes: int = 10_000
    name: int = 50_000


class XMLAttribute(NamedTuple):
    """One attribute of an element, declarations of namespaces included.

    Attributes:
        name: as written, with its prefix.
        namespace: namespace name, "" for none (or for a prefix that is not bound).
        local: the name without its prefix.
        start: where the value begins, without its quote, as an offset in the view; None for an
            attribute that is not in the document (a default, or part of an entity's replacement).
        end: where the value ends, likewise.
        quote: the quote around it, "" for none.
        spelling: the value as the document spells it.
        expanded: the value with entities expanded, where it does not follow from the spelling;
            U+FFFD for what the view does not show.

    """

    name: str
    namespace: str
    local: str
    start: int | None
    end: int | None
    quote: str
    spelling: str
    expanded: str | None = None

    @property
    def value(self) -> str:
        """The value with entities expanded."""
        return attribute_value(self.spelling) if self.expanded is None else self.expanded


class XMLElement(NamedTuple):
    """A start tag or an empty-element tag.

    Attributes:
        name: as written, with its prefix.
        namespace: namespace name, "" for none.
        local: the name without its prefix.
        attributes: in order of the document; defaults last.
        depth: how many elements are open around it: 0 for the root element; of others the number is
            right only where every element is returned (`Interest.everything`).
        start: where its ``<`` is, as an offset in the view.
        bases: the values of the ``xml:base`` attributes in force, the outermost first, its own last.
        type: namespace and local name of the type that ``xsi:type`` names; None where it names none, or where
            elements are returned for what they contain.

    """

    name: str
    namespace: str
    local: str
    attributes: tuple[XMLAttribute, ...]
    depth: int
    start: int
    bases: tuple[str, ...] = ()
    type: tuple[str, str] | None = None


class XMLContent(NamedTuple):
    """The text of an element that was asked for and that has no child elements.

    Attributes:
        element: the element.
        start: where its content begins, as an offset in the view.
        end: where its end tag begins.
        literal: whether the content is in the document itself (not in an entity).
        spelling: the content as the document spells it.
        expanded: the character data, with entities expanded, where it does not follow from the
            spelling; "" from the lenient scanner.

    """

    element: XMLElement
    start: int
    end: int
    literal: bool
    spelling: str
    expanded: str | None = None

    @property
    def value(self) -> str:
        """The character data, with entities expanded."""
        return character_data(self.spelling) if self.expanded is None else self.expanded


@dataclass(frozen=True, slots=True, eq=False)
class XMLContext:
    """What surrounds a value, which is all that matters of its element.

    All values that are written alike under the same namespaces and bases share one context.

    Attributes:
        element: name of the element, as written.
        namespace: its namespace name, "" for none.
        local: its name without prefix.
        attribute: name of the attribute, as written; "" for the text of the element.
        key: the attribute's local name, with its namespace name where it has one.
        quote: what is around the value: the attribute's quote; for text "" or, where it is all in
            a CDATA section, ``[``.
        values: of the attributes, by name, where the value is text.
        bases: as in `XMLElement`.

    """

    element: str
    namespace: str
    local: str
    attribute: str
    key: str | tuple[str, str]
    quote: str
    values: Mapping[str, str]
    bases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class XMLValues:
    """Values without their elements, in the order of the document, as columns of the same length.

    Attributes:
        contexts: what surrounds each value.
        starts: where each value begins, as an offset in the view, its quote or section mark left out.
        views: the bytes of each value in the view.

    """

    contexts: list[XMLContext]
    starts: list[int]
    views: list[bytes]


@dataclass(frozen=True, slots=True)
class XMLInstruction:
    """A processing instruction before the root element.

    Attributes:
        target: its target.
        start: where what follows the target begins, as an offset in the view.
        end: where its ``?>`` is.

    """

    target: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class XMLDoctype:
    """A document type declaration.

    Attributes:
        name: of the root element that it declares.
        public: the public identifier, "" for none.
        system: the system identifier, "" for none.
        start: where the system literal begins, without its quote, as an offset in the view; None
            where there is none.
        end: where it ends.
        quote: the quote around it.
        entities: whether its internal subset declares general entities.

    """

    name: str
    public: str
    system: str
    start: int | None
    end: int | None
    quote: str
    entities: bool


XMLEvent = XMLElement | XMLContent | XMLValues | XMLInstruction | XMLDoctype
