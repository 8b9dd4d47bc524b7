"""How much work a call is: the lines of linkfix that it executes, which no other process changes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import linkfix

if TYPE_CHECKING:
    from collections.abc import Callable

_PACKAGE = str(Path(linkfix.__file__).parent)


def lines_of(call: Callable[[], object]) -> int:
    """Return how many lines of linkfix a call executes in this thread; each round of a loop counts."""
    count = 0

    def trace(frame: Any, event: str, _: object) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(_PACKAGE):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def growth(call: Callable[[int], object], size: int) -> float:
    """Return by which factor the work grows with an input of twice the size: 2 where it is linear, 4 where it is quadratic.

    Args:
        call: does the work for an input of a size.
        size: of the smaller input; large enough that the work for the rest of a call does not count.

    """
    call(2 * size)  # what is loaded, compiled and remembered once
    return lines_of(lambda: call(2 * size)) / lines_of(lambda: call(size))
