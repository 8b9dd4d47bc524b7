"""Audit with some rules only, one of them with another severity.

Prints:

    DEL002 error /a%20b
    ENC001 error /100%25
"""

from dataclasses import replace

import linkfix
from linkfix.auditing import Severity, select

rules = [
    replace(rule, severity=Severity.ERROR) if rule.code == "DEL002" else rule
    for rule in select(["DEL", "ENC"])
]
for finding in linkfix.audit(
    b'<meta charset="utf-8"><a href="/a b"> <a href="/100%">', rules=rules
):
    print(finding.code, finding.severity, finding.suggestion)
