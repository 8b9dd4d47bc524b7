"""The catalogue: every rule by its code, each in a module of its own.

The facts of a rule are in a table that ``tools/make_rules.py`` makes from the modules (`rule_data.py`), so that an audit loads
a module when it calls one of its functions.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkfix.auditing.code_data import MODULES
from linkfix.auditing.finding import Severity
from linkfix.auditing.needs import odd
from linkfix.auditing.rule import Rule
from linkfix.auditing.rule_data import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

#: How many letters of a code name the concern of the rule.
CONCERN = 3


#: The functions of the module of a rule, with the field of `Rule`.
FUNCTIONS = {
    "check": "check",
    "check_document": "document",
    "watch": "watch",
    "compare": "compare",
    "check_pages": "pages",
}


class _Listed(Rule):
    """A rule of the table."""

    __slots__ = ()
    page = property(
        lambda self: str(module_of(self.code).__doc__).strip(), lambda _self, _page: None
    )


def module_of(code: str) -> ModuleType:
    """Return the module of a rule."""
    return import_module(f"linkfix.auditing.rules.{MODULES[code]}")


@cache
def _rule(code: str) -> Rule:
    """Return a rule by the table."""
    severity, section, demand, flags, functions = RULES[code]
    facts: dict[str, Any] = dict.fromkeys(flags.split(), True)
    for name in functions.split():
        facts[FUNCTIONS[name]] = _late(code, name)
    kind, _, needs = demand.partition(" ")
    if kind == "odd":
        facts["needs"] = odd(needs)
    elif kind:
        home, _, name = needs.rpartition(".")
        facts["needs"] = needs if kind == "needs" else getattr(import_module(home), name)
    return _Listed(code, name_of(code), Severity(severity), section, "", **facts)


def name_of(code: str) -> str:
    """Return the name of a rule."""
    return MODULES[code].replace("_", "-")


def _late(code: str, name: str) -> Callable[..., Any]:
    """Return a function of a rule, whose module is loaded when it is called."""
    function: Callable[..., Any] | None = None

    def call(*arguments: object) -> Any:
        nonlocal function
        function = function or getattr(module_of(code), name)
        return function(*arguments)

    return call


def advises(rule: Rule) -> bool:
    """Return whether a rule gives advice, whatever severity the user has given to it."""
    severity: str = RULES[rule.code][0] if rule.code in RULES else rule.severity
    return severity == Severity.ADVICE


def load(chosen: Iterable[Rule]) -> None:
    """Load the modules of rules at once: before processes are forked, which share them."""
    for each in chosen:
        if isinstance(each, _Listed):
            module_of(each.code)


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(map(_rule, MODULES))


#: The rules of a run with rules or severities of its own; None for those of linkfix.
_OF_RUN: ContextVar[tuple[Rule, ...] | None] = ContextVar("rules", default=None)


def rules() -> list[Rule]:
    """Return every rule, in the order of the catalogue, and then the user's own."""
    known = _OF_RUN.get()
    return [*(_rules() if known is None else known)]


@contextlib.contextmanager
def of_run(chosen: Iterable[Rule]) -> Iterator[None]:
    """Let the catalogue consist of these rules."""
    before = _OF_RUN.set(tuple(chosen))
    try:
        yield
    finally:
        _OF_RUN.reset(before)


def rule(name: str) -> Rule | None:
    """Return the rule of a code or a name, in any letter case; None if there is none."""
    wanted = name.strip()
    for each in _OF_RUN.get() or ():
        if wanted.upper() == each.code or wanted.lower().replace("_", "-") == each.name:
            return each
    for code, module in MODULES.items():
        if wanted.upper() == code or wanted.lower().replace("-", "_") == module:
            return _rule(code)
    return None
