"""The two ways to write a link map: CSV (RFC 4180) and TOML 1.0.

::

    old,new,kind
    http://old.example/a,https://new.example/b
    http://old.example/,https://new.example/,prefix

::

    [exact]
    "http://old.example/a" = "https://new.example/b"
    [prefix]
    "http://old.example/" = "https://new.example/"
"""

import csv
import re
import tomllib
from collections.abc import Iterator
from io import StringIO
from typing import Any, Final, Literal, NamedTuple

from linkfix.errors import LinkMapError

_FIELDS: Final = ("old", "new", "kind")
_PLACE: Final = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)")
_NAME: Final = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
#: The most names of one key, and a key with more: Python's parser takes quadratic time for them.
_MOST_NAMES: Final = 32
_LONG_KEY: Final = re.compile(rf"(?m)(?:^|[\[{{,])[ \t]*+(?:{_NAME}\.[ \t]*+){{{_MOST_NAMES}}}")
_TABLE: Final = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*\]")
_KEY: Final = re.compile(r"""\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+))\s*=\s*""")


class Entry(NamedTuple):
    """A rule as written in a map, unchecked.

    Attributes:
        kind: the text of the kind.
        old: the IRI that it matches.
        new: the IRI that replaces it.
        line: in which it begins, from 1; None if unknown.
        columns: of old, new and kind, in code points from 1; None if unknown.

    """

    kind: str
    old: str
    new: str
    line: int | None = None
    columns: tuple[int | None, int | None, int | None] = (None, None, None)


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML that anybody may have written, in linear time.

    Raises:
        TOMLDecodeError: it is no TOML, or a key has more than 32 names with dots between them.
        RecursionError: it is nested too deeply.

    """
    if (found := _LONG_KEY.search(text)) is not None:
        line = text.count("\n", 0, found.end()) + 1
        raise tomllib.TOMLDecodeError(
            f"A key has more than {_MOST_NAMES} names (at line {line}, column 1)"
        )
    return tomllib.loads(text)


class Errors(list[LinkMapError]):
    """The errors of a map.

    Args:
        name: of the map.

    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name or None

    def note(
        self, message: str, hint: str, line: int | None = None, column: int | None = None
    ) -> None:
        """Add an error."""
        self.append(LinkMapError(message, hint=hint, file=self._name, line=line, column=column))


def read(text: str, syntax: Literal["csv", "toml"], errors: Errors) -> Iterator[Entry]:
    """Yield the entries of a map; add an error to `errors` for each part that is none."""
    reader = _csv if syntax == "csv" else _toml
    return reader(text.removeprefix("\ufeff"), errors)


def _csv(text: str, errors: Errors) -> Iterator[Entry]:
    lines = list(StringIO(text, newline=""))
    rows = csv.reader(lines, strict=True, skipinitialspace=True)
    order: tuple[str, ...] = _FIELDS
    while True:
        line = rows.line_num + 1
        try:
            row = [cell.strip() for cell in next(rows)]
        except StopIteration:
            return
        except csv.Error as error:
            hint = "put values with commas or quotes in quotes"
            errors.note(f"this is no CSV: {error}", hint, line)
            return
        if not any(row):
            continue
        if order is _FIELDS and {"old", "new"} <= {cell.lower() for cell in row}:
            order = tuple(cell.lower() for cell in row)
            if not set(order) <= set(_FIELDS):
                hint = "leave other columns out"
                errors.note("a column is none of old, new and kind", hint, line)
                return
        elif len(row) < 2 or len(row) > len(order):
            hint = "write old,new or old,new,kind"
            errors.note(f"there are {len(row)} values in this line", hint, line)
        else:
            yield _row(row, order, line, lines[line - 1])


def _row(row: list[str], order: tuple[str, ...], line: int, source: str) -> Entry:
    fields = dict(zip(order, row, strict=False))
    columns: dict[str, int] = {}
    position = 0
    for field, cell in fields.items():
        found = source.find(cell, position)
        if found >= 0:
            columns[field] = found + 1
            position = found + len(cell)
    old, new, kind = (columns.get(field) for field in _FIELDS)
    return Entry(
        fields.get("kind") or "exact", fields["old"], fields["new"], line, (old, new, kind)
    )


def _toml(text: str, errors: Errors) -> Iterator[Entry]:
    try:
        tables = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.fullmatch(str(error))
        message, *numbers = place.groups() if place else (str(error), None, None)
        hint = "put both IRIs in quotes, and write no IRI twice in a table"
        line, column = (int(number) if number else None for number in numbers)
        errors.note(f"this is no TOML: {message}", hint, line, column)
        return
    except RecursionError:
        errors.note("this is no map: it is nested too deeply", "write tables of strings")
        return
    places = _places(text)
    for kind, table in tables.items():
        if not isinstance(table, dict):
            line, column, _ = places.get(("", kind), (None, None, None))
            hint = "begin with [exact], [prefix] or [extension]"
            errors.note(f"{kind!r} is in no table", hint, line, column)
            continue
        for old, new in table.items():
            line, column, value = places.get((kind, old), (None, None, None))
            if isinstance(new, str):
                yield Entry(kind, old, new, line, (column, value, None))
            else:
                hint = "put it in quotes"
                errors.note(f"what {old!r} leads to is no string", hint, line, value)


def _places(text: str) -> dict[tuple[str, str], tuple[int, int, int]]:
    """Find line, column and the column of the value of each key, by table and key."""
    places: dict[tuple[str, str], tuple[int, int, int]] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        if (header := _TABLE.match(line)) is not None:
            table = _plain(header[1])
        elif (key := _KEY.match(line)) is not None:
            place = (number, key.start(1) + 1, key.end() + 1)
            places.setdefault((table, _plain(key[1])), place)
    return places


def _plain(key: str) -> str:
    """Return a key without its quotes."""
    if key[0] == '"' and "\\" in key:
        try:
            return next(iter(tomllib.loads(f"{key} = 0")))
        except tomllib.TOMLDecodeError:
            return key  # within a string of several lines
    return key[1:-1] if key[0] in "\"'" else key
