"""The table of links: which attribute or element content holds one, read from TOML files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from linkfix.links.link import Kind

if TYPE_CHECKING:
    from linkfix.links.link import Query

__all__ = ["Entry", "Table", "html_table", "xml_table"]

#: Namespaces whose prefixes the tables use for attributes.
PREFIXES = {
    "xml": "http://www.w3.org/XML/1998/namespace",
    "xlink": "http://www.w3.org/1999/xlink",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the table.

    Attributes:
        kind: how the value holds links.
        query: whether the document charset applies to the query.
        when: attributes of the same element, and the values of which they must have one.
        roots: local names of the root elements under which the row counts; empty for all.
        source: where the link is defined.

    """

    kind: Kind
    query: Query
    when: tuple[tuple[str, frozenset[str]], ...]
    roots: frozenset[str]
    source: str


@dataclass(slots=True)
class Table:
    """The rows by element, with ``*`` for any element or any namespace.

    Attributes:
        attributes: (namespace, element) to attribute to rows, of which the first that applies
            counts. An attribute with a namespace of its own is a pair (namespace, local name),
            one without is a plain name.
        contents: (namespace, element) to the row of the element's text.

    """

    attributes: dict[tuple[str, str], dict[str | tuple[str, str], tuple[Entry, ...]]] = field(
        default_factory=dict
    )
    contents: dict[tuple[str, str], Entry] = field(default_factory=dict)

    def of_element(
        self, namespace: str, element: str
    ) -> dict[str | tuple[str, str], tuple[Entry, ...]]:
        """Every attribute row for an element, the most particular one first in force."""
        rows: dict[str | tuple[str, str], tuple[Entry, ...]] = {}
        for key in (("*", "*"), (namespace, "*"), (namespace, element)):
            rows |= self.attributes.get(key, {})
        return rows


def _load(*names: str) -> list[dict[str, Any]]:
    folder = resources.files("linkfix.links") / "tables"
    vocabularies: list[dict[str, Any]] = []
    for name in names:
        data = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
        vocabularies += data.values()
    return vocabularies


def _build(*names: str, lower: bool) -> Table:
    table = Table()
    for vocabulary in _load(*names):
        namespace = vocabulary["namespace"]
        roots = frozenset(vocabulary.get("roots", ()))
        for row in vocabulary["link"]:
            entry = Entry(
                Kind(row.get("kind", "single")),
                row.get("query", "document"),
                tuple(
                    (name, frozenset([values] if isinstance(values, str) else values))
                    for name, values in row.get("when", {}).items()
                ),
                roots,
                row["source"],
            )
            for element in row["elements"]:
                key = (namespace, element.lower() if lower else element)
                if row.get("content"):
                    table.contents[key] = entry
                    continue
                for attribute in row.get("attributes", ()) or (row["attribute"],):
                    prefix, colon, local = attribute.partition(":")
                    name = attribute.lower() if lower else attribute
                    qualified = (PREFIXES[prefix], local) if colon and not lower else name
                    rows = table.attributes.setdefault(key, {})
                    rows[qualified] = (*rows.get(qualified, ()), entry)
    return table


@cache
def html_table() -> Table:
    """Give the table for HTML documents: all names in lower case, prefixes left in them."""
    return _build("html", lower=True)


@cache
def xml_table() -> Table:
    """Give the table for XML documents: names as they are, attributes with their namespaces."""
    return _build("html", "atom", "rss", "xml", lower=False)
