"""The options for XML are checked before a command begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

#: Commands over several files, and those that write one document to standard output.
MANY = [
    ["extract"],
    ["extract", "--format", "csv"],
    ["audit"],
    ["audit", "-o", "out.txt"],
    ["audit", "--fix"],
    ["rewrite", "-i"],
    ["rewrite", "-o", "out"],
    ["rewrite", "--diff"],
    ["migrate"],
]
STREAM = [["rewrite"], ["rewrite", "--report", "out.jsonl"]]
CASES = [(each, names) for each in MANY for names in ("a", "ab")] + [(each, "a") for each in STREAM]


@pytest.mark.parametrize("option", ["--schema", "--catalog"])
@pytest.mark.parametrize(("command", "names"), CASES, ids="".join)
def test_a_broken_schema_is_wrong_usage(
    command: list[str], names: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.xml").write_bytes(b"<catalog")
    Path("old").mkdir()
    pages = [f"old/{name}.html" for name in names]
    for page in pages:
        Path(page).write_bytes(b"<a href='a b'>")
    before = sorted(tmp_path.rglob("*"))
    paths = ["old", "new"] if command == ["migrate"] else pages
    result = CliRunner().invoke(cli, [*command, option, "broken.xml", *paths])
    assert result.exit_code == 2
    assert "unexpected" not in result.stderr
    assert "broken.xml: cannot read this" in result.stderr
    assert result.stdout == ""
    assert sorted(tmp_path.rglob("*")) == before
