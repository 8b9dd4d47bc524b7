"""The formats in which an audit can be written, one module each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

from linkfix.cli.output import number

if TYPE_CHECKING:
    from linkfix.cli.formats.base import BaseWriter

__all__ = ["GROUPED", "Summary", "make"]

#: The formats of groups.
GROUPED = ("text", "jsonl", "csv")


@dataclass(slots=True)
class Summary:
    """The totals of an audit.

    Attributes:
        documents: how many documents were audited whole.
        failed: how many documents failed.
        links: the number of their links.
        embedded: how many of these are in embedded documents.
        suppressed: how many findings comments in the documents suppress.
        known: how many findings are in the baseline.
        fixed: how many findings --fix has removed.
        counts: the numbers of the remaining findings, by severity.
        seconds: the elapsed time.

    """

    documents: int = 0
    failed: int = 0
    links: int = 0
    embedded: Counter[str] = field(default_factory=Counter)
    suppressed: int = 0
    known: int = 0
    fixed: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def __str__(self) -> str:
        """Return the totals as one line."""
        counts = self.counts
        documents, links = number(self.documents, "document"), number(self.links, "link")
        errors, warnings = number(counts["error"], "error"), number(counts["warning"], "warning")
        advice = number(counts["advice"], "piece") + " of advice"
        parts = [f"{documents}, {links}: {errors}, {warnings}, {advice}"]
        if self.fixed:
            parts.append(f"{self.fixed:,} fixed")
        if self.suppressed:
            parts.append(f"{self.suppressed:,} suppressed")
        if self.known:
            parts.append(f"{self.known:,} in the baseline")
        if self.failed:
            parts.append(f"besides, {number(self.failed, 'document')} could not be processed")
        return "; ".join(parts)


def make(name: str, out: TextIO) -> BaseWriter:
    """Make a writer of a format.

    Args:
        name: a choice of ``--format``; each has a module of its name with a `Writer`.
        out: where it writes to.

    """
    writer: BaseWriter = import_module(f"linkfix.cli.formats.{name}").Writer(out)
    return writer
