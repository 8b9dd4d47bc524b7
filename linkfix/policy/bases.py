"""What the relative references of a document are resolved against."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from linkfix.errors import LinkfixError
from linkfix.iri import comparison_form, convert
from linkfix.iri.quick import canonical
from linkfix.links.templates import REASONS
from linkfix.policy.resolving import resolved

if TYPE_CHECKING:
    from linkfix.iri import Conversion
    from linkfix.links import Link
    from linkfix.policy.policy import Policy

__all__ = ["Bases", "absolute_base"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@lru_cache(maxsize=64)
def absolute_base(base: str) -> str:
    """Return a base that references can be resolved against (RFC 3986, 5.1).

    Args:
        base: an IRI with its scheme.

    Raises:
        LinkfixError: it is not absolute, or cannot be made a URI.

    """
    conversion = convert(base, to="uri", syntax="web")
    if not conversion.ok or _SCHEME.match(conversion.text) is None:
        raise LinkfixError(
            f"{base!r} is no absolute IRI, so nothing can be resolved against it",
            hint="write the base with its scheme and host, such as https://example.org/",
        )
    return base


class Bases:
    """Follow what sets the base of a document, and resolve links against it.

    The first ``base`` element with an ``href`` rules the whole document (HTML 2.4.1). What was
    resolved before it came is not changed by it; `settled` says whether that can still happen.

    Where the document moves, or what sets its base is rewritten, there are two bases: the one that
    a link is read against, and the one that it is to be written for.

    Args:
        document: absolute URI of the document, None where it is not known.
        moved_to: absolute URI of the document afterwards, None where it stays where it is.

    Raises:
        LinkfixError: one of them is not absolute.

    """

    def __init__(self, document: str | None = None, moved_to: str | None = None) -> None:
        for base in (document, moved_to):
            if base is not None:
                absolute_base(base)
        self._document = document
        self._place = document if moved_to is None else moved_to
        #: What the document is compared by, once that is needed.
        self._form: str | None = None
        self._element: str | None = None
        self._new_element: str | None = None
        self._ruling: Link | None = None
        #: The values of ``xml:base`` or ``codebase`` in force, with what each stands for now.
        self._inner: list[tuple[str, str | None]] = []
        #: Bases that a link had inside the document, what each of them leads to, and from where.
        self._chain: tuple[str, ...] = ()
        self._resolved_chain: list[str | None] = []
        self._outermost: tuple[str | None, str] | None = None
        #: A policy that links were resolved with, and how it reads them for that.
        self._reading: tuple[Policy, Policy] | None = None
        self.settled = False

    def see(self, link: Link) -> None:
        """Take note of a link, which may be the one that sets the base."""
        if link.sets_base and not self.settled:
            self.settled = True
            if link.fixed in REASONS:  # a template, of which nobody knows yet where it leads
                self._document = self._place = None
                return
            target = _absolute(link, link.value, self._document)
            # HTML 4.2.3: such a base is ignored, and no later one is tried.
            if target is None or not target.lower().startswith(("data:", "javascript:")):
                self._element = self._new_element = target
                self._ruling = link

    def note(self, link: Link, value: str) -> None:
        """Take note of the value that stands in the place of a link afterwards.

        What sets a base is to be noted before the links that it rules are written.
        """
        if link.sets_base:
            if link == self._ruling:
                self._new_element = _absolute(link, value, self._place)
        elif link.sets_inner_base:
            depth = len(link.bases)
            base = self._within(link, self._new_base())
            self._inner[depth:] = [(_inner(link.value), _absolute(link, value, base))]

    @property
    def current(self) -> str | None:
        """The base of links that come now and have none of their own; None where it is not known."""
        return self._element if self._element is not None else self._document

    def of(self, link: Link) -> str | None:
        """Give the base of a link, None where it is not known."""
        place = link.place
        if place.sets_base:
            return self._document
        base = self.current
        if place.bases and (place.syntax == "leiri" or place.markup == "html"):
            base = self._down(link, base)
        return base

    def _down(self, link: Link, base: str | None) -> str | None:
        """Resolve the bases that are set inside the document, but for those that were for the last link."""
        bases, outermost = link.place.bases, (base, link.place.syntax)
        if outermost != self._outermost:
            self._outermost, self._chain, self._resolved_chain = outermost, (), []
        same = min(len(bases), len(self._chain))
        if bases[:same] != self._chain[:same]:
            pairs = enumerate(zip(bases, self._chain, strict=False))
            same = next(depth for depth, (one, other) in pairs if one != other)
        resolved = self._resolved_chain
        del resolved[same:]
        for outer in bases[same:]:
            resolved.append(_absolute(link, _inner(outer), resolved[-1] if resolved else base))
        self._chain = bases
        return resolved[-1]

    def after(self, link: Link) -> str | None:
        """Give the base that a link will have, None where it is not known."""
        place = link.place
        if place.sets_base:
            return self._place
        base = self._new_base()
        if place.bases and (place.syntax == "leiri" or place.markup == "html"):
            base = self._within(link, base)
        return base

    def knows(self, link: Link) -> bool:
        """Tell whether what sets the base of a link has been noted."""
        bases = link.place.bases
        noted = self._inner[: len(bases)]
        return not bases or [value for value, _ in noted] == [_inner(value) for value in bases]

    def moved(self, uri: str) -> str | None:
        """Give the new address of what a link leads to; None where it is not this document."""
        if self._document is None or self._place is None or self._place == self._document:
            return None
        resource, hash_, fragment = uri.partition("#")
        if self._form is None:
            self._form = comparison_form(self._document.partition("#")[0])
        if comparison_form(resource) != self._form:
            return None
        return self._place.partition("#")[0] + hash_ + fragment

    def _new_base(self) -> str | None:
        return self._new_element if self._new_element is not None else self._place

    def _within(self, link: Link, base: str | None) -> str | None:
        """Go down the bases that are set inside the document."""
        for depth, outer in enumerate(link.bases):
            value = _inner(outer)
            if depth < len(self._inner) and self._inner[depth][0] == value:
                base = self._inner[depth][1]
            else:
                base = _absolute(link, value, base)
        return base

    def resolve(self, link: Link, policy: Policy) -> str | None:
        """Give the absolute URI that a link leads to, None where it cannot be told."""
        relative = ":" not in link.value and not link.place.bases
        if relative and self._element is None and self._document is None:
            return None  # as is so of most links, so that it is told first
        return self.leads(link, policy, self.of(link))

    def leads(self, link: Link, policy: Policy, base: str | None) -> str | None:
        """Give the absolute URI that a link leads to from any base, None where it cannot be told."""
        if link.fixed in REASONS:
            return None
        if base is None:
            if ":" not in link.value:
                return None  # not absolute either
            if canonical("uri")(link.value):
                return resolved(link.value, None)  # whatever the policy is
        if self._reading is None or self._reading[0] is not policy:
            self._reading = policy, _reading(policy)
        reading = self._reading[1]
        return _target(reading.convert(link, base), base, web=reading.syntax_of(link) == "web")


def _reading(policy: Policy) -> Policy:
    if policy.to == "uri" and policy.normalize == "none" and policy.trusts_guess:
        return policy
    return replace(policy, to="uri", normalize="none", trusts_guess=True, local_names=())


def _inner(value: str) -> str:
    """Give the value of ``xml:base`` or ``codebase`` without the white space around it."""
    return value.strip(" \t\n\r\f")


def _absolute(link: Link, value: str, base: str | None) -> str | None:
    conversion = convert(value, to="uri", syntax=link.syntax, base=base)
    return _target(conversion, base, web=link.syntax == "web")


def _target(conversion: Conversion, base: str | None, *, web: bool) -> str | None:
    return resolved(conversion.text, base, web=web) if conversion.ok else None
