"""Guards on the table of links for HTML: a row that is wrong in form is no row."""

from __future__ import annotations

import csv
import re
import tomllib
from importlib import resources
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, get_args

import html5lib.constants
import pytest
from conformance_data import conformance

from linkfix.links import Kind
from linkfix.links.link import Query
from linkfix.links.table import PREFIXES, conventions, html_table
from linkfix.markup.html.elements_data import HTML, MATHML, SVG

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES = resources.files("linkfix.links") / "tables"
VOCABULARIES: dict[str, dict[str, Any]] = tomllib.loads((TABLES / "html.toml").read_text("utf-8"))
CONVENTIONS: dict[str, dict[str, Any]] = tomllib.loads(
    (TABLES / "html_conventions.toml").read_text("utf-8")
)
VOCABULARIES |= CONVENTIONS
#: The table with all conventions.
TABLE = html_table(tuple((name, "on") for name in conventions()))
ROWS = [(name, row) for name, each in VOCABULARIES.items() for row in each["link"]]
KEYS = {"elements", "attribute", "attributes", "content", "kind", "when", "query", "source"}
#: A section of a standard, or another word for where an attribute comes from.
SECTION = r"[0-9]+(?:\.[0-9]+)*"
SOURCE = re.compile(
    rf"(HTML|(SVG|MathML) [0-9](\.[0-9])?,|CSS Style Attributes,) {SECTION}(, {SECTION})*([,;] .+)?"
    r"|obsolete|convention(: .+)?|Open Graph protocol(; .+)?|schema\.org; .+|AMP validator rules: value_url|AMP: [a-z-]+|htmx 2, .+|ECMA-376 .+"
)
#: The attributes of SVG and MathML that the HTML parser gives their capitals (13.2.6.1).
CAPITALS = {
    HTML: set[str](),
    SVG: set(html5lib.constants.adjustSVGAttributes.values()),
    MATHML: set(html5lib.constants.adjustMathMLAttributes.values()),
}
#: The elements of SVG that have capitals: those of the parser's table (13.2.6.5), and the one of SVG
#: 1.1 that it lacks; SVG 1.1 writes color-profile, font-face-uri and the like in lower case.
ELEMENTS = {
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform",
    "clipPath", "feImage", "foreignObject", "glyphRef", "linearGradient", "radialGradient",
    "textPath",
}  # fmt: skip
LOWERED = {name.lower(): name for name in ELEMENTS}


def names(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    attributes = row.get("attributes") or [row.get("attribute", "")]
    return product(row["elements"], attributes)


def test_the_namespaces() -> None:
    assert {each["namespace"] for each in VOCABULARIES.values()} == {HTML, SVG, MATHML}


@pytest.mark.parametrize(("vocabulary", "row"), ROWS)
def test_a_row_has_what_it_needs(vocabulary: str, row: dict[str, Any]) -> None:
    assert vocabulary in {"html", "svg", "mathml", *CONVENTIONS}
    assert row.keys() <= KEYS
    row = {"source": VOCABULARIES[vocabulary].get("source"), **row}
    assert row["elements"]
    assert sum(key in row for key in ("attribute", "attributes", "content")) == 1
    assert SOURCE.fullmatch(row["source"])
    assert row.get("kind", "single") in set(Kind)
    assert row.get("query", "document") in get_args(Query)
    for alternatives, values in row.get("when", {}).items():
        for name in alternatives.split("|"):
            assert name == "attributeName" or name == name.lower()
        assert values
        for value in [values] if isinstance(values, str) else values:
            assert value == value.lower()  # the document's values are compared in lower case


@pytest.mark.parametrize(("vocabulary", "row"), ROWS)
def test_names_are_as_the_standards_write_them(vocabulary: str, row: dict[str, Any]) -> None:
    namespace = VOCABULARIES[vocabulary]["namespace"]
    for element, attribute in names(row):
        if namespace == SVG:
            assert element == LOWERED.get(element.lower(), element.lower())
        else:
            assert element == element.lower()
        prefix, _, local = attribute.rpartition(":")
        assert prefix in {"", "xlink"} <= {"", *PREFIXES}
        lowered = {name.lower(): name for name in CAPITALS[namespace]}
        assert local == lowered.get(local.lower(), local.lower())


def test_no_row_stands_twice() -> None:
    seen = set[tuple[str, str, str, str]]()
    for vocabulary, row in ROWS:
        for element, attribute in names(row):
            key = (vocabulary, element, attribute, repr(row.get("when")))
            assert key not in seen
            seen.add(key)


def test_a_row_without_a_condition_is_the_last_for_its_attribute() -> None:
    for attributes in TABLE.attributes.values():
        for entries in attributes.values():
            assert all(entry.when for entry in entries[:-1])


def test_conditions_do_not_hide_a_row_for_any_element() -> None:
    table = TABLE
    for (namespace, element), attributes in table.attributes.items():
        everywhere = table.attributes.get((namespace, "*"), {})
        assert element == "*" or not attributes.keys() & everywhere.keys()


def test_the_table_that_is_used_has_every_row_of_the_file() -> None:
    table = TABLE
    count = 0
    for vocabulary, row in ROWS:
        namespace = VOCABULARIES[vocabulary]["namespace"]
        for element, attribute in names(row):
            key = (namespace, element.lower())
            of_attribute = table.attributes.get(key, {}).get(attribute.lower(), ())
            entries = [table.contents[key]] if row.get("content") else of_attribute
            source = row.get("source", VOCABULARIES[vocabulary].get("source"))
            assert source in {entry.source for entry in entries}
            count += prod(name.count("|") + 1 for name in row.get("when", ()))
    rows = (entries for each in table.attributes.values() for entries in each.values())
    assert count == sum(map(len, rows)) + len(table.contents)


@pytest.mark.conformance
def test_every_attribute_that_browsers_are_tested_for() -> None:
    path = conformance("query-encoding", "html-attributes.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    assert len(lines) == 64
    for line in lines:
        prefix, _, element = line["element"].rpartition(":")
        namespace = SVG if prefix else HTML
        entry = html_table(()).of_element(namespace, element.lower())[line["attribute"]][0]
        # Chromium does not do for base what the tests expect of it, nor Firefox for a refresh and for script of SVG.
        is_disputed = element in {"base", "meta"} or (namespace, element) == (SVG, "script")
        assert entry.query == ("disputed" if is_disputed else line["query_charset"])
