"""Which rules are in force: codes, beginnings of codes, and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.auditing.catalogue import rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.auditing.rule import Rule

__all__ = ["matches", "select", "unknown"]

ALL = "ALL"
#: The number of letters at the beginning of a code: the shortest selector that is no name.
_CONCERN = 3


def _is_meant(rule: Rule, selector: str) -> bool:
    if selector.upper() == ALL:
        return True
    by_name = selector.lower().replace("_", "-") == rule.name
    return by_name or (len(selector) >= _CONCERN and rule.code.startswith(selector.upper()))


def matches(rule: Rule, selectors: Iterable[str]) -> bool:
    """Return whether any of the selectors matches a rule.

    Args:
        rule: of the catalogue.
        selectors: codes (``ENC001``), beginnings of codes (``ENC``), names (``stray-percent``), or
            ``ALL``, in any case.

    """
    return any(_is_meant(rule, selector) for selector in selectors)


def unknown(selectors: Iterable[str]) -> list[str]:
    """Return the selectors that match no rule."""
    return [s for s in selectors if not any(_is_meant(rule, s) for rule in rules())]


def select(wanted: Iterable[str] = (), ignored: Iterable[str] = ()) -> list[Rule]:
    """Return the rules in force, in the order of the catalogue.

    Args:
        wanted: selectors; none for every rule.
        ignored: selectors of rules to leave out; a code or a name in `wanted` precedes the beginning of
            a code here.

    """
    wanted, ignored = list(wanted) or [ALL], list(ignored)
    exact = [
        selector for selector in wanted if len(selector) > _CONCERN and selector.upper() != ALL
    ]
    chosen = []
    for rule in rules():
        if not matches(rule, wanted):
            continue
        exactly_ignored = any(
            _is_meant(rule, selector) and (len(selector) > _CONCERN and selector.upper() != ALL)
            for selector in ignored
        )
        if exactly_ignored or (matches(rule, ignored) and not matches(rule, exact)):
            continue
        chosen.append(rule)
    return chosen
