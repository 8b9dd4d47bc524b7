"""How commands end when their standard streams are full, closed, or read by nobody (docs/exit-status.md)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

import processes
import pytest
from click.testing import CliRunner

from linkfix.cli.batch import STOPPED
from linkfix.cli.group import cli
from linkfix.sites.events import Began, Stopped

PAGE = "<meta charset=utf-8>" + "<a href='/a b'>x</a>\n" * 3000
COMMANDS = [
    ["extract", "a.html"],
    ["extract", "--format", "csv", "a.html"],
    ["audit", "--fail-on", "never", "a.html"],
    ["audit", "--format", "sarif", "a.html"],
    ["rewrite", "a.html"],
    ["rewrite"],
    ["rewrite", "-q", "--diff", "a.html"],
    ["rewrite", "-q", "--dry-run", "a.html"],
    ["rules"],
    ["rules", "--format", "json"],
    ["iri", "convert", "/a b"],
    ["iri", "inspect", "/a b"],
    ["iri", "resolve", "--base", "http://x/", "a"],
    ["iri", "compare", "http://x/", "http://x"],
    ["--version"],
    ["--help"],
]
FULL = Path("/dev/full")
FULL_MESSAGE = "linkfix: cannot write standard output: No space left on device\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.html").write_text(PAGE)
    return tmp_path


def shell(folder: Path, command: list[str], redirections: str) -> tuple[int, str]:
    """Start a command with redirections of a shell; its exit status and standard error."""
    line = f'"$@" {redirections}'
    with (folder / "a.html").open() as page:
        done = subprocess.run(
            ["/bin/sh", "-c", line, "sh", sys.executable, "-m", "linkfix", *command],
            cwd=folder,
            stdin=page,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    return done.returncode, done.stderr.decode()


def forked(folder: Path, command: list[str], out: BinaryIO) -> tuple[int, str]:
    """Run a command that writes to a file, without a start of Python; its exit status and standard error."""
    with (folder / "a.html").open("rb") as page:
        done = processes.run(*command, cwd=folder, stdin=page, stdout=out.fileno())
    return done.returncode, done.stderr.decode()


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk(command: list[str], folder: Path) -> None:
    with FULL.open("wb") as out:
        assert forked(folder, command, out) == (3, FULL_MESSAGE)


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
def test_a_full_disk_of_a_process_that_was_started(folder: Path) -> None:
    for command in (["extract", "a.html"], ["rewrite"], ["--version"]):
        assert shell(folder, command, ">/dev/full") == (3, FULL_MESSAGE)


#: One for each way to write: rows, octets, a diff, a report, one text, and what click writes.
WRITERS = [COMMANDS[number] for number in (0, 3, 5, 6, 8, 10, 14)]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(command, marks=[pytest.mark.nightly] * (command not in WRITERS))
        for command in COMMANDS
    ],
    ids=" ".join,
)
def test_a_closed_standard_output(command: list[str], folder: Path) -> None:
    status, message = shell(folder, command, ">&-")
    assert (status, message.splitlines()) == (
        3, ["linkfix: cannot write standard output: Bad file descriptor"]
    )  # fmt: skip
    assert (folder / "a.html").read_text() == PAGE


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_reader_that_has_gone(command: list[str], folder: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as out:
        assert forked(folder, command, out) == (141, "")


def test_streams_that_another_program_has_made_non_blocking() -> None:
    """As Node.js leaves those of a terminal, a pipe or a socket that it shares."""
    (there, source), (out, here) = os.pipe(), os.pipe()
    os.set_blocking(there, False)
    os.set_blocking(here, False)
    command = [sys.executable, "-m", "linkfix", "rewrite", "-q"]
    process = subprocess.Popen(command, stdin=there, stdout=here)
    os.close(there)
    os.close(here)
    with os.fdopen(source, "wb", buffering=0) as pipe:
        pipe.write(PAGE[:20].encode())
        assert os.get_blocking(source)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        pipe.write(PAGE[20:50_000].encode())
    with os.fdopen(out, "rb") as pipe:
        time.sleep(1)
        assert pipe.read() == PAGE[:50_000].replace("/a b", "/a%20b").encode()
    assert process.wait(20) == 0


def test_a_closed_standard_input_or_error(folder: Path) -> None:
    status, message = shell(folder, ["rewrite"], "<&-")
    assert (status, message) == (3, "linkfix: <stdin>: cannot read it: Bad file descriptor\n")
    status, message = shell(folder, ["iri", "convert"], "<&-")
    assert (status, message.count("\n")) == (3, 1)
    # What is said goes nowhere, and nothing else changes.
    assert shell(folder, ["rewrite", "-i", "a.html"], "2>&-") == (0, "")
    assert "/a%20b" in (folder / "a.html").read_text()
    assert shell(folder, ["audit", "a.html"], "2>/dev/full")[0] == 0
    assert shell(folder, ["rewrite", "missing.html"], "2>&-")[0] == 3


def test_no_file_gets_the_number_of_a_closed_stream(folder: Path) -> None:
    status, _ = shell(folder, ["rewrite", "-i", "--report", "r.jsonl", "a.html"], "<&- >&- 2>&-")
    assert status == 0
    assert (folder / "a.html").read_text() == PAGE.replace("/a b", "/a%20b")
    assert len((folder / "r.jsonl").read_text().splitlines()) == 3000


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "command",
    [
        ["audit", "-o", "/dev/full", "a.html"],
        ["rewrite", "-i", "--report", "/dev/full", "a.html"],
        ["audit", "-o", "none/x", "a.html"],
        ["rewrite", "-i", "--report", "none/x", "a.html"],
        ["audit", "--baseline", "none/x", "--write-baseline", "a.html"],
    ],
    ids=" ".join,
)
def test_a_report_that_cannot_be_written(command: list[str], folder: Path) -> None:
    with Path(os.devnull).open("wb") as out:
        status, message = forked(folder, command, out)
    path = next(part for part in command if part in {"/dev/full", "none/x"})
    assert status == 3
    (line,) = [line for line in message.splitlines() if "cannot write it" in line]
    assert line.startswith(f"linkfix: {path}: cannot write it: No s")
    assert "Traceback" not in message


@pytest.mark.parametrize(
    "command", [["extract"], ["audit"], ["rewrite"], ["rewrite", "--diff"]], ids=" ".join
)
def test_ctrl_c_at_one_document(command: list[str], folder: Path) -> None:
    os.mkfifo(folder / "pipe.html")
    process = subprocess.Popen(
        [sys.executable, "-m", "linkfix", *command, "pipe.html"],
        cwd=folder,
        env=os.environ | {"PYTHONWARNINGS": ""},  # the signal may come while Python opens the file
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    # The document is opened, and never ends.
    with (folder / "pipe.html").open("wb", buffering=0) as pipe:
        pipe.write(PAGE.encode()[:5000])
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    # The line feed ends the line on which a terminal shows ^C.
    assert (process.returncode, said) == (130, b"\nlinkfix: stopped\n")
    assert {path.name for path in folder.iterdir()} == {"a.html", "pipe.html"}


@pytest.mark.parametrize(("name", "job"), [("audit", "audit_site"), ("graph", "graph")])
def test_a_run_that_is_stopped_replaces_no_report(
    name: str, job: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(f"linkfix.cli.{name}")
    events = Began(2, 2, many=False), Stopped(1, 2)
    monkeypatch.setattr(module, job, lambda *_, **__: (event for event in events))
    report = folder / "report"
    report.write_text("old")
    done = CliRunner().invoke(cli, [name, "--format", "jsonl", "-o", str(report), str(folder)])
    assert done.exit_code == STOPPED
    assert report.read_text() == "old"
    assert len(list(folder.iterdir())) == 2
