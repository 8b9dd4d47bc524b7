"""The work of ``linkfix audit`` on one file: report, fix, or show a fix as a diff.

Input: a file. Output: events. Findings are rendered here, in the process that reads the document, so that
processes exchange bytes and plain data. A document is read with no other in mind (`AuditWorker.__call__`), and once more if the
join over all documents has found something in it (`AuditWorker.again`). An archive yields the events of each of its
documents in order:

* ``["document", name]`` when a document begins;
* bytes: rendered findings, or with ``--diff`` the diff;
* ``["facts", origin, names, piece]``: a piece of its facts (`linkfix.auditing.facts`), where they are from but for the
  number of the file (`linkfix.facts.join.Origin`), and with the last piece the targets of fragments, None where nobody asks for them;
* ``["done", name, tally, error]`` when a document ends: a `Tally` as plain data, and
  `linkfix.jobs.failures.to_plain` of the error, or None.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from linkfix.auditing.facts import Facts
from linkfix.auditing.files import doubtful
from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.facts.wanted import Wanted
from linkfix.files.access import replacing
from linkfix.files.codecs import discard
from linkfix.files.paths import is_remote, split_packed
from linkfix.files.verification import Copy, confirm
from linkfix.jobs.failures import contained, salvaged, to_plain
from linkfix.sites.documents import Document, document_in, documents, holds_archive, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from linkfix.auditing import Auditor, Finding, Rule, Site
    from linkfix.auditing.baseline import Baseline
    from linkfix.cli.audit.fixing import Fix
    from linkfix.cli.audit.trees import Trees
    from linkfix.cli.formats.base import BaseWriter
    from linkfix.cli.options.reading import AuditOptions
    from linkfix.cli.options.settings import Settings
    from linkfix.files.revisions import Changes
    from linkfix.files.store import Shelf
    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event
    from linkfix.policy import Policy

#: How many findings of the end of a document are rendered at a time.
_SOME = 1000


@dataclass(slots=True)
class Tally:
    """The numbers of links and findings of a document.

    Attributes:
        links: how many links it has.
        suppressed: how many findings comments in it suppress.
        known: how many findings are in the baseline.
        fixed: how many findings a fix has removed.
        embedded: how many of the links are in embedded documents.
        counts: how many findings were written, by the codes of their rules.

    """

    links: int = 0
    suppressed: int = 0
    known: int = 0
    fixed: int = 0
    embedded: Counter[str] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)

    def plain(self) -> list[Any]:
        """Return it as plain data."""
        return [getattr(self, name) for name in self.__slots__]

    @classmethod
    def of(cls, plain: list[Any]) -> Tally:
        """Return the tally that `plain` returned as plain data."""
        return cls(*plain[:4], *map(Counter, plain[4:]))


@dataclass(frozen=True, slots=True)
class AuditJob:
    """What is done with the documents of a run.

    Attributes:
        options: of the command.
        rules: the rules in force.
        policy: how links are read, and what a suggestion looks like.
        settings: rules that some files ignore.
        baseline: known findings, which are neither written nor fixed.
        form: renders and writes the findings.
        whole: the folders of which all documents are read.
        roots: the folders that are audited, in order.
        changes: what differs from a revision; None where all documents are audited.

    """

    options: AuditOptions
    rules: list[Rule]
    policy: Policy
    settings: Settings
    baseline: Baseline
    form: BaseWriter
    whole: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    changes: Changes | None = None

    def rules_for(self, name: str, found: Found) -> list[Rule]:
        """Return the rules in force for a document of a file."""
        from linkfix.auditing.selection import matches
        from linkfix.cli.audit.changed import of_documents

        ignored = self.settings.ignored_in("audit", name)
        rules = [x for x in self.rules if not matches(x, ignored)] if ignored else self.rules
        return of_documents(rules, self.changes, found)

    @property
    def rewrites(self) -> bool:
        """Whether documents are rewritten, or what that would change is shown."""
        return self.options.fix or self.options.diff


class Again(NamedTuple):
    """A file with findings of the join.

    Attributes:
        found: the file.
        documents: the names of its documents with findings, each with the numbers of what was found.
        is_damaged: whether it could not be read to its end.

    """

    found: Found
    documents: list[tuple[str, list[int]]]
    is_damaged: bool

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.found.path

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self.found.size


class AuditWorker:
    """The work on one document.

    Args:
        job: what is done.

    """

    def __init__(self, job: AuditJob) -> None:
        self._job = job
        self._options = job.options
        self._policy = job.policy
        self._baseline = job.baseline.anew()
        self._tally = Tally()
        #: The rules for links that other documents, or the files of the site, matter for.
        self._joins = any(
            rule.compare or rule.pages or rule.needs is doubtful for rule in job.rules
        )

    def prepare(self) -> None:
        """Load what every document needs (`linkfix.jobs.pool.run`)."""
        from linkfix.auditing import Auditor, catalogue
        from linkfix.links.stream import SAMPLES
        from linkfix.policy import Source
        from linkfix.verifying import load

        if self._options.fix and self._options.verify:
            load()
        catalogue.load(self._job.rules)
        for type, sample in SAMPLES.items():
            auditor = Auditor(self._policy, rules=self._job.rules, source=Source(type=type))
            auditor.feed(sample)
            auditor.close()

    @cached_property
    def _trees(self) -> Trees:
        from linkfix.cli.audit.trees import Trees

        return Trees(self._options, self._policy, self._job.roots)

    @cached_property
    def _site(self) -> Site:
        """What documents share: verdicts about links."""
        from linkfix.auditing import Site

        return Site(self._job.rules)

    def __call__(self, found: Found) -> Iterator[Event]:
        """Audit a document, or those of an archive, with no other in mind; yield the events of this module."""
        path, name = found.path, self._options.document.name(found.path)
        try:
            with contained():
                if self._options.diff and not _can_be_read_again(found):
                    yield from self._document(
                        name, self._show(found, name, Wanted(self._job.rules))
                    )
                elif self._job.rewrites:
                    yield from self._surveyed(found, name)
                else:
                    for each in documents(path, self._options.document):
                        yield from self._document(each.name, self._audit(found, each))
        except LinkfixError as error:  # of a file that cannot be read
            error.file = error.file or name
            complain(error)
            yield ["done", name, Tally().plain(), to_plain(error)]

    def again(self, shelf: Shelf) -> Callable[[Again], Iterator[Event]]:
        """Return the work on files with findings of the join, which are on a shelf (`Wanted.plain`)."""

        def work(again: Again) -> Iterator[Event]:
            found = again.found
            for name, numbers in again.documents:
                rows = [shelf[number] for number in numbers]
                if self._job.rewrites:
                    wanted = Wanted.of(map(json.loads, rows), self._job.rules_for(name, found))
                    rewritten = self._fix if self._options.fix else self._show
                    yield from self._document(name, rewritten(found, name, wanted))
                else:
                    yield from self._document(name, self._completed(again, name, rows))

        return work

    def _surveyed(self, found: Found, name: str) -> Iterator[Event]:
        """Yield the facts of a file that is rewritten later, or that it cannot be."""
        try:
            with contained(), opened(found.path) as file:
                document = self._only_document(file, name)
                yield from self._audit(found, document)
        except LinkfixError as error:
            yield from self._document(name, _raise(error))

    def _document(self, name: str, work: Iterator[Event]) -> Iterator[Event]:
        """Yield the events of one document; `work` counts into a new tally."""
        self._tally, failure = Tally(), None
        yield ["document", name]
        try:
            with contained():
                yield from work
        except LinkfixError as error:
            error.file = error.file or name
            complain(error)
            failure = to_plain(error)
        yield ["done", name, self._tally.plain(), failure]

    def _audit(self, found: Found, document: Document) -> Iterator[Event]:
        """Yield the findings of a document while it is read, unless it is rewritten later, and its facts."""
        name = document.name
        facts = None
        if self._joins:
            facts = Facts(keeps_places=not (found.path == name and _can_be_read_again(found)))
        auditor = self._auditor(document, found, self._job.rules_for(name, found), facts=facts)
        try:
            for findings in salvaged(auditor, document.chunks(), auditor.end):
                if not self._job.rewrites:
                    yield from self._rendered(name, findings)
                if facts is not None and facts.are_many:
                    yield self._piece(found, name, auditor, facts)
            unsettled = iter(()) if self._job.rewrites else auditor.late_findings()
            while some := list(islice(unsettled, _SOME)):
                yield from self._rendered(name, some)
        except Exception:
            if facts is not None:
                facts.roles.clear()
                yield self._piece(found, name, auditor, facts, is_last=True)
            raise
        if facts is not None:
            yield self._piece(found, name, auditor, facts, auditor.names, is_last=True)
        self._count(auditor)

    def _piece(
        self,
        found: Found,
        name: str,
        auditor: Auditor,
        facts: Facts,
        names: Iterable[str] | None = None,
        *,
        is_last: bool = False,
    ) -> Event:
        """Return a piece of the facts of a document as an event."""
        root, path = self.place(found) if self._has_files(found, name) else ("", "")
        is_page = auditor.type in {"html", "xhtml"}
        known = sorted(names) if names is not None and root else None
        return ["facts", [name, root, path, facts.charset, is_page, is_last], known, facts.taken()]

    def _completed(self, again: Again, name: str, rows: list[bytes]) -> Iterator[Event]:
        """Yield the findings of the join about a document, in the order of its links."""
        found = again.found
        rules = self._job.rules_for(name, found)
        joining = [self._joining[rule.code] for rule in rules if rule.code in self._joining]
        for row in rows:
            wanted = Wanted.of([json.loads(row)], joining)
            ready, self._tally.suppressed = wanted.ready(rules, self._tally.suppressed)
            if wanted.is_read:
                try:
                    with contained(), opened(found.path) as file:
                        document = document_in(file, name, self._options.document)
                        wanted.only = None if "" in wanted.values else {*wanted.values}
                        auditor = self._auditor(document, found, joining, wanted=wanted)
                        for findings in salvaged(auditor, document.chunks(), auditor.end):
                            last = max((each.start for each in findings), default=0)
                            while ready and ready[0].start <= last:
                                findings.append(ready.pop(0))
                            yield from self._rendered(name, sorted(findings, key=_by_place))
                except LinkfixError:
                    if not again.is_damaged:
                        raise
                self._tally.suppressed += auditor.suppressed
            yield from self._rendered(name, ready)

    def _fix(self, found: Found, name: str, wanted: Wanted) -> Iterator[Event]:
        """Rewrite the links of a file that have suggestions; yield the findings that remain."""
        with replacing(found.path) as (source, sink):
            document = self._only_document(source, name)
            findings, auditor = self._whole(document, found, wanted)
            source.seek(0)
            fix = self._fix_of(document, findings, auditor)
            copy = Copy(sink)
            for data in document.chunks():
                copy.write(fix.rewriter.feed(data))
            copy.write(fix.rewriter.close())
            changed = {outcome.link.start for outcome in fix.changes}
            if changed and self._options.verify:
                confirm(source, copy.content(), fix.settings())
            if not changed:
                discard(sink)
        yield from self._rendered(name, findings, changed)
        self._count(auditor)

    def _show(self, found: Found, name: str, wanted: Wanted) -> Iterator[Event]:
        """Yield the diff of what `_fix` would change."""
        from linkfix.rewriting.diff import changes_of, unified_diff

        with opened(found.path) as file:
            document = self._only_document(file, name)
            source = b"".join(document.chunks())
        document = replace(document, chunks=lambda: iter((source,)))
        findings, auditor = self._whole(document, found, wanted)
        fix = self._fix_of(document, findings, auditor)
        fix.rewriter.feed(source)
        fix.rewriter.close()
        yield from self._rendered(name, findings)
        if fix.changes and b"\0" in source:
            complain(f"{name}: has NUL bytes; GNU patch applies its diff, others may not")
        changes = changes_of(fix.changes)
        yield unified_diff(source, changes, name.encode("utf-8", "surrogateescape"))
        self._count(auditor)

    def _count(self, auditor: Auditor) -> None:
        self._tally.links = auditor.links
        self._tally.suppressed += auditor.suppressed
        self._tally.embedded = auditor.embedded

    def _rendered(
        self, name: str, findings: list[Finding], changed: Container[int] = ()
    ) -> Iterator[bytes]:
        """Yield rendered findings; those about links that a fix has changed count as fixed."""
        tally, written = self._tally, []
        for finding in findings:
            if self._baseline.is_known(name, finding):
                tally.known += 1
            elif finding.suggestion is not None and finding.start in changed:
                tally.fixed += 1
            else:
                tally.counts[finding.code] += 1
                written.append(finding)
        if written and (piece := self._job.form.rendered(name, written)):
            yield piece

    def _only_document(self, source: BinaryIO, name: str) -> Document:
        if holds_archive(source, name, self._options.document.type):
            raise LinkfixError("a WARC file cannot be fixed", hint="use linkfix rewrite")
        return document_in(source, name, self._options.document)

    def _auditor(
        self,
        document: Document,
        found: Found,
        rules: list[Rule],
        *,
        facts: Facts | None = None,
        wanted: Wanted | None = None,
    ) -> Auditor:
        from linkfix.auditing import Auditor

        has_files = self._has_files(found, document.name)
        return Auditor(
            self._policy,
            rules=rules,
            site=self._site if wanted is None else wanted,
            facts=facts,
            files=wanted if has_files else None,
            location=self._trees.location(found, self._job.rules) if has_files else None,
            has_roles=has_files,
            source=document.source,
        )

    def _has_files(self, found: Found, name: str) -> bool:
        """Return whether the files of the site of a document are known: not of one in an archive, or that was named itself."""
        return found.path == name and self._trees.has_files(found, self._job.rules_for(name, found))

    @cached_property
    def _joining(self) -> dict[str, Rule]:
        """The rules that the join reports, by their codes; no document is read for its names again."""
        return {
            rule.code: replace(rule, names=False)
            for rule in self._job.rules
            if rule.compare or rule.needs is doubtful
        }

    def place(self, found: Found) -> tuple[str, str]:
        """Return the root of a document's site, "" for none, and its path there."""
        return self._trees.place(found)

    def _whole(
        self, document: Document, found: Found, wanted: Wanted
    ) -> tuple[list[Finding], Auditor]:
        """Return the findings of a whole document, and those of the join."""
        rules = self._job.rules_for(document.name, found)
        ready, self._tally.suppressed = wanted.ready(rules, self._tally.suppressed)
        auditor = self._auditor(document, found, rules, wanted=wanted)
        findings = [each for data in document.chunks() for each in auditor.feed(data)]
        return [*findings, *auditor.close(), *ready], auditor

    def _fix_of(self, document: Document, findings: list[Finding], auditor: Auditor) -> Fix:
        from linkfix.cli.audit.fixing import Fix

        name = document.name
        baseline = self._baseline.anew()  # each finding is looked up once more when it is written
        wanted = [finding for finding in findings if not baseline.is_known(name, finding)]
        return Fix(document.source, wanted, self._policy, auditor.address)


def _can_be_read_again(found: Found) -> bool:
    """Return whether the file of a document can be read twice: no stream, and no remote file that was named itself."""
    if is_remote(found.path):
        return bool(found.root)
    packed = split_packed(found.path)
    return Path(found.path if packed is None else packed[0]).is_file()


def _by_place(finding: Finding) -> int:
    return finding.start


def _raise(error: LinkfixError) -> Iterator[Event]:
    """Fail as soon as the first event is asked for."""
    raise error
    yield []
