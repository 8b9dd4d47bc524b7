"""The automaton of a schema: it maps the type of an element and the name of a child to the type of the child.

A document has one state for each open element. So the memory is bounded by the schema and the depth of the document.
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
    """An attribute or a text of type anyURI.

    Attributes:
        entry: its row, as in a table of links.
        kind_of: for a union, maps a value to its kind, None for no link; None if all values are of the kind of the
            row.

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
    """Return the `Use` for a kind and the standard that defines it."""
    return Use(Entry(kind, "document", (), source), kind_of)


@dataclass(slots=True, eq=False)
class ElementType:
    """The attributes, the text and the children that an element may have.

    Attributes:
        attributes: maps the name of an attribute, a string if it has no namespace, to its use.
        content: the use of its text; None where that is no anyURI.
        children: the types of child elements.
        lax: whether other children have the type of their global declaration, if there is one.
        other: maps the name of a child that is not in `children` to its type, if names have classes; None for none.

    """

    attributes: dict[str | Name, Use] = field(default_factory=dict)
    content: Use | None = None
    children: dict[Name, ElementType] = field(default_factory=dict)
    lax: bool = False
    other: Callable[[Name], ElementType | None] | None = None


#: The type of an element that the schema does not mention.
UNKNOWN = ElementType(lax=True)
#: The type of an element whose content the schema skips.
SKIPPED = ElementType()


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """A compiled schema.

    Attributes:
        elements: the types of global elements.
        types: the named types, for ``xsi:type``.

    """

    elements: Mapping[Name, ElementType]
    types: Mapping[Name, ElementType] = field(default_factory=dict)

    def walker(self) -> Walker:
        """Return a walker for one document."""
        return Walker(self)


class Walker:
    """Follow a document through the automaton of its schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._stack: list[ElementType] = []

    def enter(self, element: XMLElement) -> ElementType:
        """Return the type of the next element of the document."""
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
