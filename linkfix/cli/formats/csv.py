"""Findings as CSV (RFC 4180), in which no cell can act in a spreadsheet or on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkfix.cli.formats.base import BaseWriter, record
from linkfix.cli.output import csv_row, escape

if TYPE_CHECKING:
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


def _cell(value: Any) -> Any:
    """Make a value harmless to terminals."""
    return escape(value) if isinstance(value, str) else value
