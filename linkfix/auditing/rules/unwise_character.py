"""A character that no URI or IRI may contain.

What it does
    Reports `{`, `}`, `|`, `^` and the backtick. A template such as `{name}` is another matter (SYN007): nothing is
    encoded there.

Why it is bad
    Browsers mend some of them in some places and send the others as they are; what other readers
    do, nobody knows.

Example
    <a href="/user/x}?a|b">

Instead
    <a href="/user/x%7D?a%7Cb">, which `linkfix rewrite` writes.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject

_UNWISE = re.compile(r"[\^`{|}]+")


def check(subject: Subject) -> Hits:
    """Report each run of such characters where the grammar does not allow them."""
    if not _UNWISE.search(subject.value):
        return
    for violation in subject.violations:
        if violation.rule == "unwise-character":
            for found in _UNWISE.finditer(subject.value, violation.start, violation.end):
                yield Hit(*found.span(), f"no URI or IRI may hold {found[0]!r}")
