"""A link that the rules of the site have to see, as plain data between processes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from linkfix.auditing.rule import Sighting
from linkfix.charset import lookup
from linkfix.links import Kind, Link
from linkfix.links.link import Place

__all__ = ["from_plain", "to_plain"]


def to_plain(sighting: Sighting) -> list[Any]:
    """Return what the rules of the site, and a finding of theirs, need of a link."""
    link, directory, target, is_ordinary, suppressed, silent = sighting
    place = [link.start, link.end, link.line, link.column]
    holder = [link.element, link.attribute, link.kind.value]
    return [place, link.value, holder, directory, target, is_ordinary, [*suppressed], [*silent]]


def from_plain(plain: list[Any]) -> Sighting:
    """Return the sighting that `to_plain` made plain; its link has no bytes and no layers."""
    place, value, holder, directory, target, is_ordinary, suppressed, silent = plain
    start, end, line, column = place
    link = Link(start, end, line, column, value, b"", _place(*holder))
    return Sighting(link, directory, target, is_ordinary, frozenset(suppressed), frozenset(silent))


@lru_cache(maxsize=1024)
def _place(element: str, attribute: str, kind: str) -> Place:
    return Place(element, "", attribute, Kind(kind), (), "html", lookup("utf-8"))
