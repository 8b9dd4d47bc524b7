"""The automaton of a schema: from the type of an element and the name of a child to its type.

A document goes through it with one state for each open element, so the memory that it takes is
bounded by the schema and the depth of the document.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from linkfix.links.table import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from linkfix.links.link import Kind
    from linkfix.markup.xmlevents import XMLElement

__all__ = ["ElementType", "Name", "Schema", "Use", "Walker", "use"]

#: Namespace name and local name.
Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Use:
    """A place whose values are of type anyURI.

    Attributes:
        entry: the row that it would have in a table of links.
        kind_of: says of a value as what kind of link it is read, None for no link, where the type is a union;
            None where all values are of the kind of the row.

    """

    entry: Entry
    kind_of: Callable[[str], Kind | None] | None = None

    def entries(self, value: str) -> tuple[Entry, ...]:
        """Return the row for a value, if it is an anyURI."""
        kind = self.entry.kind if self.kind_of is None else self.kind_of(value)
        if kind is None:
            return ()
        return (self.entry if kind is self.entry.kind else replace(self.entry, kind=kind),)


def use(kind: Kind, source: str, kind_of: Callable[[str], Kind | None] | None = None) -> Use:
    """Make a `Use` of a kind, defined in a schema."""
    return Use(Entry(kind, "document", (), source), kind_of)


@dataclass(slots=True, eq=False)
class ElementType:
    """What an element may hold.

    Attributes:
        attributes: name (a plain one without a namespace) to the use of the attribute.
        content: the use of its text; None where that is no anyURI.
        children: the types of child elements.
        lax: whether other children have the type of their global declaration, if there is one.
        other: gives the type of a child that is not among `children`, where names have classes.

    """

    attributes: dict[str | Name, Use] = field(default_factory=dict)
    content: Use | None = None
    children: dict[Name, ElementType] = field(default_factory=dict)
    lax: bool = False
    other: Callable[[Name], ElementType | None] | None = None


#: The type of an element that the schema does not speak of.
UNKNOWN = ElementType(lax=True)
#: The type of an element that the schema says is not to be looked into.
SKIPPED = ElementType()


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """A compiled schema.

    Attributes:
        elements: the types of elements that are declared globally.
        types: named types, which ``xsi:type`` can choose.

    """

    elements: Mapping[Name, ElementType]
    types: Mapping[Name, ElementType] = field(default_factory=dict)

    def walker(self) -> Walker:
        """Begin a document."""
        return Walker(self)


class Walker:
    """Follow a document through the automaton of its schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._stack: list[ElementType] = []

    def enter(self, element: XMLElement) -> ElementType:
        """Give the type of the next element of the document."""
        del self._stack[element.depth :]
        name = (element.namespace, element.local)
        found = None
        if element.type is not None:
            found = self._schema.types.get(element.type)
        if found is None:
            parent = self._stack[-1] if self._stack else UNKNOWN
            found = self._child(parent, name)
        self._stack.append(found)
        return found

    def _child(self, parent: ElementType, name: Name) -> ElementType:
        found = parent.children.get(name)
        if found is None and parent.other is not None:
            found = parent.other(name)
        if found is None and parent.lax:
            found = self._schema.elements.get(name, UNKNOWN)
        return SKIPPED if found is None else found
