"""The rules in force, sorted by when they have to be asked."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from linkfix.auditing.catalogue import rules as catalogue
from linkfix.auditing.rule import SCRIPT
from linkfix.iri.ordinary import ORDINARY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkfix.auditing.rule import Rule

__all__ = ["Choice", "choice", "everything"]

#: How many sets of rules are remembered for values, for what values have in common, and for runs.
_MOST = 1024
#: Values of at most so many code points are remembered: sites repeat their links.
_LONGEST = 512


class Choice:
    """Rules in force.

    Args:
        rules: in the order of the catalogue.

    Attributes:
        rules: all of them.
        codes: of all of them.
        documents: those about documents as a whole.
        watching: those that look at one link of a document after the other.
        concerns: what gives a test of ordinary values, and the rule that has to be given the link.
        templates: those that look at templates, which are no references yet.
        names: whether one of them has to know what fragments can lead to.

    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self.codes = frozenset(rule.code for rule in rules)
        self.documents = [rule for rule in rules if rule.document is not None]
        self.watching = [rule for rule in rules if rule.watch is not None]
        self.concerns = [(rule.concerns, rule) for rule in rules if rule.concerns is not None]
        self.templates = [rule for rule in rules if rule.template]
        self.names = any(rule.names for rule in rules)
        links = [rule for rule in rules if rule.check is not None and not rule.template]
        self._ordinary = [rule for rule in links if rule.ordinary]
        self._script = [rule for rule in links if rule.script]
        needs = list(dict.fromkeys(rule.needs for rule in links if rule.needs))
        self._searches = [re.compile(need, re.DOTALL).search for need in needs]
        self._links = [(rule, needs.index(rule.needs) if rule.needs else -1) for rule in links]
        self._met: dict[tuple[bool, ...], list[Rule]] = {}
        self._about: dict[str, list[Rule]] = {}

    def about(self, value: str) -> list[Rule]:
        """Give the rules about links that may find something in a value, in the same order."""
        if ORDINARY.fullmatch(value):
            return self._ordinary
        if SCRIPT.match(value):
            return self._script
        known = self._about.get(value)
        if known is None:
            known = self._that_need(value)
            if len(value) <= _LONGEST and len(self._about) < _MOST:
                self._about[value] = known
        return known

    def _that_need(self, value: str) -> list[Rule]:
        """Give the rules that need nothing which a value has not."""
        met = tuple([search(value) is not None for search in self._searches])
        chosen = self._met.get(met)
        if chosen is None:
            chosen = [rule for rule, need in self._links if need < 0 or met[need]]
            if len(self._met) < _MOST:
                self._met[met] = chosen
        return chosen


@cache
def everything() -> Choice:
    """Give all the rules, sorted."""
    return choice(catalogue())


_KNOWN: dict[tuple[int, ...], Choice] = {}


def choice(rules: Sequence[Rule]) -> Choice:
    """Sort rules, once for all the documents of a run."""
    key = tuple(map(id, rules))  # of objects that live as long as what is remembered
    known = _KNOWN.get(key)
    if known is None:
        known = Choice(rules)
        if len(_KNOWN) < _MOST:
            _KNOWN[key] = known
    return known
