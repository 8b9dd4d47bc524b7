"""A link that other documents matter for, as plain data for the exchange between processes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from linkfix.charset import lookup
from linkfix.iri.reference import without_fragment
from linkfix.links import Kind, Link
from linkfix.links.link import Place


class Occurrence(NamedTuple):
    """A link, for the rules that need more than its document.

    Attributes:
        link: the link.
        directory: the base URL up to its last slash; None for an identifier, which does not depend on it.
        target: the absolute URI that the link resolves to; None if that fails.
        view: its spelling in a batch, as `linkfix.iri.ordinary.read` returns it; "" for a link that is in none.
        order: how many ordinary values of the document precede it.
        is_compared: whether it is compared with other links.
        is_followed: whether somebody follows it.
        leaves: whether it has more steps up than its document has folders.
        suppressed: codes of the rules that a comment suppresses here.

    """

    link: Link
    directory: str | None
    target: str | None
    view: str
    order: int
    is_compared: bool
    is_followed: bool
    leaves: bool
    suppressed: frozenset[str]

    @property
    def value(self) -> str:
        """The value of the link, with character references replaced."""
        return self.link.value

    @property
    def resource(self) -> str | None:
        """The target without its fragment."""
        return self.target and without_fragment(self.target)


def to_plain(occurrence: Occurrence) -> list[Any]:
    """Return an occurrence as plain data, with all that rules and their findings need."""
    link, *others, suppressed = occurrence
    place = [link.start, link.end, link.line, link.column, link.state]
    spelled = [link.value, link.raw.decode("latin-1")]
    holder = [link.element, link.attribute, link.kind.value, link.charset.name]
    return [place, spelled, holder, *others, [*suppressed]]


def from_plain(plain: list[Any]) -> Occurrence:
    """Return the occurrence that `to_plain` returned as plain data; its link has no layers."""
    place, (value, raw), holder, directory, target, view, order, *flags, suppressed = plain
    start, end, line, column, state = place
    octets = raw.encode("latin-1")
    link = Link(start, end, line, column, value, octets, _place(*holder), state)
    compared, followed, leaves = flags
    return Occurrence(
        link, directory, target, view, order, compared, followed, leaves, frozenset(suppressed)
    )


@lru_cache(maxsize=1024)
def _place(element: str, attribute: str, kind: str, charset: str) -> Place:
    return Place(element, "", attribute, Kind(kind), (), "html", lookup(charset, xml=True))
