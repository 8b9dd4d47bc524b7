"""A colon without a port.

What it does
    Reports the colon after a host where no port follows, and says if that host is a scheme: `http://http://example.org/`.

Why it is bad
    The link leads to the same place and is another string.

Example
    <a href="http://example.org:/">

Instead
    <a href="http://example.org/">, which `linkfix rewrite --normalize scheme` writes.
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report the colon."""
    span = subject.layout.port
    if span and span[0] == span[1]:
        is_scheme = (subject.part("host") or "").lower() in {"http", "https"}
        twice = ", since the scheme is written twice" if is_scheme else ""
        yield Hit(span[0] - 1, span[0], f"no port follows the colon{twice}")
