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

TO: list[Literal["uri", "iri"]] = ["uri", "iri"]
ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_examples_run() -> None:
    examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})


def commands_with_output(page: Path) -> list[tuple[Path, str, str]]:
    """Every command of a page whose output the page shows, the folder to run it in first."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)+)", "".join(blocks), re.MULTILINE)
    return [(page.parent, command, output) for command, output in found]


SHOWN = [
    *commands_with_output(ROOT / "README.md"),
    *commands_with_output(ROOT / "samples" / "README.md"),
]


@pytest.mark.parametrize(("folder", "command", "output"), SHOWN, ids=[c for _, c, _ in SHOWN])
def test_commands_print_what_is_shown(folder: Path, command: str, output: str) -> None:
    linkfix = f'linkfix() {{ {shlex.quote(sys.executable)} -m linkfix "$@"; }}; '
    done = subprocess.run(
        ["bash", "-c", linkfix + command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == output, done.stderr


def test_the_number_of_rules() -> None:
    from linkfix.auditing import rules

    assert f"by {len(rules())} rules" in README


def test_the_table_of_links_is_right() -> None:
    import linkfix

    rows: list[tuple[str, str, str]] = re.findall(
        r"^\| `(.+?)`.*? \| (.+?) \| (.+?) \|$", README, re.MULTILINE
    )
    assert len(rows) > 5
    for value, *expected in rows:
        for to, cell in zip(TO, expected, strict=True):
            page = f'<a href="{value}">'.encode("windows-1251")
            rewriter = linkfix.Rewriter(to, type="html", charset="windows-1251")
            new = rewriter.feed(page) + rewriter.close()
            wanted = value if cell.startswith(("unchanged", "left")) else cell.split("`")[1]
            assert new.decode("windows-1251") == f'<a href="{wanted}">', (value, to)


def test_there_are_two_commands_of_one_line() -> None:
    assert len(re.findall(r"^    python3 -m venv .*$", README, re.MULTILINE)) == 2


def test_linked_files_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
