"""A right-to-left component that does not begin and end right to left.

What it does
    Reports parts of a link between delimiters that have right-to-left letters, but something else
    at an edge. Digits at the end have a rule of their own.

Why it is bad
    A character at the edge is displayed as part of the neighbour.

Example
    <a href="/-עברית/">

Instead
    Begin and end the component with a letter of its own direction.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkfix.auditing.direction import ends_in_number
from linkfix.auditing.needs import NOT_ASCII
from linkfix.auditing.rule import Hit, Severity, Subject

SEVERITY = Severity.WARNING
SECTION = "draft-ietf-iri-3987bis-01, 4.2"
NEEDS = NOT_ASCII


def check(subject: Subject) -> Iterator[Hit]:
    """Report each such component, numbers left out."""
    if subject.value.isascii():
        return
    for violation in subject.bidi:
        text = subject.value[violation.start : violation.end]
        if violation.rule == "bidi-edge" and not ends_in_number(text):
            yield Hit(violation.start, violation.end, violation.message)
