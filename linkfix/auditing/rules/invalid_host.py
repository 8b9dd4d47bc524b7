"""A link that leads nowhere, since its host or port cannot be.

What it does
    Reports a link that cannot be turned into a URI: a host name that IDNA refuses, characters that
    no host may have, an IP address out of range, a port above 65535.

Why it is bad
    A browser does not follow such a link at all.

Example
    <a href="http://xn--a.example/"> (no Punycode), <a href="http://192.0.2.300/">

Instead
    Only you know which host was meant. `linkfix rewrite` leaves the link as it is.
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report why the host or the port makes the conversion fail."""
    if not subject.conversion.ok:
        for problem in subject.conversion.problems:
            if problem.component in {"host", "port"}:
                yield Hit(problem.start, problem.end, problem.message)
