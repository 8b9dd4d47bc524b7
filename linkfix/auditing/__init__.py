"""Auditing: what is wrong with links, by rules that each have a page."""

from __future__ import annotations

from linkfix.auditing.auditor import Auditor
from linkfix.auditing.catalogue import rule, rules
from linkfix.auditing.finding import Finding, Severity
from linkfix.auditing.rule import Rule
from linkfix.auditing.selection import select, unknown
from linkfix.auditing.site import Outpost, Site

__all__ = [
    "Auditor",
    "Finding",
    "Outpost",
    "Rule",
    "Severity",
    "Site",
    "rule",
    "rules",
    "select",
    "unknown",
]
