"""A host that ends in a dot.

What it does
    Reports the dot at the end of a host.

Why it is bad
    The name is right, but cookies, certificates and virtual hosts are compared without the dot: the
    link may lead to an error page. Often the dot is the end of a sentence.

Example
    <a href="http://example.org./">

Instead
    <a href="http://example.org/">
"""

from __future__ import annotations

from linkfix.auditing.needs import HOST
from linkfix.auditing.rule import Severity, matching

SEVERITY = Severity.ADVICE
SECTION = "RFC 3986, 3.2.2; RFC 1034, 3.1"
NEEDS = HOST

check = matching(r"\.\Z", "the host ends in a dot", component="host")
