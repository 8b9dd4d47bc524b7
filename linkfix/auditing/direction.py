"""The direction of characters (3987bis, 4): what sets it, and what has it at the edge of a component."""

from collections.abc import Iterator

from linkfix.auditing.rule import Check, Hit, Subject
from linkfix.iri.unicode import ucd

FORMATTING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def edges(message: str, *, are_numbers: bool) -> Check:
    """Return a check that hits the components that begin or end in a character without their direction.

    Args:
        message: about each hit; "" for that of the engine.
        are_numbers: whether it hits those that begin with a right-to-left letter and end in a digit, or all others.

    """

    def check(subject: Subject) -> Iterator[Hit]:
        for violation in () if subject.value.isascii() else subject.bidi:
            first, last = violation.start, violation.end
            if violation.rule == "bidi-edge":
                kinds = [ucd.bidirectional(subject.value[at]) for at in (first, last - 1)]
                if (kinds[0] in {"R", "AL"} and kinds[1] in {"EN", "AN"}) is are_numbers:
                    yield Hit(first, last, message or violation.message)

    return check
