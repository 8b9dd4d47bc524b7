"""The automaton of a schema: it maps the type of an element and the name of a child to the type of the child."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from linkfix.links.link import Kind
from linkfix.links.table import Entry

#: The most names that are cached for a type; a class of names allows unlimited ones.
_REMEMBERED = 1024
_AMBIGUOUS = "the schema allows other text than a URI in its place as well"

#: Namespace name and local name.
Name = tuple[str, str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Use:
    """The types that an attribute or a text may have.

    Attributes:
        entry: the row of values of type anyURI, as in a table of links; None for another type.
        kind_of: for a union, maps a value to its kind, None for no link; None if all values are of the kind of the
            row.
        only: the values that the type allows, in normal form; None for other restrictions, or none.
        others: the uses for the other types that the value may have instead.

    """

    entry: Entry | None = None
    kind_of: Callable[[str], Kind | None] | None = None
    only: frozenset[str] | None = None
    others: tuple[Use, ...] = ()

    def entries(self, value: str) -> tuple[Entry, ...]:
        """Return the row for a value; nothing if it is no anyURI.

        Where it may be an anyURI or another text, the row says that it is never rewritten.
        """
        readings = self._readings(value)
        links = [entry for entry in readings if entry is not None]
        if not links:
            return ()
        return (
            links[0]
            if len(readings) == 1
            else links[0]._replace(fixed=_AMBIGUOUS, collapses=False),
        )

    def _readings(self, value: str) -> dict[Entry | None, None]:
        """Return the rows that a value may have, as keys; None is the row of other text."""
        found: dict[Entry | None, None] = {}
        if self.only is None or " ".join(value.split()) in self.only:
            found[self._reading(value)] = None
        for other in self.others:
            found |= other._readings(value)
        return found

    def _reading(self, value: str) -> Entry | None:
        if self.entry is None or self.kind_of is None:
            return self.entry
        kind = self.kind_of(value)
        return None if kind is None else self.entry._replace(kind=kind)


#: The use of a text that is no anyURI.
TEXT = Use()


def either(uses: Iterable[Use]) -> Use | None:
    """Return the use of a value that has one of several uses; None if there are none."""
    distinct = [*dict.fromkeys(uses)]
    if len(distinct) < 2:
        return distinct[0] if distinct else None
    first, *others = distinct
    return replace(first, others=(*first.others, *others))


def use(kind: Kind, source: str, kind_of: Callable[[str], Kind | None] | None = None) -> Use:
    """Return the `Use` for a kind and the standard that defines it."""
    return Use(Entry(kind, "document", (), source, collapses=True), kind_of)


@dataclass(slots=True, eq=False)
class ElementType:
    """The attributes, the text and the children that an element may have.

    Attributes:
        attributes: maps the name of an attribute to its use.
        other_attribute: maps the name of an attribute that is not in `attributes` to its use, if names have classes;
            None for none.
        content: the use of its text; None for no text.
        children: the types of child elements.
        is_top: whether its children are the global elements. It is also the type of elements that the schema does not
            mention, so other children have it too.
        other: maps the name of a child that is not in `children` to its type, if names have classes; None for none.

    """

    attributes: dict[Name, Use] = field(default_factory=dict)
    other_attribute: Callable[[Name], Use | None] | None = None
    content: Use | None = None
    children: dict[Name, ElementType] = field(default_factory=dict)
    is_top: bool = False
    other: Callable[[Name], ElementType | None] | None = None

    def attribute(self, name: Name) -> Use | None:
        """Return the use of an attribute; None if it is not allowed."""
        use = self.attributes.get(name)
        return self.other_attribute(name) if use is None and self.other_attribute else use

    def child(self, name: Name) -> ElementType | None:
        """Return the type of a child; None if it is not allowed."""
        found = self.children.get(name)
        if found is None and self.other is not None:
            found = self.other(name)
        return self if found is None and self.is_top else found


def remembered(function: Callable[[Name], T]) -> Callable[[Name], T]:
    """Return the same function of names, with a cache."""
    return lru_cache(maxsize=_REMEMBERED)(function)


#: The type of an element whose content the schema skips.
SKIPPED = ElementType()


@dataclass(frozen=True, slots=True, eq=False)
class Schema:
    """A compiled schema.

    Attributes:
        top: the type whose children are the global elements (`ElementType.is_top`).
        types: the named types, for ``xsi:type``.

    """

    top: ElementType
    types: Mapping[Name, ElementType] = field(default_factory=dict)
