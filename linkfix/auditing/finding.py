"""Findings, the result of an audit."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from linkfix.iri import Edit
from linkfix.links import Link


class Severity(StrEnum):
    """How bad a finding is, the worst first."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"

    @property
    def rank(self) -> int:
        """0 for the worst, then counting up."""
        return _RANK[self]

    def at_least(self, other: Severity) -> bool:
        """Whether this is as bad as `other`, or worse."""
        return self.rank <= other.rank


_RANK = {severity: rank for rank, severity in enumerate(Severity)}


class Finding(NamedTuple):
    """One thing that is wrong, and where.

    Attributes:
        code: of the rule, stable, for instance ``ENC001``.
        name: of the rule, for people.
        severity: how bad it is.
        message: what is wrong here.
        section: the document and section of the rule's source.
        line: from 1.
        column: in code points, from 1.
        start: byte offset in the source of the link concerned, 0 for the whole document.
        end: byte offset of the link's end.
        link: the link concerned; None for the document as a whole.
        first: the first code point of the link's value that is concerned.
        last: just after the last of them.
        suggestion: the link after a rewrite to URIs, if that removes the finding; else None.
        edits: the edits that change the link's value into the suggestion.
        target: of the link, if the rule is about that: its URI, or its path in a folder whose address is not
            known; else "".
        mapped: the absolute URI of the link and its new one, where the suggestion has another target because the server redirects
            there; else None.

    """

    code: str
    name: str
    severity: Severity
    message: str
    section: str
    line: int
    column: int
    start: int
    end: int
    link: Link | None = None
    first: int = 0
    last: int = 0
    suggestion: str | None = None
    edits: tuple[Edit, ...] = ()
    target: str = ""
    mapped: tuple[str, str] | None = None


def fields_of(finding: Finding) -> dict[str, Any]:
    """Return the fields of a finding for machine-readable output: numbers, strings, and None."""
    link = finding.link
    return {
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
