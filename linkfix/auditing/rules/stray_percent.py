"""A percent sign that begins no percent-encoding.

What it does
    Reports a `%` that is not followed by two hexadecimal digits.

Why it is bad
    No URI or IRI may hold one. Servers disagree on what it means: some take it as it is, others
    answer "400 Bad Request". `%u1234` is such a case too; it was never a standard.

Example
    <a href="/100%.html">

Instead
    <a href="/100%25.html">, which `linkfix rewrite` writes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.auditing.finding import Severity
from linkfix.auditing.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.auditing.rule import Subject

SEVERITY = Severity.ERROR
SECTION = "draft-ietf-iri-3987bis-01, 7.2 step 4; RFC 3986, 2.1"

_STRAY = re.compile("%(?![0-9A-Fa-f]{2})(u[0-9A-Fa-f]{4})?")


def check(subject: Subject) -> Iterator[Hit]:
    """Report each stray percent sign."""
    for match in _STRAY.finditer(subject.value):
        what = "%u is no percent-encoding" if match[1] else "% without two hexadecimal digits"
        yield Hit(*match.span(), f"{what}; a percent sign itself is written %25")
