"""The table of links: which attributes and which texts of elements are links, made of TOML files."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from linkfix.deferred import pattern
from linkfix.links.link import Kind, Query

#: Attributes whose values are tokens between ASCII white space (RDFa Core 1.1, 5; HTML, 5.2.3).
_LISTS = frozenset({"property", "itemprop"})
_TOKENS = pattern(r"[^\t\n\f\r ]+")
#: The prefixes that the tables use for attributes, with their namespaces.
PREFIXES = {
    "xml": "http://www.w3.org/XML/1998/namespace",
    "xlink": "http://www.w3.org/1999/xlink",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "data-view": "http://www.w3.org/2003/g/data-view#",
    "epub": "http://www.idpf.org/2007/ops",
}


class Element(NamedTuple):
    """The element of an attribute or a text.

    Attributes:
        name: its name as written, with its prefix.
        value_of: maps the name of an attribute in lower case to its value; None for no such attribute.
        is_html: whether it is an element of HTML in a document of HTML.
        namespace: its namespace name.

    """

    name: str
    value_of: Callable[[str], str | None]
    is_html: bool = True
    namespace: str = ""


class Entry(NamedTuple):
    """One row of the table.

    Attributes:
        kind: how the value is split into links.
        query: how the query of a link is mapped to octets.
        when: other attributes of the element, each with the values of which it must have one.
        source: the standard that defines the link.
        fixed: the reason why its values are never rewritten; "" for none.
        collapses: whether white space inside the value is collapsed, since its type is anyURI (XML Schema Part 2, 4.3.6).
        listed: whether each of its links is found and left, since its convention is not followed (``--conventions NAME=list``).

    """

    kind: Kind
    query: Query
    when: tuple[tuple[str, frozenset[str]], ...]
    source: str
    fixed: str = ""
    collapses: bool = False
    listed: bool = False

    def applies(self, value_of: Callable[[str], str | None]) -> bool:
        """Return whether the row applies to an element.

        Args:
            value_of: maps the name of an attribute to its value; None for none.

        """
        for name, wanted in self.when:
            value = (value_of(name) or "").lower()
            if wanted.isdisjoint(_TOKENS.findall(value) if name in _LISTS else (value,)):
                return False
        return True


class Table:
    """The rows by element, with ``*`` for any element or any namespace.

    A vocabulary without a namespace has a key in place of the namespace, which begins with a slash. Such a vocabulary is
    recognized by the root element of a document, or by the public identifier of its document type. Several of them can
    have a root element of the same name. Then there is a key that has the rows of them all.

    Attributes:
        attributes: maps (namespace, element) to a map from attributes to rows; the first row that applies
            counts. An attribute with a namespace is a pair (namespace, local name), any other is its name.
        contents: maps (namespace, element) to the row of the element's text.
        feeds: the namespaces of the root elements of feeds, whose readers follow ``xml:base`` in HTML as well (RFC 4287, 2).
        roots: maps the name of a root element to the key of its vocabulary.
        publics: maps the beginnings of public identifiers to the key of their vocabulary.

    """

    def __init__(self) -> None:
        self.attributes: dict[tuple[str, str], dict[str | tuple[str, str], tuple[Entry, ...]]] = {}
        self.contents: dict[tuple[str, str], Entry] = {}
        self.feeds: set[str] = set()
        self.roots: dict[str, str] = {}
        self.publics: dict[str, str] = {}

    def vocabulary(self, root: str, public: str) -> str:
        """Return the key of the vocabulary of a document; "" for no known one.

        Args:
            root: the name of its root element, which has no namespace.
            public: the public identifier of its document type, "" for none.

        """
        for beginning, key in self.publics.items() if public else ():
            if public.startswith(beginning):
                return key
        return self.roots.get(root, "")

    def of_element(
        self, namespace: str, element: str
    ) -> dict[str | tuple[str, str], tuple[Entry, ...]]:
        """Return the attribute rows for an element, the most specific ones first."""
        rows: dict[str | tuple[str, str], tuple[Entry, ...]] = {}
        for key in (("*", "*"), (namespace, "*"), (namespace, element)):
            for name, entries in self.attributes.get(key, {}).items():
                rows[name] = entries + rows.get(name, ())
        return rows


def _keys(vocabularies: dict[str, dict[str, Any]], table: Table) -> dict[str, list[str]]:
    """Return the keys of vocabularies by their names, and add root elements and public identifiers to the table."""
    owners: dict[str, list[str]] = {}
    keys: dict[str, list[str]] = {}
    for name, vocabulary in vocabularies.items():
        names: str | list[str] = vocabulary.get("namespace", [f"/{name}"])
        keys[name] = [names] if isinstance(names, str) else names
        table.publics |= dict.fromkeys(vocabulary.get("publics", ()), f"/{name}")
        for root in vocabulary.get("roots", ()):
            owners.setdefault(root, []).append(name)
    for root, names in owners.items():
        key = table.roots[root] = "/" + "+".join(names)
        for name in names:
            if key not in keys[name]:
                keys[name].append(key)
    return keys


def _name(attribute: str) -> str | tuple[str, str]:
    """Parse the name of an attribute: without prefix, with one, or with its namespace in braces."""
    if attribute.startswith("{"):
        namespace, _, local = attribute[1:].partition("}")
        return namespace, local
    prefix, colon, local = attribute.partition(":")
    return (PREFIXES[prefix], local) if colon else attribute


def _conditions(
    when: dict[str, str | list[str]], *, lower: bool
) -> Iterator[tuple[tuple[str, frozenset[str]], ...]]:
    """Yield the conditions of a row; names with a bar between them are alternatives."""
    choices = (
        [
            (name.lower() if lower else name, frozenset([v] if isinstance(v, str) else v))
            for name in names.split("|")
        ]
        for names, v in when.items()
    )
    yield from product(*choices)


def of_vocabularies(pairs: Iterable[tuple[str, dict[str, Any]]], *, lower: bool = False) -> Table:
    """Return the table of several vocabularies.

    Args:
        pairs: their names, each with its table from a TOML file.
        lower: whether the names of elements and attributes are made lower case, as in HTML.

    """
    table = Table()
    vocabularies = dict(pairs)
    keys = _keys(vocabularies, table)
    for vocabulary_name, vocabulary in vocabularies.items():
        namespaces = keys[vocabulary_name]
        if vocabulary.get("feed"):
            table.feeds.update(namespaces)
        for row in vocabulary["link"]:
            entries = [
                Entry(
                    Kind(row.get("kind", "single")),
                    row.get("query", vocabulary.get("query", "document")),
                    condition,
                    row.get("source") or vocabulary["source"],
                    row.get("fixed", vocabulary.get("fixed", "")),
                    listed=vocabulary.get("listed", False),
                )
                for condition in _conditions(row.get("when", {}), lower=lower)
            ]
            for key in product(namespaces, row["elements"]):
                key = (key[0], key[1].lower()) if lower else key
                if row.get("content"):
                    table.contents[key] = entries[0]
                    continue
                for attribute in row.get("attributes", ()) or (row["attribute"],):
                    name = attribute.lower() if lower else _name(attribute)
                    rows = table.attributes.setdefault(key, {})
                    rows[name] = (*rows.get(name, ()), *entries)
    return table


def conventions() -> dict[str, str]:
    """Return the names of the conventions, each with how it is read by default: ``on`` or ``off``."""
    from linkfix.links.tables.html_data import TABLES

    return {t["convention"]: t.get("default", "on") for t in TABLES.values() if "convention" in t}


def _chosen(ways: Iterable[tuple[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the vocabularies of HTML, without the conventions that are not read."""
    from linkfix.links.tables.html_data import TABLES

    found = conventions() | dict(ways)
    for name, table in TABLES.items():
        how = found.get(table.get("convention", ""), "on")
        if how != "off":
            yield name, table | {"listed": how == "list"}


@lru_cache(maxsize=64)
def html_table(ways: tuple[tuple[str, str], ...]) -> Table:
    """Return the table for HTML documents: names in lower case, with their prefixes.

    Args:
        ways: how certain conventions are read (`Scope.conventions`).

    """
    return of_vocabularies(_chosen(ways), lower=True)


@lru_cache(maxsize=64)
def xml_table(ways: tuple[tuple[str, str], ...] = ()) -> Table:
    """Return the table for XML documents: names as written, attributes with their namespaces; `ways` as for HTML."""
    from linkfix.links.tables.xml_data import TABLES

    return of_vocabularies([*_chosen(ways), *TABLES.items()])


@lru_cache(maxsize=1024)
def xml_rows(
    namespace: str, element: str, ways: tuple[tuple[str, str], ...] = ()
) -> Mapping[str | tuple[str, str], tuple[Entry, ...]]:
    """Return the attribute rows for an element of XML, the most specific ones first."""
    return xml_table(ways).of_element(namespace, element)
