"""Findings as JUnit XML: a suite for each document, a case for each finding."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO
from xml.sax.saxutils import escape as xml_escape
from xml.sax.saxutils import quoteattr

from linkfix.cli.formats import BaseWriter
from linkfix.cli.output import escape
from linkfix.errors import LinkfixError
from linkfix.files.store import Shelf

if TYPE_CHECKING:
    from linkfix.auditing import Finding
    from linkfix.sites.auditing import AuditTotals


@dataclass(slots=True)
class _Suite:
    """What is known of a document.

    Attributes:
        pieces: the numbers of its cases on the shelf, piece by piece.
        failures: how many cases these are.
        error: why it could not be processed; None if it could.

    """

    pieces: list[int] = field(default_factory=list)
    failures: int = 0
    error: LinkfixError | None = None


class Writer(BaseWriter):
    """Write a suite for each document; one without findings has a case that passes.

    A suite begins with the number of its cases, and findings across documents come last: so the cases wait, in a file where
    they are many, until all documents have ended.
    """

    def __init__(self, out: TextIO) -> None:
        super().__init__(out)
        self._cases = Shelf()
        self._suites: defaultdict[str, _Suite] = defaultdict(_Suite)

    def begin(self) -> None:
        """Open the document."""
        self.out.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="linkfix audit">\n'
        )

    def render(self, file: str, finding: Finding) -> str:
        """Return the case of a finding."""
        return _case(quoteattr(escape(file)), file, finding)

    def put(self, file: str, piece: bytes) -> None:
        """Store cases."""
        self._suites[file].pieces.append(len(self._cases))
        self._cases.add(piece)

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """Record the numbers of a document."""
        suite = self._suites[file]
        suite.failures += counts.total()
        suite.error = suite.error or error

    def end(self, totals: AuditTotals) -> None:
        """Write the suites, and close the document."""
        for file, suite in self._suites.items():
            name, error = quoteattr(escape(file)), suite.error
            passing = not suite.failures and error is None
            tests = suite.failures + passing + (error is not None)
            self.out.write(
                f'  <testsuite name={name} tests="{tests}" failures="{suite.failures}"'
                f' errors="{int(error is not None)}">\n'
            )
            if passing:
                self.out.write(f'    <testcase classname={name} name="links"/>\n')
            for number in suite.pieces:
                self.out.write(self._cases[number].decode("utf-8", "surrogatepass"))
            if error is not None:
                message = quoteattr(escape(str(error)))
                self.out.write(
                    f'    <testcase classname={name} name="read"><error message={message}/></testcase>\n'
                )
            self.out.write("  </testsuite>\n")
        self.out.write("</testsuites>\n")


def _case(name: str, file: str, finding: Finding) -> str:
    """Return the case of a finding; `name` is the name of its document, quoted for an attribute."""
    title = quoteattr(f"{finding.code} {finding.name} {finding.line}:{finding.column}")
    lines = [f"{file}:{finding.line}:{finding.column}"]
    if finding.link is not None:
        lines.append(finding.link.value)
    if finding.suggestion is not None:
        lines.append(f"rewrite: {finding.suggestion}")
    text = xml_escape("\n".join(map(escape, lines)))
    message = quoteattr(escape(finding.message))
    return (
        f"    <testcase classname={name} name={title}>"
        f'<failure type="{finding.severity}" message={message}>{text}</failure></testcase>\n'
    )
