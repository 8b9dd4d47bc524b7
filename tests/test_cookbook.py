"""The programs of docs/cookbook are short, and print what they say that they print."""

from __future__ import annotations

import ast
import runpy
import shutil
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAMS = sorted((ROOT / "docs" / "cookbook").glob("*.py"))
#: Lines of a program, without its docstring and blank lines.
MOST_LINES = 20


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_prints_what_it_says(
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "samples", tmp_path / "shop")
    monkeypatch.chdir(tmp_path)
    source = program.read_text("utf-8")
    tree = ast.parse(source)
    documented = ast.get_docstring(tree) or ""
    runpy.run_path(str(program), run_name="__main__")
    printed = textwrap.indent(capsys.readouterr().out, "    ").rstrip("\n")
    assert documented.partition("Prints:\n\n")[2] == printed
    rest = source.splitlines()[tree.body[0].end_lineno or 0 :]
    assert sum(bool(line.strip()) for line in rest) <= MOST_LINES


def test_the_page_lists_every_program() -> None:
    page = (ROOT / "docs" / "cookbook" / "README.md").read_text("utf-8")
    assert [path.stem for path in PROGRAMS if f"({path.name})" not in page] == []
    for path in PROGRAMS:
        first = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n")[0]
        assert first in page
