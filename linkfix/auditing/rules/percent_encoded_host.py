"""A host with percent-encoding in it.

What it does
    Reports percent-encoded octets in a host.

Why it is bad
    DNS knows no percent-encoding. Browsers decode it and apply IDNA, most other software looks for
    a host with percent signs in its name. No IRI may contain it.

Example
    <a href="http://b%C3%BCcher.example/">

Instead
    <a href="http://xn--bcher-kva.example/">
"""

from __future__ import annotations

from linkfix.auditing.needs import odd
from linkfix.auditing.rule import Severity, matching

SEVERITY = Severity.WARNING
SECTION = "draft-ietf-iri-3987bis-01, 2.2 and 3.4; RFC 3986, 3.2.2"
NEEDS = odd("%")

check = matching("(?:%[0-9A-Fa-f]{2})+", "a host holds no percent-encoding", component="host")
