"""Findings as workflow commands of GitHub Actions, which show them beside the changed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.cli.formats.base import BaseWriter
from linkfix.cli.output import visible

if TYPE_CHECKING:
    from linkfix.auditing import Finding

_COMMANDS = {"error": "error", "warning": "warning", "advice": "notice"}


def _data(text: str) -> str:
    """Escape what would end a command."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape what would end a property as well."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class Writer(BaseWriter):
    """Write one command for each finding."""

    def render(self, file: str, finding: Finding) -> str:
        """Return the command of a finding."""
        message = finding.message
        if finding.link is not None:
            message += f": {finding.link.value}"
        if finding.suggestion is not None:
            message += f" (rewrite: {finding.suggestion})"
        return (
            f"::{_COMMANDS[finding.severity]} file={_property(file)},line={finding.line},"
            f"col={finding.column},title={finding.code} {finding.name}::{_data(message)}\n"
        )
