"""The tiers of the tests (CONTRIBUTING.md), and how many examples a property has: a few in the quick tiers, all of them at night."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["FOLDERS", "QUICK", "TIERS", "examples"]

#: The tiers, which are marks; a test has one of them.
TIERS = ("unit", "system", "nightly")

#: The tier of whole folders, those with long modules first. In the others a test that has no mark of a tier is a unit test.
FOLDERS = {
    **dict.fromkeys(("acceptance", "faults", "benchmarks"), "nightly"),
    **dict.fromkeys(("spark", "site", "browser", "cli"), "system"),
}

#: Examples of a property where people and CI wait for it.
QUICK = 25


def examples(full: int, quick: int = QUICK) -> int:
    """Return the number of examples of a property in this run: `full` ones at night, else at most `quick`."""
    return full if settings().max_examples > QUICK else min(full, quick)
