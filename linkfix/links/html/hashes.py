"""The styles and scripts in a page of which its Content-Security-Policy may have a hash (CSP 3, 6.7.3.3).

Input: a ``meta`` element. Output: which text may be hashed. Browsers ignore such text after any change, also that of a link.
"""

import re
from collections.abc import Callable

from linkfix.deferred import pattern

#: Why links in such text are left.
HASHED = "a Content-Security-Policy of the page has hashes of such text, which browsers ignore once it is changed"
#: The value of ``http-equiv`` of the elements that matter (HTML Standard, 4.2.5.3).
POLICY = "content-security-policy"
#: A directive with a hash among its sources (CSP 3, 2.3.1).
_DIRECTIVE = pattern(
    r"(?:\A|[;,])\s*(script|style|default)-src(?:-elem|-attr)?(?=\s)[^;,]*\s'sha(?:256|384|512)-",
    re.IGNORECASE | re.ASCII,
)


def hashed(value_of: Callable[[str], str | None]) -> frozenset[str]:
    """Return which text may be hashed by a policy in a ``meta`` element, by the values of its attributes: ``style``, ``script``."""
    if (value_of("http-equiv") or "").lower() != POLICY:
        return frozenset()
    found = {name.lower() for name in _DIRECTIVE.findall(value_of("content") or "")}
    return frozenset({"style", "script"} if "default" in found else found)
