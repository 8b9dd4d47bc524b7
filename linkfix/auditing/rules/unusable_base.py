"""A base that nothing can be resolved against.

What it does
    Reports a `base` element whose `href` has a scheme without paths, such as data, javascript or
    mailto, or is no URL at all.

Why it is bad
    Readers do not agree on what becomes of the relative links of the page: some ignore such a base, for others the
    links lead nowhere.

Example
    <base href="javascript:void(0)">, <base href="http://[x/">

Instead
    <base href="https://example.org/">, or none.
"""

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.url import parse_url


def check(subject: Subject) -> Hits:
    """Report a base that browsers ignore, or that no relative reference has a target with."""
    if not subject.link.sets_base:
        return
    base = parse_url(subject.value, subject.base or "http://document.invalid/")
    if base is None:  # in front of it, since other rules are about its characters
        message = (
            "Firefox ignores this base, in Chromium and WebKit no relative link leads anywhere"
        )
        yield Hit(0, 0, message)
    elif base.is_opaque:
        message = "no relative reference can be resolved against this"
        if base.scheme in {"data", "javascript"}:
            message = (
                "Chromium and Firefox ignore this base, in WebKit no relative link leads anywhere"
            )
        yield Hit(0, len(subject.value), message)
