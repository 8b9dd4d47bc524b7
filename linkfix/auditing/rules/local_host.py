"""A host that only its author can reach.

What it does
    Reports `localhost`, `.local` names, and loopback, private and link-local IP addresses.

Why it is bad
    Such a link works on the machine or in the network where it was made. To everybody else it leads
    nowhere, or to something of their own.

Example
    <a href="http://localhost:8080/shop/">

Instead
    A relative reference: <a href="/shop/">
"""

import ipaddress
import re

from linkfix.auditing.rule import Hit, Hits, Subject

_LOCAL = re.compile(r"(?:.*\.)?(?:localhost|local)\.?", re.IGNORECASE | re.ASCII | re.DOTALL)

#: RFC 5737 and RFC 3849: addresses for examples.
_DOCUMENTATION = [
    ipaddress.ip_network(network)
    for network in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
]


def check(subject: Subject) -> Hits:
    """Report a local name or address."""
    span = subject.layout.host
    host = subject.part("host")
    if span and host and (_LOCAL.fullmatch(host) or _is_private(host)):
        yield Hit(*span, f"{host} can be reached by few")


def _is_private(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    documentation = any(address in network for network in _DOCUMENTATION)
    return (address.is_private or address.is_loopback) and not documentation
