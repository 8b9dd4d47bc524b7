"""Percent-encoded octets that are not UTF-8.

What it does
    Reports percent-encoded octets that are no legal UTF-8. Overlong forms have a rule of their own.

Why it is bad
    Nobody knows which characters are meant. So the link can be shown only as it is, and cannot be
    written as an IRI. It breaks when the server changes to UTF-8 names.

Example
    <a href="/r%E9sum%E9.html"> (ISO-8859-1)

Instead
    Where the server knows the name in UTF-8: <a href="/r%C3%A9sum%C3%A9.html">. `linkfix rewrite`
    leaves such octets alone, since to change them is to change where the link goes.
"""

from linkfix.auditing.parts import is_overlong_utf8, percent_sequences
from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report each run of percent-encoded octets from the first that is not UTF-8."""
    for start, octets in percent_sequences(subject.value):
        try:
            octets.decode("utf-8")
        except UnicodeDecodeError as error:
            if not is_overlong_utf8(octets):
                first, last = start + 3 * error.start, start + 3 * error.end
                yield Hit(first, last, f"{subject.value[first:last]} is not UTF-8")
