"""Percent-encoded octets in overlong UTF-8.

What it does
    Reports percent-encoded octets that would be UTF-8 but for characters written in more octets
    than they need, or surrogates written one by one.

Why it is bad
    Overlong forms are how a slash or a dot is smuggled past a check; decoders must refuse them.
    Where no attack is meant, CESU-8 or another charset is behind it.

Example
    <a href="/a%C0%AFb">

Instead
    Write the shortest form, here <a href="/a/b"> or <a href="/a%2Fb">. `linkfix rewrite` leaves it
    alone.
"""

from linkfix.auditing.parts import OVERLONG, is_overlong_utf8, percent_sequences
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report each overlong form and each surrogate."""
    for start, octets in percent_sequences(subject.value):
        if is_overlong_utf8(octets):
            for found in OVERLONG.finditer(octets):
                first, last = start + 3 * found.start(), start + 3 * found.end()
                yield Hit(first, last, f"{subject.value[first:last]} is not the shortest UTF-8")
