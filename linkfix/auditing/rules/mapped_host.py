"""A host that is not written as it is looked up.

What it does
    Reports hosts beyond ASCII in which IDNA replaces characters: upper case, full-width forms,
    ideographic full stops, what is not in NFC.

Why it is bad
    The name works where the mapping is done, which is not everywhere; and the link is another
    string than the canonical one.

Example
    <a href="http://BÜCHER。example/">

Instead
    <a href="http://bücher.example/">
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.unicode.uts46 import IDNAError, to_unicode


def check(subject: Subject) -> Hits:
    """Report a host that differs from its U-labels by more than ASCII case."""
    span = subject.layout.host
    host = subject.part("host")
    if not span or host.isascii() or "%" in host:
        return
    try:
        shown = to_unicode(host)
    except IDNAError:
        return
    if shown != re.sub("[A-Z]+", lambda run: run[0].lower(), host):
        yield Hit(*span, f"the host is looked up as {shown}")
