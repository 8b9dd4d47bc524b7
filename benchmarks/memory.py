"""How much memory the command needs for a short document and for a long one, fed through a pipe.

    python benchmarks/memory.py ARGUMENTS...

runs linkfix with these arguments and writes a last line to standard error: its processor time in seconds
and its resident memory at the highest, in megabytes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import corpus
from measure import peak

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
    command = [sys.executable, __file__, *arguments]
    done = 0
    with tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=messages
        )
        assert process.stdin is not None
        with process.stdin as pipe:
            for data in corpus.stream(mix, size):
                done += pipe.write(data)
        status = process.wait()
        messages.seek(0)
        said = messages.read()
    if status:
        raise SystemExit(f"linkfix {' '.join(arguments)}: exit status {status}\n{said}")
    cpu, megabytes = said.splitlines()[-1].split()
    return Run(done, float(cpu), float(megabytes))


def compare_memory(mix: str, short: float, long: float) -> str:
    """A table of the peak memory at two sizes in megabytes, for each command."""
    lines = [
        f"### memory: {mix} document through a pipe\n",
        "| command | MB | MB/s | peak | MB | MB/s | peak | difference |",
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


def main() -> None:
    from linkfix.cli import main as linkfix

    try:
        linkfix()
    finally:
        print(f"{time.process_time()} {peak()}", file=sys.stderr)


if __name__ == "__main__":
    main()
