"""How much memory the command needs for a short document and for a long one.

    python benchmarks/peers.py --task memory [--mix MIX] [--large MB] [--only COMMAND]...

prints the table, of `USUAL` or of the commands that are named. The document comes through a pipe, or is a file
that is replaced.

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

EXTRACT = ["extract", "--type", "html"]
AUDIT = ["audit", "--type", "html", "--fail-on", "never"]
COMMANDS = {
    "rewrite": ["rewrite", "--to", "uri", "--type", "html"],
    "rewrite in place": ["rewrite", "--to", "uri", "--type", "html", "-j", "1", "-i"],
    "extract": EXTRACT,
    "audit": AUDIT,
    **{f"extract {name}": [*EXTRACT, "--format", name] for name in ("jsonl", "csv")},
    **{
        f"audit {name}": [*AUDIT, "--format", name]
        for name in ("jsonl", "csv", "sarif", "github", "junit", "html")
    },
}
USUAL = ("rewrite", "rewrite in place", "extract", "audit")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the command: bytes fed, seconds of processor time, megabytes at the peak."""

    octets: int
    cpu: float
    peak: float


def feed(arguments: list[str], mix: str, size: int) -> Run:
    """Run linkfix on a document of `size` bytes that is made while it reads."""
    command = [sys.executable, __file__, *arguments]
    in_place = "-i" in arguments
    done = 0
    with (
        tempfile.TemporaryFile("w+") as messages,
        tempfile.NamedTemporaryFile(suffix=".html") as file,
    ):
        if in_place:
            done = sum(map(file.write, corpus.stream(mix, size)))
            file.flush()
        process = subprocess.Popen(
            [*command, file.name if in_place else "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=messages,
        )
        assert process.stdin is not None
        with process.stdin as pipe:
            for data in () if in_place else corpus.stream(mix, size):
                done += pipe.write(data)
        status = process.wait()
        messages.seek(0)
        said = messages.read()
    if status:
        raise SystemExit(f"linkfix {' '.join(arguments)}: exit status {status}\n{said}")
    cpu, megabytes = said.splitlines()[-1].split()
    return Run(done, float(cpu), float(megabytes))


def compare_memory(mix: str, short: float, long: float, only: list[str]) -> str:
    """A table of the peak memory at two sizes in megabytes, for each command or those named."""
    lines = [
        f"### memory: {mix} document\n",
        "| command | MB | MB/s | peak | MB | MB/s | peak | difference |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name in only or USUAL:
        arguments = COMMANDS[name]
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
