"""The formats in which an audit can be written, one module each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.auditing import Finding
    from linkfix.errors import LinkfixError

__all__ = ["FORMATS", "STATISTICS", "Format", "Summary", "make"]

#: Every format, in the order of the help text; each has a module of its name with a `Writer`.
FORMATS = ("text", "jsonl", "sarif", "github", "junit", "csv", "html")
#: The formats of ``--statistics``.
STATISTICS = ("text", "jsonl", "csv")


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
        documents, links = _number(self.documents, "document"), _number(self.links, "link")
        errors, warnings = _number(counts["error"], "error"), _number(counts["warning"], "warning")
        advice = _number(counts["advice"], "piece") + " of advice"
        parts = [f"{documents}, {links}: {errors}, {warnings}, {advice}"]
        if self.fixed:
            parts.append(f"{self.fixed:,} fixed")
        if self.suppressed:
            parts.append(f"{self.suppressed:,} suppressed")
        if self.known:
            parts.append(f"{self.known:,} in the baseline")
        if self.failed:
            parts.append(f"besides, {_number(self.failed, 'document')} could not be processed")
        return "; ".join(parts)


def _number(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


class Format(Protocol):
    """What a format does with an audit.

    Attributes:
        out: where it writes to.

    """

    out: TextIO

    def rendered(self, file: str, findings: Iterable[Finding]) -> bytes:
        """Return findings of a document as a piece for `put`, in whichever process."""
        ...

    def begin(self) -> None:
        """Write the head of the output."""
        ...

    def document(self, file: str) -> None:
        """Begin a document; the following pieces belong to it."""
        ...

    def put(self, piece: bytes) -> None:
        """Write a piece."""
        ...

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """End a document.

        Args:
            file: its name.
            counts: of its findings that were written, by the codes of their rules.
            error: why it cannot be processed; None where it can.

        """
        ...

    def end(self, summary: Summary) -> None:
        """Write the end of the output."""
        ...


def make(name: str, out: TextIO) -> Format:
    """Make a writer of a format.

    Args:
        name: one of `FORMATS`.
        out: where it writes to.

    """
    writer: Format = import_module(f"linkfix.cli.formats.{name}").Writer(out)
    return writer
