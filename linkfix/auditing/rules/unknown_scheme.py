"""A scheme that nobody knows.

What it does
    Reports schemes that are neither in IANA's registry nor in wide use. Those that
    begin with `web+` or have a dot in them, as applications make them up, are left alone; so are identifiers, such as
    the names of namespaces.

Why it is bad
    Most are misspelt, or a host with a port that lacks its scheme. No browser opens them.

Example
    <a href="htttp://example.org/">, <a href="localhost:8080/">

Instead
    <a href="http://example.org/">, <a href="http://localhost:8080/">
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.auditing.schemes import registered
from linkfix.links import Kind


def check(subject: Subject) -> Hits:
    """Report a scheme that nobody registered."""
    scheme = subject.scheme
    if len(scheme) < 2 or scheme.startswith("web+") or scheme in registered():
        return
    if subject.link.kind is Kind.IDENTITY:
        return
    end = subject.layout.scheme_end
    if "." in scheme and not subject.value[end + 1 : end + 2].isdigit():
        return
    yield Hit(end - len(scheme), end, f"{scheme!r} is no scheme that is registered or in wide use")
