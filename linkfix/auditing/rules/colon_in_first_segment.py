"""A relative reference whose first segment has a colon.

What it does
    Reports a colon before the first slash without a scheme before it.

Why it is bad
    A colon there ends a scheme. Readers disagree on whether the link is relative or has a broken
    scheme.

Example
    <a href="3:4.html">

Instead
    <a href="./3:4.html">, which `linkfix rewrite` writes in HTML and for the links of XHTML and SVG. In other XML it leaves the
    value: programs there have names such as `.uno:Save`, which are no references.
"""

from linkfix.auditing.rule import Hits, Subject, violating
from linkfix.deferred import pattern

# A scheme as readers see it: without the white space around and inside the link.
_SCHEME = pattern(r"[\0-\x20]*[A-Za-z][A-Za-z0-9+.\-\t\n\r]*:")
_colons = violating("violations", "colon-in-first-segment")


def check(subject: Subject) -> Hits:
    """Yield the colon, unless it ends a scheme once the white space is taken out."""
    if _SCHEME.match(subject.value) is None:
        yield from _colons(subject)
