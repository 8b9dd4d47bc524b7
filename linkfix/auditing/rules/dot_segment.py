"""A dot segment in the middle of a path.

What it does
    Reports `.` and `..` after another segment, and at the beginning of an absolute path. At the
    beginning of a relative reference they are what it is made of.

Why it is bad
    Every reader removes them, so the link is only longer, and another string than the canonical one.

Example
    <a href="/a/b/../c">

Instead
    <a href="/a/c">, which `linkfix rewrite --normalize syntax` writes.
"""

from linkfix.auditing.parts import segments
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report each dot segment that can be removed."""
    if "." not in subject.value:
        return
    depth = 0
    for first, last, leading in segments(subject):
        segment = subject.value[first:last]
        if segment == "..":
            if depth > 0:
                yield Hit(first, last, "a step up after a step down")
            depth -= 1
        elif segment == ".":
            if not leading:
                yield Hit(first, last, "a step that leads nowhere")
        else:
            depth += 1
