"""A progress bar over documents, where somebody is watching and it is in nobody's way."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import ProgressColumn

__all__ = ["watched"]

T = TypeVar("T")

#: How many documents are worth a bar.
_FEW = 20
#: How many seconds a bar stays as it is, at least.
_BETWEEN = 0.1


def watched(results: Iterator[T], count: int, *, data: bool) -> Iterator[T]:
    """Give the same results, with a progress bar on standard error that counts them.

    There is none where standard error is no terminal, or there are few documents.

    Args:
        results: one for each document.
        count: how many documents there are.
        data: whether standard output is written meanwhile; if that is a terminal, there is no bar.

    """
    if count < _FEW or not sys.stderr.isatty() or (data and sys.stdout.isatty()):
        yield from results
        return
    from rich.console import Console
    from rich.progress import Progress

    # The console is that of now, whatever standard error is exchanged for.
    console = Console(file=sys.stderr)
    # It is drawn here, since a process with a second thread cannot be forked.
    with Progress(*_columns(), console=console, transient=True, auto_refresh=False) as progress:
        task = progress.add_task("documents", total=count)
        drawn = 0.0
        for result in results:
            yield result
            progress.advance(task)
            if time.monotonic() - drawn > _BETWEEN:
                progress.refresh()
                drawn = time.monotonic()


def _columns() -> list[ProgressColumn]:
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many documents are done in a second."""

        def render(self, task: object) -> Text:
            speed = getattr(task, "finished_speed", None) or getattr(task, "speed", None)
            return Text("" if speed is None else f"{speed:.0f} documents/s")

    return [BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn()]
