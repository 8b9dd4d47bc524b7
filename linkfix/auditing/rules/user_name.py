"""A user name in an http link.

What it does
    Reports a userinfo in http and https links, where it is a user name without a password.

Why it is bad
    Hardly any site uses it; but a name that looks like a host is how readers are misled about where
    the link leads.

Example
    <a href="http://www.example.org@192.0.2.1/">

Instead
    <a href="http://192.0.2.1/">
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report the user name."""
    span = subject.layout.userinfo
    if span and subject.scheme in {"http", "https"} and ":" not in subject.part("userinfo"):
        yield Hit(*span, "this is no host but a user name")
