"""The schemes that are registered with IANA (RFC 7595) or in wide use."""

from functools import cache

from linkfix.auditing.schemes_data import TABLES


@cache
def registered() -> frozenset[str]:
    """Return the schemes, in lower case."""
    return frozenset(scheme for names in TABLES.values() for scheme in names.split())
