"""The catalogue: every rule by its code, each in a module of its own.

The facts of all rules are in one table (`rule_data.py`), so that an audit loads a module when it calls one of its functions.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
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
    from collections.abc import Callable, Iterator
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


# --- Which rules are in force: codes, beginnings of codes, and names -------------------------------

ALL = "ALL"


def _meant(selector: str) -> frozenset[str]:
    """Return the codes of the rules that a selector matches."""
    code, name = selector.upper(), selector.lower().replace("_", "-")
    is_code = len(code) >= CONCERN
    return frozenset(
        [
            rule.code
            for rule in rules()
            if code == ALL or name == rule.name or (is_code and rule.code.startswith(code))
        ]
    )


def _all_meant(selectors: Iterable[str]) -> set[str]:
    return set[str]().union(*map(_meant, selectors))


def matches(rule: Rule, selectors: Iterable[str]) -> bool:
    """Return whether any of the selectors matches a rule.

    Args:
        rule: of the catalogue.
        selectors: codes (``ENC001``), beginnings of codes (``ENC``), names (``stray-percent``), or
            ``ALL``, in any case.

    """
    return any(rule.code in _meant(selector) for selector in selectors)


def unknown(selectors: Iterable[str]) -> list[str]:
    """Return the selectors that match no rule."""
    return [selector for selector in selectors if not _meant(selector)]


def select(wanted: Iterable[str] = (), ignored: Iterable[str] = ()) -> list[Rule]:
    """Return the rules in force, in the order of the catalogue.

    Args:
        wanted: selectors; none for every rule.
        ignored: selectors of rules to leave out; a code or a name in `wanted` precedes the beginning of
            a code here.

    """
    wanted, ignored = list(wanted) or [ALL], list(ignored)
    left = _all_meant(ignored) - _all_meant(_exact(wanted)) | _all_meant(_exact(ignored))
    chosen = _all_meant(wanted) - left
    return [rule for rule in rules() if rule.code in chosen]


def chosen(selectors: Iterable[str]) -> dict[str, str]:
    """Return, by the code of each rule that selectors match, the selector that names it most precisely; the later of two as precise."""
    selectors = [*selectors]
    exact = _exact(selectors)
    rough = sorted((each for each in selectors if each not in exact), key=_precision)
    return {code: each for each in (*rough, *exact) for code in _meant(each)}


def _precision(selector: str) -> int:
    return 0 if selector.upper() == ALL else len(selector)


def _exact(selectors: list[str]) -> list[str]:
    """Return the selectors that are no beginning of a code."""
    return [each for each in selectors if len(each) > CONCERN and each.upper() != ALL]
