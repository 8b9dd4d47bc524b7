"""The line on a terminal that says what a command does, how far it is, and how long the rest will take.

Messages go above it: while it is there, standard error is a stream that removes the line before it writes.
"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from linkfix.cli.output import has_colours, styled

#: The fewest documents with a line.
_FEW = 20
#: The least time in seconds between two updates.
_BETWEEN = 0.1


class _Line:
    """Standard error with a line at its end that stays the last one.

    Args:
        out: the terminal.

    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._width = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)

    def write(self, text: str) -> int:
        """Write a message in place of the line."""
        self.show("")
        return self._out.write(text)

    def show(self, text: str) -> None:
        """Replace the line."""
        if text or self._width:
            shown = styled(text, "cyan") if text and has_colours(self._out) else text
            self._out.write(f"\r{' ' * self._width}\r{shown}")
            self._out.flush()
        self._width = len(text)


@contextlib.contextmanager
def bar(count: int, phase: str, *, data: bool) -> Iterator[Callable[[], None]]:
    """Show the progress on standard error; the block gets a function to call after each document.

    Nothing is shown if standard error is no terminal, or for few documents.

    Args:
        count: how many documents there are.
        phase: what is done with them.
        data: whether the run writes to standard output; if that is a terminal, nothing is shown.

    """
    if count < _FEW or not sys.stderr.isatty() or (data and sys.stdout.isatty()):
        yield lambda: None
        return
    line, done, start, drawn = _Line(sys.stderr), 0, time.monotonic(), 0.0

    def advance() -> None:
        nonlocal done, drawn
        done += 1
        now = time.monotonic()
        if now - drawn > _BETWEEN or done == count:
            drawn = now
            rate = done / max(now - start, 1e-3)
            left = round((count - done) / rate)
            line.show(
                f"{phase}: {done:,}/{count:,} documents, {rate:,.0f} a second, {left // 60}:{left % 60:02} left"
            )

    with contextlib.redirect_stderr(line):
        try:
            yield advance
        finally:
            line.show("")
