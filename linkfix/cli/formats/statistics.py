"""How many findings each rule has, instead of the findings: the most frequent rules first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TextIO

from linkfix.auditing import Finding, Rule, rules
from linkfix.cli.formats.base import BaseWriter
from linkfix.cli.formats.csv import csv_row
from linkfix.cli.output import json_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.cli.formats import Summary
    from linkfix.errors import LinkfixError

_FIELDS = ("rule", "name", "severity", "findings", "documents")


class Writer(BaseWriter):
    """Write one line for each rule that has findings.

    Args:
        out: where it writes to.
        form: one of `linkfix.cli.formats.STATISTICS`.

    """

    def __init__(self, out: TextIO, form: str) -> None:
        super().__init__(out)
        self._form = form
        self._findings = Counter[str]()
        self._documents = Counter[str]()

    def rendered(self, file: str, findings: Iterable[Finding]) -> bytes:
        """Return nothing."""
        return b""

    def put(self, piece: bytes) -> None:
        """Write nothing."""

    def done(self, file: str, counts: Counter[str], error: LinkfixError | None) -> None:
        """Add the findings of a document."""
        self._findings += counts
        self._documents.update(counts.keys())

    def end(self, summary: Summary) -> None:
        """Write the lines."""
        found = [rule for rule in rules() if self._findings[rule.code]]
        found.sort(key=lambda rule: (-self._findings[rule.code], rule.code))
        if self._form == "csv":
            self.out.write(csv_row(_FIELDS))
        for rule in found:
            self.out.write(self._line(rule))

    def _line(self, rule: Rule) -> str:
        """Return the line of a rule."""
        findings, documents = self._findings[rule.code], self._documents[rule.code]
        values = (rule.code, rule.name, str(rule.severity), findings, documents)
        if self._form == "csv":
            return csv_row(values)
        if self._form == "jsonl":
            return json_line(dict(zip(_FIELDS, values, strict=True))) + "\n"
        place = "1 document" if documents == 1 else f"{documents:,} documents"
        return f"{findings:>9,}  {rule.code}  {rule.severity!s:<7}  {rule.name}, in {place}\n"
