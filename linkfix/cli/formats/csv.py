"""Findings as CSV (RFC 4180), in which no cell can act in a spreadsheet or on a terminal."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from linkfix.cli.formats.base import BaseWriter, record
from linkfix.cli.output import csv_cell, escape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.auditing import Finding

FIELDS = (
    *("file", "line", "column", "start", "end", "rule", "name", "severity", "message", "section"),
    *("element", "attribute", "value", "first", "last", "suggestion"),
)


class Writer(BaseWriter):
    """Write one row for each finding, below a row of names."""

    def begin(self) -> None:
        """Write the names of the columns."""
        self.out.write(csv_row(FIELDS))

    def render(self, file: str, finding: Finding) -> str:
        """Return the row of a finding."""
        fields = record(file, finding)
        return csv_row(_cell(fields[name]) for name in FIELDS)


def csv_row(cells: Iterable[Any]) -> str:
    """Return a row as text."""
    row = io.StringIO(newline="")
    csv.writer(row, lineterminator="\r\n").writerow(cells)
    return row.getvalue()


def _cell(value: Any) -> Any:
    """Make a value harmless to spreadsheets and to terminals."""
    return csv_cell(escape(value)) if isinstance(value, str) else value
