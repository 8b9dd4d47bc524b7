"""The user's own vocabularies: rows of links from a TOML file, as those of `linkfix/links/tables/`.

Input: the text of the file. Output: `Addition`, one for each place of links, which a `Scope` has. So they cost what
``--link`` costs: every tag is read as a token.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from itertools import product
from typing import Any, get_args

from linkfix.errors import ArgumentError
from linkfix.links.link import KINDS, Query, kind_named
from linkfix.links.selectors import Addition, Compound, Name, Pattern, Value

_VOCABULARY = {"namespace", "query", "source", "link"}
_ROW = {"elements", "attribute", "attributes", "content", "kind", "query", "source", "when"}


def read(text: str) -> tuple[Addition, ...]:
    """Return the links of the vocabularies in a TOML file.

    Raises:
        ArgumentError: it is no TOML, or something in it is wrong; the message says where.

    """
    try:
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ArgumentError(str(error)) from None
    found: list[Addition] = []
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ArgumentError(f"{name} is no vocabulary", hint="write [NAME], then [[NAME.link]]")
        _check(name, table, _VOCABULARY)
        rows = table.get("link", [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ArgumentError(f"{name}.link is no list of tables", hint=f"write [[{name}.link]]")
        for number, row in enumerate(rows, 1):
            place = f"{name}.link {number}"
            _check(place, row, _ROW)
            found += _additions(place, table, row)
    if not found:
        raise ArgumentError("it has no links", hint="write [NAME], then [[NAME.link]]")
    return tuple(found)


def _check(place: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
            raise ArgumentError(f"{place} has an unknown key {key!r}", hint=hint)


def _additions(place: str, table: Mapping[str, Any], row: Mapping[str, Any]) -> Iterator[Addition]:
    """Yield the additions of one row: one for each of its namespaces."""
    elements = _strings(place, row, "elements")
    attributes = _strings(place, row, "attribute") + _strings(place, row, "attributes")
    is_content = row.get("content", False)
    if not elements or not isinstance(is_content, bool) or bool(attributes) == is_content:
        raise ArgumentError(f"{place} has not elements, and either an attribute or content = true")
    kind, query = row.get("kind", "single"), row.get("query", table.get("query", "document"))
    parsed = kind_named(kind)
    if parsed is None:
        raise ArgumentError(
            f"{place} has kind = {kind!r}, which is none", hint=f"there are {KINDS}"
        )
    if query not in get_args(Query):
        raise ArgumentError(f"{place} has query = {query!r}", hint="there are document and utf-8")
    when = row.get("when", {})
    if not isinstance(when, dict):
        raise ArgumentError(
            f"{place} has a when that is no table", hint='write when = { type = "x" }'
        )
    conditions = [
        [
            Value(name.lower(), "=", value, exact=True)
            for value in _strings(f"{place}.when", when, name)
        ]
        for name in when
    ]
    alternatives = tuple(
        (Compound((*_named(element), *values)), attribute.lower())
        for element in elements
        for values in product(*conditions)
        for attribute in (attributes or [""])
    )
    source = row.get("source", table.get("source", "the user's choice"))
    namespaces: list[str | None] = [*_strings(place, table, "namespace")]
    for namespace in namespaces or [None]:
        yield Addition(Pattern(alternatives), parsed, namespace, query, source, is_content)


def _strings(place: str, table: Mapping[str, Any], key: str) -> list[str]:
    """Return a value that is a string or a list of strings as a list."""
    value = table.get(key, [])
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise ArgumentError(f"{place} has a {key} that is neither a string nor a list of strings")
    return found


def _named(element: str) -> tuple[Name, ...]:
    """Return the condition on the local name of an element."""
    return () if element == "*" else (Name(None, element.lower()),)
