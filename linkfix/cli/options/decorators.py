"""What options of click share: groups of them, and the type of a pattern."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from linkfix.files.globs import Patterns


class _Pattern(click.ParamType[str]):
    """A pattern as in ``.gitignore``."""

    name = "pattern"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the pattern as it is, or refuse it."""
        try:
            Patterns([value])
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return str(value)


PATTERN = _Pattern()


def with_options(options: Sequence[Callable[[Any], Any]], function: Any) -> Any:
    """Add options to a command, in the order in which its help lists them."""
    for option in reversed(options):
        function = option(function)
    return function
