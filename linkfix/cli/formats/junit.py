"""Findings as JUnit XML: a suite for each document, a case for each finding."""

import shutil
import tempfile
from collections import Counter
from typing import IO
from xml.sax.saxutils import escape as xml_escape
from xml.sax.saxutils import quoteattr

from linkfix.auditing import Finding
from linkfix.cli.formats import Summary
from linkfix.cli.formats.base import BaseWriter
from linkfix.cli.output import escape
from linkfix.errors import LinkfixError

#: How many characters of cases stay in memory.
_FEW = 256 * 1024


class Writer(BaseWriter):
    """Write a suite for each document; one without findings has a case that passes.

    A suite begins with the number of its cases, so that they wait, in a file where they are many, until
    their document has ended.
    """

    def begin(self) -> None:
        """Open the document."""
        self.out.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="linkfix audit">\n'
        )
        self._begin_suite()

    def _begin_suite(self) -> None:
        self._cases: IO[str] = tempfile.SpooledTemporaryFile(  # noqa: SIM115 - closed by done
            _FEW, "w+", encoding="utf-8", errors="surrogatepass", newline=""
        )

    def render(self, file: str, finding: Finding) -> str:
        """Return the case of a finding."""
        return _case(quoteattr(escape(file)), file, finding)

    def put(self, piece: bytes) -> None:
        """Store cases until their document ends."""
        self._cases.write(piece.decode("utf-8", "surrogatepass"))

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """Write the suite of a document."""
        count = counts.total()
        name = quoteattr(escape(file))
        passing = not count and error is None
        tests = count + passing + (error is not None)
        self.out.write(
            f'  <testsuite name={name} tests="{tests}" failures="{count}"'
            f' errors="{int(error is not None)}">\n'
        )
        if passing:
            self.out.write(f'    <testcase classname={name} name="links"/>\n')
        with self._cases as cases:
            cases.seek(0)
            shutil.copyfileobj(cases, self.out)
        self._begin_suite()
        if error is not None:
            message = quoteattr(escape(str(error)))
            self.out.write(
                f'    <testcase classname={name} name="read"><error message={message}/></testcase>\n'
            )
        self.out.write("  </testsuite>\n")

    def end(self, summary: Summary) -> None:
        """Close the document."""
        self._cases.close()
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
