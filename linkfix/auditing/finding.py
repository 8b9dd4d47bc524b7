"""The results of an audit of one document: findings, and facts for the join over all documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from linkfix.charset import lookup
from linkfix.iri import Edit
from linkfix.iri.reference import without_fragment
from linkfix.iri.resolution import BaseURL
from linkfix.links import Kind, Link
from linkfix.links.link import Place


class Severity(StrEnum):
    """How bad a finding is, the worst first."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"

    @property
    def rank(self) -> int:
        """0 for the worst, then counting up."""
        return _RANK[self]

    def at_least(self, other: Severity) -> bool:
        """Whether this is as bad as `other`, or worse."""
        return self.rank <= other.rank


_RANK = {severity: rank for rank, severity in enumerate(Severity)}


class Finding(NamedTuple):
    """One thing that is wrong, and where.

    Attributes:
        code: of the rule, stable, for instance ``ENC001``.
        name: of the rule, for people.
        severity: how bad it is.
        message: what is wrong here.
        section: the document and section of the rule's source.
        line: from 1.
        column: in code points, from 1.
        start: byte offset in the source of the link concerned, 0 for the whole document.
        end: byte offset of the link's end.
        link: the link concerned; None for the document as a whole.
        first: the first code point of the link's value that is concerned.
        last: just after the last of them.
        suggestion: the link after a rewrite to URIs, if that removes the finding; else None.
        edits: the edits that change the link's value into the suggestion.
        target: of the link, if the rule is about that: its URI, or its path in a folder whose address is not
            known, with the fragment only if the rule is about fragments; else "".
        mapped: the absolute URI of the link and its new one, where the suggestion has another target because the server redirects
            there; else None.

    """

    code: str
    name: str
    severity: Severity
    message: str
    section: str
    line: int
    column: int
    start: int
    end: int
    link: Link | None = None
    first: int = 0
    last: int = 0
    suggestion: str | None = None
    edits: tuple[Edit, ...] = ()
    target: str = ""
    mapped: tuple[str, str] | None = None


#: The fields of a finding, as it is listed: in JSON, as CSV, in tables.
FIELDS = (
    *("line", "column", "start", "end", "rule", "name", "severity", "message", "section"),
    *("element", "attribute", "value", "first", "last", "suggestion"),
)


def fields_of(finding: Finding) -> dict[str, Any]:
    """Return the fields of a finding for machine-readable output: numbers, strings, and None."""
    link = finding.link
    of_link = (link.element, link.attribute, link.value) if link else (None, None, None)
    rule = (finding.code, finding.name, str(finding.severity), finding.message, finding.section)
    place = (finding.line, finding.column, finding.start, finding.end)
    hit = (finding.first, finding.last, finding.suggestion)
    return dict(zip(FIELDS, (*place, *rule, *of_link, *hit), strict=True))


# --- The facts of a document ------------------------------------------------------------------------
# They are what it says that other documents, and the files of its site, matter for. Input: the links of one document, as the `Auditor` reads them. Output: plain data, in pieces, so that a long document
# needs no more memory than a short one. Of ordinary links only the values are kept, by their base: a join over the facts of all documents
# tells which of them have findings, and only documents with such are read again. A document that cannot be read again
# keeps the place of each link. What they say does not depend on another document, so that they can be remembered by the content of
# a file; which ordinary links have a place may (`Suspects`).

#: How many rows make a piece.
MANY = 20_000
#: How many values of folders are remembered, to know those that are met again.
_MOST_MET = 200_000


class Occurrence(NamedTuple):
    """A link, for the rules that need more than its document.

    Attributes:
        link: the link.
        directory: the base URL up to its last slash; None for an identifier, which does not depend on it.
        target: the absolute URI that the link resolves to; None if that fails.
        order: how many ordinary values of the document precede it.
        is_compared: whether it is compared with other links.
        is_followed: whether somebody follows it.
        leaves: whether it has more steps up than its document has folders.
        suppressed: codes of the rules that a comment suppresses here.

    """

    link: Link
    directory: str | None
    target: str | None
    order: int
    is_compared: bool
    is_followed: bool
    leaves: bool
    suppressed: frozenset[str]

    @property
    def resource(self) -> str | None:
        """The target without its fragment."""
        return self.target and without_fragment(self.target)


def to_plain(occurrence: Occurrence) -> list[Any]:
    """Return an occurrence as plain data, with all that rules and their findings need."""
    link, *others, suppressed = occurrence
    return [*_link_to_plain(link), *others, [*suppressed]]


def _link_to_plain(link: Link) -> list[Any]:
    place = [link.start, link.end, link.line, link.column, link.state]
    spelled = [link.value, link.raw.decode("latin-1")]
    return [place, spelled, [link.element, link.attribute, link.kind.value, link.charset.name]]


def from_plain(plain: list[Any]) -> Occurrence:
    """Return the occurrence that `to_plain` returned as plain data; its link has no layers."""
    *link, directory, target, order, compared, followed, leaves, suppressed = plain
    return Occurrence(
        *(_link_of(*link), directory, target, order, compared, followed, leaves),
        frozenset(suppressed),
    )


def _link_of(place: list[Any], spelled: list[str], holder: list[str]) -> Link:
    start, end, line, column, state = place
    octets = spelled[1].encode("latin-1")
    return Link(start, end, line, column, spelled[0], octets, _place(*holder), state)


@lru_cache(maxsize=1024)
def _place(element: str, attribute: str, kind: str, charset: str) -> Place:
    return Place(element, "", attribute, Kind(kind), (), "html", lookup(charset, xml=True))


def finding_to_plain(finding: Finding) -> list[Any]:
    """Return a finding as plain data."""
    values = finding._asdict()
    return [*(values | {"link": finding.link and _link_to_plain(finding.link)}).values()]


def finding_of(plain: list[Any]) -> Finding:
    """Return the finding that `finding_to_plain` returned as plain data; its link has no layers."""
    finding = Finding(*plain)
    link: Any = finding.link
    return finding._replace(
        severity=Severity(finding.severity),
        link=link and _link_of(*link),
        edits=tuple(Edit(*each) for each in finding.edits),
        mapped=finding.mapped and (finding.mapped[0], finding.mapped[1]),
    )


class Role(NamedTuple):
    """A link by which a document says something of a page.

    Attributes:
        name: ``canonical``, ``og:url``, ``alternate``, ``refresh``, ``entry`` or ``integrity``.
        language: of an alternate, in lower case; or the hashes of a file, as they are spelled.
        link: the link.

    """

    name: str
    language: str
    link: Occurrence


class Values(NamedTuple):
    """The distinct values of ordinary links under one base, in their order.

    Attributes:
        base: absolute URI; a placeholder if the real one is not known.
        is_known: whether it is the real one.
        values: with their fragments; none of them is a fragment or a query alone.

    """

    base: str
    is_known: bool
    values: list[str]


class Suspects:
    """Know ordinary links to files that are missing: facts keep their places, so that no document is read again for them.

    A value is looked up once it was met before in its folder: what is broken on many pages of a site is mostly its navigation.

    Args:
        is_missing: returns whether there is no file for a target without a fragment.

    """

    def __init__(self, is_missing: Callable[[str], bool]) -> None:
        self._is_missing = is_missing
        #: By folder, the values that were met, those that were looked up, and those without a file.
        self._folders: dict[str, tuple[set[str], set[str], set[str]]] = {}
        self._count = 0

    def among(self, base: BaseURL, values: Iterable[str]) -> set[str]:
        """Return those of some ordinary values under a base that seem to have no file."""
        if self._count > _MOST_MET:
            self._folders.clear()
            self._count = 0
        met, known, missing = self._folders.setdefault(base.directory, (set(), set(), set()))
        some = {value for value in values if value[0] not in "#?"}
        again = (some & met) - known
        for value in again:
            target = base.target(value.partition("#")[0])
            if target is not None and self._is_missing(target):
                missing.add(value)
        known |= again
        self._count += len(some - met)
        met |= some
        return some & missing


class Facts:
    """The facts of a document, or a piece of them.

    Args:
        keeps_places: whether each value is kept as a link, since the document cannot be read again.
        suspects: tells for which ordinary links this is better than to read it again; None for none.

    Attributes:
        keeps_places: that argument.
        values: ordinary links, in their order.
        odd: all other links; each once, unless its file may have a problem.
        charset: the name of the charset of the document.
        known: the values under the present base that were recorded.
        count: how many ordinary values were recorded.
        roles: what the document says of pages of its site.

    """

    def __init__(self, *, keeps_places: bool = False, suspects: Suspects | None = None) -> None:
        self.keeps_places = keeps_places
        self._suspects = suspects
        self.values: list[Values] = []
        self.odd: list[Occurrence] = []
        self.roles: list[Role] = []
        self.charset = "utf-8"
        self.known: set[str] = set()
        self.count: int = 0
        self._kept = 0
        #: What distinguishes the other links: each is recorded once.
        self._known: set[tuple[Any, ...]] = set()
        self._base = Values("", False, [])

    def begin(self, base: str, *, is_known: bool) -> None:
        """Set the base of the following ordinary links."""
        self._base = Values(base, is_known, [])
        self.known.clear()

    def add(self, values: Iterable[str]) -> None:
        """Record ordinary links that lead out of the document, each once."""
        some = [value for value in values if value[0] not in "#?" and value not in self.known]
        if some:
            if len(self.known) >= MANY:
                self.known.clear()
            self.known.update(some)
            if not self._base.values:
                self.values.append(self._base)
            self._base.values.extend(some)
            self.count += len(some)
            self._kept += len(some)

    def orders(self, pairs: Iterable[tuple[bytes, str]], odd: set[str]) -> dict[bytes, int]:
        """Return how many ordinary values precede each odd one, of values by their bytes that follow those recorded."""
        orders, count = dict[bytes, int](), self.count
        for one, value in pairs if odd else ():
            if value in odd:
                orders[one] = count
            else:
                count += value[0] not in "#?" and value not in self.known
        return orders

    def suspected(self, base: BaseURL, values: Iterable[str]) -> set[str]:
        """Return the values of ordinary links that are recorded as others are."""
        return set() if self._suspects is None else self._suspects.among(base, values)

    def record(self, link: Occurrence) -> None:
        """Record another link, if its file may have a problem, or none is like it."""
        key = (link.link.raw, link.directory, link.target, link.link.kind)
        if link.is_followed or key not in self._known:
            if len(self._known) >= MANY:
                self._known.clear()
            self._known.add(key)
            self.odd.append(link)
            self._kept += 1

    @property
    def are_many(self) -> bool:
        """Whether it is time to take a piece."""
        return self._kept >= MANY

    def taken(self) -> list[Any]:
        """Return the piece so far as plain data, and begin another one."""
        roles = [[role.name, role.language, to_plain(role.link)] for role in self.roles]
        piece = [[*map(list, self.values)], [*map(to_plain, self.odd)], roles]
        self.values, self.odd, self.roles, self._kept = [], [], [], 0
        self._base = self._base._replace(values=[])
        return piece
