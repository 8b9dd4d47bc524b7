"""The catalogue: every rule by its code, each in a module of its own.

The facts of all rules are in one table (`rule_data.py`), so that an audit loads a module when it calls one of its functions.
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


#: What a rule may have besides.
FLAGS = frozenset({"script", "template", "names", "unknown", "fatal"})


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
    """Return a rule by the table.

    Raises:
        ValueError: its row says what no rule has.

    """
    severity, section, demand, flags, functions = RULES[code]
    if unknown := {*flags.split()} - FLAGS | ({*functions.split()} - FUNCTIONS.keys()):
        raise ValueError(f"the row of {code} has {', '.join(sorted(unknown))}, which no rule has")
    facts: dict[str, Any] = dict.fromkeys(flags.split(), True)
    facts |= {FUNCTIONS[name]: _late(code, name) for name in functions.split()}
    match demand.partition(" "):
        case "odd", _, needs:
            facts["needs"] = odd(needs)
        case "needs", _, needs:
            facts["needs"] = needs
        case "by", _, place:
            home, _, name = place.rpartition(".")
            facts["needs"] = getattr(import_module(home), name)
        case word, _, _ if word:
            raise ValueError(f"the row of {code} needs {demand!r}, which is none of odd, needs, by")
    if not section or facts.keys().isdisjoint(FUNCTIONS.values()):
        raise ValueError(f"the row of {code} has no section, or no function")
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
