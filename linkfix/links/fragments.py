"""The fragments that a document has a place for."""

import re
from collections.abc import Container
from urllib.parse import unquote, unquote_to_bytes

from linkfix.deferred import pattern

#: The fragments for the top of any document (HTML Standard, 7.4.6.3).
_TOP = frozenset({"", "top"})
#: Characters that a URI percent-encodes in a fragment, and a URL does not (URL Standard, 1.3).
_RAW = pattern("%(?:23|25(?![0-9A-F]{2})|5[BCDE]|7[BCD])", re.IGNORECASE | re.ASCII)


def has_fragment(fragment: str, names: Container[str]) -> bool:
    """Return whether a document has the target of a fragment (HTML Standard, 7.4.6.3).

    Args:
        fragment: without its number sign. Every document has its top, and text fragments are left to the browser.
        names: the targets of fragments in the document: values of ``id``, and of ``name`` of ``a``.

    """
    if fragment in names or ":~:" in fragment or fragment.lower() in _TOP:
        return True
    return "%" in fragment and any(name in names for name in names_of(fragment))


def names_of(fragment: str) -> tuple[str, ...]:
    """Return the names that a fragment may mean: as it is, decoded, and without the octets that only a URI encodes.

    The parser encodes a fragment, the lookup decodes it (HTML Standard, 7.4.6.3, step 6).
    """
    if "%" not in fragment:
        return (fragment,)
    decoded = unquote_to_bytes(fragment).decode("utf-8", "replace")
    return fragment, decoded, _RAW.sub(lambda found: unquote(found[0]), fragment)
