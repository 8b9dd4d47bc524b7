"""No command ends in an exception that it does not expect, whatever the files are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "tools"))

from fuzz_commands import (
    NAMED_BY_PATTERNS,
    PIPE,
    Case,
    Maker,
    run,
)

XHTML = b'<html xmlns="http://www.w3.org/1999/xhtml"><'
#: What has been found.
CASES = [
    Case({"old/b.xml": b">" + XHTML + b' <link href="/\xf3wny.css"/>'}, ("migrate", "--recover", "old", "new")),
    Case({"pyproject.toml": b"[tool.linkfix.rewrite]\nreport = -1"}, ("rewrite",), b"<a>"),
    Case({"pyproject.toml": b"[tool.linkfix]\nlink = [1.5]"}, ("extract",), b"<a>"),
    Case({"a.html": b"<meta charset=gbk><a href='\xc3\xa9'>"}, ("audit", "--diff", "--baseline", "b.json", "--write-baseline", ".")),
    Case({"a.html": b"<svg><template>"}, ("verify", "a.html", "a.html")),
    Case({"old/b.xhtml": b"&#2342025;"}, ("migrate", "--recover", "--unescape", "old", "new")),
    Case({"catalog.xml": b"<catalog"}, ("audit", "--catalog", "catalog.xml"), b"<a>"),
]  # fmt: skip


@pytest.fixture(scope="module")
def maker() -> Maker:
    return Maker([])


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_has_been_found_stays_away(case: Case) -> None:
    assert run(case) == ""


@pytest.mark.nightly
def test_cases_are_the_same_of_the_same_numbers(maker: Maker) -> None:
    assert [maker.case(1, number) for number in range(20)] == [maker.case(1, n) for n in range(20)]


@pytest.mark.nightly
def test_whatever_is_found_is_among_the_cases(maker: Maker) -> None:
    cases = [maker.case(1, number) for number in range(600)]
    names = [name for case in cases for name in case.files]
    for part in ("linkfix.toml", "pyproject.toml", "cache.db", ".git/", ".htaccess", "red.nginx"):
        assert any(part in name for name in names), part
    assert any(PIPE in case.files.values() for case in cases)
    for option in {option for options in NAMED_BY_PATTERNS.values() for option in options}:
        assert any(word.startswith(f"{option}=") for case in cases for word in case.arguments)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_short_run(maker: Maker, seed: int) -> None:
    for number in range(25):
        case = maker.case(seed, number)
        assert run(case) == "", f"seed {seed}, case {number}: {case}"
