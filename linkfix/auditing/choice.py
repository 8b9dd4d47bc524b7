"""The rules in force, grouped by the values that they have to check.

Input: a value. Output: the rules that may find something in it. Each rule names a pattern that such a value contains
(`needs`), so that most rules skip most values. The patterns run once for each new value; the cost is
memory for the answers, which is bounded.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.rule import SCRIPT
from linkfix.iri.ordinary import ORDINARY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkfix.auditing.rule import Concerns, Rule

__all__ = ["Choice", "all_rules", "choice"]

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
        concerns: the functions that return a test of ordinary values, each with its rules.
        templates: the rules about templates, which are no references yet.
        names: whether any rule needs the targets of fragments.
        pages: the rules about all documents of a site.
        unknown: whether any rule needs the values of unknown attributes that look like links.

    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self.codes = frozenset(rule.code for rule in rules)
        self.documents = [rule for rule in rules if rule.document is not None]
        self.watching = [rule for rule in rules if rule.watch is not None]
        self.pages = [rule for rule in rules if rule.pages is not None]
        self.concerns: dict[Concerns, list[Rule]] = {}
        for rule in rules:
            if rule.concerns is not None:
                self.concerns.setdefault(rule.concerns, []).append(rule)
        self.templates = [rule for rule in rules if rule.template]
        self.names = any(rule.names for rule in rules)
        self.unknown = any(rule.unknown for rule in rules)
        links = [rule for rule in rules if rule.check is not None and not rule.template]
        self._ordinary = [rule for rule in links if rule.ordinary]
        self._script = [rule for rule in links if rule.script]
        needs = list(dict.fromkeys(rule.needs for rule in links if rule.needs))
        self._searches = [re.compile(need, re.DOTALL).search for need in needs]
        self._links = [(rule, needs.index(rule.needs) if rule.needs else -1) for rule in links]
        self._met: dict[tuple[bool, ...], list[Rule]] = {}
        self._rules_for: dict[str, list[Rule]] = {}

    def rules_for(self, value: str) -> list[Rule]:
        """Return the rules about links that may find something in a value, in the order of the catalogue."""
        if ORDINARY.fullmatch(value):
            return self._ordinary
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
        met = tuple([search(value) is not None for search in self._searches])
        chosen = self._met.get(met)
        if chosen is None:
            chosen = [rule for rule, need in self._links if need < 0 or met[need]]
            if len(self._met) < _MOST:
                self._met[met] = chosen
        return chosen


@cache
def all_rules() -> Choice:
    """Return the choice of all rules."""
    return choice(catalogue())


_KNOWN: dict[tuple[int, ...], Choice] = {}


def choice(rules: Sequence[Rule]) -> Choice:
    """Return the choice of some rules, the same object for all documents of a run."""
    key = tuple(map(id, rules))  # the choice keeps these objects alive
    known = _KNOWN.get(key)
    if known is None:
        known = Choice(rules)
        if len(_KNOWN) < _MOST:
            _KNOWN[key] = known
    return known
