"""What formats have in common: most have nothing to say at the edges.

A worker renders the findings of its documents, and the parent puts the pieces in order: `render` and `rendered`
depend on nothing but their arguments, the other methods are called in one process only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from linkfix.cli.output import number
from linkfix.errors import LinkfixError

if TYPE_CHECKING:
    from linkfix.auditing import Finding


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


class BaseWriter:
    """A format that writes nothing but findings.

    Args:
        out: where it writes to.

    """

    #: The text between two findings.
    separator = ""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self._has_findings = False

    def render(self, file: str, finding: Finding) -> str:
        """Return a finding as it is written."""
        raise NotImplementedError

    def rendered(self, file: str, findings: Iterable[Finding]) -> bytes:
        """Return findings of a document as a piece for `put`."""
        text = self.separator.join([self.render(file, finding) for finding in findings])
        return text.encode("utf-8", "surrogatepass")

    def begin(self) -> None:
        """Write nothing."""

    def document(self, file: str) -> None:
        """Write nothing."""

    def put(self, piece: bytes) -> None:
        """Write a piece, after a separator where it is not the first."""
        if self._has_findings:
            self.out.write(self.separator)
        self._has_findings = True
        self.out.write(piece.decode("utf-8", "surrogatepass"))

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """Write nothing."""

    def end(self, summary: Summary) -> None:
        """Write nothing."""


def record(file: str, finding: Finding) -> dict[str, Any]:
    """Return the fields of a finding, for the machine-readable formats."""
    from linkfix.auditing.finding import fields_of

    return {"file": file, **fields_of(finding)}


def marked(finding: Finding) -> tuple[str, str, str]:
    """Return the value before, inside and after the finding; empty for a whole document."""
    if finding.link is None:
        return "", "", ""
    value = finding.link.value
    return value[: finding.first], value[finding.first : finding.last], value[finding.last :]
