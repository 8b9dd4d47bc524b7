"""Findings as one HTML file that can be searched and filtered, and loads nothing.

Text from the documents is in a block of JSON, with ``<`` and every harmful character escaped; the script inserts it as
text and never as markup. The content security policy allows only the style and the script of this module, by their
hashes.
"""

import base64
import hashlib
from collections import Counter
from html import escape as html_escape
from importlib import resources
from typing import Any, TextIO

import linkfix
from linkfix.auditing import Finding, rules
from linkfix.cli.formats import BaseWriter, line, marked
from linkfix.cli.output import escape
from linkfix.errors import LinkfixError
from linkfix.iri import parse
from linkfix.sites.auditing import AuditTotals
from linkfix.sites.lines import json_text


class Writer(BaseWriter):
    """Write the report: an array of findings; the name of a document precedes its findings."""

    separator = ",\n"

    def __init__(self, out: TextIO) -> None:
        super().__init__(out)
        self._rules = {rule.code: index for index, rule in enumerate(rules())}
        self._counts = Counter[str]()
        self._name: str | None = None
        self._problems: list[str] = []

    def begin(self) -> None:
        """Write everything up to the findings."""
        style, self._script = _asset("report.css"), _asset("report.js")
        policy = (
            f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(self._script)}; "
            "base-uri 'none'; form-action 'none'"
        )
        self.out.write(
            _asset("report.html").replace("POLICY", html_escape(policy)).replace("STYLE", style)
        )
        self.out.write('<script type="application/json" id="findings">[\n')

    def put(self, file: str, piece: bytes) -> None:
        """Write a piece, and before the first one about a document its name."""
        if self._name != file:
            self._name = file
            super().put(file, _json(escape(file)).encode("ascii"))
        super().put(file, piece)

    def render(self, file: str, finding: Finding) -> str:
        """Return a finding as an array: room for the number of its file, numbers, its host, and texts."""
        link = finding.link
        host = "" if link is None else (parse(link.value).host or "").lower()
        row = [
            0,
            finding.line,
            finding.column,
            self._rules[finding.code],
            escape(host),
            escape(finding.message),
            *map(escape, marked(finding)),
            "" if finding.suggestion is None else escape(finding.suggestion),
            "" if link is None else escape(f"{link.element} {link.attribute}".strip()),
            escape(finding.target),
        ]
        return _json(row)

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """Count the findings of a document, and keep why it could not be processed."""
        self._counts += counts
        self._name = None
        if error is not None:
            self._problems.append(escape(str(error)))

    def end(self, totals: AuditTotals) -> None:
        """Write the facts to which findings refer, and the script for their display."""
        facts = {
            "version": linkfix.__version__,
            "summary": line(totals),
            "documents": totals.documents,
            "links": totals.links,
            "counts": dict(totals.counts),
            "problems": self._problems,
            "rules": [
                [rule.code, rule.name, str(rule.severity), rule.page, rule.section]
                for rule in rules()
            ],
        }
        self.out.write("\n]</script>\n")
        self.out.write(f'<script type="application/json" id="facts">{_json(facts)}</script>\n')
        self.out.write(f"<noscript>{self._table(totals)}</noscript>\n")
        self.out.write(f"<script>{self._script}</script>\n</html>\n")

    def _table(self, totals: AuditTotals) -> str:
        """Return the table for readers without scripts."""
        rows = "".join(
            f"<tr><td>{rule.code}<td>{rule.severity}<td>{html_escape(rule.page.splitlines()[0])}"
            f"<td>{self._counts[rule.code]}"
            for rule in rules()
            if self._counts[rule.code]
        )
        head = "<tr><th>Rule<th>Severity<th>What it is about<th>Findings"
        return f"<p>{html_escape(line(totals))}</p><table>{head}{rows}</table>"


def _asset(name: str) -> str:
    return resources.files("linkfix.cli.formats").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    """Return the source expression of an inline block (CSP 3, 2.3.1)."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _json(value: Any) -> str:
    """Write JSON that ends no element around it."""
    text = json_text(value, (",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
