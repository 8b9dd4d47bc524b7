"""Auditing: what is wrong with links, by rules that each have a page."""

from __future__ import annotations

from linkfix.auditing.auditor import Auditor, Site
from linkfix.auditing.catalogue import rule, rules
from linkfix.auditing.finding import Finding, Severity
from linkfix.auditing.rule import Rule
from linkfix.auditing.selection import select, unknown

__all__ = ["Auditor", "Finding", "Rule", "Severity", "Site", "rule", "rules", "select", "unknown"]
