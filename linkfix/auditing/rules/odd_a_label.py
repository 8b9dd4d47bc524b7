"""An A-label that means nothing.

What it does
    Reports labels that begin with `xn--` and do not decode, or decode to a label with another A-label.

Why it is bad
    No such name can be registered. Browsers look it up all the same, others refuse it; and it may
    be meant to look like another.

Example
    <a href="http://xn--a.example/">

Instead
    Find out which host was meant.
"""

import re

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.unicode.uts46 import IDNAError, to_unicode

_A_LABEL = re.compile("xn--[^.]*", re.IGNORECASE | re.ASCII)


def check(subject: Subject) -> Hits:
    """Report each A-label that cannot be decoded."""
    if not _A_LABEL.search(subject.value) or not subject.layout.host:
        return
    for found in _A_LABEL.finditer(subject.value, *subject.layout.host):
        try:
            to_unicode(found[0].lower())
        except IDNAError as error:
            yield Hit(*found.span(), f"the A-label stands for nothing: {error}")
