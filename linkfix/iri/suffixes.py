"""Registrable domains by a public suffix list (URL Standard, 3.2; https://publicsuffix.org/list/).

Input: a domain of A-labels, and the lines of a list. Output: the public suffix with one more label. The list changes from
week to week, so none is part of linkfix: the user gives one, or a package with one is installed.
"""

from collections.abc import Iterable
from functools import cache
from importlib import resources, util
from typing import Final

from linkfix.iri.unicode import uts46

#: The file of each package with a list; the one with newer lists first.
PACKAGES: Final = {"tldextract": ".tld_set_snapshot", "publicsuffix2": "public_suffix_list.dat"}


def registrable(domain: str, lines: Iterable[str] | None) -> str | None:
    """Return the registrable domain of a domain; None for a public suffix.

    Args:
        domain: of A-labels, in lower case.
        lines: of a public suffix list; None for that of an installed package.

    Raises:
        ModuleNotFoundError: for None where no package is installed.

    """
    rules = _installed() if lines is None else _rules(lines)
    labels = domain.removesuffix(".").split(".")
    start = len(labels) - 1  # without a rule the last label is the suffix
    for i in range(len(labels)):
        name, above = ".".join(labels[i:]), ".".join(labels[i + 1 :])
        if f"!{name}" in rules:
            start = i + 1
            break
        if name in rules or f"*.{above}" in rules:
            start = i
            break
    return ".".join(labels[start - 1 :]) if start else None


def _rules(lines: Iterable[str]) -> frozenset[str]:
    """Return the rules of a list, in A-labels."""
    rules = set()
    for line in lines:
        rule = line.strip().split(" ")[0]
        if rule and not rule.startswith("//"):
            name = rule.lstrip("!*.")
            rules.add(rule.removesuffix(name) + uts46.to_ascii(name))
    return frozenset(rules)


@cache
def _installed() -> frozenset[str]:
    """Return the rules of the list in a package."""
    for package, name in PACKAGES.items():
        if util.find_spec(package):
            text = resources.files(package).joinpath(name).read_text("utf-8")
            return _rules(text.splitlines())
    raise ModuleNotFoundError(
        "a public suffix list is needed: give its lines, or install publicsuffix2 or tldextract"
    )
