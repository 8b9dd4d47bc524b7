"""The result of a rewrite for one document or archive: sums, and lines about its links.

Input: the outcomes of links, and the report of each document. Output: plain data, which processes exchange and the journal
stores; `Rewritten` is made of it. What an archive's document has added before it failed is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from linkfix.errors import LinkfixError
from linkfix.files.records import Form, lines
from linkfix.jobs.failures import from_plain, to_plain
from linkfix.sites.events import Problem
from linkfix.sites.lines import json_line

if TYPE_CHECKING:
    from linkfix.rewriting import Outcome, Report
    from linkfix.warc import ArchiveReport


class Sums(NamedTuple):
    """Sums over documents.

    Attributes:
        documents: how many were processed.
        touched: how many of these have a rewritten link.
        guessed: how many of the touched ones declare no charset.
        changed: how many links were rewritten.
        kept: how many links were left as they were because they cannot be rewritten.
        mapped: how many links the map moved.
        unmatched: how many links have no rule in the map.

    """

    documents: int = 0
    touched: int = 0
    guessed: int = 0
    changed: int = 0
    kept: int = 0
    mapped: int = 0
    unmatched: int = 0

    def plus(self, others: Iterable[int]) -> Sums:
        """Return the sums over these documents and others, whose sums are in the order of the attributes."""
        return Sums(*map(add, self, others))


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What became of a document, or of the documents in an archive.

    Attributes:
        path: of the file.
        sums: over its documents.
        charset: that the document was read in; "" for an archive.
        embedded: how many links were in embedded documents, by what became of them.
        changed: lines of JSON about the links that changed, if they are wanted.
        unmatched: lines of JSON about the links without a rule in the map, if they are wanted.
        used: how often each rule of the link map matched, by its number.
        would: for a dry run: the names of the documents that would change, each with the number of links.
        archive: what was done with the records of an archive; None for a document.
        stays: for a move: why links stay although something moves that they may mean, by their URIs.

    """

    path: str
    sums: Sums = Sums()  # noqa: RUF009 - it cannot be changed
    charset: str = ""
    embedded: Mapping[str, int] = field(default_factory=dict)
    changed: str = ""
    unmatched: str = ""
    used: Mapping[int, int] = field(default_factory=dict)
    would: Sequence[tuple[str, int]] = ()
    archive: ArchiveReport | None = None
    stays: Mapping[str, str] = field(default_factory=dict)


_ERROR: Form = {"error": str, "message": str, "hint": str, "trace": str, "file": str | None}
_ERROR |= dict.fromkeys(("offset", "line", "column"), int | None)
#: The form of a result in a journal (`Result.plain`).
RESULT: Form = {
    "sums": (int,) * len(Sums._fields),
    "charset?": str,
    "embedded?": {str: int},
    "changed?": lines,
    "unmatched?": lines,
    "used?": [(int, int)],
    "problems?": [(bool, _ERROR)],
    "archive?": (int,) * 10,
}


def events(path: str, plain: Mapping[str, Any]) -> Iterator[Problem | Rewritten]:
    """Yield the events of a result that is plain data, from a worker or a journal."""
    known = dict(plain)
    for is_failure, error in known.pop("problems", ()):
        yield Problem(from_plain(error), is_failure)
    known |= {"sums": Sums(*plain.get("sums", ())), "used": dict(plain.get("used", ()))}
    if "archive" in plain:
        from linkfix.warc import ArchiveReport

        known["archive"] = ArchiveReport(*plain["archive"])
    yield Rewritten(path, **known)


class Result:
    """The result of one document, or of the documents in an archive, while it is rewritten.

    Args:
        name: of the document.
        logs: which lines about links are wanted: ``changed``, ``unmatched``.
        outcomes: takes the links that were rewritten, for a diff; None for no diff.

    Attributes:
        name: of the document.
        sums: over its documents.
        archive: what was done with the records of an archive; None for a document.

    """

    def __init__(
        self, name: str, logs: Iterable[str], outcomes: list[Outcome] | None = None
    ) -> None:
        self.name = name
        self.sums: Sums = Sums()
        self.archive: ArchiveReport | None = None
        self._charset = ""
        self._outcomes = outcomes
        self._embedded: Counter[str] = Counter()
        self._touched: list[tuple[str, int]] = []
        self._problems: list[tuple[bool, LinkfixError]] = []
        self._logs = tuple(logs)
        #: Lines, each with what it is about, and how many of them are about documents that are done.
        self._lines: list[tuple[str, str]] = []
        self._done = 0

    def record(self, name: str, outcome: Outcome) -> None:
        """Add what became of a link in the document of a name."""
        link, is_changed = outcome.link, outcome.new is not None
        if is_changed and "changed" in self._logs:
            spelled = {"old": link.value, "new": outcome.conversion.text}
            self._write("changed", {"file": name, **link.where(), **spelled})
        if outcome.unmatched and "unmatched" in self._logs:
            target = {"value": link.value, "resolved": outcome.resolved}
            self._write("unmatched", {"file": name, **link.where(), **target})
        if self._outcomes is not None and is_changed:
            self._outcomes.append(outcome)

    def _write(self, kind: str, record: dict[str, Any]) -> None:
        self._lines.append((kind, json_line(record) + "\n"))

    def add(self, report: Report) -> None:
        """Add a document that is done."""
        self._done = len(self._lines)
        touched = bool(report.changed)
        counts = (report.changed, report.kept, report.mapped, report.unmatched)
        self.sums = self.sums.plus((1, touched, touched and not report.declared, *counts))
        self._charset = report.charset
        self._embedded += report.embedded
        if report.changed:
            self._touched.append((report.name, report.changed))

    def problem(self, error: LinkfixError, *, is_failure: bool = False) -> None:
        """Add a problem that does not cost the document."""
        self._problems.append((is_failure, error))

    def fail(self, error: LinkfixError) -> None:
        """Drop the lines about a record that could not be processed, and add why."""
        del self._lines[self._done :]
        self.problem(error, is_failure=True)

    def plain(self, *, used: Mapping[int, int], is_dry: bool) -> dict[str, Any]:
        """Return the result as plain data: the sums, and all other fields that are not empty.

        Args:
            used: how often each rule of the link map matched.
            is_dry: whether the names of the documents that would change are wanted.

        """
        found: dict[str, Any] = {
            "charset": "" if self.archive else self._charset,
            "embedded": dict(self._embedded),
            "used": [*used.items()],
            "problems": [[is_failure, to_plain(error)] for is_failure, error in self._problems],
            "would": self._touched if is_dry else (),
        }
        for kind in self._logs:
            found[kind] = "".join([line for log, line in self._lines if log == kind])
        if self.archive is not None:
            found["archive"] = astuple(self.archive)
        present = {name: value for name, value in found.items() if value}
        return {"sums": [*self.sums]} | present
