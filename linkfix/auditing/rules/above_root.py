"""A path that goes up beyond its root.

What it does
    Reports `..` where there is nothing left to go up from.

Why it is bad
    Browsers and RFC 3986 ignore such steps, others keep them. The link was written for another
    place.

Example
    <a href="/../images/logo.png">

Instead
    <a href="/images/logo.png">
"""

from linkfix.auditing.parts import segments
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report each step above the root of an absolute path."""
    value, layout = subject.value, subject.layout
    if ".." not in value or not (layout.host or value.startswith("/", layout.path[0])):
        return
    depth = 0
    for first, last, _ in segments(subject):
        segment = value[first:last]
        depth += {"..": -1, ".": 0}.get(segment, 1)
        if depth < 0:
            yield Hit(first, last, "there is nothing above the root")
            depth = 0
