"""Twice the input, twice the time: the doubling test on documents made to be hard.

    python benchmarks/scaling.py [--large] [--size BYTES] [--type html|xml] [--only WORDS]... [--job JOB]...

Each kind of document (hard.py) is processed at a size and at twice that size, one after the other, several
times. Of the processor time the least counts, which other work on the machine changes least. The exponent says
how the work grows (1 is linear, 2 is quadratic), and is 1.2 at the most. A size is several chunks of 64 kB,
since what happens once a chunk comes by leaps. What is above 1.2 is measured again at twice the size, and
twice that: growth shows there all the more, and leaps and noise do not. Archives and link maps are
measured alike. The exit status is 1 where an exponent stays above 1.2, but for single
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
import gzip
import os
import pyexpat
import sys
import time
from dataclasses import dataclass
from io import BytesIO
from math import log2
from typing import TYPE_CHECKING, TypeAlias

import brotli
from hard import DOCUMENTS, Document

import linkfix
from linkfix.markup.html.tokenizer import MAX_TAG
from linkfix.policy.linkmap import LinkMap
from linkfix.warc import records

if TYPE_CHECKING:
    from collections.abc import Callable

GOAL = 1.2
CHUNK = 65536
#: How often what is above the goal is measured again, each time at twice the size.
AGAIN = 2
#: Less than this cannot be measured well, and is done several times over.
LEAST = 0.02


def rewrite(document: bytes, kind: Document, chunk: int = CHUNK) -> None:
    rewriter = linkfix.Rewriter(policy=kind.policy, source=linkfix.Source(type=kind.type))
    for at in range(0, len(document), chunk):
        rewriter.feed(document[at : at + chunk])
    rewriter.close()


def rewrite_whole(document: bytes, kind: Document) -> None:
    linkfix.Rewriter(policy=kind.policy, source=linkfix.Source(type=kind.type)).whole(document)


def rewrite_bytes(document: bytes, kind: Document) -> None:
    rewrite(document, kind, 1)


def extract(document: bytes, kind: Document) -> None:
    extractor = linkfix.Extractor(kind.policy, source=linkfix.Source(type=kind.type))
    for at in range(0, len(document), CHUNK):
        extractor.feed(document[at : at + CHUNK])
    extractor.close()


def audit(document: bytes, kind: Document) -> None:
    auditor = linkfix.Auditor(kind.policy, source=linkfix.Source(type=kind.type))
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


def archive(coding: str) -> Prepare:
    """Read a record whose body is coded so, of so many bytes."""

    def prepare(size: int) -> Callable[[], object]:
        body = (brotli if coding == "br" else gzip).compress(b"<p>a b</p>" * (size // 10))
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: %b\r\n\r\n"
        return lambda: read_records(http % coding.encode() + body)

    return prepare


def read_records(*messages: bytes) -> None:
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n"  # fmt: skip
    data = b"".join(head % len(each) + each + b"\r\n\r\n" for each in messages)
    for record in records(BytesIO(data), "a.warc"):
        for _ in record.chunks():
            pass


def many_records(size: int) -> Callable[[], object]:
    """Read an archive of many short records."""
    message = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='a b'>"
    return lambda: read_records(*[message] * (size // 300))


def link_map(size: int) -> Callable[[], object]:
    """Read a link map with so many bytes of rules, and look each up."""
    rules = [f"http://a.example/{n:07},http://b.example/{n:07}" for n in range(size // 50)]
    text = "\n".join(["old,new", *rules])

    def run() -> None:
        found = LinkMap.parse(text, format="csv")
        for n in range(len(rules)):
            found.follow(f"http://a.example/{n:07}")

    return run


#: What is not one document: prepared for a size, and then run.
OTHERS = {
    "archive, br": archive("br"),
    "archive, gzip": archive("gzip"),
    "archive, records": many_records,
    "map, rules": link_map,
}


#: Makes what is run for a size.
Prepare: TypeAlias = "Callable[[int], Callable[[], object]]"


def seconds(run: Callable[[], object], times: int = 1) -> float:
    gc.collect()
    start = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - start) / times


def growth(prepare: Prepare, size: int, runs: int) -> tuple[float, float, float]:
    """Seconds for a size and for twice the size, the least of all runs, and the exponent."""
    prepare(1000)()  # loads what is loaded when it is first needed
    once, twice = prepare(size), prepare(2 * size)
    times = max(1, round(LEAST / max(seconds(once), 1e-6)))
    pairs = [(seconds(once, times), seconds(twice, times)) for _ in range(runs)]
    one, two = (max(1e-9, min(column)) for column in zip(*pairs, strict=True))
    return one, two, log2(two / one)


def of_document(job: Job, kind: Document) -> Prepare:
    """Run a job over a kind of document."""

    def prepare(size: int) -> Callable[[], object]:
        document = kind.make(size)
        return lambda: job.run(document, kind)

    return prepare


def show_limit() -> bool:
    """Exceed the limit for a tag, and return whether the whole document is returned."""
    document = b"<p>" * 1000 + b"<a title='" + b"x" * (MAX_TAG + MAX_TAG // 4)
    rewriter = linkfix.Rewriter(source=linkfix.Source(type="html", charset="utf-8"))
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
    parser.add_argument("--size", type=int, default=4 * CHUNK, help="of the shorter document")
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
    print(f"| {'document':48} | {'job':7} | {'MB':>6} | seconds |      MB | seconds | exponent |")
    print(f"| {'---':48} | {'---':7} | -----: | ------: | ------: | ------: | -------: |")
    steep: list[str] = []

    again = 0 if options.large else AGAIN

    def measure(name: str, job: str, size: int, prepare: Prepare, excuse: str = "") -> None:
        """Print a row for each size, up to the size that shows the growth."""
        for left in range(again, -1, -1):
            one, two, exponent = growth(prepare, size, options.runs)
            mark = excuse or (" again" if left else " above") if exponent > GOAL else ""
            print(
                f"| {name:48} | {job:7} | {size / 1e6:6.2f} | {one:7.3f}"
                f" | {size / 5e5:7.2f} | {two:7.3f} | {exponent:8.2f} |{mark}",
                flush=True,
            )
            if mark != " again":
                break
            size *= 2
        if mark == " above":
            steep.append(f"{name}, {job}: {exponent:.2f}")

    for kind in kinds:
        for name in options.job or JOBS:
            job = JOBS[name]
            size = job.size(kind.large // 2 if options.large else options.size)
            units = f", {kind.units}" if options.large and kind.units else ""
            old = " expat" if kind.is_token and pyexpat.version_info < (2, 6) else ""
            measure(kind.name + units, name, size, of_document(job, kind), old)
    if not options.large and options.type is None and not options.job:
        for name, prepare in OTHERS.items():
            if not options.only or any(words in name for words in options.only):
                measure(name, "read", options.size, prepare)
    kept = show_limit() if options.large and options.type != "xml" else True
    if not kept:
        steep.append("a tag that is too long loses bytes of its document")
    print(f"\nabove {GOAL}: {'; '.join(steep) or 'none'}")
    sys.exit(bool(steep))


if __name__ == "__main__":
    main()
