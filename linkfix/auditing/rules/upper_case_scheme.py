"""A scheme in upper case.

What it does
    Reports schemes with letters in upper case.

Why it is bad
    Case does not count there, but the link is another string than the canonical one.

Example
    <a href="HTTP://example.org/">

Instead
    <a href="http://example.org/">, which `linkfix rewrite --normalize syntax` writes.
"""

from linkfix.auditing.rule import Check, matching

check: Check = matching(
    r"\A[\0-\x20]*((?=[A-Za-z0-9+.\-]*[A-Z])[A-Za-z][A-Za-z0-9+.\-]+)(?=:)",
    "a scheme is best written in lower case",
)
