"""Findings as CSV (RFC 4180), in which no cell can act in a spreadsheet or on a terminal."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from linkfix.cli.formats.base import BaseWriter, record
from linkfix.cli.output import csv_cell, escape

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
        self._rows.writerow({name: _cell(x) for name, x in record(file, finding).items()})


def _cell(value: Any) -> Any:
    """Make a value harmless to spreadsheets and to terminals."""
    return csv_cell(escape(value)) if isinstance(value, str) else value
