"""The work of ``linkfix audit`` on one file: report, fix, or show a fix as a diff.

Input: a file. Output: events. Findings are rendered here, in the process that reads the document, so that
processes exchange bytes and plain data. An archive yields the events of each of its documents in order:

* ``["ordinary", values]`` first, if other processes audit documents of the run too: the argument of
  `Site.accepts_all`;
* ``["document", name]`` when a document begins;
* bytes: rendered findings, or with ``--diff`` the diff;
* ``["occurrence", …]``: a link that the site of the run has to judge (`linkfix.auditing.occurrence`);
* ``["page", root, path, home, mentions, linked, is_page]`` at its end, in folders only: the root of its site, its path
  there, the path of the page for the root, and the other arguments of `Pages.add`;
* ``["done", name, tally, error]`` when a document ends: a `Tally` as plain data, and
  `linkfix.jobs.failures.to_plain` of the error, or None.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from linkfix.auditing.occurrence import to_plain as occurrence_to_plain
from linkfix.cli.archives import holds_archive
from linkfix.cli.documents import Document, document_in, documents, name_of, opened
from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.files.access import replacing
from linkfix.files.codecs import discard
from linkfix.files.paths import is_remote
from linkfix.files.store import Store
from linkfix.files.verification import Copy, confirm
from linkfix.jobs.failures import contained, salvaged, to_plain
from linkfix.jobs.wire import Event, Spool

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from linkfix.auditing import Auditor, Finding, Rule, Site, WorkerSite
    from linkfix.auditing.baseline import Baseline
    from linkfix.auditing.occurrence import Occurrence
    from linkfix.auditing.rule import Files
    from linkfix.cli.audit.fixing import Fix
    from linkfix.cli.audit.trees import Trees
    from linkfix.cli.formats.base import BaseWriter
    from linkfix.cli.options.audit import AuditOptions
    from linkfix.cli.options.settings import Settings
    from linkfix.files.revisions import Changes
    from linkfix.files.tree import Found
    from linkfix.policy import Policy

#: How many findings of the end of a document are rendered at a time.
_SOME = 1000
#: The largest file in bytes that is audited again because of another process's documents.
_BRIEF = 8 * 1024 * 1024


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

    def rules_for(self, name: str) -> list[Rule]:
        """Return the rules in force for a document."""
        from linkfix.auditing.selection import matches

        ignored = self.settings.ignored_in("audit", name)
        return [x for x in self.rules if not matches(x, ignored)] if ignored else self.rules


class AuditWorker:
    """The work on one document.

    Args:
        job: what is done.
        site: the site of the run, if this process audits all documents; else None.

    """

    def __init__(self, job: AuditJob, site: Site | None = None) -> None:
        self._job = job
        self._options = job.options
        self._policy = job.policy
        self._baseline = job.baseline.anew()
        self._site = site
        #: The file that is audited now.
        self._found: Found | None = None

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
    def _worker_site(self) -> WorkerSite:
        from linkfix.auditing import WorkerSite

        return WorkerSite(self._job.rules, Store().table)

    def __call__(self, found: Found) -> Iterator[Event]:
        """Audit a document, or those of an archive; yield the events of this module."""
        if self._site is not None:
            yield from self._examined(found)
            return
        self._worker_site.shows_all = self._shows_all(found)
        if self._worker_site.shows_all:
            yield from self._examined(found)
            return
        spool = Spool()
        for event in self._examined(found):
            spool.add(event)
        yield ["ordinary", self._worker_site.collect()]
        yield from spool.events()

    def _shows_all(self, found: Found) -> bool:
        """Return whether each link goes to the site of the run, as the file cannot be audited again for it."""
        is_again = 0 < found.size <= _BRIEF and not is_remote(found.path)
        return self._options.fix or self._options.diff or not is_again

    def _examined(self, found: Found) -> Iterator[Event]:
        path, name = found.path, name_of(found.path, self._options.document)
        self._found = found
        try:
            with contained():
                if self._options.fix:
                    yield from self._document(name, self._fix(path))
                elif self._options.diff:
                    yield from self._document(name, self._show(path))
                else:
                    for each in documents(path, self._options.document):
                        yield from self._document(each.name, self._audit(each))
        except LinkfixError as error:  # of a file that cannot be read
            error.file = error.file or name
            complain(error)
            yield ["done", name, Tally().plain(), to_plain(error)]

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

    def _audit(self, document: Document) -> Iterator[Event]:
        """Yield the findings of a document while it is read."""
        name = document.name
        occurrences: list[tuple[int, Occurrence]] = []
        auditor = self._auditor(document, occurrences)
        for findings in salvaged(auditor, document.chunks(), auditor.end):
            yield from self._sifted(name, findings, occurrences)
        found = self._in_folder(name)
        if auditor.names is not None and found is not None:
            self._add_names(found, auditor.names)
        unsettled = auditor.late_findings()
        while some := list(islice(unsettled, _SOME)):
            yield from self._sifted(name, some, occurrences)
        yield from self._page(name, auditor)
        self._count(auditor)

    def _add_names(self, found: Found, names: Iterable[str]) -> None:
        """Keep the targets of fragments in a document, which other documents may link to."""
        self._trees.add_names(found, names)

    def _page(self, name: str, auditor: Auditor) -> Iterator[Event]:
        """Yield what a document of a folder says of the pages of its site."""
        found = self._in_folder(name)
        linked = None if found is None else self._trees.newly_linked(found)
        if found is not None and linked is not None:
            mentions = [list(mention) for mention in auditor.mentions]
            root, path = self._trees.place(found)
            is_page = auditor.type in {"html", "xhtml"}
            yield ["page", root, path, self._trees.home(root), mentions, linked, is_page]

    def _fix(self, path: str) -> Iterator[Event]:
        """Rewrite the links of a file that have suggestions; yield the findings that remain."""
        with replacing(path) as (source, sink):
            document = self._only_document(source, path)
            findings, occurrences, auditor = self._whole(document)
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
        yield from self._sifted(path, findings, occurrences, changed)
        yield from self._page(path, auditor)
        self._count(auditor)

    def _show(self, path: str) -> Iterator[Event]:
        """Yield the diff of what `_fix` would change."""
        from linkfix.rewriting.diff import changes_of, unified_diff

        name = name_of(path, self._options.document)
        with opened(path) as file:
            document = self._only_document(file, name)
            source = b"".join(document.chunks())
        document = replace(document, chunks=lambda: iter((source,)))
        findings, occurrences, auditor = self._whole(document)
        fix = self._fix_of(document, findings, auditor)
        fix.rewriter.feed(source)
        fix.rewriter.close()
        yield from self._sifted(name, findings, occurrences)
        if fix.changes and b"\0" in source:
            complain(f"{name}: has NUL bytes; GNU patch applies its diff, others may not")
        changes = changes_of(fix.changes)
        yield unified_diff(source, changes, name.encode("utf-8", "surrogateescape"))
        self._count(auditor)

    def _count(self, auditor: Auditor) -> None:
        self._tally.links, self._tally.suppressed = auditor.links, auditor.suppressed
        self._tally.embedded = auditor.embedded

    def _sifted(
        self,
        name: str,
        findings: list[Finding],
        occurrences: list[tuple[int, Occurrence]],
        changed: Container[int] = (),
    ) -> Iterator[Event]:
        """Yield rendered findings, and the links that the site of the run has to judge, in order.

        Args:
            name: of the document.
            findings: of a part of it.
            occurrences: the links, each with the number of findings before it; the list is emptied.
            changed: byte offsets of links that a fix has changed; their findings with a suggestion count as fixed.

        """
        position = 0
        for number, occurrence in occurrences:
            yield from self._rendered(name, findings[position:number], changed)
            position = number
            yield ["occurrence", *occurrence_to_plain(occurrence)]
        occurrences.clear()
        yield from self._rendered(name, findings[position:], changed)

    def _rendered(
        self, name: str, findings: list[Finding], changed: Container[int]
    ) -> Iterator[bytes]:
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

    def _auditor(self, document: Document, occurrences: list[tuple[int, Occurrence]]) -> Auditor:
        from linkfix.auditing import Auditor

        rules = self._rules_for(document.name)
        files: Files | None = None
        location, path = None, ""
        found = self._in_folder(document.name)
        if found is not None:
            files, location, path = self._files_of(found, rules)
        return Auditor(
            self._policy,
            rules=rules,
            site=self._site_of(document.name),
            on_occurrence=None if self._site else lambda n, each: occurrences.append((n, each)),
            files=files,
            location=location,
            path=path,
            source=document.source,
        )

    def _rules_for(self, name: str) -> list[Rule]:
        """Return the rules that a document is audited with."""
        return self._job.rules_for(name)

    def _site_of(self, name: str) -> Site | WorkerSite:
        """Return the site that a document is compared in."""
        del name
        return self._worker_site if self._site is None else self._site

    def _files_of(
        self, found: Found, rules: Sequence[Rule]
    ) -> tuple[Files | None, str | None, str]:
        """Return the files of a document's site, and its place there, as URI and as path (`Trees.of`)."""
        return self._trees.of(found, rules)

    def place(self, found: Found) -> tuple[str, str]:
        """Return the root of a document's site, "" for none, and its path there."""
        return self._trees.place(found)

    def _in_folder(self, name: str) -> Found | None:
        """Return the file of a document in a folder of the run; None for one of an archive, or without a folder."""
        found = self._found
        if found is None or found.path != name:
            return None
        return found if found.root or self._options.document.root else None

    def _whole(
        self, document: Document
    ) -> tuple[list[Finding], list[tuple[int, Occurrence]], Auditor]:
        """Return the findings and occurrences of a whole document, in the form of `_sifted`."""
        findings: list[Finding] = []
        occurrences: list[tuple[int, Occurrence]] = []
        now: list[tuple[int, Occurrence]] = []
        auditor = self._auditor(document, now)

        def add(found: Iterable[Finding]) -> None:
            occurrences.extend((len(findings) + n, occurrence) for n, occurrence in now)
            now.clear()
            findings.extend(found)

        for data in document.chunks():
            add(auditor.feed(data))
        add(auditor.close())
        return findings, occurrences, auditor

    def _fix_of(self, document: Document, findings: list[Finding], auditor: Auditor) -> Fix:
        from linkfix.cli.audit.fixing import Fix

        name = document.name
        baseline = self._baseline.anew()  # each finding is looked up once more when it is written
        wanted = [finding for finding in findings if not baseline.is_known(name, finding)]
        return Fix(document.source, wanted, self._policy, auditor.address)
