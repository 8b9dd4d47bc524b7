"""linkfix beside every other program that is installed, on the same documents.

    python benchmarks/peers.py [FOLDER] [--task TASK]... [--size MB] [--mix MIX] [--runs N]
                               [--beside CHECKOUT]...

Without a FOLDER the documents are generated (corpus.py). Each program runs in a process of its own, one
after another on one core, round by round, so that all see the same machine. Each document is timed by
itself, in processor time: a program that has used up `--seconds` stops, and is compared with linkfix on the
documents that both have done. Figures are medians of the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from statistics import median

import corpus
from measure import Sample
from memory import compare_memory
from programs import TASKS, Program

HERE = Path(__file__).parent
COLUMNS = (
    "program",
    "MB/s",
    "elapsed",
    "documents/s",
    "linkfix is",
    "peak",
    "documents",
    "links",
    "changed",
    "same",
    "failed",
)
#: The programs that `--kinds` compares, and the columns of its tables.
KINDS = {
    "linkfix",
    "lxml iterparse",
    "lxml iterparse, lxml.html, written",
    "lxml iterparse, pattern, written",
}
KIND_COLUMNS = ("documents", "program", "MB/s", "linkfix is", "links", "changed")
NOTES = """\
MB/s: of processor time, and of time elapsed on one core that others may use as well. linkfix is: how many
times as fast as this program the first row is, in processor time on the documents that both did. peak:
resident memory in MB. documents, links, changed: what the program did in a round, a link being what it takes
for one (in an audit, "changed" are the findings). same: of the documents in which it changed no link, those
that came out byte for byte. failed: documents that it raised an error for.
A peer passes each value through a function that percent-encodes what a URI cannot have; "all set": it sets
every value, changed or not; "no links": it looks at none. The peers for XML write
nothing and pass over HTML in texts, except those that are named after how they read it.
"""


def run(task: str, program: Program, seconds: float, paths: list[Path]) -> Sample:
    if program.make is None:
        command = [program.needs[1:], str(HERE / "bun.js"), task, program.mode, str(seconds)]
    else:
        command = [sys.executable, str(HERE / "measure.py"), task, program.name, str(seconds)]
    listed = "".join(f"{path}\n" for path in paths)
    environment = os.environ | ({"PYTHONPATH": program.checkout} if program.checkout else {})
    done = subprocess.run(
        command, input=listed, stdout=subprocess.PIPE, env=environment, text=True, check=True
    )
    return Sample(**json.loads(done.stdout))


def speed(sample: Sample) -> float:
    return sum(sample.octets) / 1e6 / sum(sample.cpu)


def elapsed(sample: Sample) -> float:
    return sum(sample.octets) / 1e6 / sum(sample.wall)


def ratio(sample: Sample, other: Sample) -> float:
    """How many times as fast as the second the first is, on what both have done."""
    both = min(len(sample.cpu), len(other.cpu))
    return sum(other.cpu[:both]) / sum(sample.cpu[:both])


def _head(columns: tuple[str, ...]) -> list[str]:
    return [f"| {' | '.join(columns)} |", "| --- |" + " ---: |" * (len(columns) - 1)]


def table(title: str, rows: dict[str, list[Sample]]) -> str:
    """Samples of each program by round, as a table in Markdown."""
    lines = [f"### {title}\n", *_head(COLUMNS)]
    first = next(iter(rows.values()))
    for name, samples in rows.items():
        one = samples[0]
        times = median(ratio(a, b) for a, b in zip(first, samples, strict=True))
        cells = (
            name,
            f"{median(map(speed, samples)):.1f}",
            f"{median(map(elapsed, samples)):.1f}",
            f"{median(len(sample.cpu) / sum(sample.cpu) for sample in samples):.0f}",
            f"{times:.2f} ×" if samples is not first else "",
            f"{max(sample.peak for sample in samples):.0f}",
            f"{len(one.cpu)}",
            f"{one.links}",
            f"{one.changed}",
            f"{one.same} of {one.unchanged}" if one.unchanged else "",
            f"{one.errors}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def beside(program: Program, checkouts: list[Path]) -> list[Program]:
    """A program of linkfix, and the same of other checkouts."""
    return [program, *(replace(program, checkout=str(each.resolve())) for each in checkouts)]


def label(program: Program) -> str:
    return f"{program.name} {Path(program.checkout).name}".strip()


def compare(
    task: str, programs: list[Program], paths: list[Path], runs: int, seconds: float
) -> str:
    rows: dict[str, list[Sample]] = {label(program): [] for program in programs}
    for number in range(runs):
        for program in programs:
            print(f"{task}: round {number + 1}: {label(program)}", file=sys.stderr)
            rows[label(program)].append(run(task, program, seconds, paths))
    missing = sorted({program.needs for program in TASKS[task] if not program.installed})
    absent = f"\nNot installed: {', '.join(missing)}.\n" if missing else ""
    size = sum(path.stat().st_size for path in paths) / 1e6
    return table(f"{task}: {len(paths)} documents, {size:.1f} MB, {runs} rounds", rows) + absent


def compare_kinds(task: str, options: argparse.Namespace, made: Path) -> str:
    """linkfix on each kind of XML beside other checkouts and the peers that read its links, as a table in Markdown."""
    size, runs, seconds = int(options.size * 1e6), options.runs, options.seconds
    first, *others = (program for program in TASKS[task] if program.name in KINDS)
    lines = [f"### {task}: each kind, {size / 1e6:.1f} MB, {runs} rounds\n", *_head(KIND_COLUMNS)]
    for variant in options.variant or corpus.VARIANTS:
        for kind in options.kind or corpus.kinds():
            target = made / f"{kind} {variant}"
            if not target.exists():
                corpus.write(corpus.feeds(size, corpus.VARIANTS[variant], [kind]), target)
            paths = corpus.found(target, corpus.XML_SUFFIXES)
            print(f"{task}: {kind}, {variant}", file=sys.stderr)
            # Where there is no HTML in texts, the first peer does the same work.
            programs = [
                *beside(first, options.beside),
                *(others if kind.endswith("-html") else others[:1]),
            ]
            rounds = [[run(task, each, seconds, paths) for each in programs] for _ in range(runs)]
            for number, program in enumerate(programs):
                one = rounds[0][number]
                times = median(ratio(each[0], each[number]) for each in rounds)
                cells = (
                    f"{kind}, {variant}",
                    label(program),
                    f"{median(speed(each[number]) for each in rounds):.1f}",
                    f"{times:.2f} ×" if number else "",
                    f"{one.links or ''}",
                    f"{one.changed or ''}",
                )
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def documents(task: str, options: argparse.Namespace, made: Path) -> list[Path]:
    """The documents for a task: those of the folder, or else new ones, kept in `made`."""
    xml = task.startswith("xml")
    suffixes = corpus.XML_SUFFIXES if xml else corpus.HTML_SUFFIXES
    if options.folder is not None and task != "fragments":
        return corpus.found(options.folder, suffixes)
    size = int(options.size * 1e6)
    target = made / ("xml" if xml else "fragments" if task == "fragments" else "html")
    if not target.exists():
        if xml:
            pages = corpus.feeds(size)
        elif task == "fragments":
            pages = corpus.fragments(options.mix, max(1, size // 1000))
        else:
            pages = corpus.documents(options.mix, size)
        corpus.write(pages, target)
    return corpus.found(target, suffixes)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", help="with documents; default: made up")
    parser.add_argument("--task", choices=[*TASKS, "memory"], action="append")
    parser.add_argument("--size", type=float, default=10, help="megabytes to make up")
    parser.add_argument("--mix", choices=list(corpus.MIXES), default="clean")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10, help="for each program in a round")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        help="a program or its module, beside linkfix; or a command for the memory task",
    )
    parser.add_argument(
        "--kinds", action="store_true", help="XML: each kind by itself, beside lxml's iterparse"
    )
    parser.add_argument(
        "--kind", choices=[*corpus.kinds()], action="append", help="of --kinds; default: all"
    )
    parser.add_argument(
        "--variant", choices=[*corpus.VARIANTS], action="append", help="of --kinds; default: all"
    )
    parser.add_argument(
        "--beside",
        type=Path,
        action="append",
        default=[],
        help="the folder of another checkout of linkfix",
    )
    parser.add_argument("--large", type=float, default=1000, help="megabytes for the memory task")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # one core for all of a program's threads
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    load = os.getloadavg()[0]
    print(f"{len(os.sched_getaffinity(0))} core, load {load:.1f} at the start\n")
    with tempfile.TemporaryDirectory() as folder:
        for task in options.task or [*TASKS, "memory"]:
            if task == "memory":
                print(compare_memory(options.mix, 10.0, options.large, options.only))
                continue
            if options.kinds and task in {"xml-rewrite", "xml-extract"}:
                print(compare_kinds(task, options, Path(folder)), flush=True)
                continue
            paths = documents(task, options, Path(folder))
            if not paths:
                print(f"### {task}: no documents for it in {options.folder}\n")
                continue
            first, *others = TASKS[task]
            wanted = {"linkfix", *options.only}
            programs = [
                *beside(first, options.beside),
                *(
                    program
                    for program in others
                    if program.installed
                    and (not options.only or not wanted.isdisjoint({program.name, program.needs}))
                ),
            ]
            print(compare(task, programs, paths, options.runs, options.seconds), flush=True)
    print(NOTES)


if __name__ == "__main__":
    main()
