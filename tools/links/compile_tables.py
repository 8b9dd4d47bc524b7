"""Compile the places of type anyURI in published schemas into tables of links.

    python tools/links/compile_tables.py FOLDER [NAME …]

schemas.toml names the schemas and says where each was published; FOLDER has copies of them. The result are the files
linkfix/links/tables/NAME.toml. They have facts of the schemas, and nothing of their text.

A place is an element with an attribute, or the text of an element. It becomes a row if every definition of it in the
schema has the type anyURI. The tool prints the places that have another type as well, for a decision by hand. The files
without a schema are written by hand, and their rows take the place of compiled ones.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkfix.links.link import Kind
from linkfix.links.schemas import Catalog, load
from linkfix.links.table import PREFIXES, Table, of_vocabularies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.links.schemas import ElementType, Schema, Use

SCHEMAS = Path(__file__).with_name("schemas.toml")
TABLES = Path(__file__).parents[2] / "linkfix" / "links" / "tables"
#: The kind of a place with several types, of one that is no anyURI, and of one that a table by hand has.
MIXED, TEXT, LISTED = NO_ROWS = ("mixed", "text", "listed")

Name = tuple[str, str]


@dataclass
class Places:
    """The places of a schema, each with its kinds.

    Attributes:
        kinds: maps an element and an attribute, "" for its text, to the kinds that it has.
        roots: the elements that documents can begin with.

    """

    kinds: dict[tuple[Name, str | Name], set[str]] = field(default_factory=lambda: defaultdict(set))
    elements: set[Name] = field(default_factory=set)

    @classmethod
    def of(cls, schemas: Iterable[Schema]) -> Places:
        """Collect the places of schemas, of all elements that they name."""
        found = cls()
        seen: set[tuple[Name, int]] = set()
        waiting: list[tuple[Name, ElementType]] = []
        for schema in schemas:
            waiting += schema.top.children.items()
            for each in schema.types.values():
                waiting += each.children.items()
        while waiting:
            name, type = waiting.pop()
            if (name, id(type)) in seen:
                continue
            seen.add((name, id(type)))
            found.add(name, type)
            waiting += type.children.items()
        return found

    def add(self, name: Name, type: ElementType) -> None:
        """Add the places of one definition of an element."""
        self.elements.add(name)
        for (namespace, local), use in type.attributes.items():
            self.kinds[name, (namespace, local) if namespace else local].add(kind_of(use))
        if type.content is not None:
            self.kinds[name, ""].add(kind_of(type.content))


def kind_of(use: Use) -> str:
    """Return the kind of a use, `MIXED` or `TEXT`."""
    uses = [use, *use.others]
    if all(each.entry is None for each in uses):
        return TEXT
    if len(uses) > 1 or use.entry is None or use.kind_of is not None:
        return MIXED
    return str(use.entry.kind)


def is_listed(table: Table, element: Name, attribute: str | Name) -> bool:
    """Return whether a table has a row for a place."""
    if not attribute:
        return element in table.contents
    return attribute in table.of_element(*element)


def spelled(attribute: str | Name) -> str:
    """Return the name of an attribute as tables write it."""
    if isinstance(attribute, str):
        return attribute
    prefixes = {namespace: prefix for prefix, namespace in PREFIXES.items()}
    namespace, local = attribute
    return f"{prefixes[namespace]}:{local}" if namespace in prefixes else f"{{{namespace}}}{local}"


def matching(patterns: Iterable[str], element: str, attribute: str) -> str:
    """Return the pattern, such as ``link@href``, ``*@href`` or ``link@`` for a text, that names a place; "" for none."""
    names = (f"{element}@{attribute}", f"*@{attribute}", f"{element}@*")
    return next((name for name in names if name in patterns), "")


@dataclass(frozen=True, order=True)
class Row:
    """A row of a table.

    Attributes:
        kind: how values are split into links.
        source: the section of the specification; "" for the schema.
        elements: the names of elements.
        attributes: the names of attributes; empty for the texts of the elements.

    """

    kind: str
    source: str
    elements: tuple[str, ...]
    attributes: tuple[str, ...]


def rows_of(places: Places, namespace: str, entry: dict[str, Any], hand: Table) -> Iterator[Row]:
    """Yield the rows for the elements of a namespace that the tables by hand do not have."""
    prose: dict[str, str] = entry.get("prose", {})
    by_attribute: dict[str, dict[tuple[str, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    for ((space, local), attribute), kinds in sorted(places.kinds.items(), key=str):
        if space != namespace:
            continue
        name, source = spelled(attribute), ""
        kind = next(iter(kinds)) if len(kinds) == 1 else MIXED
        if is_listed(hand, (namespace, local), attribute):
            kind = LISTED
        elif matching(entry.get("skip", ()), local, name):
            kind = TEXT
        elif pattern := matching(prose, local, name):
            kind, source = str(Kind.SINGLE), prose[pattern]
        elif kind == MIXED:
            print(f"  mixed: {local}@{name}: {', '.join(sorted(kinds))}", file=sys.stderr)
        elif kind != TEXT and matching(entry.get("identity", ()), local, name):
            kind = str(Kind.IDENTITY)
        by_attribute[name][kind, source].add(local)
    grouped: dict[tuple[str, str, tuple[str, ...]], list[str]] = defaultdict(list)
    for name, by_kind in by_attribute.items():
        for (kind, source), elements in by_kind.items():
            if kind not in NO_ROWS:
                is_everywhere = name != "" and len(by_kind) == 1 and len(elements) > 1
                named = ("*",) if is_everywhere else tuple(sorted(elements))
                if name:
                    grouped[kind, source, named].append(name)
                else:
                    yield Row(kind, source, named, ())
    for (kind, source, named), names in grouped.items():
        yield Row(kind, source, named, tuple(names))


def table_text(name: str, entry: dict[str, Any], places: Places, hand: Table) -> str:
    """Return the text of a table."""
    lines = [
        f"# Compiled from {entry['title']} by tools/links/compile_tables.py; do not edit.",
        f"# {entry['address']}",
    ]
    source = f"{entry['title']}, {entry['address']}"
    for number, namespace in enumerate(entry["namespaces"]):
        rows = sorted(rows_of(places, namespace, entry, hand))
        if not rows:
            continue
        vocabulary = f"{name}_{number}" if number else name
        lines += ["", f"[{vocabulary}]", f"source = {quoted(source)}"]
        if namespace:
            names = [namespace, *entry.get("same", {}).get(namespace, [])]
            lines.append(f"namespace = {quoted(names)}")
        else:
            elements = {local for space, local in places.elements if not space}
            lines.append(f"publics = {quoted(entry['publics'])}")
            lines.append(f"roots = {quoted(sorted({*elements, *entry['roots']}))}")
        for row in rows:
            lines += ["", f"[[{vocabulary}.link]]", f"elements = {quoted(row.elements)}"]
            if row.attributes:
                lines.append(f"attributes = {quoted(row.attributes)}")
            else:
                lines.append("content = true")
            if row.kind != Kind.SINGLE:
                lines.append(f"kind = {quoted(row.kind)}")
            if row.source:
                lines.append(f"source = {quoted(row.source)}")
    return "\n".join([*lines, ""])


def quoted(value: object) -> str:
    """Return a string or a list of strings in TOML."""
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    entries = tomllib.loads(SCHEMAS.read_text("utf-8"))
    files = [path for path in sorted(TABLES.glob("*.toml")) if path.stem not in entries]
    hand = of_vocabularies(
        pair for path in files for pair in tomllib.loads(path.read_text("utf-8")).items()
    )
    for name, entry in entries.items():
        if options.names and name not in options.names:
            continue
        print(name, file=sys.stderr)
        catalog = Catalog(str(options.folder / entry["catalog"])) if "catalog" in entry else None
        schemas = [load(str(options.folder / path), catalog) for path in entry["schemas"]]
        places = Places.of(schemas)
        (TABLES / f"{name}.toml").write_text(table_text(name, entry, places, hand), "utf-8")


if __name__ == "__main__":
    main()
