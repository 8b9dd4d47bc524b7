"""Wrong command lines: what each command says, and its exit status, as recorded in ``wrong_commands.txt``.

``LINKFIX_RECORD=1 pytest tests/cli/test_wrong_commands.py`` writes the file again.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    import pytest

TABLE = Path(__file__).with_name("wrong_commands.txt")
#: What is in the folder in which the commands run.
FILES = {
    "a.html": b"<!DOCTYPE html><meta charset=utf-8><a href='/a b'>x</a>",
    "site/b.html": b"<!DOCTYPE html><meta charset=utf-8><a href=b.html>x</a>",
    "other/b.html": b"<!DOCTYPE html><meta charset=utf-8><a href=b.html>x</a>",
    "empty.txt": b"",
    "map.csv": b"/a,/b\n",
    "bad.csv": b"old,new,kind\n/a,/b,nothing\n",
    "latin.csv": b"/a,/\xe9\n",
}


def said_by(line: str) -> str:
    """Return the exit status and the messages of a command line."""
    done = CliRunner().invoke(cli, shlex.split(line), prog_name="linkfix")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return f"{done.exit_code}\n{done.output}".replace(str(Path.cwd()), "FOLDER")


def test_wrong_command_lines_say_what_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, data in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    before = {*tmp_path.rglob("*")}
    text, found = TABLE.read_text("utf-8"), ""
    for line in text.splitlines():
        if line.startswith("$ linkfix "):
            found += f"{line}\n{said_by(line.removeprefix('$ linkfix '))}\n"
            assert {*tmp_path.rglob("*")} == before, f"{line} wrote something"
    if "LINKFIX_RECORD" in os.environ:
        TABLE.write_text(found, "utf-8")
    assert found == text
