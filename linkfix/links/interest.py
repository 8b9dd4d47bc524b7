"""What of an HTML document is to be looked at for its links, by the table and the user's choice."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.links.link import Kind
from linkfix.links.table import html_table
from linkfix.markup.feedback import HTML, TEXT_STATES
from linkfix.markup.skipping import Interest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.links.scope import Scope
    from linkfix.links.table import Entry
    from linkfix.markup.skipping import Clean

__all__ = ["interest"]

#: After these the markup is read differently.
_FOREIGN = frozenset({"svg", "math"})
#: After this nothing is markup any more.
_ENDLESS = "plaintext"
#: What a base says rules other links.
_RULING = frozenset({"base", "object", "applet"})
#: Without any of these characters a value of the kind holds no link.
_MARKS = {Kind.CSS: "(@&\\"}


@lru_cache(maxsize=64)
def interest(scope: Scope, clean: Clean | None, *, names: bool, simple: bool) -> Interest:
    """Give what is to be looked at.

    Args:
        scope: what counts as a link.
        clean: the values that nobody needs to see; None for none.
        names: whether the names that fragments lead to are asked for.
        simple: whether links and names may be given without the tags that they stand in.

    """
    simple = simple and not (scope.add or scope.restricts)
    attributes: set[str] = {"id", "name"} if names and not simple else set()
    attributes |= {addition.pattern.attribute for addition in scope.add}
    conditions: dict[str, dict[str, frozenset[str]]] = {}
    plain: dict[str, str] = {}
    for element, attribute, entries in _rows():
        if clean is not None and all(e.kind in {Kind.IDENTITY, Kind.HASH_NAME} for e in entries):
            continue
        if element != "*" and all(entry.when for entry in entries):
            own = conditions.setdefault(element, {})
            for name, values in (when for entry in entries for when in entry.when):
                own[name] = own.get(name, frozenset()) | values
        elif all(entry.kind in _MARKS for entry in entries):
            plain[attribute] = "".join(_MARKS[entry.kind] for entry in entries)
        else:
            attributes.add(attribute)
    texts = frozenset(name.decode() for name in TEXT_STATES) - {_ENDLESS, "style"}
    if scope.scripting:
        texts |= {"noscript"}
    if scope.data_blocks:
        texts -= {"script"}
    elements = _FOREIGN | {_ENDLESS, "style"} | (_texts() - texts)
    if simple:
        elements |= _RULING
    return Interest(
        elements,
        frozenset(attributes),
        tuple((name, tuple(own.items())) for name, own in conditions.items()),
        tuple((name, chars) for name, chars in plain.items() if name not in attributes),
        texts,
        scope.conditional_comments,
        tuple(_single(attributes)) if simple else (),
        clean,
        names and simple,
    )


def _texts() -> frozenset[str]:
    return frozenset(name.decode() for name in TEXT_STATES) | {"noscript"}


def _rows() -> Iterator[tuple[str, str, tuple[Entry, ...]]]:
    """Give the rows of elements in the HTML namespace, ``*`` for any element."""
    for (namespace, element), rows in html_table().attributes.items():
        if namespace in {HTML, "*"}:
            for attribute, entries in rows.items():
                if isinstance(attribute, str):
                    yield element, attribute, entries


def _single(attributes: Iterable[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Give the attributes whose whole value is one link, and on which elements it is."""
    for attribute in sorted(attributes):
        elements = {
            element
            for element, name, entries in _rows()
            if name == attribute
            and element != "*"
            and all(entry.kind is Kind.SINGLE and not entry.when for entry in entries)
        }
        if elements:
            yield attribute, frozenset(elements)
