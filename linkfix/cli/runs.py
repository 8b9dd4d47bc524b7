"""A run of ``linkfix audit`` over its documents: report, fix or show a difference."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from linkfix.cli.archives import holds_archive
from linkfix.cli.documents import STANDARD_INPUT, document_in, each, each_document, opened
from linkfix.cli.formats import Summary
from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.site.files import replacing

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from linkfix.auditing import Auditor, Finding, Rule, Severity, Site
    from linkfix.auditing.baseline import Baseline
    from linkfix.cli.documents import Document
    from linkfix.cli.formats import Format
    from linkfix.cli.settings import Settings
    from linkfix.policy import Policy
    from linkfix.rewriting import Outcome, Rewriter

__all__ = ["Run"]


class Run:
    """Work on one document after the other, and keep count.

    Args:
        policy: how links are read, and what is suggested for them.
        rules: the rules in force.
        settings: which rules are not in force in which files.
        options: what the command line says about the documents.
        baseline: findings that are left out.
        failing: the least severity that makes the run fail; None for none.
        writer: of the findings.

    """

    def __init__(
        self,
        policy: Policy,
        rules: list[Rule],
        settings: Settings,
        options: dict[str, Any],
        baseline: Baseline,
        failing: Severity | None,
        writer: Format,
    ) -> None:
        from linkfix.auditing import Site

        self.summary = Summary()
        self.failed = False
        self.format = writer
        self._policy = policy
        self._rules = rules
        self._site: Site = Site(rules)
        self._settings = settings
        self._options = options
        self._baseline = baseline
        self._failing = failing

    def over(self, paths: tuple[str, ...], work: Callable[[str], int | None]) -> int:
        """Do the work for every path; give the exit status without regard to findings."""
        started = time.monotonic()
        self.format.begin()

        def guarded(path: str) -> int | None:
            try:
                return work(path)
            except LinkfixError as error:
                self._failed(STANDARD_INPUT if path == "-" else path, error)
                raise

        status = each(paths, guarded)
        self.summary.seconds = time.monotonic() - started
        self.format.end(self.summary)
        return status

    def _failed(self, name: str, error: LinkfixError) -> None:
        self.summary.failed += 1
        error.file = error.file or name
        self.format.done(name, error)

    def _done(self, name: str) -> None:
        self.summary.documents += 1
        self.format.done(name, None)

    def pace(self) -> str:
        """Say how fast it went, where somebody is watching."""
        if not sys.stderr.isatty() or not self.summary.seconds:
            return ""
        return f" ({self.summary.documents / self.summary.seconds:.0f} documents per second)"

    def audit(self, path: str) -> int:
        """Report the findings of a document, or of those of an archive, while it is read."""
        return each_document(path, self._options, self._audit)

    def _audit(self, document: Document) -> None:
        name = document.name
        try:
            auditor = self._auditor(document)
            for data in document.chunks():
                self._report(name, auditor.feed(data))
            self._report(name, auditor.close())
        except LinkfixError as error:
            self._failed(name, error)
            raise
        self._count(auditor)
        self._done(name)

    def fix(self, path: str) -> None:
        """Rewrite the links of a file that have suggestions, and report what is left."""
        with replacing(path) as (source, sink):
            document = self._only_document(source, path)
            findings = self._findings(document)
            source.seek(0)
            changed: set[int] = set()

            def note(outcome: Outcome) -> None:
                if outcome.new is not None:
                    changed.add(outcome.link.start)

            rewriter = self._rewriter(document, findings, note)
            for data in document.chunks():
                sink.write(rewriter.feed(data))
            sink.write(rewriter.close())
            if not changed:
                sink.seek(0)
                sink.truncate()
        left = [f for f in findings if f.suggestion is None or f.start not in changed]
        self.summary.fixed += len(findings) - len(left)
        self._report(path, left, known=True)
        self._done(path)

    def diff(self, path: str) -> None:
        """Write what `fix` would change."""
        from linkfix.rewriting.diff import Change, unified_diff

        name = STANDARD_INPUT if path == "-" else path
        with opened(path) as file:
            document = self._only_document(file, name)
            source = b"".join(document.chunks())
        findings = self._findings(replace(document, chunks=lambda: iter((source,))))
        changes: list[Change] = []

        def note(outcome: Outcome) -> None:
            if outcome.new is not None:
                changes.append(Change(outcome.link.start, outcome.link.end, outcome.new))

        rewriter = self._rewriter(document, findings, note)
        rewriter.feed(source)
        rewriter.close()
        self._report(name, findings, known=True)
        if changes and b"\0" in source:
            complain(f"{name}: has NUL bytes; GNU patch applies its diff, others may not")
        self.format.out.flush()
        self.format.out.buffer.write(
            unified_diff(source, changes, name.encode("utf-8", "surrogateescape"))
        )
        self._done(name)

    def _only_document(self, source: BinaryIO, name: str) -> Document:
        if holds_archive(source, name, self._options["type"]):
            raise LinkfixError("a WARC file cannot be fixed", hint="use linkfix rewrite")
        return document_in(source, name, self._options)

    def _auditor(self, document: Document) -> Auditor:
        from linkfix.auditing import Auditor
        from linkfix.auditing.selection import matches

        ignored = self._settings.ignored_in("audit", document.name)
        return Auditor(
            self._policy,
            rules=[rule for rule in self._rules if not matches(rule, ignored)],
            site=self._site,
            type=document.type,
            charset=document.charset,
            environment=self._options["environment"],
            base=document.base,
            name=document.name,
        )

    def _findings(self, document: Document) -> list[Finding]:
        """Give the new findings of a document."""
        name = document.name
        auditor = self._auditor(document)
        found = [finding for data in document.chunks() for finding in auditor.feed(data)]
        found += auditor.close()
        self._count(auditor)
        return [finding for finding in found if not self._is_known(name, finding)]

    def _rewriter(
        self, document: Document, findings: list[Finding], note: Callable[[Outcome], None]
    ) -> Rewriter:
        from linkfix.rewriting import Rewriter

        wanted = {finding.start for finding in findings if finding.suggestion is not None}
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

    def _is_known(self, name: str, finding: Finding) -> bool:
        known = self._baseline.is_known(name, finding)
        self.summary.known += known
        return known

    def _count(self, auditor: Auditor) -> None:
        self.summary.links += auditor.links
        self.summary.suppressed += auditor.suppressed

    def _report(self, name: str, findings: list[Finding], *, known: bool = False) -> None:
        """Write findings; `known` says that the baseline has been asked about them."""
        for finding in findings:
            if known or not self._is_known(name, finding):
                self.format.put(name, finding)
                self.summary.counts[str(finding.severity)] += 1
                self.failed |= self._failing is not None and finding.severity.at_least(
                    self._failing
                )
