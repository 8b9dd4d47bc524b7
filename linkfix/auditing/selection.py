"""Which rules are in force: codes, beginnings of codes, and names."""

from collections.abc import Iterable

from linkfix.auditing.catalogue import CONCERN, rules
from linkfix.auditing.rule import Rule

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
