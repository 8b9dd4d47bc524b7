"""The settings of ``linkfix rules``, and of commands that choose rules: which are in force, and which make a run fail."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import click

from linkfix.cli.options.table import argument, choice, option

if TYPE_CHECKING:
    from collections.abc import Iterable


def known_rules(selectors: Iterable[str], place: str) -> list[str]:
    """Return codes, beginnings of codes and names of rules.

    Args:
        selectors: what was given.
        place: where, for the error.

    Raises:
        click.BadParameter: there is no such rule.

    """
    selectors = list(selectors)
    if not selectors:  # the rules need not be loaded yet
        return []
    from linkfix.auditing import rules, unknown

    for name in unknown(selectors):
        known = [text for rule in rules() for text in (rule.name, rule.code)]
        near = get_close_matches(name, known, 1) or get_close_matches(name.upper(), known, 1)
        hint = f"did you mean {near[0]}?" if near else "`linkfix rules` lists them all"
        raise click.BadParameter(f"there is no rule {name!r}; {hint}", param_hint=place)
    return selectors


def _selectors(place: str, values: tuple[str, ...]) -> list[str]:
    """Split codes, beginnings of codes and names at commas."""
    selectors = [part.strip() for value in values for part in value.split(",") if part.strip()]
    return known_rules(selectors, place)


def _rules(name: str, text: str) -> Any:
    return option(text, name, multiple=True, parse=partial(_selectors, name), metavar="RULES")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChoice:
    """The rules in force, and the least severity that makes a run fail."""

    select: list[str] = _rules(
        "--select",
        "The rules in force: codes, beginnings of codes or names, with commas.  [default: ALL]",
    )
    ignore: list[str] = _rules(
        "--ignore", "Rules that are not in force although they are selected."
    )
    fail_on: Literal["error", "warning", "advice", "never"] = choice(
        "The least severity that makes the exit status 1.", "error"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOptions:
    """The settings of ``linkfix rules``."""

    ids: tuple[str, ...] = argument(metavar="[ID]...", nargs=-1)
    output: Literal["text", "markdown", "json"] = choice(
        "How rules are written.", "text", "--format"
    )
