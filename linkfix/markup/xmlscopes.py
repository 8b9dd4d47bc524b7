"""The namespaces and bases that are in force where a document of XML is being read.

There is one dictionary of namespaces. A start tag puts in force what it declares, its end tag what was before. An
element keeps none of it but what its own names mean: elements inside one another that all declare namespaces would else
need memory and time that grow with the square of their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from linkfix.errors import LimitExceededError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from linkfix.markup.xmlevents import XMLAttribute

__all__ = ["XSI_NAMESPACE", "Before", "InForce", "check_bases", "named_type"]

XSI_NAMESPACE = "http://www.w3.org/2001/XMLSchema-instance"

#: The prefixes that an element declares, each with its namespace around the element, if it has one.
Before: TypeAlias = "list[tuple[str, str | None]]"

#: The most elements inside one another that have an ``xml:base`` each.
MAX_BASES = 100


class InForce:
    """The namespaces in force where a document is being read; each is found in no time.

    Args:
        bindings: the outermost, by prefix.

    Attributes:
        bindings: those in force now.

    """

    def __init__(self, bindings: Mapping[str, str]) -> None:
        self.bindings = dict(bindings)

    def enter(self, declared: Mapping[str, str]) -> Before:
        """Put in force what an element declares; return what `leave` takes at its end."""
        before = [(prefix, self.bindings.get(prefix)) for prefix in declared]
        self.bindings.update(declared)
        return before

    def leave(self, before: Before) -> None:
        """Put in force what was before an element; the last one that was entered leaves first."""
        for prefix, namespace in before:
            if namespace is None:
                del self.bindings[prefix]
            else:
                self.bindings[prefix] = namespace


def named_type(
    attributes: Iterable[XMLAttribute], bindings: Mapping[str, str]
) -> tuple[str, str] | None:
    """Return the namespace and the local name that ``xsi:type`` has (XML Schema Part 1, 2.6.1).

    Args:
        attributes: of an element.
        bindings: the namespaces in force in it, by prefix.

    Returns:
        None where there is no such attribute.

    """
    for attribute in attributes:
        if attribute.local == "type" and attribute.namespace == XSI_NAMESPACE:
            prefix, _, local = attribute.value.strip(" \t\r\n").rpartition(":")
            return bindings.get(prefix, ""), local
    return None


def check_bases(number: int, offset: int) -> None:
    """Refuse too many elements with an ``xml:base`` inside one another.

    Every link is resolved against all of them.

    Args:
        number: how many there are.
        offset: of the innermost one, in bytes.

    Raises:
        LimitExceededError: there are more than `MAX_BASES`.

    """
    if number > MAX_BASES:
        raise LimitExceededError(
            f"there are more than {MAX_BASES} elements with an xml:base inside one another",
            hint="remove xml:base from elements whose base is the same without it",
            offset=offset,
        )
