"""Findings as one HTML file that can be searched and filtered, and loads nothing.

What comes from the documents is in a block of JSON, with ``<`` and every character that could act
on its own escaped; the script puts it into the page as text and never as markup. The content
security policy lets nothing run or load but the style and script of this module, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from html import escape as html_escape
from importlib import resources
from typing import TYPE_CHECKING, Any

import linkfix
from linkfix.auditing import rules
from linkfix.cli.formats.base import BaseWriter, marked
from linkfix.cli.output import escape, json_text
from linkfix.iri import parse

if TYPE_CHECKING:
    from linkfix.auditing import Finding
    from linkfix.cli.formats import Summary
    from linkfix.errors import LinkfixError

__all__ = ["Writer"]


class Writer(BaseWriter):
    """Write the report, finding by finding."""

    def begin(self) -> None:
        """Write everything up to the findings."""
        self._rules = {rule.code: index for index, rule in enumerate(rules())}
        self._counts = Counter[str]()
        self._files: dict[str, int] = {}
        self._hosts: dict[str, int] = {}
        self._problems: list[str] = []
        self._separator = "\n"
        style, self._script = _asset("report.css"), _asset("report.js")
        policy = (
            f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(self._script)}; "
            "base-uri 'none'; form-action 'none'"
        )
        self.out.write(
            _asset("report.html").replace("POLICY", html_escape(policy)).replace("STYLE", style)
        )
        self.out.write('<script type="application/json" id="findings">[')

    def put(self, file: str, finding: Finding) -> None:
        """Write a finding as an array: numbers of its file, rule and host, and texts."""
        link = finding.link
        host = "" if link is None else (parse(link.value).host or "").lower()
        row = [
            self._files.setdefault(escape(file), len(self._files)),
            finding.line,
            finding.column,
            self._rules[finding.code],
            self._hosts.setdefault(escape(host), len(self._hosts)),
            escape(finding.message),
            *map(escape, marked(finding)),
            "" if finding.suggestion is None else escape(finding.suggestion),
            "" if link is None else escape(f"{link.element} {link.attribute}".strip()),
        ]
        self._counts[finding.code] += 1
        self.out.write(self._separator + _json(row))
        self._separator = ",\n"

    def done(self, file: str, error: LinkfixError | None) -> None:
        """Keep why a document could not be processed."""
        if error is not None:
            self._problems.append(escape(str(error)))

    def end(self, summary: Summary) -> None:
        """Write what the findings refer to, and the script that shows them."""
        facts = {
            "version": linkfix.__version__,
            "summary": str(summary),
            "documents": summary.documents,
            "links": summary.links,
            "counts": dict(summary.counts),
            "files": list(self._files),
            "hosts": list(self._hosts),
            "problems": self._problems,
            "rules": [
                [rule.code, rule.name, str(rule.severity), rule.page, rule.section]
                for rule in rules()
            ],
        }
        self.out.write("\n]</script>\n")
        self.out.write(f'<script type="application/json" id="facts">{_json(facts)}</script>\n')
        self.out.write(f"<noscript>{self._table(summary)}</noscript>\n")
        self.out.write(f"<script>{self._script}</script>\n</html>\n")

    def _table(self, summary: Summary) -> str:
        """Give what can be said without a script."""
        rows = "".join(
            f"<tr><td>{rule.code}<td>{rule.severity}<td>{html_escape(rule.page.splitlines()[0])}"
            f"<td>{self._counts[rule.code]}"
            for rule in rules()
            if self._counts[rule.code]
        )
        head = "<tr><th>Rule<th>Severity<th>What it is about<th>Findings"
        return f"<p>{html_escape(str(summary))}</p><table>{head}{rows}</table>"


def _asset(name: str) -> str:
    return resources.files("linkfix.cli.formats").joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    """Give the source expression of an inline block (CSP 3, 2.3.1)."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _json(value: Any) -> str:
    """Write JSON that ends no element around it."""
    text = json_text(value, (",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
