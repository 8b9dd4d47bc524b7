"""What formats have in common: most have nothing to say at the edges.

A worker renders the findings of its documents, and the parent puts the pieces in order: `render` and `rendered`
depend on nothing but their arguments, the other methods are called in one process only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from linkfix.auditing import Finding
    from linkfix.cli.formats import Summary
    from linkfix.errors import LinkfixError


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
