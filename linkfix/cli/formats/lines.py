"""Findings line by line: for people, for scripts, for spreadsheets, and for GitHub Actions.

Text is in colour on a terminal, with what is wrong marked. JSON is one object a line, in ASCII. No cell of CSV (RFC 4180) acts in
a spreadsheet or on a terminal. Workflow commands are what GitHub shows beside the changed lines.
"""

from functools import cached_property
from itertools import starmap

from linkfix.auditing import Finding
from linkfix.auditing.finding import FIELDS
from linkfix.cli.formats import BaseWriter, marked, record
from linkfix.cli.output import csv_row, disarm, escape, has_colours, shown_row, styled, visible
from linkfix.sites.lines import json_line

_COLOURS = {"error": "bold red", "warning": "yellow", "advice": "cyan"}


class Text(BaseWriter):
    """Write two to four lines for each finding."""

    def render(self, file: str, finding: Finding) -> str:
        """Return the lines of a finding: place, rule, message, the value with a mark, and the suggestion."""
        place = escape(f"{file}:{finding.line}:{finding.column}")
        rule = f"{finding.code} {finding.name}"
        pieces = [
            (f"{place}: ", "bold"),
            (str(finding.severity), _COLOURS[finding.severity]),
            (f" {rule}: {escape(finding.message)}\n", ""),
        ]
        if finding.link is not None:
            before, at, after = disarm(*map(visible, marked(finding)))
            pieces += [(f"    {before}", ""), (at, "reverse"), (f"{after}\n", "")]
            mark = f"    {' ' * _width(before)}{'^' * max(1, _width(at))}"
            pieces += [(mark, "red"), ("\n", "")]
        if finding.suggestion is not None:
            suggestion = escape(finding.suggestion)
            pieces += [("    rewrite: ", "dim"), (suggestion, "green"), ("\n", "")]
        if self._has_colours:
            return "".join(starmap(styled, pieces))
        return "".join([text for text, _ in pieces])

    @cached_property
    def _has_colours(self) -> bool:
        return has_colours(self.out)


def _width(text: str) -> int:
    """Return the width of a text on a terminal in columns."""
    if text.isascii():
        return len(text)
    from linkfix.iri.unicode.ucd import category, east_asian_width

    return sum(
        0 if category(char) in {"Mn", "Me", "Cf"} else 1 + (east_asian_width(char) in {"W", "F"})
        for char in text
    )


class JSONLines(BaseWriter):
    """Write one line for each finding."""

    def render(self, file: str, finding: Finding) -> str:
        """Return the line of a finding."""
        return json_line(record(file, finding)) + "\n"


class CSV(BaseWriter):
    """Write one row for each finding, below a row of names."""

    def begin(self) -> None:
        """Write the names of the columns."""
        self.out.write(csv_row(("file", *FIELDS)))

    def render(self, file: str, finding: Finding) -> str:
        """Return the row of a finding."""
        return shown_row(record(file, finding).values())


_COMMANDS = {"error": "error", "warning": "warning", "advice": "notice"}


def _data(text: str) -> str:
    """Escape what would end a command."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape what would end a property as well."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class GitHub(BaseWriter):
    """Write one command for each finding."""

    def render(self, file: str, finding: Finding) -> str:
        """Return the command of a finding."""
        message = finding.message
        # GitHub compares it with the paths of a pull request as text.
        name = file.removeprefix("./")
        if finding.link is not None:
            message += f": {finding.link.value}"
        if finding.suggestion is not None:
            message += f" (rewrite: {finding.suggestion})"
        return (
            f"::{_COMMANDS[finding.severity]} file={_property(name)},line={finding.line},"
            f"col={finding.column},title={finding.code} {finding.name}::{_data(message)}\n"
        )
