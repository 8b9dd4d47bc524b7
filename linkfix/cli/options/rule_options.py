"""The options of commands that choose rules: which are in force, and which of their findings make a run fail."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import click

from linkfix.cli.options.decorators import with_options


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
        raise no_rule(wrong[0], place)
    return selectors


def no_rule(name: str, place: str) -> click.BadParameter:
    """Return the error of a rule that does not exist, with the code or name that it resembles."""
    from linkfix.auditing import rules

    known = [text for rule in rules() for text in (rule.name, rule.code)]
    near = get_close_matches(name, known, 1) or get_close_matches(name.upper(), known, 1)
    hint = f"did you mean {near[0]}?" if near else "`linkfix rules` lists them all"
    return click.BadParameter(f"there is no rule {name!r}; {hint}", param_hint=place)


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
