"""The result of ``linkfix rewrite`` for one document or archive: sums, and lines about its links.

Input: the outcomes of links, and the report of each document. Output: plain data, which processes exchange and the journal
stores. What an archive's document has added before it failed is dropped.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Literal

from linkfix.cli.output import json_line, number
from linkfix.files.records import choice, fields, lines, listed, mapping, row, text
from linkfix.files.records import number as is_number
from linkfix.files.tree import Selection

if TYPE_CHECKING:
    from linkfix.cli.options.documents import DocumentOptions
    from linkfix.policy import LinkMap, Policy
    from linkfix.rewriting import Outcome, Report

#: The largest log in characters that stays in memory; more goes to a temporary file.
SPOOL = 16 * 1024 * 1024

#: The destination of new documents; a stream is one document on standard output.
Mode = Literal["stream", "in-place", "folder", "dry-run", "diff"]


@dataclass(frozen=True, slots=True)
class RewriteJob:
    """What is done with the documents of a run.

    Attributes:
        document: how they are read.
        policy: how links are rewritten.
        mode: the destination of the new documents.
        verify: whether they are verified.
        link_map: maps links to new targets; None for none.
        map_path: its file.
        output: the folder of the new documents; None for none.
        backup: the suffix of the names under which old documents are kept; None to keep none.
        selection: of documents in containers.
        lists_changed: whether links that change are listed.
        lists_unmatched: whether links without a rule in the map are listed.

    """

    document: DocumentOptions
    policy: Policy
    mode: Mode
    verify: bool
    link_map: LinkMap | None = None
    map_path: str | None = None
    output: str | None = None
    backup: str | None = None
    selection: Selection = field(default_factory=Selection)
    lists_changed: bool = False
    lists_unmatched: bool = False


@dataclass(slots=True)
class Sums:
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

    def add(self, report: Report) -> None:
        """Add a document."""
        touched = bool(report.changed)
        guessed = touched and not report.declared
        self.merge((1, touched, guessed, report.changed, report.kept, report.mapped, report.unmatched))  # fmt: skip

    def merge(self, sums: Iterable[int]) -> None:
        """Add the sums that `plain` returned."""
        for name, value in zip(self.__slots__, sums, strict=True):
            setattr(self, name, getattr(self, name) + value)

    def plain(self) -> tuple[int, ...]:
        """Return the sums as plain data."""
        return tuple(getattr(self, name) for name in self.__slots__)

    def text(self, verb: str) -> str:
        """Return the number of documents and of rewritten links as text."""
        documents = number(self.documents, "document")
        if not self.changed:
            return f"{documents}, nothing to rewrite"
        links = number(self.changed, "link")
        return f"{documents}: {links} {verb} in {number(self.touched, 'document')}"


#: The schema of a result in a journal (`Result.plain`).
RESULT = fields(
    {"sums": row(*(is_number for _ in Sums.__slots__))},
    {
        "text": text,
        "status": choice(3),
        "used": listed(row(is_number, is_number)),
        "embedded": mapping(is_number),
        "changed": lines,
        "unmatched": lines,
        "said": text,
    },
)


def _changed_record(name: str, outcome: Outcome) -> dict[str, Any] | None:
    """Return the record of a changed link; None for other links."""
    link = outcome.link
    if outcome.new is None:
        return None
    return {"file": name, **link.where(), "old": link.value, "new": outcome.conversion.text}


def _unmatched_record(name: str, outcome: Outcome) -> dict[str, Any] | None:
    """Return the record of a link without a rule in the map; None for other links."""
    if not outcome.unmatched:
        return None
    link = outcome.link
    return {"file": name, **link.where(), "value": link.value, "resolved": outcome.resolved}


#: The records of links, by the names of their logs.
_RECORDS = {"changed": _changed_record, "unmatched": _unmatched_record}


class Result:
    """The result of one document, or of the documents in an archive.

    Args:
        job: what is done.
        name: of the document.

    Attributes:
        name: of the document.
        text: sums it up.
        is_changed: whether its bytes changed.
        has_failed: whether a part of it could not be processed.
        sums: over its documents.
        source: the old bytes, for a diff.
        outcomes: of the links that were rewritten, for a diff.

    """

    def __init__(self, job: RewriteJob, name: str) -> None:
        self.name = name
        self.text = ""
        self.is_changed = self.has_failed = False
        self.sums = Sums()
        self.source = b""
        self.outcomes: list[Outcome] = []
        self._mode = job.mode
        self._embedded: Counter[str] = Counter()
        self._would: list[tuple[str, int]] = []
        wanted = {"changed": job.lists_changed, "unmatched": job.lists_unmatched}
        self._logs: dict[str, IO[str]] = {
            kind: tempfile.SpooledTemporaryFile(SPOOL, "w+", encoding="ascii")  # noqa: SIM115 - closed by close()
            for kind, is_wanted in wanted.items()
            if is_wanted
        }
        #: The ends of the lines about documents that are done.
        self._ends = dict.fromkeys(self._logs, 0)

    def note(self, name: str, outcome: Outcome) -> None:
        """Add what became of a link in the document of a name."""
        for kind, log in self._logs.items():
            if (record := _RECORDS[kind](name, outcome)) is not None:
                log.write(json_line(record) + "\n")
        if self._mode == "diff" and outcome.new is not None:
            self.outcomes.append(outcome)

    def add(self, report: Report) -> None:
        """Add a document that is done."""
        self._ends = {kind: log.tell() for kind, log in self._logs.items()}
        self.sums.add(report)
        self._embedded += report.embedded
        if self._mode == "dry-run" and report.changed:
            self._would.append((report.name, report.changed))

    def drop(self) -> None:
        """Drop the lines about a document that could not be processed."""
        for kind, log in self._logs.items():
            log.seek(self._ends[kind])
            log.truncate()

    def copy_logs(self, sinks: Mapping[str, IO[str] | None]) -> None:
        """Write the lines about links to the sinks of their names."""
        for kind, log in self._logs.items():
            if (sink := sinks[kind]) is not None:
                log.seek(0)
                shutil.copyfileobj(log, sink)

    def plain(self, **fields: Any) -> dict[str, Any]:
        """Return the result as plain data: the sums, and all other fields that are not empty."""
        for kind, log in self._logs.items():
            log.seek(0)
            fields[kind] = log.read()
        fields |= {"would": self._would, "embedded": dict(self._embedded)}
        fields |= {"text": fields.get("text") and self.text, "status": 3 * self.has_failed}
        order = ("text", "status", "used", "embedded", "changed", "unmatched", "said", "would")
        return {"sums": self.sums.plain()} | {
            name: fields[name] for name in order if fields.get(name)
        }

    def close(self) -> None:
        """Remove the temporary files of the lines."""
        for log in self._logs.values():
            log.close()
