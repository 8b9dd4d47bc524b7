"""Findings as JUnit XML: a suite for each document, a case for each finding."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape as xml_escape
from xml.sax.saxutils import quoteattr

from linkfix.cli.formats.base import BaseWriter
from linkfix.cli.output import escape

if TYPE_CHECKING:
    from linkfix.auditing import Finding
    from linkfix.cli.formats import Summary
    from linkfix.errors import LinkfixError

__all__ = ["Writer"]


class Writer(BaseWriter):
    """Write a suite for each document; one without findings has a case that passes."""

    _findings: list[Finding]

    def begin(self) -> None:
        """Open the document."""
        self._findings = []
        self.out.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="linkfix audit">\n'
        )

    def put(self, file: str, finding: Finding) -> None:
        """Keep a finding until its document has ended, since a suite begins with its count."""
        self._findings.append(finding)

    def done(self, file: str, error: LinkfixError | None) -> None:
        """Write the suite of a document."""
        findings, self._findings = self._findings, []
        name = quoteattr(escape(file))
        passing = not findings and error is None
        tests = len(findings) + passing + (error is not None)
        self.out.write(
            f'  <testsuite name={name} tests="{tests}" failures="{len(findings)}"'
            f' errors="{int(error is not None)}">\n'
        )
        if passing:
            self.out.write(f'    <testcase classname={name} name="links"/>\n')
        for finding in findings:
            self._case(name, file, finding)
        if error is not None:
            message = quoteattr(escape(str(error)))
            self.out.write(
                f'    <testcase classname={name} name="read"><error message={message}/></testcase>\n'
            )
        self.out.write("  </testsuite>\n")

    def _case(self, name: str, file: str, finding: Finding) -> None:
        title = quoteattr(f"{finding.code} {finding.name} {finding.line}:{finding.column}")
        lines = [f"{file}:{finding.line}:{finding.column}"]
        if finding.link is not None:
            lines.append(finding.link.value)
        if finding.suggestion is not None:
            lines.append(f"rewrite: {finding.suggestion}")
        text = xml_escape("\n".join(map(escape, lines)))
        message = quoteattr(escape(finding.message))
        self.out.write(
            f"    <testcase classname={name} name={title}>"
            f'<failure type="{finding.severity}" message={message}>{text}</failure></testcase>\n'
        )

    def end(self, summary: Summary) -> None:
        """Close the document."""
        self.out.write("</testsuites>\n")
