"""linkfix on Apache Spark beside the command line: rows a second, megabytes a second, memory of a worker.

    python benchmarks/spark.py FOLDER... [--size 100] [--files 4] [--cores 1 2] [--runs 3] [--memory 10000 100000 1000000]

WARC files of so many megabytes (before compression) are made of the documents in the folders: each record is a gzip member.
``linkfix extract`` and ``linkfix audit`` read them with ``-j N``, and `linkfix.spark` with ``local[N]``, in a session that
has done the same work once: the start of Java is printed apart. Links are written to a file by both: JSON Lines by the command
line, one Parquet file for each WARC file by Spark. Of all runs the fastest counts. The goal is an overhead of at most a third.

--memory measures instead the peak memory of a process that does the work of one task, for WARC files of so many records.
"""

from __future__ import annotations

import argparse
import gzip
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from crawls import record

if TYPE_CHECKING:
    from collections.abc import Callable

SUFFIXES = (".html", ".htm", ".xhtml", ".css")
GOAL = 1 / 3


def write_archives(
    target: Path, folders: list[Path], files: int, size: int
) -> tuple[list[str], int]:
    """Write WARC files of so many bytes of records; return their paths, and the number of records."""
    paths = [
        p
        for folder in folders
        for p in sorted(folder.rglob("*"))
        if p.suffix in SUFFIXES and p.is_file()
    ]
    documents = cycle(enumerate(paths))
    written, records = [], 0
    for number in range(files):
        path = target / f"{number}.warc.gz"
        done = 0
        with path.open("wb") as file:
            while done < size:
                at, document = next(documents)
                data = record(
                    f"http://host{at % 50}.example/{number}/{at}.html", document.read_bytes()
                )
                file.write(gzip.compress(data, 6))
                done += len(data)
                records += 1
        written.append(str(path))
    return written, records


def seconds(run: Callable[[], object], runs: int) -> float:
    """Return the least time of so many runs."""
    best = float("inf")
    for _ in range(runs):
        began = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - began)
    return best


def of_command(work: str, cores: int, paths: list[str], scratch: Path) -> Callable[[], object]:
    """Return a run of the command line."""
    options = {"extract": [], "audit": ["--exit-zero", "--ignore", "SIT"]}[work]
    command = [
        sys.executable,
        "-m",
        "linkfix",
        work,
        "-q",
        "--format",
        "jsonl",
        "-j",
        str(cores),
        *options,
    ]

    def run() -> None:
        with (scratch / "rows.jsonl").open("wb") as out:
            subprocess.run([*command, *paths], stdout=out, stderr=subprocess.DEVNULL, check=True)

    return run


def compare(arguments: argparse.Namespace, scratch: Path) -> bool:
    """Print the table; return whether the goal is reached."""
    import linkfix.spark
    from linkfix.spark import Form

    size = round(arguments.size * 1e6)
    paths, records = write_archives(scratch, arguments.folders, arguments.files, size)
    total = size * arguments.files / 1e6
    packed = sum(Path(path).stat().st_size for path in paths) / 1e6
    print(
        f"{records:,} records in {arguments.files} files, {total:,.0f} MB, compressed {packed:,.0f} MB\n"
    )
    print(
        "| work | cores | rows | command line, s | Spark, s | Spark, rows/s | Spark, MB/s | overhead |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    good = True
    for cores in arguments.cores:
        began = time.perf_counter()
        with linkfix.spark.session(f"local[{cores}]") as spark:
            spark.range(1).count()
            start = time.perf_counter() - began
            for work, write in (
                ("extract", linkfix.spark.write_links),
                ("audit", linkfix.spark.write_findings),
            ):
                target = scratch / "out"

                def run(write: Callable[..., object] = write, target: Path = target) -> None:
                    shutil.rmtree(target, ignore_errors=True)
                    write(spark, paths, str(target), form=Form(by="file"))

                run()
                there = seconds(run, arguments.runs)
                rows = spark.read.parquet(str(target)).count()
                here = seconds(of_command(work, cores, paths, scratch), arguments.runs)
                overhead = there / here - 1
                good &= overhead <= GOAL
                print(
                    f"| {work} | {cores} | {rows:,} | {here:.2f} | {there:.2f} | {rows / there:,.0f} | "
                    f"{total / there:,.0f} | {overhead:+.0%} |",
                    flush=True,
                )
            print(f"\nJava and Spark start in {start:.1f} s\n")
    return good


def task(path: str) -> None:
    """Do the work of one task; print the number of rows and the peak memory."""
    from linkfix.spark.files import Reading, archives
    from linkfix.spark.frames import links_of

    (archive,) = archives([path])
    rows = sum(len(batch) for batch in links_of(Reading(), archive))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{rows:,} rows, peak {peak:,.0f} MiB")


def measure_memory(counts: list[int], scratch: Path) -> None:
    """Print the peak memory of a task for WARC files of so many records."""
    page = b"<meta charset=utf-8>" + b"<a href='/%d/%d'>x</a>" * 5 + b" " * 2000
    for count in counts:
        path = scratch / "many.warc.gz"
        with path.open("wb") as file:
            for number in range(count):
                body = page.replace(b"%d", b"%d" % number)
                file.write(gzip.compress(record(f"http://a.example/{number}", body), 1))
        done = subprocess.run(
            [sys.executable, __file__, "--task", path], capture_output=True, text=True, check=True
        )
        print(
            f"{count:,} records, {path.stat().st_size / 1e6:,.0f} MB: {done.stdout.strip()}",
            flush=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--size", type=float, default=100, help="megabytes of a file")
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--memory", type=int, nargs="+", metavar="RECORDS")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        task(arguments.task)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        if arguments.memory:
            measure_memory(arguments.memory, Path(scratch))
            return 0
        return int(not compare(arguments, Path(scratch)))


if __name__ == "__main__":
    sys.exit(main())
