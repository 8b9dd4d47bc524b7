"""A host in upper case.

What it does
    Reports labels of a host with ASCII letters in upper case.

Why it is bad
    Case does not count there, but the link is another string than the canonical one.

Example
    <a href="http://WWW.Example.ORG/">

Instead
    <a href="http://www.example.org/">, which `linkfix rewrite --normalize syntax` writes.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject

#: A label, or what follows the last percent sign in one.
_LABEL = re.compile("[^.%]+")


def check(subject: Subject) -> Hits:
    """Report each label with a letter in upper case, but for IP addresses and hosts that IDNA maps anyway."""
    span = subject.layout.host
    host = subject.part("host")
    if span and host.isascii() and not host.startswith("["):
        for found in _LABEL.finditer(host):
            is_whole = not host.startswith("%", found.end())
            if is_whole and found[0] != found[0].lower():
                first, last = found.span()
                message = "a host is best written in lower case"
                yield Hit(span[0] + first, span[0] + last, message)
