"""Auditing: what is wrong with links, by rules that each have a page."""

# The folder of that name is loaded first: the function `rules` is then not overwritten by it.
import linkfix.auditing.rules  # noqa: F401 - for what it keeps from happening
from linkfix.auditing.auditor import Auditor
from linkfix.auditing.catalogue import rule, rules, select, unknown
from linkfix.auditing.finding import Finding, Severity
from linkfix.auditing.rule import Hit, Rule, Subject
from linkfix.auditing.site import Site

__all__ = [
    "Auditor", "Finding", "Hit", "Rule", "Severity", "Site", "Subject", "rule", "rules", "select", "unknown",
]  # fmt: skip
