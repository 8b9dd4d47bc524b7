"""Findings as one JSON object a line, in ASCII."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.cli.formats.base import BaseWriter, record
from linkfix.sites.lines import json_line

if TYPE_CHECKING:
    from linkfix.auditing import Finding


class Writer(BaseWriter):
    """Write one line for each finding."""

    def render(self, file: str, finding: Finding) -> str:
        """Return the line of a finding."""
        return json_line(record(file, finding)) + "\n"
