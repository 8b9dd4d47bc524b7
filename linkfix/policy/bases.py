"""What the relative references of a document are resolved against."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from linkfix.iri import convert, parse, resolve

if TYPE_CHECKING:
    from linkfix.iri import Conversion
    from linkfix.links import Link
    from linkfix.policy.policy import Policy

__all__ = ["Bases"]


class Bases:
    """Follow what sets the base of a document, and resolve links against it.

    The first ``base`` element with an ``href`` rules the whole document (HTML 2.4.1). What was
    resolved before it came is not changed by it; `settled` says whether that can still happen.

    Args:
        document: absolute URI of the document, None where it is not known.

    """

    def __init__(self, document: str | None = None) -> None:
        self._document = document
        self._element: str | None = None
        self.settled = False

    def see(self, link: Link) -> None:
        """Take note of a link, which may be the one that sets the base."""
        if link.sets_base and not self.settled:
            self.settled = True
            target = _absolute(link, link.value, self._document)
            # HTML 4.2.3: such a base is ignored, and no later one is tried.
            if target is None or not target.lower().startswith(("data:", "javascript:")):
                self._element = target

    def of(self, link: Link) -> str | None:
        """Give the base of a link, None where it is not known."""
        if link.sets_base:
            return self._document
        base = self._element if self._element is not None else self._document
        if link.syntax == "leiri" or link.markup == "html":
            for outer in link.bases:
                base = _absolute(link, outer, base)
        return base

    def resolve(self, link: Link, policy: Policy) -> str | None:
        """Give the absolute URI that a link leads to, None where it cannot be told."""
        base = self.of(link)
        return _target(replace(policy, to="uri", normalize="none").convert(link, base), base)


def _absolute(link: Link, value: str, base: str | None) -> str | None:
    return _target(convert(value, to="uri", syntax=link.syntax, base=base), base)


def _target(conversion: Conversion, base: str | None) -> str | None:
    if not conversion.ok:
        return None
    try:
        # Browsers take "http:x" on an http page for a relative reference: not strict.
        return resolve(base or "", conversion.text, strict=False)
    except ValueError:  # no base, or a relative one
        return conversion.text if parse(conversion.text).scheme is not None else None
