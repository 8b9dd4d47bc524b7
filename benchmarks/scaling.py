"""Twice the input, twice the time: the doubling test on documents made to be hard.

    python benchmarks/scaling.py [--large] [--size BYTES] [--type html|xml] [--only WORDS]... [--job JOB]...

Each kind of document (hard.py) is processed at a size and at twice that size, one after the other, several
times; the ratio of the times says how the work grows (2 is linear, 4 is quadratic), and its median is
compared with the goal of 2.3 at the most. The exit status is 1 where one is above it, but for single
tokens of XML of many megabytes where expat is older than 2.6 (see `is_token` in hard.py).

--large takes those documents alone whose size is promised, up to 50 MB or a million of something, and
what becomes of a tag that is longer than linkfix waits for.

Two things that are linear in the long run, but come by leaps, are kept out of the ratios. Every large block
of memory is mapped afresh, as glibc does from 32 MB on at the latest, and from a size that changes
while a program runs if left to itself. And Python's search for cycles is off, which goes over all
objects once there are a quarter more of them.
"""

from __future__ import annotations

import argparse
import gc
import os
import pyexpat
import sys
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from hard import DOCUMENTS, Document

import linkfix
from linkfix.markup.html import MAX_TAG

if TYPE_CHECKING:
    from collections.abc import Callable

GOAL = 2.3
CHUNK = 65536
#: Less than this cannot be measured well, and is done several times over.
LEAST = 0.02


def rewrite(document: bytes, kind: Document, chunk: int = CHUNK) -> None:
    rewriter = linkfix.Rewriter(policy=kind.policy, type=kind.type)
    for at in range(0, len(document), chunk):
        rewriter.feed(document[at : at + chunk])
    rewriter.close()


def rewrite_whole(document: bytes, kind: Document) -> None:
    linkfix.Rewriter(policy=kind.policy, type=kind.type, count=False).whole(document)


def rewrite_bytes(document: bytes, kind: Document) -> None:
    rewrite(document, kind, 1)


def extract(document: bytes, kind: Document) -> None:
    extractor = linkfix.Extractor(kind.policy, type=kind.type)
    for at in range(0, len(document), CHUNK):
        extractor.feed(document[at : at + CHUNK])
    extractor.close()


def audit(document: bytes, kind: Document) -> None:
    auditor = linkfix.Auditor(kind.policy, type=kind.type)
    for at in range(0, len(document), CHUNK):
        auditor.feed(document[at : at + CHUNK])
    auditor.close()


@dataclass(frozen=True, slots=True)
class Job:
    """What is done with a document, and with how much of one of this size."""

    run: Callable[[bytes, Document], None]
    size: Callable[[int], int] = int


JOBS = {
    "rewrite": Job(rewrite),
    "whole": Job(rewrite_whole),
    "bytes": Job(rewrite_bytes, lambda size: min(size // 10, 100_000)),
    "extract": Job(extract),
    "audit": Job(audit),
}


def seconds(job: Job, kind: Document, document: bytes, times: int = 1) -> float:
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        job.run(document, kind)
    return (time.process_time() - start) / times


def growth(job: Job, kind: Document, size: int, runs: int) -> tuple[float, float, float]:
    """Seconds for twice a size and for the size, and the ratio: the medians of all runs."""
    once, twice = kind.make(size), kind.make(2 * size)
    job.run(kind.make(1000), kind)  # loads what is loaded when it is first needed
    times = max(1, round(LEAST / max(seconds(job, kind, once), 1e-6)))
    pairs = [
        (seconds(job, kind, once, times), seconds(job, kind, twice, times)) for _ in range(runs)
    ]
    return (
        median(one for one, _ in pairs),
        median(two for _, two in pairs),
        median(two / max(one, 1e-9) for one, two in pairs),
    )


def show_limit() -> bool:
    """Let a tag be too long, and tell whether all of its document comes back."""
    document = b"<p>" * 1000 + b"<a title='" + b"x" * (MAX_TAG + MAX_TAG // 4)
    rewriter = linkfix.Rewriter(type="html", charset="utf-8")
    out: list[bytes] = []
    start, at = time.process_time(), 0
    try:
        while at < len(document):
            at += CHUNK
            out.append(rewriter.feed(document[at - CHUNK : at]))
    except linkfix.LimitExceededError as error:
        spent = time.process_time() - start
        out += (rewriter.rest(), document[at:])
        print(f"\na tag of {len(document) / 1e6:.0f} MB: {error}\n  after {spent:.2f} seconds")
        return b"".join(out) == document
    return False


def steadily(name: str = "MALLOC_MMAP_THRESHOLD_") -> None:
    """Begin again with a size from which on memory is mapped that stays as it is."""
    if name not in os.environ:
        os.environ[name] = str(128 * 1024)
        os.execv(sys.executable, [sys.executable, *sys.argv])


def main() -> None:
    steadily()
    gc.disable()
    parser = argparse.ArgumentParser(description="the doubling test")
    parser.add_argument("--large", action="store_true", help="up to what is promised")
    parser.add_argument("--size", type=int, default=500_000, help="of the shorter document")
    parser.add_argument("--only", action="append", default=[], help="documents named so")
    parser.add_argument("--job", action="append", choices=list(JOBS), default=[])
    parser.add_argument("--type", choices=("html", "xml"))
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    kinds = [
        kind
        for kind in DOCUMENTS
        if (kind.large or not options.large)
        and options.type in {None, kind.type}
        and (not options.only or any(words in kind.name for words in options.only))
    ]
    print(f"| {'document':48} | {'job':7} | {'MB':>6} | seconds |      MB | seconds | ratio |")
    print(f"| {'---':48} | {'---':7} | -----: | ------: | ------: | ------: | ----: |")
    steep: list[str] = []
    for kind in kinds:
        for name in options.job or JOBS:
            job = JOBS[name]
            size = job.size(kind.large // 2 if options.large else options.size)
            one, two, ratio = growth(job, kind, size, options.runs)
            above = ""
            if ratio > GOAL:
                above = " expat" if kind.is_token and pyexpat.version_info < (2, 6) else " above"
            units = f", {kind.units}" if options.large and kind.units else ""
            print(
                f"| {kind.name + units:48} | {name:7} | {size / 1e6:6.2f} | {one:7.3f}"
                f" | {size / 5e5:7.2f} | {two:7.3f} | {ratio:5.2f} |{above}",
                flush=True,
            )
            if above == " above":
                steep.append(f"{kind.name}, {name}: {ratio:.2f}")
    kept = show_limit() if options.large and options.type != "xml" else True
    if not kept:
        steep.append("a tag that is too long loses bytes of its document")
    print(f"\nabove {GOAL}: {'; '.join(steep) or 'none'}")
    sys.exit(bool(steep))


if __name__ == "__main__":
    main()
