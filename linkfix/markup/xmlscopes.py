"""The namespaces that are in force in an element of XML, however many elements declare some.

Nearly all documents have few of them, and for those a dictionary of all is the quickest. Where there are
many, an element keeps only what it declares itself, and where it stands: elements inside one another
would else need memory and time that grow with the square of their number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from linkfix.errors import LimitExceededError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Before", "Declared", "InForce", "check_bases", "inside"]

#: The prefixes that an element declares, each with its namespace around the element, if it has one.
Before: TypeAlias = "list[tuple[str, str | None]]"

#: The most namespaces of which an element keeps a dictionary.
_FEW = 64
#: The most elements inside one another that have an ``xml:base`` each.
MAX_BASES = 100


class Declared(Mapping[str, str]):
    """The namespaces in force by prefix, as an element declares them besides those around it.

    To look one up takes time in proportion to the number of such elements around it.
    """

    __slots__ = ("_declared", "_outer")

    def __init__(self, declared: Mapping[str, str], outer: Mapping[str, str]) -> None:
        self._declared = declared
        self._outer = outer

    def __getitem__(self, prefix: str) -> str:
        scope: Mapping[str, str] = self
        while isinstance(scope, Declared):
            if prefix in scope._declared:
                return scope._declared[prefix]
            scope = scope._outer
        return scope[prefix]

    def __iter__(self) -> Iterator[str]:
        prefixes = set[str]()
        scope: Mapping[str, str] = self
        while isinstance(scope, Declared):
            prefixes.update(scope._declared)
            scope = scope._outer
        yield from prefixes.union(scope)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def inside(outer: Mapping[str, str], declared: Mapping[str, str]) -> Mapping[str, str]:
    """Return the namespaces in force in an element.

    Args:
        outer: those around it, by prefix.
        declared: those that it declares.

    """
    if isinstance(outer, Declared) or len(outer) + len(declared) > _FEW:
        return Declared(declared, outer)
    return {**outer, **declared}


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
