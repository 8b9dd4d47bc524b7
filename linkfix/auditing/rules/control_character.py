"""A control character in a link.

What it does
    Reports C0 and C1 controls and DEL inside a link; tabs and line ends have their own rule.

Why it is bad
    Software filters them out, stops at them, or acts on them; on a terminal they can hide where a
    link goes.

Example
    <a href="/a&#x1b;b">

Instead
    Nearly always the character is there by mistake: remove it. `linkfix rewrite` encodes it,
    which keeps the link going where it went.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.policy.bases import C0_OR_SPACE

_CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")


def check(subject: Subject) -> Hits:
    """Report each control character that is not stripped at the ends."""
    for match in _CONTROL.finditer(subject.value.rstrip(C0_OR_SPACE)):
        if subject.value[: match.end()].strip(C0_OR_SPACE):
            yield Hit(*match.span(), f"control character U+{ord(match[0]):04X}")
