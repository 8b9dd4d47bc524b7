"""The rules in force, grouped by the values that they have to check.

Input: a value. Output: the rules that may find something in it. A rule may say which values it needs (`Rule.needs`), so
that most rules skip most values. The patterns run once for each new value; the cost is memory for the answers, which is
bounded. Whether an ordinary value meets what a rule needs is computed here: patterns of `odd` never do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.needs import ODD
from linkfix.auditing.rule import SCRIPT, Document, Needs, Rule
from linkfix.errors import ArgumentError
from linkfix.iri.ordinary import ORDINARY
from linkfix.policy import gate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    #: Returns, for a document with its base, a test of ordinary values; None to need none.
    Demand: TypeAlias = Callable[[Document], Callable[[str], bool] | None]

#: How many sets of rules are remembered: by value, by the patterns found in a value, and by run.
_MOST = 1024
#: The longest value in code points that is remembered: sites repeat their links.
_LONGEST = 512


class Choice:
    """Rules in force.

    Args:
        rules: in the order of the catalogue.

    Attributes:
        rules: all rules.
        codes: the codes of all rules.
        documents: the rules about documents as a whole.
        watching: the rules with a watcher, which compares the links of a document.
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
        demands: dict[Needs, tuple[Demand, list[Rule]]] = {}
        for rule in rules:
            if (rule.check or rule.watch) and not rule.template:
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
        self._needs = [(_search(need), need.startswith(ODD)) for need in needs]
        self._links = [(r, needs.index(r.needs) if isinstance(r.needs, str) else -1) for r in links]
        self._met: dict[tuple[bool, ...], list[Rule]] = {}
        self._rules_for: dict[str, list[Rule]] = {}

    def rules_for(self, value: str) -> list[Rule]:
        """Return the rules about links that may find something in a value, in the order of the catalogue."""
        if SCRIPT.match(value):
            return self._script
        known = self._rules_for.get(value)
        if known is None:
            known = self._by_needs(value)
            if len(value) <= _LONGEST and len(self._rules_for) < _MOST:
                self._rules_for[value] = known
        return known

    def _by_needs(self, value: str) -> list[Rule]:
        """Return the rules whose pattern occurs in the value, and those without a pattern."""
        is_ordinary = ORDINARY.fullmatch(value) is not None
        met = tuple([
            not (is_ordinary and is_odd) and search(value) is not None
            for search, is_odd in self._needs
        ])  # fmt: skip
        chosen = self._met.get(met)
        if chosen is None:
            chosen = [rule for rule, need in self._links if need < 0 or met[need]]
            if len(self._met) < _MOST:
                self._met[met] = chosen
        return chosen


def check_rules(rules: Sequence[Rule] | None) -> None:
    """Refuse an argument that is no sequence of rules.

    Raises:
        ArgumentError: it has something else in it.

    """
    gate.check(
        {
            "rules": gate.Instance(
                (list, tuple), "list of rules, as `linkfix.auditing.select` returns"
            )
        },
        rules=rules,
    )
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


def _search(needs: str) -> Callable[[str], object]:
    """Return the search for what a rule needs in a value; that this is not ordinary is known before."""
    return re.compile(needs.removeprefix(ODD), re.DOTALL).search


def _demand(needs: Needs) -> Demand | None:
    """Return a function that returns a test of ordinary values; None where none of them can be needed."""
    if callable(needs):
        return needs
    if needs.startswith(ODD):
        return None
    search = _search(needs)
    return lambda _: lambda value: search(value) is not None


def all_rules() -> Choice:
    """Return the choice of all rules."""
    return choice(catalogue())


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
