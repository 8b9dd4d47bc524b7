"""Rules of one's own: a function becomes a rule, and a file or an installed package names rules for the command line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

from linkfix.auditing.catalogue import rule as listed
from linkfix.auditing.finding import Severity
from linkfix.auditing.rule import Hit, Needs, Rule, Subject
from linkfix.errors import ArgumentError, LinkfixError
from linkfix.policy import gate

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: Yields what is wrong with a link: hits, or messages about the whole value.
OwnCheck: TypeAlias = Callable[[Subject], Iterable[Hit | str]]

#: The entry points of packages with rules.
GROUP = "linkfix.rules"
_CODE = re.compile(r"[A-Z]{3,12}[0-9]{1,6}", re.ASCII)
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)


def rule(
    code: str,
    *,
    severity: str = "error",
    name: str = "",
    section: str = "house rules",
    needs: Needs = "",
) -> Callable[[OwnCheck], Rule]:
    """Return a decorator that makes a rule of a function; its docstring is the rule's page.

    Args:
        code: capital letters and a number, as ``ACME001``; no code of linkfix.
        severity: ``error``, ``warning`` or ``advice``.
        name: in lower case with hyphens; without it, that of the function.
        section: the document and section that the rule is from.
        needs: a regular expression; the function is asked only about values that contain it (`Rule.needs`).

    Raises:
        ArgumentError: an argument is wrong, or linkfix has a rule of this code or name.

    """
    gate.one_of([*Severity], severity=severity)
    gate.instances(str, "string", code=code, name=name, section=section)
    if isinstance(needs, str):
        try:
            re.compile(needs)
        except re.error as error:
            raise ArgumentError(f"needs={needs!r} is no regular expression: {error}") from None
    else:
        gate.functions(needs=needs)
    if not _CODE.fullmatch(code):
        raise ArgumentError(f"code={code!r} is no code", hint="write for example ACME001")

    from inspect import cleandoc

    def made(check: OwnCheck) -> Rule:
        gate.functions(check=check)
        known = name or check.__name__.replace("_", "-")
        if not _NAME.fullmatch(known):
            raise ArgumentError(f"name={known!r} is no name", hint="write for example no-intranet")
        for each in (code, known):
            if listed(each) is not None:
                raise ArgumentError(f"linkfix has a rule {each}", hint="use another code and name")
        page = cleandoc(check.__doc__ or known)
        return Rule(
            code, known, Severity(severity), section, page, check=_checked(code, check), needs=needs
        )

    return made


def _checked(code: str, check: OwnCheck) -> Callable[[Subject], Iterator[Hit]]:
    """Return the check of a rule, which says where the function failed."""

    def run(subject: Subject) -> Iterator[Hit]:
        link = subject.link
        try:
            for hit in check(subject):
                yield Hit(0, len(subject.value), hit) if isinstance(hit, str) else Hit(*hit)
        except Exception as error:
            raise LinkfixError(
                f"the rule {code} failed: {type(error).__name__}: {error}",
                offset=link.start,
                line=link.line,
                column=link.column,
            ) from error

    return run


def load(given: str) -> list[Rule]:
    """Return the rules in a Python file, or those that an installed package has under a name.

    The file is executed, and the module of the package is imported: only a user who trusts them names them.

    Args:
        given: the path of a file that ends in ``.py``, or the name of an entry point of the group ``linkfix.rules``,
            which leads to a rule, to several, or to a module.

    Raises:
        ArgumentError: it has no rules, or cannot be read.

    """
    import runpy

    try:
        if given.endswith(".py"):
            found: object = [*runpy.run_path(given, run_name=Path(given).stem).values()]
        else:
            found = _point(given).load()
    except Exception as error:
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
        if point.group == GROUP
    ]
    for point in points:
        if point.name == name:
            return point
    there = ", ".join(sorted({point.name for point in points})) or "none"
    raise ArgumentError(
        f"no installed package has rules under the name {name!r} (there are: {there})",
        hint="a file of rules ends in .py",
    )
