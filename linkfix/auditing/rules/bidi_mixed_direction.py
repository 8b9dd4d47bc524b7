"""A component with characters of both directions.

What it does
    Reports parts of a link between delimiters that have letters written from left to right and from
    right to left.

Why it is bad
    They are displayed in an order that readers cannot type the link from.

Example
    <a href="/עבריתabc/">

Instead
    One direction for each component.
"""

from __future__ import annotations

from linkfix.auditing.needs import NOT_ASCII
from linkfix.auditing.rule import Severity, violating

SEVERITY = Severity.WARNING
SECTION = "draft-ietf-iri-3987bis-01, 4.2"
NEEDS = NOT_ASCII

check = violating("bidi", "bidi-mixed-direction")
