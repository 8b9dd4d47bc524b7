"""Run commands of linkfix side by side, as a user would, and watch their memory.

A run is a process of its own with its own session, so that all of its workers are found: while it runs, the peak
memory of each process of the session is read from ``/proc``. What it writes goes to files. `Run.problems` says
what no command may ever do: a traceback, a fault that it asks to report, an undocumented exit
status, too much memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shlex
import signal
import subprocess
import sys
import sysconfig
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["JOBS", "Run", "busy", "differences", "finish", "start", "tree"]

#: The ways in which each command is run: its default, and numbers of processes.
JOBS: tuple[tuple[str, ...], ...] = ((), ("-j", "1"), ("-j", "2"))
#: The memory limit of one process in bytes.
_MEMORY = 400 * 1024 * 1024
#: The time limit of a command on a busy machine in seconds.
_LIMIT = 900.0
_PAUSE = 0.1
_SECONDS = re.compile(rb"\b[\d,]+(\.\d+)? s\b")
_STATUSES = (0, 1, 3)
#: The output of a module of the current folder that must not be imported.
_IMPORTED = "imported a module of the current folder"


@dataclass(slots=True)
class Run:
    """A command that runs or has run.

    Attributes:
        arguments: after ``linkfix``.
        folder: that it runs in.
        process: of the command.
        out: file with its standard output.
        err: file with its standard error.
        peaks: the most memory that each process had, in bytes, by process identifier.
        status: exit status; None while it runs.

    """

    arguments: tuple[str, ...]
    folder: Path
    process: subprocess.Popen[bytes]
    out: Path
    err: Path
    peaks: dict[int, int] = field(default_factory=dict)
    status: int | None = None

    @property
    def command(self) -> str:
        """The command as a user types it."""
        return shlex.join(["linkfix", *self.arguments])

    @property
    def said(self) -> bytes:
        """Its messages on standard error, without the times."""
        return _SECONDS.sub(b"N s", self.err.read_bytes())

    @property
    def problems(self) -> list[str]:
        """What no command may do, each as a line."""
        said = self.err.read_bytes()
        found = []
        if b"Traceback (most recent call last)" in said or b"\nFatal " in said:
            lines = said.decode("utf-8", "replace").strip().splitlines()
            found.append("traceback: " + lines[-1] + "\n" + "\n".join(lines[-12:-1]))
        if b"please report" in said:
            line = next(each for each in said.splitlines() if b"please report" in each)
            found.append(line.decode("utf-8", "replace"))
        if _IMPORTED.encode() in said:
            found.append(f"it {_IMPORTED}")
        if self.status not in _STATUSES:
            found.append(f"exit status {self.status}: {said[-300:].decode('utf-8', 'replace')}")
        if self.peaks and max(self.peaks.values()) > _MEMORY:
            found.append(f"peak memory of a process: {max(self.peaks.values()) / 1e6:.0f} MB")
        return [f"{self.command}: {each}" for each in found]


def start(arguments: Sequence[str], folder: Path, name: str = "run") -> Run:
    """Start a command in a folder, in which a module lies in wait; its outputs go to files there."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "json.py").write_text(f"raise SystemExit({_IMPORTED!r})\n")
    out, err = folder / f"{name}.out", folder / f"{name}.err"
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            [_program(), *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=_environment(),
            start_new_session=True,
        )
    return Run(tuple(arguments), folder, process, out, err)


def finish(*runs: Run) -> None:
    """Wait for commands to end, and watch their memory meanwhile.

    Raises:
        TimeoutError: one of them does not end; it is killed.

    """
    sessions = {run.process.pid: run for run in runs}
    deadline = time.monotonic() + _LIMIT
    while any(run.process.poll() is None for run in runs):
        _watch(sessions)
        if time.monotonic() > deadline:
            late = [run for run in runs if run.process.poll() is None]
            for run in late:
                kill(run)
            raise TimeoutError(f"no end after {_LIMIT:.0f} s: {', '.join(r.command for r in late)}")
        time.sleep(_PAUSE)
    for run in runs:
        run.status = run.process.returncode


def kill(run: Run) -> None:
    """Kill a command and all of its processes at once, and wait for it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(run.process.pid, signal.SIGKILL)
    run.status = run.process.wait()


@contextlib.contextmanager
def busy() -> Iterator[None]:
    """Keep every core busy while the context lasts."""
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


def _environment() -> dict[str, str]:
    """Return the environment of a new user, without any setting of Python."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return environment | {"LC_ALL": "C.UTF-8"}


def _program() -> str:
    """Return the command that is installed beside this Python."""
    return str(Path(sysconfig.get_path("scripts"), "linkfix"))


def _watch(sessions: dict[int, Run]) -> None:
    """Note the peak memory of every process of the sessions."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            session = int((folder / "stat").read_text().rpartition(")")[2].split()[3])
            if run := sessions.get(session):
                for line in (folder / "status").read_text().splitlines():
                    if line.startswith("VmHWM:"):
                        pid = int(folder.name)
                        run.peaks[pid] = max(run.peaks.get(pid, 0), int(line.split()[1]) * 1024)


def tree(folder: Path) -> dict[str, str]:
    """Return what is in a folder: relative paths, each with a digest, the target of a link, or "folder"."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = Path(place, name)
            key = os.fspath(path.relative_to(folder))
            if path.is_symlink():
                found[key] = f"-> {path.readlink()}"
            elif path.is_dir():
                found[key] = "folder"
            else:
                with path.open("rb") as file:
                    found[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def differences(one: Path, other: Path) -> list[str]:
    """Say how two files or folders differ; nothing for not at all."""
    if one.is_dir():
        first, second = tree(one), tree(other)
        names = sorted(
            key for key in first.keys() | second.keys() if first.get(key) != second.get(key)
        )
        return [f"{name}: {first.get(name)} | {second.get(name)}" for name in names[:10]]
    return _lines(one.read_bytes(), other.read_bytes())


def _lines(one: bytes, other: bytes) -> list[str]:
    """Say in which line two outputs begin to differ."""
    if _SECONDS.sub(b"N s", one) == _SECONDS.sub(b"N s", other):
        return []
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    number, lines = next(
        ((n, pair) for n, pair in enumerate(pairs, 1) if pair[0] != pair[1]), (0, (b"", b""))
    )
    return [
        f"{len(one)} and {len(other)} bytes; line {number}: {lines[0][:300]!r} | {lines[1][:300]!r}"
    ]
