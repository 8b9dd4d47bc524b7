"""How commands talk to people: colours, progress, the keyboard, Ctrl-C, completion, -q and -v (docs/terminal.md)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import processes
import pytest
from terminals import on_a_terminal

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
PAGE = "<meta charset=utf-8><a href='/a b'>x</a>"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
#: Every command whose output for people has colours, with its arguments.
COLOURED = ["extract p.html", "audit p.html", "audit --group-by cause p.html", "audit --diff p.html", "rewrite --diff p.html"]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.html").write_text(PAGE)
    for number in range(60):
        (tmp_path / f"site{number // 60}" / f"{number}.html").parent.mkdir(exist_ok=True)
        (tmp_path / f"site{number // 60}" / f"{number}.html").write_text(PAGE)
    return tmp_path


def run(command: str, cwd: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONUTF8": "1"} | settings
    return processes.text(processes.run(*command.split(), cwd=cwd, env=environment))


@pytest.mark.parametrize("command", COLOURED)
def test_colours(command: str, folder: Path) -> None:
    plain = run(command, folder)
    assert not COLOUR.search(plain.stdout)
    forced = run(command, folder, FORCE_COLOR="1")
    assert COLOUR.search(forced.stdout)
    assert COLOUR.sub("", forced.stdout) == plain.stdout
    assert run(f"{command} --color always", folder, NO_COLOR="1").stdout == forced.stdout
    assert run(f"{command} --color never", folder, FORCE_COLOR="1").stdout == plain.stdout
    assert run(command, folder, FORCE_COLOR="1", NO_COLOR="1").stdout == plain.stdout
    assert run(command, folder, NO_COLOR="", FORCE_COLOR="").stdout == plain.stdout
    shown = on_a_terminal(*command.split(), stream="stdout", cwd=folder)
    assert COLOUR.search(shown)
    assert not COLOUR.search(on_a_terminal(*command.split(), "--color", "never", stream="stdout", cwd=folder))  # fmt: skip


def test_data_has_no_colours_unless_they_are_asked_for(folder: Path) -> None:
    for form in ("jsonl", "csv"):
        assert not COLOUR.search(
            run(f"extract --format {form} --color always p.html", folder).stdout
        )
    assert not COLOUR.search(run("rewrite --color always p.html", folder).stdout)


def test_a_coloured_diff_is_the_diff_in_every_charset() -> None:
    from linkfix.cli.output import coloured

    diff = b"--- a\n+++ b\n@@ -1 +1 @@\r\n-\xe9\x1b\r\n+\xff\n \\ no\n\\ No newline at end of file"
    assert re.sub(rb"\x1b\[[0-9;]*m", b"", coloured(diff)) == diff
    assert coloured(diff).count(b"\x1b[0m") == 5


@pytest.mark.parametrize(
    ("command", "phases"),
    [
        ("audit -j 1 --exit-zero -o found.txt site0", ["audit: "]),
        ("rewrite -o new site0", ["rewrite: "]),
        ("graph --format jsonl -o g.jsonl site0", ["graph: "]),
        ("migrate site0 utf8 --base http://h.example/ --served *", ["examining: ", "writing: "]),
    ],
)
def test_progress_names_what_is_done_and_leaves_no_line(
    command: str, phases: list[str], folder: Path
) -> None:
    shown = on_a_terminal(*command.split(), stream="stderr", cwd=folder)
    for phase in phases:
        assert re.search(rf"{phase}60/60 documents, [\d,]+ a second, 0:00 left", COLOUR.sub("", shown)), shown  # fmt: skip
    last = shown.replace("\r\n", "\n").rstrip("\n").rsplit("\n", 1)[-1]
    assert "documents, " not in last.rsplit("\r", 1)[-1] or "per second" in last
    assert "a second" not in run(command.replace("new", "n2").replace("utf8", "u2"), folder).stderr


def typed(command: str, folder: Path, keys: list[bytes]) -> tuple[int, str]:
    """The status of a command whose standard input is a terminal, and what it writes to standard error."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    process: Any = subprocess.Popen(
        [sys.executable, "-m", "linkfix", *command.split()],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=follower,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    os.close(follower)
    for each in keys:
        os.write(leader, each)
    out, said = process.communicate(timeout=120)
    os.close(leader)
    return process.returncode, (out + said).decode()


@pytest.mark.parametrize("command", ["extract", "rewrite -q", "audit -q", "iri convert"])
@pytest.mark.parametrize("text", [b"", b"<a href=x>\n"])
def test_the_keyboard_is_named_and_one_end_is_enough(
    command: str, text: bytes, folder: Path
) -> None:
    status, said = typed(command, folder, [text, b"\x04"])
    assert status in {0, 1}
    assert said.count("reading from the terminal; Ctrl-D at the start of a line ends it") == 1


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c(times: int, folder: Path) -> None:
    """Once: the present documents are finished; twice: at once. A run that writes goes on with --resume."""
    for number in range(3):
        (folder / "site0" / f"long{number}.html").write_text(PAGE * 3_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "linkfix", "rewrite", "-j", "1", "-o", "out", "site0"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while not (folder / "out").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    for _ in range(times):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    if process.returncode == 0:  # it was done before the signal came
        return
    assert process.returncode == 130, said
    assert b"stopped" in said
    assert b"Traceback" not in said
    done = run("rewrite -j 1 -o out --resume site0", folder)
    assert done.returncode in {0, 2}, done.stderr


INTERRUPTED = {
    "a class": "import click\n"
    "from linkfix.cli import batch, group\n"
    "def main(**_):\n"
    "    try:\n"
    "        exec('raise KeyboardInterrupt')\n"
    "    except KeyboardInterrupt:\n"
    "        raise click.Abort from None\n"
    "group.cli.main = main\n",
    "an attribute of a class": "from linkfix.cli import group\n"
    "class Attribute:\n"
    "    def __set_name__(*_):\n"
    "        raise KeyboardInterrupt\n"
    "group.cli.main = lambda **_: type('Record', (), {'attribute': Attribute()})\n",
    "a module": "import sys\n"
    "class Finder:\n"
    "    def find_spec(name, *_):\n"
    "        if name == 'linkfix.cli.group':\n"
    "            raise KeyboardInterrupt\n"
    "sys.meta_path.insert(0, Finder)\n",
}


#: The same once a command has said that it was stopped: in its last steps, and behind it.
LATE = {
    "a class whose interrupt was seen": "from linkfix.cli import group\n"
    "def main(**_):\n"
    "    try:\n"
    "        exec('raise KeyboardInterrupt')\n"
    "    except KeyboardInterrupt:\n"
    "        return 130\n"
    "group.cli.main = main\n",
    "the end of Python": "import atexit, signal\n"
    "from linkfix.cli import group\n"
    "atexit.register(signal.raise_signal, signal.SIGINT)\n"
    "group.cli.main = lambda **_: 130\n",
}


@pytest.mark.parametrize(
    ("made", "said"),
    [*((each, b"linkfix: stopped\n") for each in INTERRUPTED.values()), *((each, b"") for each in LATE.values())],
    ids=[*INTERRUPTED, *LATE],
)  # fmt: skip
def test_an_interrupt_has_one_status_wherever_it_comes(
    made: str, said: bytes, folder: Path
) -> None:
    """Python ends by the signal where it interrupts `exec`, unless it is told not to."""
    text = f"{made}from linkfix.cli import ending\nending.run()\n"
    (folder / "interrupted.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "interrupted"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, said)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [("au", "audit"), ("audit --sel", "--select"), ("extract --format j", "jsonl"), ("iri con", "convert")],
)  # fmt: skip
def test_completion(words: str, wanted: str, folder: Path) -> None:
    line = f"linkfix {words}"
    asked = {"_LINKFIX_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}  # fmt: skip
    assert f"plain,{wanted}" in run("", folder, **asked).stdout
    for shell in ("bash", "zsh", "fish"):
        script = run("", folder, _LINKFIX_COMPLETE=f"{shell}_source").stdout
        assert f"_LINKFIX_COMPLETE={shell}_complete" in script


@pytest.mark.parametrize("command", ["extract site0", "audit --exit-zero site0", "rewrite -o new site0", "verify site0 site0", "graph site0", "migrate site0 m --base http://h.example/"])  # fmt: skip
def test_quiet_and_verbose(command: str, folder: Path) -> None:
    """-q says nothing but errors; -v names the settings and every document, in every command."""
    (folder / "linkfix.toml").write_text('exclude = ["nothing"]\n')
    assert run(f"{command} -q".replace(" new", " n2").replace(" m ", " m2 "), folder).stderr == ""
    said = run(f"{command} -v", folder).stderr
    assert f"settings: {folder / 'linkfix.toml'}" in said
    assert said.count(": done\n") >= 60


def test_a_missing_file_has_a_near_one(folder: Path) -> None:
    assert "did you mean p.html?" in run("extract p.htm", folder).stderr
    assert "did you mean p.html?" in run("extract P.HTML", folder).stderr
    assert "did you mean site0/22.html?" in run("audit site0/22.htm", folder).stderr
    assert "check the name" in run("audit nothing-like-it", folder).stderr
    assert "Did you mean" in run("rewirte", folder).stderr
    assert "--format" in run("extract --fromat csv p.html", folder).stderr


def test_the_worst_causes_come_with_the_command_that_mends_them(folder: Path) -> None:
    shown = on_a_terminal("audit", "--ignore", "DOC", "site0", stream="stdout", cwd=folder)
    (command,) = re.findall(r"^ +linkfix (audit --fix .*?)\r?$", shown, re.MULTILINE)
    assert command == "audit --fix --ignore DOC site0"
    assert "60 findings with a correction" in shown
    assert run("audit site0 --ignore DOC", folder).returncode == 1
    assert run(command, folder).returncode == 1  # it says what it has found, and mends that
    assert "/a%20b" in (folder / "site0" / "1.html").read_text()
