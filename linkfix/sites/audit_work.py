"""The work of an audit on one file: report, fix, or show a fix as a diff.

Input: a file. Output: events of bytes and plain data, which processes exchange. A document is read with no other in mind
(`AuditWorker.__call__`), and once more if the join over all documents has found something in it (`AuditWorker.second`). Where
documents are rewritten, the first reading yields their facts, and the second one all else. An archive yields the events of each
of its documents in order:

* ``["document", name]`` when a document begins;
* ``["findings", …]``, some findings as plain data; or what `AuditSettings.render` makes of them: bytes;
* bytes, where documents are rewritten: a diff;
* ``["facts", origin, names, piece]``: a piece of its facts (`linkfix.auditing.finding`) as JSON, where they are from but for the
  number of the file (`linkfix.facts.join.Origin`), and with the last piece the targets of fragments, None where nobody asks for them;
* ``["problem", error]``: what costs no document, as plain data;
* ``["cached", …]``: what a cache keeps of the document (`linkfix.files.cache.kept`);
* ``["done", name, tally, error]`` when a document ends: a `Tally` as plain data, and
  `linkfix.jobs.failures.to_plain` of the error, or None.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from linkfix.auditing import Auditor, Finding, Rule, Site
from linkfix.auditing.catalogue import load
from linkfix.auditing.finding import Facts, Suspects, finding_to_plain
from linkfix.auditing.site import Table
from linkfix.errors import LinkfixError
from linkfix.facts.join import Wanted
from linkfix.files.access import check_replaceable, parted, replacing
from linkfix.files.local import discard
from linkfix.files.paths import is_remote, split_packed
from linkfix.files.store import StoredTexts
from linkfix.files.tree import Found
from linkfix.files.verification import Copy, confirm
from linkfix.jobs.failures import contained, salvaged, to_plain
from linkfix.jobs.wire import Event, Frame, plain
from linkfix.policy import Source
from linkfix.sites.audit_job import AuditJob, Tally
from linkfix.sites.documents import Document, document_in, documents, holds_archive, opened

if TYPE_CHECKING:
    from linkfix.rewriting import Outcome, Rewriter
    from linkfix.verifying import Settings

#: How many findings of the end of a document are yielded at a time.
_SOME = 1000


class AuditWorker:
    """The work on one document.

    Args:
        job: what is done.

    Attributes:
        rewrites: whether documents are rewritten.
        signed: what is done with signed documents.

    """

    def __init__(self, job: AuditJob) -> None:
        self._job, self._settings = job, job.settings
        self._baseline = job.settings.baseline.anew()
        self._tally = Tally()
        #: What documents share: verdicts about links.
        self._site = Site(job.rules)
        self.rewrites: bool = job.settings.mode != "report"
        joining = [x for x in job.rules if x.compare or x.pages or x.file]
        self._has_facts = bool(joining)
        self.signed: bool = job.settings.policy.xml.signed
        #: By the root of a site.
        self._suspects: dict[str, Suspects] = {}
        self._key = b""
        if job.settings.cache is not None:
            from linkfix.files.cache import settings_key

            settings = job.settings
            codes = [(rule.code, rule.severity) for rule in job.rules]
            what = settings.policy, settings.sources, settings.serving, settings.fix_temporary
            others = settings.form, codes, settings.baseline.known(), [*job._numbers]
            self._key = settings_key(repr((what, others)))

    def prepare(self) -> None:
        """Load what every document needs (`linkfix.jobs.pool.run`)."""
        from linkfix.links.stream import SAMPLES
        from linkfix.verifying import load as load_readers

        if self._settings.mode == "fix" and self._settings.verify:
            load_readers()
        rules = load(self._job.rules)  # the user's are not asked: these are no documents of theirs
        for type, sample in SAMPLES.items():
            source = Source(type=type)
            auditor = Auditor(self._settings.policy, rules=rules, source=source)
            auditor.feed(sample)
            auditor.close()

    def __call__(self, found: Found) -> Iterator[Event]:
        """Audit a document, or those of an archive, with no other in mind; yield the events of this module."""
        return self.kept(found, self._first(found))

    def recall(self, found: Found) -> list[Frame] | None:
        """Return what the cache has of the first reading of a document (`linkfix.jobs.pool.run`)."""
        return self.recalled(found)

    def is_left(self, found: Found) -> bool:
        """Return whether a document that is rewritten is left to the second reading: no diff of what can be read once."""
        return self._settings.mode != "diff" or _can_be_read_again(found)

    def _first(self, found: Found) -> Iterator[Event]:
        sources = self._settings.sources
        name = sources.name(found.path)
        try:
            with contained():
                if not self.is_left(found):
                    wanted = Wanted(self._job.rules)
                    yield from self._document(name, self._rewritten(found, name, wanted))
                elif self.rewrites:
                    if self._settings.mode == "fix":
                        check_replaceable(found.path)
                    with opened(found.path) as file:
                        yield from self._audit(found, self._only_document(file, name, found))
                else:
                    for each in documents(found.path, self._job.sources(found)):
                        yield from self._document(each.name, self._audit(found, each))
        except LinkfixError as error:  # of a file that cannot be read
            yield ["done", name, Tally().plain(), to_plain(error)]

    def second(
        self, found: Found, rows: Sequence[tuple[str, list[bytes]]], *, is_damaged: bool
    ) -> Iterator[Event]:
        """Yield the events of the second reading of a file; `rows` are what the join has found, by the names of its documents."""
        for name, some in rows:
            if self.rewrites:
                wanted = Wanted.of(map(json.loads, some), self._job.rules_for(name, found))
                work = self._rewritten(found, name, wanted)
            else:
                work = self._completed(found, name, some, is_damaged=is_damaged)
            yield from self._document(name, work)

    def recalled(self, found: Found, rows: Sequence[bytes] = ()) -> list[Frame] | None:
        """Return what the cache has of a document; `rows` are what the join has found in it, where it is read again."""
        if self._settings.cache is None:
            return None
        from linkfix.files.cache import recalled

        return recalled(self._settings.cache, found.path, found.size, *self._key_of(found, rows))

    def kept(
        self, found: Found, work: Iterator[Event], rows: Sequence[bytes] = ()
    ) -> Iterator[Event]:
        """Return the events of the work, with one for the cache; `rows` as for `recalled`."""
        if self._settings.cache is None:
            return work
        from linkfix.files.cache import kept

        return kept(found.path, found.size, *self._key_of(found, rows), work)

    def _key_of(self, found: Found, rows: Sequence[bytes]) -> tuple[bytes, bytes]:
        """Return the key of what the events of a document depend on besides its octets, and the digest of what was found in it."""
        import hashlib

        from linkfix.files.cache import settings_key

        about = hashlib.sha256(b"".join(rows)).digest() if rows else b""
        codes = tuple([rule.code for rule in self._job.rules_for(found.path, found)])
        charset = self._job.sources(found).charset
        return settings_key(self._key, codes, bool(about), charset or ""), about

    def _document(self, name: str, work: Iterator[Event]) -> Iterator[Event]:
        """Yield the events of one document; `work` counts into a new tally."""
        self._tally, failure = Tally(), None
        yield ["document", name]
        try:
            with contained():
                yield from work
        except LinkfixError as error:
            failure = to_plain(error)
        yield ["done", name, self._tally.plain(), failure]

    def _audit(self, found: Found, document: Document) -> Iterator[Event]:
        """Yield the findings of a document while it is read, unless it is rewritten later, and its facts."""
        name, facts = document.name, None
        is_part = name in self._settings.sources.parts
        rules = self._job.rules_for(name, found)
        if self._has_facts:
            is_read_again = found.path == name and _can_be_read_again(found)
            suspects = self._suspects_of(name, found, rules) if not self.rewrites else None
            facts = Facts(keeps_places=not is_read_again, suspects=suspects)
        auditor, site = self._auditor(document, found, rules, facts=facts)

        def piece(names: Iterable[str] | None = None, *, is_last: bool = False) -> Iterator[Event]:
            if facts is not None:
                is_page = auditor.type in {"html", "xhtml"} and not is_part
                origin = [name, *(site or ("", "")), facts.charset, is_page, is_last]
                known = sorted(names) if names is not None and site else None
                yield [
                    "facts",
                    origin,
                    known,
                    plain(facts.taken()).decode("utf-8", "surrogatepass"),
                ]

        try:
            for findings in salvaged(auditor, document.chunks(), auditor.end):
                if not self.rewrites:
                    yield from self._reported(name, findings)
                if facts is not None and facts.are_many:
                    yield from piece()
            late = iter(()) if self.rewrites else auditor.late_findings()
            while some := list(islice(late, _SOME)):
                yield from self._reported(name, some)
        except Exception:
            if facts is not None:
                facts.roles.clear()
            yield from piece(is_last=True)
            raise
        yield from piece(auditor.names, is_last=True)
        self._count(auditor)

    def _suspects_of(self, name: str, found: Found, rules: list[Rule]) -> Suspects | None:
        """Return the ordinary links of a site to files that are missing; None where files do not matter."""
        site = self._job.site_of(name, found, rules)
        if site is None or is_remote(site[0]):
            return None
        root = site[0]
        if root not in self._suspects:
            self._suspects[root] = Suspects(self._job.files(root).is_missing)
        return self._suspects[root]

    def _completed(
        self, found: Found, name: str, rows: list[bytes], *, is_damaged: bool
    ) -> Iterator[Event]:
        """Yield the findings of the join about a document, in the order of its links, each part by a reading of its own."""
        rules = self._job.rules_for(name, found)
        joining = [self._job.joins[rule.code] for rule in rules if rule.code in self._job.joins]
        told = Table(StoredTexts)
        known = contextlib.suppress(
            *[LinkfixError] * is_damaged
        )  # the first reading has reported it
        for row in rows:
            wanted = Wanted.of([json.loads(row)], joining)
            wanted.told, wanted.is_part = told, len(rows) > 1
            ready, self._tally.suppressed = wanted.ready(rules, self._tally.suppressed)
            if wanted.is_read:
                with known, contained(), opened(found.path) as file:
                    document = document_in(file, name, self._job.sources(found))
                    wanted.only = None if "" in wanted.values else {*wanted.values}
                    auditor, _ = self._auditor(
                        document, found, rules, wanted=wanted, joining=joining
                    )
                    try:
                        for findings in salvaged(auditor, document.chunks(), auditor.end):
                            findings = [*filter(wanted.has_not, findings)]
                            last = max((each.start for each in findings), default=0)
                            while ready and ready[0].start <= last:
                                findings.append(ready.pop(0))
                            in_order = sorted(findings, key=attrgetter("start"))
                            yield from self._reported(name, in_order)
                    finally:
                        self._tally.suppressed += auditor.suppressed
            with known, contained():
                yield from self._reported(name, ready)

    def _rewritten(self, found: Found, name: str, wanted: Wanted) -> Iterator[Event]:
        """Rewrite the links of a file that have suggestions, or yield the diff; yield the findings that remain."""
        rules, changed = self._job.rules_for(name, found), set[int]()
        with contextlib.ExitStack() as stack:
            sink = None
            if self._settings.mode == "fix":
                source, sink = stack.enter_context(replacing(found.path, within=found.root))
            else:
                source = stack.enter_context(opened(found.path))
            document, old = self._only_document(source, name, found), b""
            if sink is None:
                old = b"".join(document.chunks())
                document = document._replace(chunks=lambda: iter((old,)))
            ready, self._tally.suppressed = wanted.ready(rules, self._tally.suppressed)
            auditor, _ = self._auditor(document, found, rules, wanted=wanted)
            findings = [each for data in document.chunks() for each in auditor.feed(data)]
            findings = [*filter(wanted.has_not, findings + auditor.end()), *ready]
            findings = [*sorted(findings, key=attrgetter("start")), *auditor.late_findings()]
            fix = self._fix(document.source, findings, auditor.address)
            if sink is None:
                fix.rewriter.feed(old)
                fix.rewriter.close()
            else:
                source.seek(0)
                copy = Copy(sink, source)
                for data in document.chunks():
                    copy.write(fix.rewriter.feed(data))
                copy.write(fix.rewriter.close())
                changed = {outcome.link.start for outcome in fix.changes}
                if changed and self._settings.verify:
                    confirm(source, copy, fix.settings)
                if not changed:
                    discard(sink)
                elif (problem := parted(source, name)) is not None:
                    fix.problems.append(problem)
        yield from (["problem", to_plain(problem)] for problem in fix.problems)
        yield from self._reported(name, findings, changed)
        if sink is None:
            from linkfix.rewriting.diff import changes_of, unified_diff

            if fix.changes and b"\0" in old:
                text = "has NUL bytes; GNU patch applies its diff, others may not"
                yield ["problem", to_plain(LinkfixError(text, file=name))]
            shown = name.encode("utf-8", "surrogateescape")
            if diff := unified_diff(old, changes_of(fix.changes), shown):
                yield diff
        self._count(auditor)

    def _fix(self, source: Source, findings: list[Finding], address: str) -> _Fix:
        """Return the changes to a document; a link with a new target changes by its target, every other link by its spelling."""
        from linkfix.rewriting import Rewriter
        from linkfix.verifying import Settings

        known = self._baseline.anew()  # each finding is looked up once more when it is reported
        some = [each for each in findings if not known.is_known(source.name, each)]
        part = self._settings.sources.parts.get(source.name)
        if part is not None and part.places[1:]:  # a relative link has several targets
            some = [each for each in some if each.mapped is None]
        wanted = {finding.start for finding in some if finding.suggestion is not None}
        moved = {finding.start for finding in some if finding.mapped is not None}
        targets = dict(finding.mapped for finding in some if finding.mapped is not None)
        policy, moved_to, left = self._settings.policy.again, None, set[int]()
        if targets:
            policy, moved_to = replace(policy, target=targets.get), address
            source = replace(source, base=address)

        def wants(outcome: Outcome) -> bool:
            start = outcome.link.start
            return start in wanted and (outcome.target is None or start in moved)

        def record(outcome: Outcome) -> None:
            link = outcome.link
            if outcome.new is not None:
                fix.changes.append(outcome)
                return
            if outcome.target is not None:
                left.add(link.start)
            if outcome.kept and link.start in wanted:
                text = f"the link is left: {outcome.kept}"
                error = LinkfixError(text, file=source.name, line=link.line, column=link.column)
                fix.problems.append(error)

        rewriter = Rewriter(
            policy=policy, source=source, moved_to=moved_to, wants=wants, on_outcome=record
        )
        settings = Settings(policy=policy, source=source, moved_to=moved_to, left=left)
        fix = _Fix(rewriter, settings, [], [])
        return fix

    def _count(self, auditor: Auditor) -> None:
        self._tally.links = auditor.links
        self._tally.suppressed += auditor.suppressed
        self._tally.embedded = auditor.embedded

    def _reported(
        self, name: str, findings: list[Finding], changed: Container[int] = ()
    ) -> Iterator[Event]:
        """Yield findings that are not known; those about links that a fix has changed count as fixed."""
        tally, reported = self._tally, []
        for finding in findings:
            if self._baseline.is_known(name, finding):
                tally.known += 1
            elif finding.suggestion is not None and finding.start in changed:
                tally.fixed += 1
            else:
                tally.counts[finding.code] += 1
                reported.append(finding)
        if reported and self._settings.render is None:
            yield ["findings", *map(finding_to_plain, reported)]
        elif reported and self._settings.render and (data := self._settings.render(name, reported)):
            yield data

    def _only_document(self, source: BinaryIO, name: str, found: Found) -> Document:
        if holds_archive(source, name, self._settings.sources.type):
            raise LinkfixError("a WARC file cannot be fixed", hint="use linkfix rewrite")
        return document_in(source, name, self._job.sources(found))

    def _auditor(
        self,
        document: Document,
        found: Found,
        rules: list[Rule],
        *,
        facts: Facts | None = None,
        wanted: Wanted | None = None,
        joining: list[Rule] | None = None,
    ) -> tuple[Auditor, tuple[str, str] | None]:
        """Return an auditor of a document, and its `AuditJob.site_of`.

        Args:
            document: what is audited.
            found: its file.
            rules: those in force for it.
            facts: takes its facts; None for none.
            wanted: what the join has found of it; None if the join has not begun.
            joining: the rules that are checked, if not all in force.

        """
        site = self._job.site_of(document.name, found, rules)
        location = None
        if site is not None and self._settings.sources.base is None:
            path = self._settings.sources.located(document.name, site[1]) or ""
            location = self._job.address(site[0]).document(path)
        policy, is_second = self._settings.policy, wanted is not None and self.is_left(found)
        auditor = Auditor(
            policy.again if is_second else policy,
            rules=rules if joining is None else joining,
            site=self._site if wanted is None else wanted,
            facts=facts,
            files=wanted if site else None,
            location=location,
            has_roles=site is not None,
            source=document.source,
        )
        return auditor, site


class _Fix(NamedTuple):
    """The changes to one document.

    Attributes:
        rewriter: reads the document, and returns the new one.
        settings: how the old document and the new one are compared, once it is rewritten.
        changes: the links that were changed so far.
        problems: why links with suggestions stay as they were.

    """

    rewriter: Rewriter
    settings: Settings
    changes: list[Outcome]
    problems: list[LinkfixError]


def _can_be_read_again(found: Found) -> bool:
    """Return whether the file of a document can be read twice: no stream, and no remote file that was named itself."""
    path = found.path
    if is_remote(path):
        return bool(found.root)
    packed = split_packed(path)
    return Path(path if packed is None else packed[0]).is_file()
