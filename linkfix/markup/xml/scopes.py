"""The namespaces and bases in force at the current position in a document of XML.

There is one dictionary of namespaces. A start tag adds its declarations; its end tag restores the previous ones. No
element has a copy of the dictionary: for nested elements with declarations, memory and time would grow with the square
of their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from linkfix.errors import LimitExceededError

if TYPE_CHECKING:
    from linkfix.markup.xml.events import XMLAttribute

XSI_NAMESPACE = "http://www.w3.org/2001/XMLSchema-instance"

#: The prefixes that an element declares, each with its namespace around the element, if it has one.
Before: TypeAlias = "list[tuple[str, str | None]]"

#: The most nested elements with an ``xml:base`` each.
MAX_BASES = 100


class InForce:
    """The namespaces in force at the current position in a document.

    Args:
        bindings: the namespaces in force around the root element, by prefix.

    Attributes:
        bindings: the namespaces in force now, by prefix.

    """

    def __init__(self, bindings: Mapping[str, str]) -> None:
        self.bindings: dict[str, str] = dict(bindings)

    def enter(self, declared: Mapping[str, str]) -> Before:
        """Add the declarations of an element; return the argument of `leave` at its end."""
        before = [(prefix, self.bindings.get(prefix)) for prefix in declared]
        self.bindings.update(declared)
        return before

    def leave(self, before: Before) -> None:
        """Restore the namespaces before an element; elements are left in the reverse order of `enter`."""
        for prefix, namespace in before:
            if namespace is None:
                del self.bindings[prefix]
            else:
                self.bindings[prefix] = namespace


def named_type(
    attributes: Iterable[XMLAttribute], bindings: Mapping[str, str]
) -> tuple[str, str] | None:
    """Return namespace and local name of the type in ``xsi:type`` (XML Schema Part 1, 2.6.1).

    Args:
        attributes: the attributes of an element.
        bindings: the namespaces in force in it, by prefix.

    Returns:
        The pair; None if there is no such attribute.

    """
    for attribute in attributes:
        if attribute.local == "type" and attribute.namespace == XSI_NAMESPACE:
            prefix, _, local = attribute.value.strip(" \t\r\n").rpartition(":")
            return bindings.get(prefix, ""), local
    return None


def check_bases(number: int, offset: int) -> None:
    """Refuse too many nested elements with an ``xml:base``, since every link is resolved against all of them.

    Args:
        number: the number of these elements.
        offset: byte offset of the innermost one.

    Raises:
        LimitExceededError: there are more than `MAX_BASES`.

    """
    if number > MAX_BASES:
        raise LimitExceededError(
            f"there are more than {MAX_BASES} elements with an xml:base inside one another",
            hint="remove xml:base from elements whose base is the same without it",
            offset=offset,
        )
