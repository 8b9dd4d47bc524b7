"""The options of commands that choose rules: which are in force, and which of their findings make a run fail."""

from __future__ import annotations

from typing import Any

import click

from linkfix.cli.decorators import with_options

__all__ = ["known_rules", "rule_options"]


def _selectors(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[str]:
    """Split codes, beginnings of codes and names at commas."""
    selectors = [part.strip() for value in values for part in value.split(",") if part.strip()]
    return known_rules(selectors, f"--{option.name}")


def known_rules(selectors: list[str], place: str) -> list[str]:
    """Return codes, beginnings of codes and names of rules.

    Args:
        selectors: what was given.
        place: where, for the error.

    Raises:
        click.BadParameter: there is no such rule.

    """
    if not selectors:  # the rules need not be loaded yet
        return []
    from linkfix.auditing import unknown

    if wrong := unknown(selectors):
        raise click.BadParameter(
            f"there is no rule {wrong[0]!r}; `linkfix rules` lists them all", param_hint=place
        )
    return selectors


def rule_options(function: Any) -> Any:
    """Add ``--select``, ``--ignore`` and ``--fail-on``."""
    options = [
        click.option(
            "--select",
            multiple=True,
            callback=_selectors,
            metavar="RULES",
            help="The rules in force: codes, beginnings of codes or names, with commas.  [default: ALL]",
        ),
        click.option(
            "--ignore",
            multiple=True,
            callback=_selectors,
            metavar="RULES",
            help="Rules that are not in force although they are selected.",
        ),
        click.option(
            "--fail-on",
            type=click.Choice(["error", "warning", "advice", "never"]),
            default="error",
            show_default=True,
            help="The least severity that makes the exit status 1.",
        ),
    ]
    return with_options(options, function)
