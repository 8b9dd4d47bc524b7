r"""A backslash in a link.

What it does
    Reports each backslash.

Why it is bad
    No URI or IRI may contain one. Before the query, browsers read it as a slash; every other reader
    asks for a file with a backslash in its name.

Example
    <a href="images\logo.png">

Instead
    <a href="images/logo.png">, which `linkfix rewrite` writes.
"""

from __future__ import annotations

from linkfix.auditing.needs import odd
from linkfix.auditing.rule import Severity, matching

SEVERITY = Severity.ERROR
SECTION = "draft-ietf-iri-3987bis-01, 7.2 step 5 and 7.3; URL Standard, 4.4"
NEEDS = odd(r"\\")

check = matching(r"\\", "a backslash is not allowed in a link")
