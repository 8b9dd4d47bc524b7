"""A label that looks like one in ASCII.

What it does
    Reports labels without a Latin letter all of whose characters look like one.

Why it is bad
    Nobody can tell such a name from the one it looks like.

Example
    <a href="http://сохо.example/">, all Cyrillic

Instead
    Check which host is meant.
"""

from __future__ import annotations

from linkfix.auditing.needs import odd
from linkfix.auditing.rule import Severity, violating

SEVERITY = Severity.WARNING
SECTION = "UTS #39, 4; draft-ietf-iri-3987bis-01, 8.5"
NEEDS = odd(r"[^\0-\x7f]|xn--")

check = violating("lookalikes", "ascii-lookalike-label")
