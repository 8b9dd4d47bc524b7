"""Which links would lead elsewhere if their document were in UTF-8."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkfix.links import Link
    from linkfix.policy import Policy

__all__ = ["Dependence"]


class Dependence:
    """Tell of links whether what they mean depends on the charset of their document.

    Args:
        policy: how they are read; it makes URIs.
        base: absolute URI of the document, None where it is not known.

    """

    def __init__(self, policy: Policy, base: str | None) -> None:
        self._policy = policy
        self._in_utf8 = replace(policy, query_charset="utf-8", nfc=bool(policy.nfc))
        self._base = base
        self._last: tuple[Link, bool] | None = None

    def __call__(self, link: Link) -> bool:
        """Tell it of one link; asked again of the same link at once, the answer is ready."""
        if self._last is None or self._last[0] is not link:
            self._last = link, self._depends(link)
        return self._last[1]

    def _depends(self, link: Link) -> bool:
        value = link.value
        if link.charset.is_unicode or (value.isascii() and value.isprintable()):
            return False
        if "?" not in value and self._policy.syntax_of(link) == "web":
            return False
        new = self._in_utf8.convert(link, self._base)
        return self._policy.convert(link, self._base).text != new.text
