"""What formats have in common: most have nothing to say at the edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from linkfix.auditing import Finding
    from linkfix.cli.formats import Summary
    from linkfix.errors import LinkfixError

__all__ = ["BaseWriter", "marked", "record"]


class BaseWriter:
    """A format that writes nothing but findings."""

    def __init__(self, out: TextIO) -> None:
        self.out = out

    def begin(self) -> None:
        """Write nothing."""

    def done(self, file: str, error: LinkfixError | None) -> None:
        """Write nothing."""

    def end(self, summary: Summary) -> None:
        """Write nothing."""


def record(file: str, finding: Finding) -> dict[str, Any]:
    """Give the fields of a finding for machines to read."""
    link = finding.link
    return {
        "file": file,
        "line": finding.line,
        "column": finding.column,
        "start": finding.start,
        "end": finding.end,
        "rule": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": finding.message,
        "section": finding.section,
        "element": link.element if link else None,
        "attribute": link.attribute if link else None,
        "value": link.value if link else None,
        "first": finding.first,
        "last": finding.last,
        "suggestion": finding.suggestion,
    }


def marked(finding: Finding) -> tuple[str, str, str]:
    """Give the value before, at and after what is wrong; empty for a whole document."""
    if finding.link is None:
        return "", "", ""
    value = finding.link.value
    return value[: finding.first], value[finding.first : finding.last], value[finding.last :]
