"""Findings as CSV (RFC 4180), in which no cell is a formula to a spreadsheet."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from linkfix.cli.formats.base import BaseWriter, record
from linkfix.cli.output import csv_cell

if TYPE_CHECKING:
    from linkfix.auditing import Finding

__all__ = ["FIELDS", "Writer"]

FIELDS = (
    *("file", "line", "column", "start", "end", "rule", "name", "severity", "message", "section"),
    *("element", "attribute", "value", "first", "last", "suggestion"),
)


class Writer(BaseWriter):
    """Write one row for each finding, below a row of names."""

    def begin(self) -> None:
        """Write the names of the columns."""
        self._rows = csv.DictWriter(self.out, FIELDS, lineterminator="\r\n")
        self._rows.writeheader()

    def put(self, file: str, finding: Finding) -> None:
        """Write a finding."""
        row = record(file, finding)
        self._rows.writerow({name: csv_cell(value) for name, value in row.items()})
