"""A host without a slash after it.

What it does
    Reports http and https links whose path is empty.

Why it is bad
    It means the same as a slash, and the link is another string than the canonical one.

Example
    <a href="http://example.org">

Instead
    <a href="http://example.org/">, which `linkfix rewrite --normalize scheme` writes.
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report the host in front of the empty path."""
    layout = subject.layout
    if layout.host and layout.path[0] == layout.path[1] and subject.scheme in {"http", "https"}:
        yield Hit(*layout.host, "no slash follows the host")
