"""A port that goes without saying.

What it does
    Reports the port where it is the scheme's own.

Why it is bad
    The link leads to the same place and is another string.

Example
    <a href="http://example.org:80/">

Instead
    <a href="http://example.org/">, which `linkfix rewrite --normalize scheme` writes.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.layout import SPECIAL


def check(subject: Subject) -> Hits:
    """Report the default port of the scheme, with its colon."""
    span = subject.layout.port
    if span and subject.part("port").lstrip("0") == str(SPECIAL.get(subject.scheme)):
        yield Hit(span[0] - 1, span[1], f"the port is the default one of {subject.scheme}")
