"""A private use character in the query.

What it does
    Reports private use characters in the query of a link, where an IRI may contain them.

Why it is bad
    Only whoever agreed on their meaning can make anything of them.

Example
    <a href="?q=&#xE000;">

Instead
    The character that was meant.
"""

from linkfix.auditing.rule import Check, matching
from linkfix.iri.chars import PRIVATE_USE

check: Check = matching(f"[{PRIVATE_USE}]+", "a private use character", component="query")
