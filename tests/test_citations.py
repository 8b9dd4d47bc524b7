"""What the code, the tests and the docs cite is in the project, or in the table of public sources."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[1]
DECISIONS = ROOT / "docs" / "decisions.md"
FOLDERS = ("linkfix", "tests", "tools", "benchmarks", "docs", "samples")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("*/README.md")])
#: The name of an invariant in prose or a message, not in bytes such as ESC ( I 1.
INVARIANT = re.compile(r"(?:^|[\s(\"])I[1-8](?=[\s:,.)])", re.MULTILINE)
#: An inline link of Markdown to something other than an absolute URL.
LINK = re.compile(r"\]\((?![a-z]+:)([^()\s]+)\)")


def texts() -> dict[str, str]:
    """Every text of the project but this file, by its path."""
    paths = [*ROOT.glob("*.md")]
    for folder in FOLDERS:
        for suffix in ("py", "md", "toml"):
            paths += (ROOT / folder).rglob(f"*.{suffix}")
    return {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for path in paths
        if path != Path(__file__)
    }


TEXTS = texts()


def anchors(page: Path) -> set[str]:
    """The fragments that the headings of a page can be linked by."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def cited(pattern: str) -> dict[str, set[str]]:
    """The matches of a pattern, each with its files."""
    found: dict[str, set[str]] = {}
    for path, text in TEXTS.items():
        for name in re.findall(pattern, text):
            found.setdefault(name, set()).add(path)
    return found


def test_no_file_outside_the_project_is_cited() -> None:
    assert cited(r"DESIGN(?:\.md)?") == {}


def test_each_decision_that_is_cited_is_written_down() -> None:
    numbers = re.findall(r"^### (\d+)\. ", DECISIONS.read_text("utf-8"), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    found = cited(r"\bdecision (\d+)\b")
    assert found
    assert found.keys() <= set(numbers), found


def test_each_invariant_that_is_cited_is_defined() -> None:
    defined = set(re.findall(r"^\| (I\d) \|", DECISIONS.read_text("utf-8"), re.MULTILINE))
    assert defined == {f"I{number}" for number in range(1, 9)}
    citing = [path for path, text in TEXTS.items() if INVARIANT.search(text)]
    assert {"tests/invariants.py", "tools/fuzz.py"} <= set(citing)
    assert [path for path in citing if DECISIONS.name not in path + TEXTS[path]] == []


def test_each_invariant_is_shown_by_files_of_the_project() -> None:
    rows = re.findall(r"^\| I\d \|.*\| (.*) \|$", DECISIONS.read_text("utf-8"), re.MULTILINE)
    for row in rows:
        paths = re.findall(r"`([^`]+)`", row)
        assert paths
        assert all((ROOT / path).is_file() for path in paths), row


@pytest.mark.parametrize("name", ["3987bis", "weber", "url-i18n-07", "LEIRI"])
def test_each_short_name_of_a_source_is_spelled_out(name: str) -> None:
    assert cited(rf"\b({re.escape(name)})\b")[name] - {"docs/decisions.md"}
    assert re.search(rf"^\| {re.escape(name)} \| .+ \|$", DECISIONS.read_text("utf-8"), re.MULTILINE)  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_relative_links_of_pages_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text("utf-8")):
        name, _, fragment = link.partition("#")
        target = page.parent / unquote(name) if name else page
        assert target.exists(), link
        if fragment and target.suffix == ".md":
            assert unquote(fragment) in anchors(target), link
