"""The processor time of commands with little to do, as ratios to that of ``python -c pass`` in the same run.

    python benchmarks/startup.py [--runs N]

Each command works on one small page with a link that changes, in a folder without settings.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = b'<!doctype html><meta charset="utf-8"><title>A page</title><p><a href="a b/\xc3\xa9.html">A link</a></p>\n'

#: Modules are read as Python has compiled them before.
_ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}


def seconds(arguments: list[str], folder: str) -> float:
    """Run Python in a folder and return the processor time that it took."""
    nowhere = subprocess.DEVNULL
    started = subprocess.Popen(
        [sys.executable, *arguments], cwd=folder, env=_ENVIRONMENT, stdout=nowhere, stderr=nowhere
    )
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"{' '.join(arguments)}: exit status {started.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=21)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_bytes(PAGE)
        commands = {
            "python -c pass": ["-c", "pass"],
            "linkfix --version": ["-m", "linkfix", "--version"],
            "linkfix iri convert": ["-m", "linkfix", "iri", "convert", "http://example.org/\u00e9"],
            "linkfix rewrite PAGE": ["-m", "linkfix", "rewrite", str(page)],
            "linkfix extract PAGE": ["-m", "linkfix", "extract", str(page)],
            "linkfix audit PAGE": ["-m", "linkfix", "audit", "--fail-on", "never", str(page)],
        }
        for arguments in commands.values():
            seconds(arguments, folder)
        taken: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(runs):  # interleaved, so that all have the same machine
            for name, arguments in commands.items():
                taken[name].append(seconds(arguments, folder))
    first, *_ = medians = [statistics.median(values) for values in taken.values()]
    for name, median in zip(commands, medians, strict=True):
        print(f"{name:20} {median * 1000:7.1f} ms of processor time, {median / first:5.1f}")


if __name__ == "__main__":
    main()
