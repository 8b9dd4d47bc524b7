"""The styles and scripts in a page of which its Content-Security-Policy may have a hash (CSP 3, 6.7.3.3).

Input: a ``meta`` element. Output: which text may be hashed. Browsers ignore such text after any change, also that of a link.
"""

import re

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


def hashed(http_equiv: str | None, content: str | None) -> frozenset[str]:
    """Return which text may be hashed by the policy in a ``meta`` element with these attributes: ``style``, ``script``."""
    if content is None or http_equiv is None or http_equiv.lower() != POLICY:
        return frozenset()
    found = {name.lower() for name in _DIRECTIVE.findall(content)}
    return frozenset({"style", "script"} if "default" in found else found)
