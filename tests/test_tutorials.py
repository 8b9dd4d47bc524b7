"""The tutorials, and the comparison with other tools: their blocks run in order, as a reader runs them, in an empty folder, and print what they show."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.system

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = ["beside.md", *sorted(f"tutorials/{path.name}" for path in DOCS.glob("tutorials/*.md"))]
#: A block, a command with its further lines (`> `), and what it prints.
BLOCK = re.compile(r"(?ms)^```(console|python)\n(.*?)^```$")
COMMAND = re.compile(r"(?m)^\$ (.*\n(?:> ?.*\n)*)((?:(?!\$ ).*\n)*)")


def run(command: str, folder: Path) -> str:
    """What a command prints on both streams."""
    linkfix = f'linkfix() {{ {shlex.quote(sys.executable)} -m linkfix "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", linkfix + command],
        cwd=folder,
        env=os.environ | {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, (command, done.stdout)
    return done.stdout


# warcio leaves temporary files open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_run_in_order(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if page == "tutorials/crawl.md":
        pytest.importorskip("warcio", reason="archives need the extra warc")
        pytest.importorskip("pyarrow", reason="linkfix.arrow needs the extra arrow")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "tutorial"}
    count = 0

    def block(found: re.Match[str]) -> str:
        nonlocal count
        if found[1] == "python":
            exec(compile(found[2], page, "exec", dont_inherit=True), names)
            count += 1
            return found[0]
        shown = []
        for command, _ in COMMAND.findall(found[2]):
            count += 1
            lines = re.sub(r"(?m)^> ?", "", command)
            shown.append(f"$ {command}{run(lines, tmp_path)}")
        return f"```console\n{''.join(shown)}```"

    text = (DOCS / page).read_text("utf-8")
    real = BLOCK.sub(block, text)
    if os.environ.get("LINKFIX_RECORD"):
        (DOCS / page).write_text(real, "utf-8")
    assert count > 5
    assert real == text
