"""Find the links whose target would change if their document were in UTF-8."""

from __future__ import annotations

import re
from dataclasses import replace

from linkfix.links import Link
from linkfix.policy import Policy

#: A query beyond ASCII, of a relative reference or a scheme whose queries browsers map to octets in the
#: charset of the document.
_QUERY = re.compile(
    r"[\0-\x20]*(?:(?:https?|ftp|file|wss?):|(?![A-Za-z][A-Za-z0-9+.-]*:))[^?#]*\?[^#]*[^#\0-\x7f]",
    re.IGNORECASE | re.ASCII,
)


class Dependence:
    """A test of links: whether the target depends on the charset of the document.

    Args:
        policy: how links are read; it converts to URIs.
        base: absolute URI of the document; None if unknown.

    """

    def __init__(self, policy: Policy, base: str | None) -> None:
        self._policy = policy
        self._in_utf8 = replace(policy, query_charset="utf-8", nfc=bool(policy.nfc))
        self._base = base
        self._last: tuple[Link, bool] | None = None

    def __call__(self, link: Link) -> bool:
        """Return the answer for a link; the last answer is remembered."""
        if self._last is None or self._last[0] is not link:
            self._last = link, self._depends(link)
        return self._last[1]

    def _depends(self, link: Link) -> bool:
        value = link.value
        if link.charset.is_unicode or (value.isascii() and value.isprintable()):
            return False
        if "?" not in value and self._policy.syntax_of(link) == "web":
            return False
        old = self._policy.convert(link, self._base)
        if not old.ok and self._policy.charset(link) is not None and _QUERY.match(value):
            return True  # browsers follow some references that the URL Standard calls invalid
        return old.text != self._in_utf8.convert(link, self._base).text
