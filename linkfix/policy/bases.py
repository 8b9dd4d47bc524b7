"""The base URL of each link of a document.

Input: the links of a document in their order. Output: the base URL of each, as it is read and as it must be written.
Links of ``base`` elements, ``xml:base`` and ``codebase`` set bases; nested bases are resolved once for all
links below them. Weak spot: a link before the ``base`` element is resolved without it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from linkfix.deferred import pattern
from linkfix.errors import LinkfixError
from linkfix.iri import Conversion
from linkfix.iri.reference import split, without_fragment
from linkfix.links import Link
from linkfix.links.link import IMPORT_MAP, UNKNOWN_BASE, WITHOUT_SCHEME, Kind, Place
from linkfix.links.templates import REASONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkfix.policy.policy import Policy

_SCHEME = pattern(r"[A-Za-z][A-Za-z0-9+.-]*:")
_OPAQUE = pattern(rf"{_SCHEME.pattern}(?!/)")
#: The characters that the URL parser strips at both ends (URL Standard, 4.4).
C0_OR_SPACE = "".join(map(chr, range(0x21)))
#: How many targets are remembered for each base.
_REMEMBERED = 1024
#: What no reader follows as a base (HTML Standard, 4.2.3).
_NO_BASES = ("data:", "javascript:")
_WITH_HOST = "write the base with its scheme and host, such as https://example.org/"


@lru_cache(maxsize=64)
def absolute_base(base: str) -> str:
    """Check that a base is an absolute IRI (RFC 3986, 5.1), and return it.

    Args:
        base: an IRI with its scheme.

    Raises:
        LinkfixError: it is not absolute, or cannot be made a URI.

    """
    from linkfix.iri import convert

    conversion = convert(base, to="uri", syntax="web")
    if not conversion.ok or _SCHEME.match(conversion.text) is None:
        why = f"{base!r} is no absolute IRI, so nothing can be resolved against it"
        raise LinkfixError(why, hint=_WITH_HOST)
    return base


def hierarchical_base(base: str) -> str:
    """Check that references can be resolved against a base that a user names, and return it.

    Args:
        base: an IRI with its scheme.

    Raises:
        LinkfixError: it is no absolute IRI, or its path is opaque, as that of ``mailto:x`` (URL Standard, 4.1).

    """
    if not absolute_base(base).partition(":")[2].startswith("/"):
        why = f"nothing can be resolved against {base!r}: its scheme has no hierarchical paths"
        raise LinkfixError(why, hint=_WITH_HOST)
    return base


@dataclass(frozen=True, slots=True)
class Resolver:
    """Resolves links that have the same base, as the URL Standard serializes (`Link.resolved`).

    Results are remembered, since pages repeat their links.

    Attributes:
        policy: how links are read.
        base: absolute URI; None if unknown.

    """

    policy: Policy
    base: str | None
    _known: dict[tuple[str, int, bool], tuple[Place, str | None]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def __hash__(self) -> int:
        return hash(self.base)

    def resolve(self, link: Link) -> str | None:
        """Return the URL of the target of a link; None for none."""
        place = link.place
        key = link.value, id(place), link.fixed in REASONS  # the place is kept beside the result
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[key] = (place, self._resolved(link))
        return known[1]

    def _resolved(self, link: Link) -> str | None:
        web = self.policy.syntax_of(link) == "web"
        if web and link.value and not link.value.strip(C0_OR_SPACE):
            link = link._replace(value="")
        uri = resolved_link(link, self.policy, self.base)
        if uri is None:
            return None
        from linkfix.iri.resolution import serialized

        return serialized(uri, web=web)


def resolvable(uri: str | None) -> str | None:
    """Return an absolute URI if references can be resolved against it; None for one with an opaque path."""
    return None if uri is None or _OPAQUE.match(uri) else uri


class Bases:
    """Follow the bases of a document, and resolve its links.

    The first ``base`` element with an ``href`` applies to the whole document (HTML Standard, 2.4.1). Links before it
    are resolved without it; `settled` says whether one can still follow.

    If the document moves, or a link that sets a base is rewritten, a link has two bases: one for reading and
    one for writing.

    Args:
        document: absolute URI of the document; None if unknown.
        moved_to: absolute URI of the document after the move; None if it stays.

    Raises:
        LinkfixError: one of them is not absolute.

    """

    def __init__(self, document: str | None = None, moved_to: str | None = None) -> None:
        for base in (document, moved_to):
            if base is not None:
                absolute_base(base)
        self._document = document
        self._place = document if moved_to is None else moved_to
        self._element: str | None = None
        self._new_element: str | None = None
        self._ruling: Link | None = None
        #: The values of ``xml:base`` or ``codebase`` in force, each with its new absolute URI.
        self._inner: list[tuple[str, str | None]] = []
        self._resolver: Resolver | None = None
        self.settled: bool = False

    def see(self, link: Link) -> None:
        """Process a link, which may set the base."""
        if link.sets_base and not self.settled:
            self.settled = True
            if link.fixed in REASONS:  # a template, whose target is unknown
                self._document = self._place = None
                return
            target = _absolute(link.value, self._document, link.syntax)
            # HTML 4.2.3: such a base is ignored, and no later one is tried.
            if target is None or not target.lower().startswith(_NO_BASES):
                self._element = self._new_element = target
                self._ruling = link

    def note(self, link: Link, value: str) -> None:
        """Process the new value of a link, which may set the base for writing.

        A link that sets a base must come here before the links below it are written.
        """
        if link.sets_base:
            if self._ruling is not None and link.start == self._ruling.start:
                self._new_element = _absolute(value, self._place, link.syntax)
        elif link.sets_inner_base:
            depth = len(link.bases)
            base = _within(link.place, self._new_base(), self._inner)
            self._inner[depth:] = [(_inner(link.value), _inner_base(value, base, link.syntax))]

    @property
    def current(self) -> str | None:
        """The base of the next links without an inner base; None if unknown."""
        return self._document if self._element is None else self._element

    @property
    def is_web(self) -> bool:
        """Whether that is unknown, or a URL of http or https."""
        base = self.current
        return base is None or base[:5].lower() in {"http:", "https"}

    def of(self, link: Link) -> str | None:
        """Return the base of a link for reading; None if unknown."""
        place = link.place
        if place.sets_base or (link.value[:1] == "#" and place.names):
            return self._document
        base = self.current
        return _within(place, base, ()) if place.bases else base

    def after(self, link: Link) -> str | None:
        """Return the base of a link for writing; None if unknown."""
        place = link.place
        if place.sets_base or (link.value[:1] == "#" and place.names):
            return self._place
        base = self._new_base()
        return _within(place, base, self._inner) if place.bases else base

    def knows(self, link: Link) -> bool:
        """Return whether the new values of a link's bases are known."""
        bases = link.place.bases
        noted = self._inner[: len(bases)]
        return (
            not bases
            or UNKNOWN_BASE in bases
            or [value for value, _ in noted] == [_inner(value) for value in bases]
        )

    def moved(self, uri: str) -> str | None:
        """Return the new address of a target; None if it is not this document."""
        if self._document is None or self._place is None or self._place == self._document:
            return None
        if not same(without_fragment(uri), without_fragment(self._document)):
            return None
        return without_fragment(self._place) + split(uri)[2]

    def _new_base(self) -> str | None:
        return self._new_element if self._new_element is not None else self._place

    def resolver(self, base: str | None, policy: Policy) -> Resolver:
        """Return what resolves the links with a base."""
        last = self._resolver
        if last is None or last.base != base or last.policy is not policy:
            last = self._resolver = Resolver(policy, base)
        return last

    def resolve(self, link: Link, policy: Policy) -> str | None:
        """Resolve a link to an absolute URI; None if that is impossible."""
        return resolved_link(link, policy, self.of(link))


def resolved_link(link: Link, policy: Policy, base: str | None) -> str | None:
    """Resolve a link against any base; None if that is impossible."""
    # HTML that cannot be read is listed as a whole.
    if link.fixed in REASONS or link.kind is Kind.DOCUMENT or link.kind in WITHOUT_SCHEME:
        return None
    if base is None and ":" not in link.value:
        return None  # not absolute either
    from linkfix.iri.quick import canonical
    from linkfix.iri.resolution import resolved

    web = policy.syntax_of(link) == "web"
    is_usual = (
        web and base is not None and base.startswith("http") and link.place.embedded != IMPORT_MAP
    )
    if (base is None or is_usual) and canonical("uri")(link.value):
        return resolved(link.value, base, web=is_usual)  # whatever the policy is
    return _target(policy.reading.convert(link, base), base, web=web)


def below_codebase(link: Link, base: str) -> str | None:
    """Return the URL that Firefox resolves the ``data`` of an ``object`` to, since it counts the ``codebase``.

    Args:
        link: of a document.
        base: absolute URL that other readers resolve it against.

    Returns:
        None where that is where the others go, and of every other link.

    """
    if not link.place.codebase:
        return None
    codebase = _inner_base(link.place.codebase, base, link.syntax)
    there = _absolute(link.value, codebase, link.syntax)
    return None if same(there, _absolute(link.value, base, link.syntax)) else there


def same(one: str | None, other: str | None) -> bool:
    """Return whether two absolute URIs are the same address for a browser (3987bis, 5.3.2 and 5.3.3)."""
    if one is None or other is None or one == other:
        return one == other
    from linkfix.iri import comparison_form

    return comparison_form(one) == comparison_form(other)


def _within(place: Place, base: str | None, known: Sequence[tuple[str, str | None]]) -> str | None:
    """Resolve the inner bases of a place; of those that are known each value has its URI."""
    for depth, outer in enumerate(place.bases):
        value = _inner(outer)
        if depth < len(known) and known[depth][0] == value:
            base = known[depth][1]
        else:
            base = _inner_base(value, base, place.base_syntax)
    return base


def _inner(value: str) -> str:
    """Strip the white space around a value of ``xml:base`` or ``codebase``."""
    return value.strip(" \t\n\r\f")


@lru_cache(maxsize=256)  # links share most of their bases with the last one
def _inner_base(value: str, base: str | None, syntax: Literal["web", "leiri"]) -> str | None:
    """Return the base that a value of ``xml:base`` or ``codebase`` sets below another base; None if unknown."""
    if value == UNKNOWN_BASE:
        return None
    target = _absolute(_inner(value), base, syntax)
    return base if target is not None and target.lower().startswith(_NO_BASES) else target


def _absolute(value: str, base: str | None, syntax: Literal["web", "leiri"]) -> str | None:
    from linkfix.iri import convert

    conversion = convert(value, to="uri", syntax=syntax, base=base)
    return _target(conversion, base, web=syntax == "web")


def _target(conversion: Conversion, base: str | None, *, web: bool) -> str | None:
    from linkfix.iri.resolution import resolved, serialized

    uri = resolved(conversion.text, base, web=web) if conversion.ok else None
    # What the standard takes for another URL (``http:a``) is none to build on.
    return uri if web or uri is None or serialized(uri, web=False) is not None else None
