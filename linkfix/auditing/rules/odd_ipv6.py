"""An IPv6 address that is not in its canonical form.

What it does
    Reports IPv6 addresses in upper case, with leading zeros or without the longest run of zeros
    left out.

Why it is bad
    They are right, but the link is another string than the canonical one.

Example
    <a href="http://[2001:DB8:0:0:0:0:0:1]/">

Instead
    <a href="http://[2001:db8::1]/">
"""

import ipaddress

from linkfix.auditing.rule import Hit, Hits, Subject


def check(subject: Subject) -> Hits:
    """Report an address that is not in its canonical form."""
    span = subject.layout.host
    host = subject.part("host")
    if not span or not host.startswith("[") or "%" in host:
        return
    try:
        canonical = f"[{ipaddress.IPv6Address(host[1:-1]).compressed}]"
    except ValueError:
        return
    if host != canonical and "." not in host:
        yield Hit(*span, f"the canonical form is {canonical}")
