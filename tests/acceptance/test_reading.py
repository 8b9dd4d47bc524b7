"""`extract` and `audit` do their work on a whole site, in every format, with nothing but their defaults."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from .sidebyside import side_by_side, status_of
from .sites import on_sites

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.acceptance

_SCHEMA = Path(__file__).parents[1] / "cli" / "sarif-2.1.0-used.schema.json"


def lines_of_json(text: str) -> list[dict[str, Any]]:
    """Parse JSON Lines, which must be text of Unicode (RFC 7493, 2.1)."""
    lines = [json.loads(line) for line in text.splitlines()]
    json.dumps(lines, ensure_ascii=False).encode("utf-8")
    return lines


def rows(text: str) -> list[list[str]]:
    csv.field_size_limit(sys.maxsize)  # a data: link is one field
    table = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(row) for row in table}) == 1
    return table[1:]


def plain(text: str) -> list[str]:
    return re.findall(r"^\S.*:\d+:\d+: ", text, re.MULTILINE)


def sarif(text: str) -> list[Any]:
    """Return the results; each hundredth of them is valid in a log that is."""
    log = json.loads(text)
    results: list[Any] = log["runs"][0]["results"]
    log["runs"][0]["results"] = results[::100]
    schema = json.loads(_SCHEMA.read_text("utf-8"))
    jsonschema.Draft7Validator(schema).validate(log)
    return results


def github(text: str) -> list[str]:
    lines = text.splitlines()
    assert all(line.startswith("::") for line in lines)
    return lines


def junit(text: str) -> list[Any]:
    return ET.fromstring(text).findall(".//failure")


def report(text: str) -> list[Any]:
    assert text.startswith("<!doctype html>")
    assert text.rstrip().endswith("</html>")
    return [text]


_READERS: dict[str, Callable[[str], list[Any]]] = {
    "text": plain,
    "jsonl": lines_of_json,
    "csv": rows,
    "sarif": sarif,
    "github": github,
    "junit": junit,
    "html": report,
}


@on_sites("form", "jsonl", "text", "csv")
def test_extract(site: Path, work: Path, form: str) -> None:
    run, *_ = side_by_side(site, work, "extract", "--format", form, "{site}")
    text = run.out.read_bytes().decode("utf-8")
    assert len(text) > 1_000_000
    assert len(_READERS[form](text)) > 10_000
    assert run.status == status_of(run, site), run.command


@on_sites("form", "jsonl", "text", "csv", "sarif", "github", "junit", "html")
def test_audit(site: Path, work: Path, form: str) -> None:
    run, *_ = side_by_side(site, work, "audit", "--format", form, "{site}")
    text = run.out.read_bytes().decode("utf-8")
    found = _READERS[form](text)
    assert len(text) > 300_000
    assert len(found) > (0 if form == "html" else 1_000)
    assert run.status == status_of(run, site, findings=True), run.command
