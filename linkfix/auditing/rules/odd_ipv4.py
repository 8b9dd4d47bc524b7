"""An IPv4 address that is not written as four decimal numbers.

What it does
    Reports hosts that browsers read as an IPv4 address: with fewer numbers, octal, hexadecimal or
    with leading zeros.

Why it is bad
    Others read them as names or for another address. They are a way to get around filters.

Example
    <a href="http://0x7f.1/">

Instead
    <a href="http://127.0.0.1/">
"""

import ipaddress

from linkfix.auditing.rule import Hit, Hits, Subject
from linkfix.iri.host import HostError, ipv4
from linkfix.iri.layout import SPECIAL


def check(subject: Subject) -> Hits:
    """Report an address that is not in the canonical form."""
    span = subject.layout.host
    host = subject.part("host")
    if not span or not host or (subject.scheme and subject.scheme not in SPECIAL):
        return
    try:
        number = ipv4(host)
    except HostError:
        return
    if number is not None and (canonical := str(ipaddress.IPv4Address(number))) != host:
        yield Hit(*span, f"browsers read this as the address {canonical}")
