"""Findings for people: in colour on a terminal, plain in a pipe, with what is wrong marked."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from linkfix.cli.formats.base import BaseWriter, marked
from linkfix.cli.output import disarm, escape, visible

if TYPE_CHECKING:
    from rich.console import Console

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
        if not self._is_terminal:
            return "".join([f"{''.join([text for text, _ in pieces])}\n" for pieces in lines])
        from rich.text import Text

        with self._console.capture() as capture:
            for pieces in lines:
                self._console.print(Text.assemble(*pieces))
        return capture.get()

    @cached_property
    def _is_terminal(self) -> bool:
        return self.out.isatty()

    @cached_property
    def _console(self) -> Console:
        from rich.console import Console

        return Console(file=self.out, highlight=False, soft_wrap=True)


def _width(text: str) -> int:
    """Return the width of a text on a terminal in columns."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
