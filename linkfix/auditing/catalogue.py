"""The catalogue: every rule by its code, each in a module of its own; which of them are in force, and for which values.

The facts of all rules are in one table (`rule_data.py`), so that an audit loads a module when it calls one of its functions.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from linkfix.auditing.code_data import MODULES
from linkfix.auditing.finding import Severity
from linkfix.auditing.needs import ODD, odd, parts
from linkfix.auditing.rule import SCRIPT, Document, FileRule, Needs, Rule, matching, violating
from linkfix.auditing.rule_data import RULES
from linkfix.deferred import pattern
from linkfix.errors import ArgumentError
from linkfix.iri.quick import ORDINARY
from linkfix.policy import gate

if TYPE_CHECKING:
    from linkfix.auditing.rule import Problem

    #: Returns, for a document with its base, a test of ordinary values; None to need none.
    Demand: TypeAlias = Callable[[Document], Callable[[str], bool] | None]

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

    def __reduce__(self) -> tuple[Any, ...]:
        """Name the row: no pickle holds functions that are made by it."""
        return _restored, (self.code, self.severity)

    page = property(
        lambda self: str(module_of(self.code).__doc__).strip(), lambda _self, _page: None
    )


def module_of(code: str) -> ModuleType:
    """Return the module of a rule."""
    return import_module(f"linkfix.auditing.rules.{MODULES[code]}")


def _rule(code: str) -> Rule:
    """Return a rule by the table.

    Raises:
        ValueError: its row says what no rule has.

    """
    severity, section, demand, flags, work = RULES[code]
    facts: dict[str, Any] = dict.fromkeys(flags.split(), True)
    unknown = {*flags.split()} - FLAGS
    match demand.partition(" "):
        case "needs", _, needs:
            facts["needs"] = needs
        case word, _, needs if word in ODD:
            facts["needs"] = odd(needs, word)
        case "by", _, place:
            home, _, name = place.rpartition(".")
            facts["needs"] = getattr(import_module(home), name)
        case word, _, _ if word:
            known = ", ".join((*ODD, "needs", "by"))
            raise ValueError(f"the row of {code} needs {demand!r}, which is none of {known}")
    match work.partition(" "):
        case ("violations" | "lookalikes" | "bidi") as attribute, _, names:
            facts["check"] = violating(attribute, *names.split())
        case "matches", _, message if isinstance(need := facts.get("needs"), str):
            facts["check"] = matching(parts(need)[1], message)
        case "in", _, place if isinstance(need := facts.get("needs"), str):
            component, _, message = place.partition(": ")
            facts["check"] = matching(parts(need)[1], message, component=component)
        case "file", _, problem:
            what, _, message = problem.partition(": ")
            facts["file"] = FileRule(cast("Problem", what), message)
        case _:
            functions = {*work.split()}
            unknown |= functions - FUNCTIONS.keys()
            facts |= {FUNCTIONS[name]: _late(code, name) for name in functions - unknown}
    if unknown:
        raise ValueError(f"the row of {code} has {', '.join(sorted(unknown))}, which no rule has")
    if not section or facts.keys().isdisjoint({*FUNCTIONS.values(), "file"}):
        raise ValueError(f"the row of {code} has no section, or no function")
    return _Listed(code, MODULES[code].replace("_", "-"), Severity(severity), section, "", **facts)


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


def load(chosen: Iterable[Rule]) -> list[Rule]:
    """Load the modules of rules at once: before processes are forked, which share them; return the rules that are linkfix's own."""
    own: list[Rule] = [each for each in chosen if isinstance(each, _Listed)]
    for each in own:
        module_of(each.code)
    return own


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(map(_rule, MODULES))


def _restored(code: str, severity: Severity) -> Rule:
    return replace(next(each for each in _rules() if each.code == code), severity=severity)


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
    code, kebab = name.strip().upper(), name.strip().lower().replace("_", "-")
    return next((each for each in rules() if each.code == code or each.name == kebab), None)


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


def all_meant(selectors: Iterable[str]) -> set[str]:
    """Return the codes of the rules that any of the selectors matches.

    Args:
        selectors: codes (``ENC001``), beginnings of codes (``ENC``), names (``stray-percent``), or
            ``ALL``, in any case.

    """
    return set[str]().union(*map(_meant, selectors))


def unknown(selectors: Iterable[str]) -> list[str]:
    """Return the selectors that match no rule."""
    return [selector for selector in selectors if not _meant(selector)]


def select(wanted: Iterable[str] = (), ignored: Iterable[str] = ()) -> list[Rule]:
    """Return the rules in force, in the order of the catalogue.

    Args:
        wanted: selectors; none for every rule.
        ignored: selectors of rules to leave out; a code or a name in `wanted` precedes the beginning of
            a code here.

    Raises:
        ArgumentError: a selector matches no rule.

    """
    if isinstance(wanted, str) or isinstance(ignored, str):
        raise ArgumentError(
            f"{wanted or ignored!r} is one selector of rules", hint="put it into a list"
        )
    wanted, ignored = list(wanted) or [ALL], list(ignored)
    if missing := unknown([*wanted, *ignored]):
        raise ArgumentError(
            f"there is no rule {missing[0]!r}", hint="`linkfix rules` lists them all"
        )
    left = all_meant(ignored) - all_meant(_exact(wanted)) | all_meant(_exact(ignored))
    chosen = all_meant(wanted) - left
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


# --- The rules in force, grouped by the values that they have to check -----------------------------
# Input: a value. Output: the rules that may find something in it. A rule may say which values it needs (`Rule.needs`), so
# that most rules skip most values. The patterns run for each value whose verdicts are not known yet (`Verdicts`). Whether an ordinary value meets what a rule needs is computed here: patterns of `odd` never do.

#: How many sets of rules in force are remembered.
_MOST = 1024


class Choice:
    """Rules in force.

    Args:
        rules: in the order of the catalogue.

    Attributes:
        rules: all rules.
        codes: the codes of all rules.
        documents: the rules about documents as a whole.
        watching: the rules with a watcher, which compares the links of a document.
        files: the rules about files with what they say, by the problem that they report.
        joined: the rules for which other documents or files matter.
        demands: what rules need of ordinary values, as functions that return a test of them (`Rule.needs`), each with its
            rules.
        templates: the rules about templates, which are no references yet.
        names: whether any rule needs the targets of fragments.
        pages: the rules about all documents of a site.
        unknown: whether any rule needs the values of unknown attributes that look like links.

    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules: tuple[Rule, ...] = tuple(rules)
        self.codes: frozenset[str] = frozenset(rule.code for rule in rules)
        self.documents: list[Rule] = [rule for rule in rules if rule.document is not None]
        self.watching: list[Rule] = [rule for rule in rules if rule.watch is not None]
        self.pages: list[Rule] = [rule for rule in rules if rule.pages is not None]
        self.files: dict[str, list[tuple[Rule, FileRule]]] = {}
        for rule in rules:
            if rule.file is not None:
                self.files.setdefault(rule.file.what, []).append((rule, rule.file))
        self.joined: list[Rule] = [rule for rule in rules if rule.compare or rule.file]
        demands: dict[Needs, tuple[Demand, list[Rule]]] = {}
        for rule in rules:
            if (rule.check or rule.watch or rule.file) and not rule.template:
                demand = _demand(rule.needs)
                if demand is not None:
                    demands.setdefault(rule.needs, (demand, []))[1].append(rule)
        self.demands: list[tuple[Demand, list[Rule]]] = list(demands.values())
        self.templates: list[Rule] = [rule for rule in rules if rule.template]
        self.names: bool = any(rule.names for rule in rules)
        self.unknown: bool = any(rule.unknown for rule in rules)
        links = [rule for rule in rules if rule.check is not None and not rule.template]
        self._script = [rule for rule in links if rule.script]
        needs = list(dict.fromkeys(rule.needs for rule in links if isinstance(rule.needs, str)))
        self._needs = [_need(need) for need in needs]
        self._links = [(r, needs.index(r.needs) if isinstance(r.needs, str) else -1) for r in links]

    def rules_for(self, value: str) -> list[Rule]:
        """Return the rules about links that may find something in a value, in the order of the catalogue.

        Those are the rules whose pattern occurs in the value, and those without a pattern.
        """
        if SCRIPT.match(value):
            return self._script
        is_ordinary = ORDINARY.fullmatch(value) is not None
        words = set() if is_ordinary else {w for w, each in _CONTAINED if each.search(value)}
        met = [
            (not word or word in words) and searched.search(value) is not None
            for word, searched in self._needs
        ]
        return [rule for rule, need in self._links if need < 0 or met[need]]


def check_rules(rules: Sequence[Rule] | None) -> None:
    """Refuse an argument that is no sequence of rules.

    Raises:
        ArgumentError: it has something else in it.

    """
    kind = gate.Instance((list, tuple), "list of rules, as `linkfix.auditing.select` returns")
    gate.check({"rules": kind}, rules=rules)
    for each in rules or ():
        if not isinstance(each, Rule):
            raise ArgumentError(
                f"rules has {each!r}, which is no Rule",
                hint="select rules of the catalogue by linkfix.auditing.select",
            )


def meets(rule: Rule, value: str) -> bool:
    """Return whether a value is one that a rule needs, where the base of the link is its own."""
    needs = rule.needs
    return callable(needs) or not needs or re.search(needs, value, re.DOTALL) is not None


#: What odd values contain, by the words of rows, as patterns.
_CONTAINED = [(word, pattern(contained)) for word, contained in ODD.items()]


def _need(needs: str) -> tuple[str, re.Pattern[str]]:
    """Return the word of `ODD` for the values that a rule needs, "" for all, and a pattern to search for, compiled at the first of them."""
    word, searched = parts(needs)
    return word, pattern(searched, re.DOTALL)


def _demand(needs: Needs) -> Demand | None:
    """Return a function that returns a test of ordinary values; None where none of them can be needed."""
    if callable(needs):
        return needs
    word, searched = _need(needs)
    return None if word else lambda _: lambda value: searched.search(value) is not None


_KNOWN: dict[tuple[int, ...], Choice] = {}


def choice(rules: Sequence[Rule]) -> Choice:
    """Return the choice of some rules, the same object for all documents of a run."""
    check_rules(rules)
    key = tuple(map(id, rules))  # the choice keeps these objects alive
    known = _KNOWN.get(key)
    if known is None:
        known = Choice(rules)
        if len(_KNOWN) < _MOST:
            _KNOWN[key] = known
    return known
