"""The work of ``linkfix audit`` on one file, in whichever process: find, fix, or show what a fix changes.

What is found is rendered here, where the document is read. An examination yields these events, of an archive
for one document after the other:

* ``["told", values, count]`` before all others, if this process does not have all the documents of the run:
  what `Site.takes_all` asks for;
* ``["document", name]`` when a document begins;
* bytes: rendered findings, or with ``--diff`` what a fix would change;
* ``["sighting", …]``: a link that the site of the run has to judge (`linkfix.auditing.sighting`);
* ``["done", name, tally, error]`` when it has ended: see `Tally`, and `linkfix.site.failures.to_plain`, or None.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from linkfix.auditing.sighting import to_plain as sighting_to_plain
from linkfix.cli.archives import holds_archive
from linkfix.cli.documents import STANDARD_INPUT, document_in, documents, opened
from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.site.failures import contained, to_plain
from linkfix.site.files import replacing
from linkfix.site.verification import Copy, confirm
from linkfix.site.wire import Spool

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from linkfix.auditing import Auditor, Finding, Outpost, Rule, Site
    from linkfix.auditing.baseline import Baseline
    from linkfix.auditing.rule import Sighting
    from linkfix.cli.documents import Document
    from linkfix.cli.formats import Format
    from linkfix.cli.settings import Settings
    from linkfix.policy import Policy
    from linkfix.rewriting import Outcome, Rewriter
    from linkfix.site.tree import Found
    from linkfix.site.wire import Event

__all__ = ["AuditWorker", "Tally"]

#: How many of the findings that only the end of a document tells are handed on together.
_SOME = 1000
#: Files of at most so many bytes are audited again where the documents of another process ask for it.
_BRIEF = 8 * 1024 * 1024


@dataclass(slots=True)
class Tally:
    """What was found in a document, in numbers.

    Attributes:
        links: how many it has.
        suppressed: findings that comments in it suppress.
        known: findings that are in the baseline.
        fixed: findings that a fix has settled.
        counts: of the findings that were written, by the codes of their rules.

    """

    links: int = 0
    suppressed: int = 0
    known: int = 0
    fixed: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def plain(self) -> list[Any]:
        """Return it as plain data."""
        return [self.links, self.suppressed, self.known, self.fixed, dict(self.counts)]

    @classmethod
    def of(cls, plain: list[Any]) -> Tally:
        """Return the tally that `plain` made plain."""
        links, suppressed, known, fixed, counts = plain
        return cls(links, suppressed, known, fixed, Counter(counts))


class AuditWorker:
    """The work on one document.

    Args:
        options: of the command.
        policy: how links are read, and what is suggested for them.
        settings: which rules are not in force in which files.
        baseline: findings that are neither written nor fixed.
        form: renders findings.
        site: the documents of the run, where this process has them all; None where others have some.

    """

    def __init__(
        self,
        options: dict[str, Any],
        policy: Policy,
        settings: Settings,
        baseline: Baseline,
        form: Format,
        site: Site | None = None,
    ) -> None:
        self._options = options
        self._policy = policy
        self._settings = settings
        self._baseline = baseline.anew()
        self._form = form
        self._site = site

    def prepare(self) -> None:
        """See `linkfix.site.jobs.Prepared`: the first audit makes the patterns that all others use too."""
        from linkfix.auditing import Auditor
        from linkfix.verifying import load

        if self._options["fix"] and self._options["verify"]:
            load()
        auditor = Auditor(self._policy, rules=self._rules, type="html")
        auditor.feed(b"<meta charset=utf-8><a href=x>")
        auditor.close()

    @cached_property
    def _rules(self) -> list[Rule]:
        from linkfix.auditing import select

        return select(self._options["select"], self._options["ignore"])

    @cached_property
    def _outpost(self) -> Outpost:
        from linkfix.auditing import Outpost

        return Outpost(self._rules)

    def __call__(self, found: Found) -> Iterator[Event]:
        """Do the work for a document, or those of an archive; yield the events of this module."""
        if self._site is not None:
            yield from self._examined(found)
            return
        can_be_repeated = 0 < found.size <= _BRIEF
        changes = self._options["fix"] or self._options["diff"]
        self._outpost.shows_all = changes or not can_be_repeated
        if self._outpost.shows_all:
            yield from self._examined(found)
            return
        spool, sightings = Spool(), 0
        for event in self._examined(found):
            sightings += isinstance(event, list) and event[0] == "sighting"
            spool.add(event)
        yield ["told", self._outpost.told(), sightings]
        yield from spool.events()

    def _examined(self, found: Found) -> Iterator[Event]:
        path, name = found.path, STANDARD_INPUT if found.path == "-" else found.path
        try:
            with contained():
                if self._options["fix"]:
                    yield from self._document(name, self._fix(path))
                elif self._options["diff"]:
                    yield from self._document(name, self._show(path))
                else:
                    for each in documents(path, self._options):
                        yield from self._document(each.name, self._audit(each))
        except LinkfixError as error:  # of a file that cannot be read
            error.file = error.file or name
            complain(error)
            yield ["done", name, Tally().plain(), to_plain(error)]

    def _document(self, name: str, work: Iterator[Event]) -> Iterator[Event]:
        """Yield the events of one document; `work` counts in a new tally."""
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
        sightings: list[tuple[int, Sighting]] = []
        auditor = self._auditor(document, sightings)
        for data in document.chunks():
            yield from self._sifted(name, auditor.feed(data), sightings)
        yield from self._sifted(name, auditor.end(), sightings)
        unsettled = auditor.unsettled()
        while some := list(islice(unsettled, _SOME)):
            yield from self._sifted(name, some, sightings)
        self._count(auditor)

    def _fix(self, path: str) -> Iterator[Event]:
        """Rewrite the links of a file that have suggestions; yield what is found then."""
        with replacing(path) as (source, sink):
            document = self._only_document(source, path)
            findings, sightings, auditor = self._whole(document)
            source.seek(0)
            changed: set[int] = set()

            def note(outcome: Outcome) -> None:
                if outcome.new is not None:
                    changed.add(outcome.link.start)
                _explain(path, outcome)

            rewriter = self._rewriter(document, findings, note)
            copy = Copy(sink)
            for data in document.chunks():
                copy.write(rewriter.feed(data))
            copy.write(rewriter.close())
            if changed and self._options["verify"]:
                confirm(source, copy.content(), policy=self._policy, **document.reading)
            if not changed:
                sink.seek(0)
                sink.truncate()
        yield from self._sifted(path, findings, sightings, changed)
        self._count(auditor)

    def _show(self, path: str) -> Iterator[Event]:
        """Yield what `_fix` would change."""
        from linkfix.rewriting.diff import Change, unified_diff

        name = STANDARD_INPUT if path == "-" else path
        with opened(path) as file:
            document = self._only_document(file, name)
            source = b"".join(document.chunks())
        document = replace(document, chunks=lambda: iter((source,)))
        findings, sightings, auditor = self._whole(document)
        changes: list[Change] = []

        def note(outcome: Outcome) -> None:
            if outcome.new is not None:
                changes.append(Change(outcome.link.start, outcome.link.end, outcome.new))
            _explain(name, outcome)

        rewriter = self._rewriter(document, findings, note)
        rewriter.feed(source)
        rewriter.close()
        yield from self._sifted(name, findings, sightings)
        if changes and b"\0" in source:
            complain(f"{name}: has NUL bytes; GNU patch applies its diff, others may not")
        yield unified_diff(source, changes, name.encode("utf-8", "surrogateescape"))
        self._count(auditor)

    def _count(self, auditor: Auditor) -> None:
        self._tally.links, self._tally.suppressed = auditor.links, auditor.suppressed

    def _sifted(
        self,
        name: str,
        findings: list[Finding],
        sightings: list[tuple[int, Sighting]],
        changed: Container[int] = (),
    ) -> Iterator[Event]:
        """Yield rendered findings, and the links that the site of the run is to judge, in order.

        Args:
            name: of the document.
            findings: of a part of it.
            sightings: the links, each with the number of findings before it; emptied.
            changed: byte offsets of links that a fix has changed: findings about them that have a
                suggestion are settled.

        """
        position = 0
        for number, sighting in sightings:
            yield from self._rendered(name, findings[position:number], changed)
            position = number
            yield ["sighting", *sighting_to_plain(sighting)]
        sightings.clear()
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
        if written and (piece := self._form.rendered(name, written)):
            yield piece

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
            on_sighting=None if self._site else lambda n, each: sightings.append((n, each)),
            **document.reading,
        )

    def _whole(
        self, document: Document
    ) -> tuple[list[Finding], list[tuple[int, Sighting]], Auditor]:
        """Return what is found in a whole document, as `_sifted` takes it."""
        findings: list[Finding] = []
        sightings: list[tuple[int, Sighting]] = []
        now: list[tuple[int, Sighting]] = []
        auditor = self._auditor(document, now)

        def add(found: Iterable[Finding]) -> None:
            sightings.extend((len(findings) + n, sighting) for n, sighting in now)
            now.clear()
            findings.extend(found)

        for data in document.chunks():
            add(auditor.feed(data))
        add(auditor.close())
        return findings, sightings, auditor

    def _rewriter(
        self, document: Document, findings: list[Finding], note: Callable[[Outcome], None]
    ) -> Rewriter:
        from linkfix.rewriting import Rewriter

        baseline = self._baseline.anew()  # the findings are met once more when they are written
        wanted = {
            finding.start
            for finding in findings
            if not baseline.is_known(document.name, finding) and finding.suggestion is not None
        }
        return Rewriter(
            policy=self._policy,
            only=lambda link: link.start in wanted,
            on_outcome=note,
            **document.reading,
        )


def _explain(name: str, outcome: Outcome) -> None:
    """Say why a link with a suggestion stays as it was."""
    if outcome.kept:
        link = outcome.link
        complain(f"{name}:{link.line}:{link.column}: the link is left: {outcome.kept}")
