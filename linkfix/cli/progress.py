"""A progress bar over documents, on a terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import ProgressColumn

T = TypeVar("T")

#: The fewest documents with a bar.
_FEW = 20
#: The least time in seconds between two updates.
_BETWEEN = 0.1


def watched(results: Iterator[T], count: int, *, data: bool) -> Iterator[T]:
    """Yield the same results; a progress bar on standard error counts them.

    There is no bar if standard error is no terminal, or for few documents.

    Args:
        results: one for each document.
        count: how many documents there are.
        data: whether the run writes to standard output; if that is a terminal, there is no bar.

    """
    with bar(count, data=data) as advance:
        for result in results:
            yield result
            advance()


@contextlib.contextmanager
def bar(count: int, *, data: bool) -> Iterator[Callable[[], None]]:
    """Draw a progress bar on standard error; the block gets a function to call after each document.

    There is no bar if standard error is no terminal, or for few documents.

    Args:
        count: how many documents there are.
        data: whether the run writes to standard output; if that is a terminal, there is no bar.

    """
    if count < _FEW or not sys.stderr.isatty() or (data and sys.stdout.isatty()):
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # The console stays the present one when standard error is replaced.
    console = Console(file=sys.stderr)
    # The bar is drawn in this thread: a process with a second thread cannot be forked.
    with Progress(*_columns(), console=console, transient=True, auto_refresh=False) as progress:
        task, drawn = progress.add_task("documents", total=count), 0.0

        def advance() -> None:
            nonlocal drawn
            progress.advance(task)
            if time.monotonic() - drawn > _BETWEEN:
                progress.refresh()
                drawn = time.monotonic()

        yield advance


def _columns() -> list[ProgressColumn]:
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many documents are done in a second."""

        def render(self, task: object) -> Text:
            speed = getattr(task, "finished_speed", None) or getattr(task, "speed", None)
            return Text("" if speed is None else f"{speed:.0f} documents/s")

    return [BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn()]
