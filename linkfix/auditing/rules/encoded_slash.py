"""A percent-encoded slash in a path.

What it does
    Reports `%2F` and `%5C` in the path of a link.

Why it is bad
    They are data and no separators, but many servers and proxies refuse them or decode them too
    early.

Example
    <a href="/files/a%2Fb">

Instead
    Where you rule the server: put such a name into the query.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject

_SLASH = re.compile("%(?:2[Ff]|5[Cc])")


def check(subject: Subject) -> Hits:
    """Report each one in a path that has segments."""
    if _SLASH.search(subject.value) and (subject.layout.host or not subject.scheme):
        for found in _SLASH.finditer(subject.value, *subject.layout.path):
            yield Hit(*found.span(), f"{found[0]} in a path is refused by many servers")
