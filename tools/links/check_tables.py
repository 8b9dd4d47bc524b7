"""Compare the rows of tables written by hand with the types in published schemas.

    python tools/links/check_tables.py FOLDER [FOLDER …]

Read are the XML Schemas and RELAX NG schemas in the folders: those of Debian's packages dita-ot, docbook5-xml, epubcheck (in
its JAR), mallard-rng, opensaml-schemas and xmltooling-schemas, for instance, and of xmlschema and pykml from PyPI. A row differs
if schemas define its place, and none of them gives it the type anyURI: a string is no link. Each such row is printed,
except those that judged_types.toml has a reason for, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from linkfix.errors import LinkfixError
from linkfix.links.link import Kind
from linkfix.links.schemas import load
from linkfix.links.table import of_vocabularies

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from links.compile_tables import SCHEMAS, TABLES, TEXT, Places, is_listed, spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from linkfix.links.table import Table

__all__ = ["by_hand", "compared", "different"]

JUDGED = Path(__file__).with_name("judged_types.toml")
#: Tables of attributes of any element, and of HTML and SVG.
_ELSEWHERE = {"xml", "html"}
#: Kinds of rows whose values are no references.
_NAMES = {Kind.IDENTITY, Kind.HASH_NAME, Kind.DOCUMENT, Kind.CSS}


def by_hand() -> Table:
    """Return the rows of vocabularies that are written by hand."""
    others = {*tomllib.loads(SCHEMAS.read_text("utf-8")), *_ELSEWHERE}
    files = [path for path in sorted(TABLES.glob("*.toml")) if path.stem not in others]
    return of_vocabularies(
        pair for path in files for pair in tomllib.loads(path.read_text("utf-8")).items()
    )


def compared(places: Places, table: Table) -> Iterator[tuple[str, bool]]:
    """Yield the rows of links that a schema has a place for, each with whether that may be an anyURI."""
    bare = {
        table.roots[local] for space, local in places.elements if not space and local in table.roots
    }
    for ((space, local), attribute), kinds in places.kinds.items():
        for key in [space] if space else bare:
            if not is_listed(table, (key, local), attribute):
                continue
            rows = (
                table.of_element(key, local)[attribute]
                if attribute
                else (table.contents[key, local],)
            )
            # A row with a condition is about some values of its place only.
            if not all(row.kind in _NAMES or row.when for row in rows):
                yield f"{key} {local}@{spelled(attribute)}", kinds != {TEXT}


def different(files: Iterable[Path]) -> tuple[int, dict[str, set[str]]]:
    """Compare the rows with schemas.

    Returns:
        How many schemas could be read, and the rows that differ, each with the names of the schemas.

    """
    table, read = by_hand(), 0
    found: dict[str, set[str]] = defaultdict(set)
    agreed = set[str]()
    for path in files:
        try:
            places = Places.of([load(str(path))])
        except (LinkfixError, OSError) as error:
            print(f"not read: {path}: {error}", file=sys.stderr)
            continue
        read += 1
        for row, agrees in compared(places, table):
            if agrees:
                agreed.add(row)
            else:
                found[row].add(path.name)
    return read, {row: names for row, names in sorted(found.items()) if row not in agreed}


def main() -> int:
    """Print the rows that differ; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    files = [
        path
        for folder in parser.parse_args().folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".xsd", ".rng"} and path.is_file()
    ]
    read, rows = different(files)
    reasons = tomllib.loads(JUDGED.read_text("utf-8"))
    faults = {
        row: names
        for row, names in rows.items()
        if not any(fnmatchcase(row, pattern) for pattern in reasons)
    }
    for row, names in faults.items():
        print(f"{row}: no anyURI in {', '.join(sorted(names))}")
    print(f"{read} schemas, {len(rows)} rows differ, {len(faults)} without a reason")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
