"""A link that begins with a quotation mark.

What it does
    Reports links whose first character is a quotation mark, straight or typographic.

Why it is bad
    It comes from quoting twice, or from a word processor that made the quotes pretty. The link is
    then relative, and leads nowhere.

Example
    <a href=“http://example.org/”>

Instead
    <a href="http://example.org/">
"""

from linkfix.auditing.rule import Check, matching

check: Check = matching(
    "\\A[\\0-\\x20]*([\"'\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb\u2039\u203a])",
    "the link begins with the quotation mark {0}",
)
