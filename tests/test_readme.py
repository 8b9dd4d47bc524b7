"""What the README says is so."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest

pytestmark = pytest.mark.system

TO: list[Literal["uri", "iri"]] = ["uri", "iri"]
ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


LINKS = (ROOT / "docs" / "links.md").read_text("utf-8")


def test_the_examples_of_the_library_are_typed(tmp_path: Path) -> None:
    """A program that is written like them gets help from its type checker."""
    text = (ROOT / "docs" / "library.md").read_text("utf-8")
    for number, example in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL)):
        (tmp_path / f"example_{number}.py").write_text(example, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, *map(str, sorted(tmp_path.glob("*.py")))],
        cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def commands(page: Path) -> list[tuple[str, str]]:
    """Return every command of a page with the output that the page shows."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.MULTILINE)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    linkfix = f'linkfix() {{ {shlex.quote(sys.executable)} -m linkfix "$@"; }}; '
    return subprocess.run(
        ["bash", "-c", linkfix + command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


SAMPLES = [each for each in commands(ROOT / "samples" / "README.md") if each[1]]


@pytest.mark.parametrize(("command", "output"), SAMPLES, ids=[command for command, _ in SAMPLES])
def test_commands_print_what_is_shown(command: str, output: str) -> None:
    done = run(command, ROOT / "samples")
    assert done.stdout == output, done.stderr


def test_the_first_command_prints_little(tmp_path: Path) -> None:
    """Without the installation, which only shows on a machine with a network."""
    first = re.search(r"^    python3 -m venv .*$", README, re.MULTILINE)
    assert first
    steps = [step.strip().removeprefix(".venv/bin/") for step in first[0].split("&&")][2:]
    done = [run(step, tmp_path) for step in steps]
    assert [each.returncode for each in done] == [0] * len(steps)
    assert 0 < sum(len((each.stdout + each.stderr).splitlines()) for each in done) <= 25


def test_the_number_of_rules() -> None:
    from linkfix.auditing import rules

    assert f"has {len(rules())} rules" in README


def test_the_table_of_links_is_right() -> None:
    import linkfix

    rows: list[tuple[str, str, str]] = re.findall(
        r"^\| `(.+?)`.*? \| (.+?) \| (.+?) \|$", LINKS, re.MULTILINE
    )
    assert len(rows) > 5
    for value, *expected in rows:
        for to, cell in zip(TO, expected, strict=True):
            page = f'<a href="{value}">'.encode("windows-1251")
            rewriter = linkfix.Rewriter(
                to, source=linkfix.Source(type="html", charset="windows-1251")
            )
            new = rewriter.feed(page) + rewriter.close()
            wanted = value if cell.startswith(("unchanged", "left")) else cell.split("`")[1]
            assert new.decode("windows-1251") == f'<a href="{wanted}">', (value, to)


def test_there_are_two_commands_of_one_line() -> None:
    assert len(re.findall(r"^    python3 -m venv .*$", README, re.MULTILINE)) == 2


def test_linked_files_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 130
