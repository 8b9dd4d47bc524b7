"""What the README says is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

TO: list[Literal["uri", "iri"]] = ["uri", "iri"]
ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_examples_run() -> None:
    examples = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})


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
