"""How much faster linkfix could become if one of its steps took no time.

    python benchmarks/bounds.py [--size MB] [--runs N]

Each step is left out in turn, by a function that does nothing or knows the results already. The outputs are then wrong;
the time is a bound: nobody can make that step so fast that the whole takes less. One process, processor time, the least of
some runs.
"""

from __future__ import annotations

import argparse
import io
import time
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import corpus

import linkfix
from linkfix.auditing.auditor import Auditor
from linkfix.auditing.verdict import Verdicts
from linkfix.policy import Policy, Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.auditing.rule import Subject

    Documents = list[bytes]


def least(work: Callable[[bytes], object], documents: Documents, runs: int) -> float:
    """Return the seconds of processor time that the work takes for all documents."""
    taken = []
    for _ in range(runs + 1):  # the first one loads what is loaded late
        start = time.process_time()
        for each in documents:
            work(each)
        taken.append(time.process_time() - start)
    return min(taken[1:])


def audit(data: bytes) -> None:
    """Audit a document."""
    for _ in linkfix.audit(io.BytesIO(data)):
        pass


def read(data: bytes) -> None:
    """Find the links of a document as a rewrite does, and make no object of one."""
    stream = Policy().stream(Source())
    stream.at_once, stream.counts_lines = True, False
    for _ in stream.read(data, final=True):
        pass


def remembering() -> Callable[[Verdicts, Subject], Any]:
    """Return `Verdicts._judged` that judges a value once, for all documents and runs."""
    judged, known = Verdicts._judged, dict[object, Any]()

    def of(self: Verdicts, subject: Subject) -> Any:
        link = subject.link
        key = link.value, link.raw, link.place, subject.base
        if key not in known:
            known[key] = judged(self, subject)
        return known[key]

    return of


def nothing(*_: object, **__: object) -> None:
    """Do nothing."""


def audits(documents: Documents, runs: int) -> None:
    """Print the bounds of an audit."""
    print("audit of dirty pages, times as fast without")
    whole = least(audit, documents, runs)
    with patch.object(Verdicts, "_judged", remembering()):
        print(f"  the rules: {whole / least(audit, documents, runs):.2f}")
        with patch.object(Auditor, "_report", nothing):
            print(f"  and the comparison of links: {whole / least(audit, documents, runs):.2f}")
    with patch.object(Auditor, "_check", nothing):
        print(f"  everything about one odd link: {whole / least(audit, documents, runs):.2f}")
    print(f"  everything but the reading: {whole / least(read, documents, runs):.2f}")


def rewrites(name: str, documents: Documents, runs: int) -> None:
    """Print how many times as fast a rewrite is if only the reading takes time."""
    whole = least(linkfix.rewrite, documents, runs)
    print(f"{name:>24}: {whole / least(read, documents, runs):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=float, default=0.5, help="MB of documents of each kind")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    size, runs = int(options.size * 1e6), options.runs
    pages = {mix: [data for _, data in corpus.documents(mix, size)] for mix in ("legacy", "dirty")}
    audits(pages["dirty"], runs)
    print("rewrite, times as fast if everything but the reading took no time")
    for mix, documents in pages.items():
        rewrites(f"pages, {mix}", documents, runs)
    for variant in ("clean", "dirty"):
        for kind in corpus.kinds():
            found = corpus.feeds(size, corpus.VARIANTS[variant], [kind])
            rewrites(f"{kind}, {variant}", [data for _, data in found], runs)


if __name__ == "__main__":
    main()
