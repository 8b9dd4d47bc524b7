"""The formats in which an audit can be written, and what they have in common: most have nothing to say at the edges.

A worker renders the findings of its documents, and the parent puts the pieces in order: `render` and `rendered`
depend on nothing but their arguments, the other methods are called in one process only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TextIO

from linkfix.cli.output import number
from linkfix.errors import LinkfixError

if TYPE_CHECKING:
    from linkfix.auditing import Finding
    from linkfix.sites.auditing import AuditTotals


#: The formats of groups.
GROUPED = ("text", "jsonl", "csv")

#: The modules and names of writers; any other is the `Writer` in the module of its name.
_WRITERS = {
    "text": ("lines", "Text"),
    "jsonl": ("lines", "JSONLines"),
    "csv": ("lines", "CSV"),
    "github": ("lines", "GitHub"),
}


def line(totals: AuditTotals) -> str:
    """Return the totals as one line."""
    counts = totals.counts
    documents, links = number(totals.documents, "document"), number(totals.links, "link")
    errors, warnings = number(counts["error"], "error"), number(counts["warning"], "warning")
    advice = number(counts["advice"], "piece") + " of advice"
    parts = [f"{documents}, {links}: {errors}, {warnings}, {advice}"]
    if totals.fixed:
        parts.append(f"{totals.fixed:,} fixed")
    if totals.suppressed:
        parts.append(f"{totals.suppressed:,} suppressed")
    if totals.known:
        parts.append(f"{totals.known:,} in the baseline")
    if totals.failed:
        parts.append(f"besides, {number(totals.failed, 'document')} could not be processed")
    return "; ".join(parts)


def fails(counts: Mapping[str, int], least: str) -> bool:
    """Return whether there are findings of the severity that makes a command fail, or of a worse one."""
    from linkfix.auditing.finding import Severity

    return least != "never" and any(counts[x] and x.at_least(Severity(least)) for x in Severity)


class BaseWriter:
    """A format that writes nothing but findings.

    Args:
        out: where it writes to.

    Attributes:
        out: that argument.
        has_begun: whether `begin` was called.

    """

    #: The text between two findings.
    separator = ""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.has_begun: bool = False
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

    def put(self, file: str, piece: bytes) -> None:
        """Write a piece about a document, after a separator where it is not the first."""
        if self._has_findings:
            self.out.write(self.separator)
        self._has_findings = True
        self.out.write(piece.decode("utf-8", "surrogatepass"))

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """Write nothing."""

    def end(self, totals: AuditTotals) -> None:
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


def make(name: str, out: TextIO) -> BaseWriter:
    """Make a writer of a format.

    Args:
        name: a choice of ``--format``.
        out: where it writes to.

    """
    module, writer = _WRITERS.get(name, (name, "Writer"))
    made: BaseWriter = getattr(import_module(f"linkfix.cli.formats.{module}"), writer)(out)
    return made
