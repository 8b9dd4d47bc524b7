"""The work of ``linkfix audit`` on one file, in whichever process: find, fix, or show what a fix changes."""

from __future__ import annotations

import contextlib
import pickle
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

from linkfix.cli.archives import holds_archive
from linkfix.cli.batch import collected, report_failure
from linkfix.cli.documents import STANDARD_INPUT, document_in, each_document, opened
from linkfix.cli.options import policy_from
from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.site.files import replacing
from linkfix.site.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from linkfix.auditing import Auditor, Finding, Outpost, Rule, Site
    from linkfix.auditing.baseline import Baseline
    from linkfix.auditing.rule import Sighting
    from linkfix.cli.documents import Document
    from linkfix.cli.settings import Settings
    from linkfix.policy import Policy
    from linkfix.rewriting import Outcome, Rewriter
    from linkfix.site.tree import Found

__all__ = ["Desk", "Examination", "Part", "Recorded"]

#: How many of the findings that only the end of a document tells are handed on together.
_SOME = 1000
#: Files of at most so many bytes are audited again where the documents of another process ask for it.
_BRIEF = 8 * 1024 * 1024
#: How many bytes of what is found in a document are held in memory, and how many a finding counts for.
_HELD = 256 * 1024
_FINDING = 512


class Part(NamedTuple):
    """What is found in a part of a document.

    Attributes:
        name: of the document.
        findings: in order.
        sightings: links that the site of the run is still to judge, each with the number of
            findings that come before what it finds.
        changed: byte offsets of links that a fix has changed; findings about them that have a
            suggestion are settled.

    """

    name: str
    findings: list[Finding]
    sightings: list[tuple[int, Sighting]]
    changed: frozenset[int] = frozenset()


class Desk(Protocol):
    """Takes what is found, in the order of the documents."""

    def take(self, part: Part) -> None:
        """Take what is found in a part of a document."""
        ...

    def show(self, diff: bytes) -> None:
        """Take what a fix would change in a document."""
        ...

    def done(self, name: str, links: int, suppressed: int) -> None:
        """Take note that a document has ended, with so many links and suppressed findings."""
        ...

    def failed(self, name: str, error: LinkfixError) -> None:
        """Take note that a document cannot be processed."""
        ...


class Examination:
    """The work on one document.

    Args:
        options: of the command.
        settings: which rules are not in force in which files.
        baseline: findings that a fix leaves.
        site: the documents of the run, where this process has them all; None where others have
            some, so that the desk has to see to it.

    """

    def __init__(
        self,
        options: dict[str, Any],
        settings: Settings,
        baseline: Baseline,
        site: Site | None = None,
    ) -> None:
        self._options = options
        self._settings = settings
        self._baseline = baseline.anew()
        self._site = site

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what every process makes for itself."""
        own = {"_policy", "_rules", "_outpost"}
        return {name: value for name, value in self.__dict__.items() if name not in own}

    @cached_property
    def _policy(self) -> Policy:
        return policy_from(self._options, normalize=self._options["normalize"])

    @cached_property
    def _rules(self) -> list[Rule]:
        from linkfix.auditing import select

        return select(self._options["select"], self._options["ignore"])

    @cached_property
    def _outpost(self) -> Outpost:
        from linkfix.auditing import Outpost

        return Outpost(self._rules)

    def record(self, found: Found) -> Record:
        """Do the work for a document, and write down what the site of the run has to know."""
        can_be_repeated = 0 < found.size <= _BRIEF
        changes = self._options["fix"] or self._options["diff"]
        self._outpost.shows_all = changes or not can_be_repeated
        record = Record()
        record.status = self.examine(found, record)
        record.told = self._outpost.told()
        return record

    def examine(self, found: Found, desk: Desk) -> int:
        """Do the work for a document, or those of an archive, and give the exit status: 0, or 3."""
        path = found.path
        try:
            if self._options["fix"]:
                self._fix(path, desk)
            elif self._options["diff"]:
                self._show(path, desk)
            else:
                return each_document(path, self._options, lambda each: self._audit(each, desk))
        except LinkfixError as error:
            report_failure(found, error)
            desk.failed(STANDARD_INPUT if path == "-" else path, error)
            return 3
        return 0

    def _audit(self, document: Document, desk: Desk) -> None:
        """Hand on the findings of a document while it is read."""
        name = document.name
        sightings: list[tuple[int, Sighting]] = []
        try:
            auditor = self._auditor(document, sightings)
            for data in document.chunks():
                desk.take(Part(name, auditor.feed(data), [*sightings]))
                sightings.clear()
            desk.take(Part(name, auditor.end(), [*sightings]))
            unsettled = auditor.unsettled()
            while some := list(islice(unsettled, _SOME)):
                desk.take(Part(name, some, []))
        except LinkfixError as error:
            error.file = error.file or name
            desk.failed(name, error)
            raise
        desk.done(name, auditor.links, auditor.suppressed)

    def _fix(self, path: str, desk: Desk) -> None:
        """Rewrite the links of a file that have suggestions."""
        with replacing(path) as (source, sink):
            document = self._only_document(source, path)
            part, auditor = self._whole(document)
            source.seek(0)
            changed: set[int] = set()

            def note(outcome: Outcome) -> None:
                if outcome.new is not None:
                    changed.add(outcome.link.start)

            rewriter = self._rewriter(document, part.findings, note)
            for data in document.chunks():
                sink.write(rewriter.feed(data))
            sink.write(rewriter.close())
            if not changed:
                sink.seek(0)
                sink.truncate()
        desk.take(part._replace(changed=frozenset(changed)))
        desk.done(path, auditor.links, auditor.suppressed)

    def _show(self, path: str, desk: Desk) -> None:
        """Hand on what `_fix` would change."""
        from linkfix.rewriting.diff import Change, unified_diff

        name = STANDARD_INPUT if path == "-" else path
        with opened(path) as file:
            document = self._only_document(file, name)
            source = b"".join(document.chunks())
        part, auditor = self._whole(replace(document, chunks=lambda: iter((source,))))
        changes: list[Change] = []

        def note(outcome: Outcome) -> None:
            if outcome.new is not None:
                changes.append(Change(outcome.link.start, outcome.link.end, outcome.new))

        rewriter = self._rewriter(document, part.findings, note)
        rewriter.feed(source)
        rewriter.close()
        desk.take(part)
        if changes and b"\0" in source:
            complain(f"{name}: has NUL bytes; GNU patch applies its diff, others may not")
        desk.show(unified_diff(source, changes, name.encode("utf-8", "surrogateescape")))
        desk.done(name, auditor.links, auditor.suppressed)

    def _only_document(self, source: BinaryIO, name: str) -> Document:
        if holds_archive(source, name, self._options["type"]):
            raise LinkfixError("a WARC file cannot be fixed", hint="use linkfix rewrite")
        return document_in(source, name, self._options)

    def _auditor(self, document: Document, sightings: list[tuple[int, Sighting]]) -> Auditor:
        from linkfix.auditing import Auditor
        from linkfix.auditing.selection import matches

        rules, ignored = self._rules, self._settings.ignored_in("audit", document.name)
        if ignored:
            rules = [rule for rule in rules if not matches(rule, ignored)]
        return Auditor(
            self._policy,
            rules=rules,
            site=self._outpost if self._site is None else self._site,
            type=document.type,
            charset=document.charset,
            environment=self._options["environment"],
            base=document.base,
            name=document.name,
            on_sighting=None if self._site else lambda n, each: sightings.append((n, each)),
        )

    def _whole(self, document: Document) -> tuple[Part, Auditor]:
        """Give what is found in a whole document."""
        found: list[Finding] = []
        seen: list[tuple[int, Sighting]] = []
        now: list[tuple[int, Sighting]] = []
        auditor = self._auditor(document, now)

        def add(findings: Iterable[Finding]) -> None:
            seen.extend((len(found) + n, sighting) for n, sighting in now)
            now.clear()
            found.extend(findings)

        for data in document.chunks():
            add(auditor.feed(data))
        add(auditor.close())
        return Part(document.name, found, seen), auditor

    def _rewriter(
        self, document: Document, findings: list[Finding], note: Callable[[Outcome], None]
    ) -> Rewriter:
        from linkfix.rewriting import Rewriter

        wanted = {
            finding.start
            for finding in findings
            if not self._baseline.is_known(document.name, finding)
            and finding.suggestion is not None
        }
        return Rewriter(
            policy=self._policy,
            type=document.type,
            charset=document.charset,
            environment=self._options["environment"],
            base=document.base,
            name=document.name,
            only=lambda link: link.start in wanted,
            on_outcome=note,
        )


class Recorded:
    """An examination in another process, with what is found on record.

    Args:
        examination: what is done for each document.

    """

    def __init__(self, examination: Examination) -> None:
        self._examination = examination

    def __call__(self, found: Found) -> Record:
        """Examine a document, and give the record."""
        with collected() as said:
            record = self._examination.record(found)
        record.said = said.getvalue()
        return record


class Record:
    """A desk that writes down what it takes; it can be sent to another process.

    Attributes:
        status: the exit status that the document comes to.
        said: what was written to standard error.
        told: the plain links that the site of the run has not seen, see `Outpost.told`.
        sightings: how many other links it has not seen.

    """

    def __init__(self) -> None:
        self.status = 0
        self.said = ""
        self.told: dict[str, str] = {}
        self.sightings = 0
        #: What came last, about how many bytes that is, and where all is that came before.
        self._events: list[tuple[Any, ...]] = []
        self._held = 0
        self._spool: Spool | None = None

    def take(self, part: Part) -> None:
        """Write it down."""
        links = [finding.link for finding in part.findings]
        links += [sighting.link for _, sighting in part.sightings]
        if links:
            self.sightings += len(part.sightings)
            octets = sum([len(link.raw) for link in links if link is not None])
            self._note(len(links) * _FINDING + octets, "take", part)

    def show(self, diff: bytes) -> None:
        """Write it down."""
        self._note(len(diff), "show", diff)

    def done(self, name: str, links: int, suppressed: int) -> None:
        """Write it down."""
        self._note(0, "done", name, links, suppressed)

    def failed(self, name: str, error: LinkfixError) -> None:
        """Write it down."""
        self._note(0, "failed", name, error)

    def _note(self, octets: int, *event: object) -> None:
        self._events.append(event)
        self._held += octets
        if self._held > _HELD:
            self._spool = self._spool or Spool()
            pickle.dump(self._events, self._spool.file)
            self._events, self._held = [], 0

    def drop(self) -> None:
        """Forget everything."""
        if self._spool is not None:
            self._spool.file.close()

    def replay(self, desk: Desk) -> None:
        """Hand everything on to another desk, and forget it."""
        for events in chain(self._spooled(), [self._events]):
            for verb, *about in events:
                getattr(desk, verb)(*about)
        self.drop()

    def _spooled(self) -> Iterator[list[tuple[Any, ...]]]:
        if self._spool is not None:
            file = self._spool.file
            file.seek(0)
            with contextlib.suppress(EOFError):
                while True:
                    yield pickle.load(file)  # noqa: S301 - our own worker wrote it
