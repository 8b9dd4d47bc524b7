"""A host that is longer than DNS allows.

What it does
    Reports labels of more than 63 octets and names of more than 253, counted in A-labels.

Why it is bad
    No such name can be looked up.

Example
    <a href="http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example/">

Instead
    Find out which host was meant.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.unicode.uts46 import IDNAError, to_ascii

_LABEL, _NAME = 63, 253


def check(subject: Subject) -> Hits:
    """Report a host with a name or a label too long."""
    span = subject.layout.host
    host = subject.part("host")
    if not span or host.startswith("["):
        return
    try:
        name = to_ascii(host).removesuffix(".")
    except IDNAError:
        return
    longest = max(map(len, name.split(".")))
    if longest > _LABEL:
        yield Hit(*span, f"a label has {longest} octets; DNS allows {_LABEL}")
    elif len(name) > _NAME:
        yield Hit(*span, f"the host has {len(name)} octets; DNS allows {_NAME}")
