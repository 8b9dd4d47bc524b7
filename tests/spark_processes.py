"""Processes of Spark to kill, and what they write, for the tests and comparisons of `linkfix.spark`."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawls import record

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["executors", "files_in", "holders", "rewritten", "start", "wait_for", "write_large"]


def write_large(folder: Path, files: int, records: int) -> list[str]:
    """Write WARC files with many links that change; return their paths."""
    page = b"<meta charset=windows-1251>" + b"<a href='/a b?%d'>\xe0</a>" * 400
    for name in range(files):
        with (folder / f"{name}.warc").open("wb") as file:
            for number in range(records):
                body = page.replace(b"%d", b"%d-%d" % (name, number))
                file.write(record(f"http://host{name}.example/{number}", body))
    return [str(path) for path in sorted(folder.iterdir())]


def files_in(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their paths, without those of linkfix."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".linkfix-" not in path.as_posix()
    }


def rewritten(paths: list[str], folder: Path, *options: str) -> dict[str, bytes]:
    """The files that the command line writes."""
    command = [sys.executable, "-m", "linkfix", "rewrite", "-q", "-o", str(folder)]
    subprocess.run([*command, *options, *paths], capture_output=True, check=False)
    return files_in(folder)


def holders(folder: Path, driver: int) -> list[int]:
    """The processes that write to files in a folder, but for the driver, which writes records."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            files = [str(entry.readlink()) for entry in (process / "fd").iterdir()]
            if process.name != str(driver) and any(x.startswith(f"{folder}/") for x in files):
                found.append(int(process.name))
    return found


def wait_for(condition: Callable[[], Any], seconds: float = 120) -> Any:
    """Wait until a condition is true; return its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.01)
    return value


def executors(parent: int) -> list[int]:
    """The executors of Spark among the descendants of a process."""
    found, parents = [], {parent}
    for entry in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            status = (entry / "stat").read_text().rpartition(")")[2].split()
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if int(status[1]) in parents:
            parents.add(int(entry.name))
            if b"CoarseGrainedExecutorBackend" in line:
                found.append(int(entry.name))
    return found


def start(paths: list[str], target: Path, master: str, *work: str) -> subprocess.Popen[bytes]:
    """Start the command in a process of its own; without work, it rewrites."""
    command = [sys.executable, "-m", "linkfix", "spark", *(work or ("rewrite",)), "-o", str(target)]
    return subprocess.Popen([*command, "--master", master, *paths], stderr=subprocess.DEVNULL)
