"""Occurrences of links as plain data, for the exchange between processes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from linkfix.charset import lookup
from linkfix.links import Kind, Link
from linkfix.links.link import Place


class Occurrence(NamedTuple):
    """A link, for the rules that compare the links of several documents.

    Attributes:
        link: the link.
        directory: the base URL up to its last slash; None for an identifier, which does not depend on it.
        target: the absolute URI that the link resolves to, without its fragment; None if that fails.
        is_ordinary: whether it is an ordinary link, for which `SiteWatcher.prepare` is enough.
        suppressed: codes of the rules that a comment suppresses here.
        silent: codes of the rules that the document ignores.

    """

    link: Link
    directory: str | None
    target: str | None
    is_ordinary: bool
    suppressed: frozenset[str]
    silent: frozenset[str]

    @property
    def value(self) -> str:
        """The value of the link, with character references replaced."""
        return self.link.value


def to_plain(occurrence: Occurrence) -> list[Any]:
    """Return an occurrence as plain data, with all that the rules of the site and their findings need."""
    link, directory, target, is_ordinary, suppressed, silent = occurrence
    place = [link.start, link.end, link.line, link.column, link.state]
    spelled = [link.value, link.raw.decode("latin-1")]
    holder = [link.element, link.attribute, link.kind.value, link.charset.name]
    return [place, spelled, holder, directory, target, is_ordinary, [*suppressed], [*silent]]


def from_plain(plain: list[Any]) -> Occurrence:
    """Return the occurrence that `to_plain` returned as plain data; its link has no layers."""
    place, (value, raw), holder, directory, target, is_ordinary, suppressed, silent = plain
    start, end, line, column, state = place
    octets = raw.encode("latin-1")
    link = Link(start, end, line, column, value, octets, _place(*holder), state)
    return Occurrence(
        link, directory, target, is_ordinary, frozenset(suppressed), frozenset(silent)
    )


@lru_cache(maxsize=1024)
def _place(element: str, attribute: str, kind: str, charset: str) -> Place:
    return Place(element, "", attribute, Kind(kind), (), "html", lookup(charset, xml=True))
