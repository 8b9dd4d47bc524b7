"""A progress bar over documents, where somebody is watching and it is in nobody's way."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["following"]

#: How many documents are worth a bar.
_FEW = 20


@contextlib.contextmanager
def following(
    count: int, work: Callable[[str], int | None]
) -> Iterator[Callable[[str], int | None]]:
    """Give the same work with a progress bar on standard error.

    Args:
        count: how many documents there are.
        work: what is done for each.

    Returns:
        The work itself where standard error is no terminal, standard output is one too and so
        would be written between, or there are few documents.

    """
    if count < _FEW or not sys.stderr.isatty() or sys.stdout.isatty():
        yield work
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("documents", total=count)

        def followed(path: str) -> int | None:
            try:
                return work(path)
            finally:
                progress.advance(task)

        yield followed
