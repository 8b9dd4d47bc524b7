"""The frame of the fuzzers: make and run cases until the time is up, and make those with a fault small."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Case = TypeVar("Case")
#: How often a case with a fault is run to make it smaller.
TRIES = 3000


@dataclass(frozen=True)
class Hunt(Generic[Case]):
    """A hunt for faults.

    Attributes:
        make: generates a case, the same one for the same seed and number.
        run: runs a case; returns its outcome.
        kind: returns the kind of fault of an outcome, "" for none.
        smaller: yields cases with a part left out, large parts first.
        count: returns the figures of a case and its outcome.

    """

    make: Callable[[int, int], Case]
    run: Callable[[Case], str]
    kind: Callable[[str], str]
    smaller: Callable[[Case], Iterator[Case]]
    count: Callable[[Case, str], dict[str, int]]

    def go(self, options: argparse.Namespace) -> int:
        """Run cases; print the first of each kind of fault, and the figures. Return the exit status."""
        start = time.monotonic()
        figures: Counter[str] = Counter()
        faults: Counter[str] = Counter()
        number = options.case or 0
        while time.monotonic() - start < options.minutes * 60:
            case = self.make(options.seed, number)
            outcome = self.run(case)
            figures.update(cases=1, **self.count(case, outcome))
            if kind := self.kind(outcome):
                faults[kind] += 1
                if faults[kind] == 1:
                    small = self._small(case, kind)
                    print(f"seed {options.seed}, case {number}: {outcome}\n    {small}", flush=True)
            number += 1
            if options.case is not None or number == options.cases:
                break
        seconds = time.monotonic() - start
        found = dict(faults) or "none"
        print(f"seed {options.seed}, {seconds:.0f} s:", dict(figures), "faults:", found)
        return int(bool(faults))

    def _small(self, case: Case, kind: str) -> Case:
        """Make a case as small as it gets in so many tries with the same kind of fault."""
        left = TRIES
        while left:
            for other in self.smaller(case):
                left -= 1
                if self.kind(self.run(other)) == kind:
                    case = other
                    break
                if not left:
                    break
            else:
                break
        return case


def parser(description: str) -> argparse.ArgumentParser:
    """Return a parser of the options that all fuzzers have."""
    made = argparse.ArgumentParser(description=description.splitlines()[0])
    made.add_argument("--minutes", type=float, default=1)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--case", type=int, help="run this one only")
    made.add_argument("--cases", type=int, help="stop after so many")
    return made
