"""Groups of options: several options of click that commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["with_options"]


def with_options(options: Sequence[Callable[[Any], Any]], function: Any) -> Any:
    """Add options to a command, in the order in which its help lists them."""
    for option in reversed(options):
        function = option(function)
    return function
