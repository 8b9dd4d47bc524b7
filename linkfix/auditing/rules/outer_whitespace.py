"""White space around a link.

What it does
    Reports spaces, tabs, line ends and other C0 controls before or after an HTML link.

Why it is bad
    Browsers strip them, other readers may not.

Example
    <a href=" /index.html ">

Instead
    <a href="/index.html">, which `linkfix rewrite` writes. It leaves a value of white space alone:
    browsers resolve it, so that <button formaction=" "> submits to the base URL, while an empty value
    means the document itself, or nothing in a `src`. Remove the attribute, or write the URL.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.policy.bases import C0_OR_SPACE


def check(subject: Subject) -> Hits:
    """Report what is stripped at either end."""
    value = subject.value
    first = len(value) - len(value.lstrip(C0_OR_SPACE))
    last = len(value.rstrip(C0_OR_SPACE))
    if first:
        yield Hit(0, first, "white space around the link")
    if first < last < len(value):
        yield Hit(last, len(value), "white space around the link")
