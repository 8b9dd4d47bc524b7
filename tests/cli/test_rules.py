"""The pages of the rules, on the terminal and in docs/rules.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import processes

from linkfix.auditing import rules
from linkfix.cli.rules import CONCERNS, markdown

if TYPE_CHECKING:
    import subprocess

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return processes.run("rules", *arguments)


def test_the_list_has_a_line_for_each_rule() -> None:
    lines = run().stdout.decode("utf-8").splitlines()
    assert [line.split()[0] for line in lines] == [rule.code for rule in rules()]


def test_a_rule_is_found_by_code_and_by_name() -> None:
    page = run("enc001").stdout.decode("utf-8")
    assert page == run("stray-percent").stdout.decode("utf-8")
    assert "What it does" in page
    assert "Source\n    " in page
    assert run("nonsense").returncode == 2


def test_json_has_every_page() -> None:
    records = json.loads(run("--format", "json").stdout)
    assert [record["code"] for record in records] == [rule.code for rule in rules()]
    assert len(json.loads(run("--format", "json", "DEL001").stdout)) == 1


def test_the_document_is_up_to_date() -> None:
    """`linkfix rules --format markdown > docs/rules.md` writes it."""
    assert (ROOT / "docs" / "rules.md").read_text("utf-8") == markdown(rules())
    assert f"{len(rules())} rules" in (ROOT / "README.md").read_text("utf-8")


def test_the_catalogue_is_in_the_order_of_its_concerns() -> None:
    order = list(CONCERNS)
    positions = [(order.index(rule.code[:3]), rule.code) for rule in rules()]
    assert positions == sorted(positions)


def test_the_guide_names_only_rules_and_options_that_there_are() -> None:
    guide = (ROOT / "docs" / "audit.md").read_text("utf-8")
    known = {rule.code for rule in rules()}
    assert set(re.findall(r"\b[A-Z]{3}\d{3}\b", guide)) <= known
    helped = processes.run("audit", "--help-all").stdout.decode()
    guide = re.sub(r"`linkfix (?!audit)[^`]*`", "", guide)  # other commands have other options
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", guide)) - {"--format", "--fail-on"}
    assert {option for option in options if option not in helped} == set()
