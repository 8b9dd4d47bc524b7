"""A percent-encoding that nothing asks for.

What it does
    Reports percent-encoded ASCII letters and digits, and `-`, `.`, `_` and `~`.

Why it is bad
    These never need it, and the link is another string than the one without.

Example
    <a href="/%7Euser/">

Instead
    <a href="/~user/">, which `linkfix rewrite --normalize syntax` writes.
"""

from linkfix.auditing.rule import Check, matching

check: Check = matching(
    "(?:%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe]))+",
    "{0} needs no percent-encoding",
)
