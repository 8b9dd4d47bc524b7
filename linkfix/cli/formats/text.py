"""Findings for people: in colour on a terminal, plain in a pipe, with what is wrong marked."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from linkfix.cli.formats.base import BaseWriter, marked
from linkfix.cli.output import disarm, escape, has_colours, styled, visible

if TYPE_CHECKING:
    from linkfix.auditing import Finding

_COLOURS = {"error": "bold red", "warning": "yellow", "advice": "cyan"}


class Writer(BaseWriter):
    """Write two to four lines for each finding."""

    def render(self, file: str, finding: Finding) -> str:
        """Return the lines of a finding: place, rule, message, the value with a mark, and the suggestion."""
        place = escape(f"{file}:{finding.line}:{finding.column}")
        rule = f"{finding.code} {finding.name}"
        lines = [
            [
                (f"{place}: ", "bold"),
                (str(finding.severity), _COLOURS[finding.severity]),
                (f" {rule}: ", ""),
                (escape(finding.message), ""),
            ]
        ]
        if finding.link is not None:
            before, at, after = disarm(*map(visible, marked(finding)))
            lines.append([(f"    {before}", ""), (at, "reverse"), (after, "")])
            lines.append([(f"    {' ' * _width(before)}{'^' * max(1, _width(at))}", "red")])
        if finding.suggestion is not None:
            lines.append([("    rewrite: ", "dim"), (escape(finding.suggestion), "green")])
        shown = styled if self._has_colours else lambda text, _: text
        return "".join(
            [f"{''.join([shown(text, how) for text, how in pieces])}\n" for pieces in lines]
        )

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
