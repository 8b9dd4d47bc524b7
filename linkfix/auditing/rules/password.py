"""A password in a link.

What it does
    Reports a userinfo with a colon in it.

Why it is bad
    Whoever sees the page, its source, a log or a history has the password. RFC 3986 deprecates it;
    browsers ask back or refuse.

Example
    <a href="ftp://user:secret@example.org/">

Instead
    <a href="ftp://user@example.org/">, and change the password.
"""

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report the password."""
    span = subject.layout.userinfo
    user, colon, password = subject.part("userinfo").partition(":")
    if span and colon and password:
        yield Hit(span[0] + len(user) + 1, span[1], "a password that everybody can read")
