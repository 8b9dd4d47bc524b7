"""What of an HTML document is to be looked at for its links, by the table and the user's choice."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.links.link import Kind
from linkfix.links.table import html_table
from linkfix.markup.feedback import HTML, TEXT_STATES, TURNING
from linkfix.markup.glance import Worth
from linkfix.markup.skipping import Interest

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from linkfix.links.scope import Scope
    from linkfix.links.table import Entry
    from linkfix.markup.skipping import Clean, Conditions

__all__ = ["interest", "worth"]

#: After these comes text that is no markup.
_TEXTS = frozenset(name.decode() for name in TEXT_STATES) | {"noscript"}
#: After this nothing is markup any more.
_ENDLESS = "plaintext"
#: The elements that most links are on. Those of others are seen too, but in their tags: to take them in
#: passing would cost all of them time.
_COMMON = frozenset(
    ["a", "area", "link", "img", "script", "form", "iframe", "frame", "input", "source"]
)
#: What a base says rules other links.
_RULING = frozenset({"base", "object", "applet"})
#: Without any of these characters a value of the kind holds no link.
_MARKS = {Kind.CSS: "(@&\\"}
#: Compared as strings, and never rewritten.
_NO_LINKS = frozenset({Kind.IDENTITY, Kind.HASH_NAME})


@lru_cache(maxsize=64)
def interest(
    scope: Scope, clean: Clean | None, *, names: bool, simple: bool, count: bool = True
) -> Interest:
    """Give what is to be looked at.

    Args:
        scope: what counts as a link.
        clean: the values that nobody needs to see; None for none.
        names: whether the names that fragments lead to are asked for.
        simple: whether links and names may be given without the tags that they stand in.
        count: whether links that nobody needs to see are counted.

    """
    simple = simple and not (scope.add or scope.restricts)
    attributes: set[str] = {"id", "name"} if names and not simple else set()
    attributes |= scope.added_names
    plain: dict[str, str] = {}
    for element, attribute, entries in _rows({HTML, "*"}):
        if clean is not None and all(entry.kind in _NO_LINKS for entry in entries):
            continue
        if element != "*" and all(entry.when for entry in entries):
            continue
        if all(entry.kind in _MARKS for entry in entries):
            plain[attribute] = "".join(_MARKS[entry.kind] for entry in entries)
        else:
            attributes.add(attribute)
    looked_at = {_ENDLESS, "style"}
    if not scope.scripting:
        looked_at.add("noscript")
    if scope.data_blocks:
        looked_at.add("script")
    elements = TURNING | looked_at
    if simple:
        elements |= _RULING
    return Interest(
        elements,
        frozenset(attributes),
        _conditions(),
        tuple((name, chars) for name, chars in plain.items() if name not in attributes),
        _TEXTS - looked_at,
        scope.conditional_comments,
        tuple(_single(attributes)) if simple else (),
        clean,
        names and simple,
        None if count or names or clean is None else worth(clean),
    )


@lru_cache(maxsize=16)
def worth(clean: Clean) -> Worth:
    """Give what is worth a look where links with clean values are not, on whatever element."""
    kinds: dict[str, set[Kind]] = {}
    pairs: dict[tuple[str, str, str], set[Kind]] = {}
    for element, attribute, entries in _rows():
        for entry in entries:
            if entry.when:
                for name, _ in entry.when:
                    pairs.setdefault((element, name, attribute), set()).add(entry.kind)
            elif entry.kind not in _NO_LINKS:
                kinds.setdefault(attribute, set()).add(entry.kind)

    def of(kind: Kind) -> frozenset[str]:
        return frozenset(name for name, found in kinds.items() if found == {kind})

    known = (of(kind) for kind in (Kind.SINGLE, Kind.LIST, Kind.SRCSET, Kind.CSS))
    links, lists, candidates, styles = known
    return Worth(
        clean,
        links,
        lists,
        candidates,
        styles,
        _conditions(),
        frozenset(pair for pair, found in pairs.items() if found == {Kind.SINGLE}),
        frozenset(kinds.keys() - links - lists - candidates - styles),
    )


def _conditions() -> Conditions:
    """Give the conditions of elements with attributes that are links only under one."""
    conditions: dict[str, dict[str, frozenset[str]]] = {}
    for element, _, entries in _rows({HTML, "*"}):
        if element != "*" and all(entry.when for entry in entries):
            own = conditions.setdefault(element, {})
            for name, values in (when for entry in entries for when in entry.when):
                own[name] = own.get(name, frozenset()) | values
    return tuple((name, tuple(own.items())) for name, own in conditions.items())


def _rows(
    namespaces: Container[str] | None = None,
) -> Iterator[tuple[str, str, tuple[Entry, ...]]]:
    """Give the rows of elements, ``*`` for any, in certain namespaces or in all."""
    for (namespace, element), rows in html_table().attributes.items():
        if namespaces is None or namespace in namespaces:
            for attribute, entries in rows.items():
                if isinstance(attribute, str):
                    yield element, attribute, entries


def _single(attributes: Container[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Give the attributes whose whole value is one link, and on which common elements it is."""
    elements: dict[str, set[str]] = {}
    for element, attribute, entries in _rows({HTML}):
        is_single = all(entry.kind is Kind.SINGLE and not entry.when for entry in entries)
        if attribute in attributes and element in _COMMON and is_single:
            elements.setdefault(attribute, set()).add(element)
    for attribute in sorted(elements):
        yield attribute, frozenset(elements[attribute])
