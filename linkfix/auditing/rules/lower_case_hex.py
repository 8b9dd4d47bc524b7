"""Percent-encoding with lower-case digits.

What it does
    Reports percent-encoded octets with lower-case hexadecimal digits.

Why it is bad
    They mean the same, but make another string of the link: caches, logs and comparisons count it
    as another one.

Example
    <a href="/caf%c3%a9">

Instead
    <a href="/caf%C3%A9">, which `linkfix rewrite --normalize syntax` writes.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.octets import RUN


def check(subject: Subject) -> Hits:
    """Report each run of octets with a lower-case digit."""
    for found in RUN.finditer(subject.value):
        if found[0] != found[0].upper():
            yield Hit(*found.span(), "percent-encoding is best written with upper-case digits")
