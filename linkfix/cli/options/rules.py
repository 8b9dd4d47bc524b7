"""The settings of ``linkfix rules``, and of commands that choose rules: which are in force, and which make a run fail."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

import click

from linkfix.cli.options.table import Where, argument, choice, option, settings
from linkfix.errors import ArgumentError, LinkfixError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from linkfix.auditing import Rule

#: The entry points of packages with rules.
_GROUP = "linkfix.rules"


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
    from difflib import get_close_matches

    from linkfix.auditing import rules, unknown

    for name in unknown(selectors):
        known = [text for rule in rules() for text in (rule.name, rule.code)]
        near = get_close_matches(name, known, 1) or get_close_matches(name.upper(), known, 1)
        hint = f"did you mean {near[0]}?" if near else "`linkfix rules` lists them all"
        raise click.BadParameter(f"there is no rule {name!r}; {hint}", param_hint=place)
    return selectors


def _selectors(
    _: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Split codes, beginnings of codes and names at commas."""
    selectors = [part.strip() for value in values for part in value.split(",") if part.strip()]
    return tuple(known_rules(selectors, param.opts[0]))


def rules_option(name: str, text: str) -> Any:
    """Declare an option with codes, beginnings of codes and names of rules."""
    return option(name, text=text, multiple=True, callback=_selectors, metavar="RULES")


def _in_force(rules: Iterable[Rule]) -> None:
    """Let the catalogue consist of these rules until the command has ended."""
    from linkfix.auditing import catalogue

    # That of the group ends with the run, also where the options of the command are wrong.
    click.get_current_context().find_root().with_resource(catalogue.of_run(rules))


def _loaded(given: str) -> list[Rule]:
    """Return the rules in a Python file, or those that an installed package has under a name.

    The file is executed, and the module of the package is imported: only a user who trusts them names them.

    Args:
        given: the path of a file that ends in ``.py``, or the name of an entry point of the group ``linkfix.rules``,
            which leads to a rule, to several, or to a module.

    Raises:
        ArgumentError: it has no rules, or cannot be read.

    """
    import runpy

    from linkfix.auditing import Rule

    try:
        if given.endswith(".py"):
            found: object = [*runpy.run_path(given, run_name=Path(given).stem).values()]
        else:
            found = _point(given).load()
    except Exception as error:  # whatever the user's code raises
        if isinstance(error, ArgumentError):
            raise
        raise ArgumentError(f"{given} cannot be loaded: {type(error).__name__}: {error}") from error
    values = vars(found).values() if isinstance(found, ModuleType) else found
    several = values if isinstance(values, Iterable) else [values]
    rules = [*{id(each): each for each in several if isinstance(each, Rule)}.values()]
    if not rules:
        raise ArgumentError(f"{given} has no rules", hint="make one with @linkfix.rule")
    return rules


def _point(name: str) -> EntryPoint:
    """Return an entry point of the installed packages; one in the current folder is not installed."""
    from importlib import metadata

    here = Path.cwd()
    path = [each for each in sys.path if each and Path(each) != here]
    points = [
        point
        for package in metadata.distributions(path=path)
        for point in package.entry_points
        if point.group == _GROUP
    ]
    for point in points:
        if point.name == name:
            return point
    there = ", ".join(sorted({point.name for point in points})) or "none"
    raise ArgumentError(
        f"no installed package has rules under the name {name!r} (there are: {there})",
        hint="a file of rules ends in .py",
    )


def _own(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Add the user's own rules to the catalogue."""
    for value in values:
        from linkfix.auditing import rules

        try:
            mine = _loaded(value)
        except LinkfixError as error:
            raise click.BadParameter(str(error), param=param) from None
        known = rules()
        twice = {text for each in known for text in (each.code, each.name)}
        for each in mine:
            if not twice.isdisjoint((each.code, each.name)):
                raise click.BadParameter(
                    f"{value} has another rule {each.code} {each.name}", param=param
                )
            twice |= {each.code, each.name}
        _in_force([*known, *mine])
    return values


def own_option() -> Any:
    """Declare the files and packages with the user's own rules."""
    return option(
        "--rules",
        text="Add the rules in this Python file, which is executed, or of an installed package.",
        where=Where.LINE,
        multiple=True,
        is_eager=True,
        callback=_own,
        metavar="FILE.py|NAME",
    )


def _severities(
    _: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Give rules other severities."""
    if not values:
        return values
    from linkfix.auditing import Severity, rules
    from linkfix.auditing.catalogue import chosen

    levels: dict[str, Severity] = {}
    for value in values:
        selector, equals, level = value.partition("=")
        if not equals or level not in [*Severity]:
            raise click.BadParameter(
                f"{value!r} is not RULES=error, RULES=warning or RULES=advice", param=param
            )
        known_rules([selector], "--severity")
        levels[selector] = Severity(level)
    found = {code: levels[selector] for code, selector in chosen(levels).items()}
    _in_force(
        replace(each, severity=found[each.code]) if each.code in found else each for each in rules()
    )
    return values


@settings
class OwnRules:
    """Rules and severities of one's own.

    Attributes:
        severity: Give rules another severity, as ENC=warning; in settings a table.

    """

    added: tuple[str, ...] = own_option()
    severity: tuple[str, ...] = option(multiple=True, callback=_severities, metavar="RULES=LEVEL")


@settings
class RuleChoice:
    """The rules in force, and the least severity that makes a run fail.

    Attributes:
        fail_on: The least severity that makes the exit status 1.

    """

    select: tuple[str, ...] = rules_option(
        "--select",
        "The rules in force: codes, beginnings of codes or names, with commas.  [default: ALL]",
    )
    ignore: tuple[str, ...] = rules_option(
        "--ignore", "Rules that are not in force although they are selected."
    )
    fail_on: Literal["error", "warning", "advice", "never"] = choice("error")


@settings
class RulesOptions:
    """The settings of ``linkfix rules``.

    Attributes:
        output: How rules are written.

    """

    ids: tuple[str, ...] = argument(metavar="[ID]...", nargs=-1)
    own: tuple[str, ...] = own_option()
    output: Literal["text", "markdown", "json"] = choice("text", "--format")
