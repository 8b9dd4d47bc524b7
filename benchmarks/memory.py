"""How much memory the command needs for a short document and for a long one, fed through a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import corpus

COMMANDS = {
    "rewrite": ["rewrite", "--to", "uri", "--type", "html", "-"],
    "extract": ["extract", "--type", "html", "-"],
    "audit": ["audit", "--type", "html", "--fail-on", "never", "-"],
}


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command: bytes fed, seconds of processor time, megabytes at the peak."""

    octets: int
    cpu: float
    peak: float


def feed(arguments: list[str], mix: str, size: int) -> Run:
    """Run linkfix on a document of `size` bytes that is made while it reads."""
    command = [sys.executable, "-m", "linkfix", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin is not None
    done = 0
    with process.stdin as pipe:
        for data in corpus.stream(mix, size):
            done += pipe.write(data)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return Run(done, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def compare_memory(mix: str, short: float, long: float) -> str:
    """A table of the peak memory at two sizes in megabytes, for each command."""
    lines = [
        f"### memory: {mix} document through a pipe\n",
        "| command | MB | MB/s | peak MB | MB | MB/s | peak MB | difference |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, arguments in COMMANDS.items():
        print(f"memory: {name}", file=sys.stderr)
        runs = [feed(arguments, mix, int(size * 1e6)) for size in (short, long)]
        cells = [
            cell
            for run in runs
            for cell in (
                f"{run.octets / 1e6:.0f}",
                f"{run.octets / 1e6 / run.cpu:.1f}",
                f"{run.peak:.1f}",
            )
        ]
        lines.append(f"| {name} | {' | '.join(cells)} | {runs[1].peak - runs[0].peak:+.1f} |")
    return "\n".join(lines) + "\n"
