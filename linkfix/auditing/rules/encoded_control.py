"""A percent-encoded control character.

What it does
    Reports the octets 00 to 1F and 7F percent-encoded. Line ends in `mailto:` and `sms:`, where
    they have a meaning, and the content of `data:` are left alone.

Why it is bad
    After decoding, a NUL ends strings early and a line end splits headers and logs. Servers refuse
    such links, or should.

Example
    <a href="/page%00.html">, <a href="/go?to=x%0D%0ASet-Cookie:a=b">

Instead
    Nearly always they came in by mistake: remove them.
"""

from linkfix.auditing.rule import Hits, Subject, matching

_controls = matching("(?:%(?:[01][0-9A-Fa-f]|7[Ff]))+", "{0} is a control character")


def check(subject: Subject) -> Hits:
    """Report each run of control characters."""
    if subject.scheme not in {"mailto", "sms", "data"}:
        yield from _controls(subject)
