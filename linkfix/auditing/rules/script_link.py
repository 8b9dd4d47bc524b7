"""A link that runs a script.

What it does
    Reports links with the schemes javascript and vbscript.

Why it is bad
    They lead nowhere for whoever opens them in a new tab, runs no scripts or reads the page
    otherwise; and a content security policy forbids them. What is in such a link is no URI, so no
    other rule looks at it.

Example
    <a href="javascript:void(0)">

Instead
    A button with an event listener, or a link that also leads somewhere without it.
"""

from linkfix.auditing.rule import SCRIPT as _PATTERN
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report the scheme."""
    found = _PATTERN.match(subject.value)
    if found is not None:
        yield Hit(*found.span(1), "the link runs a script")
