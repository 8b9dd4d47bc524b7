"""A run of ``linkfix audit``: collect the events of all workers in the order of the documents.

Input: the events of `linkfix.cli.audit.worker`. Output: rendered findings and a summary. Only this process
compares documents with each other. A document whose links the workers judged differently is audited again
here, which costs the time of one more audit of it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from linkfix.cli.audit.changed import ChangedWorker
from linkfix.cli.audit.whole import WholeSites
from linkfix.cli.audit.worker import AuditJob, AuditWorker, Tally
from linkfix.cli.batch import STOPPED, Batch, collected
from linkfix.cli.formats import Summary
from linkfix.files.store import Store
from linkfix.jobs.failures import from_plain

if TYPE_CHECKING:
    from linkfix.auditing import Finding, Severity
    from linkfix.cli.audit.cache import Cache
    from linkfix.errors import LinkfixError
    from linkfix.files.tree import Found


class AuditRun:
    """Collect the events of all documents, and compare the documents with each other.

    Args:
        job: what is done.
        failing: the least severity that makes the run fail; None if none does.

    """

    def __init__(self, job: AuditJob, failing: Severity | None) -> None:
        from linkfix.auditing import Site

        self.summary: Summary = Summary()
        self.has_failed: bool = False
        self._job = job
        self._format = job.form
        self._site = Site(job.rules, Store().table)
        work = AuditWorker if job.changes is None else ChangedWorker
        self._here = work(job, self._site)
        self._there = work(job)
        #: Audits a document again whose links resemble those of other documents.
        self._again = self._here
        self._cache: Cache | None = None
        if job.options.cache is not None:
            from linkfix.cli.audit.cache import Cache
            from linkfix.cli.audit.cached import CachedWorker

            self._cache = Cache(job.options.cache)
            self._there = CachedWorker(job)
            self._again = CachedWorker(job, shows_all=True)
        self._failing = failing
        self._by_code = {rule.code: rule for rule in job.rules}
        #: The pages of whole sites; None if no rule is about them.
        self._whole: WholeSites | None = None
        #: The name of the present document, and a count of the findings that the rules of the site add to it.
        self._name = ""
        self._own = Tally()
        #: A file that was audited again here; its other events are discarded.
        self._repeated: Found | None = None

    def over(self, batch: Batch) -> int:
        """Audit every document; return the exit status, findings aside."""
        started = time.monotonic()
        self._format.begin()
        to_terminal = self._format.out.isatty()
        if any(rule.pages is not None for rule in self._job.rules):
            self._whole = WholeSites(batch.documents, self._here.place, self._job.whole)
        # The rules of the site run here, on the links that other processes send.
        work = self._there if batch.jobs or self._cache is not None else self._here
        status = batch.follow(work, self._take, fail=self._lose, data=to_terminal)
        if self._cache is not None:
            self._cache.commit()
        self.summary.seconds = time.monotonic() - started
        if status != STOPPED:
            self._finish()
            self._format.end(self.summary)
        return status

    def _finish(self) -> None:
        """Write the findings about the pages of whole sites, after those of all documents."""
        for name, found in () if self._whole is None else self._whole.findings(self._job.rules):
            in_force = {rule.code for rule in self._job.rules_for(name)}
            self._name, self._own = name, Tally()
            new = []
            for finding, occurrence in found:
                if finding.code not in in_force:
                    continue
                if occurrence is not None and finding.code in occurrence.suppressed:
                    self._own.suppressed += 1
                elif not self._is_known(finding):
                    new.append(finding)
            counts = self._own.counts = Counter(finding.code for finding in new)
            self._count(Tally())
            if new and (piece := self._format.rendered(name, new)):
                self._format.document(name)
                self._format.put(piece)
                self._format.done(name, counts, None)

    def _take(self, found: Found, event: Any) -> int:
        """Process an event; return the exit status, findings aside."""
        if found is self._repeated:
            return 0
        if isinstance(event, bytes):
            self._format.put(event)
            return 0
        kind, *about = event
        if kind == "ordinary":
            return 0 if self._site.accepts_all(*about) else self._repeat(found)
        if kind == "occurrence":
            self._judge(about)
        elif kind == "cached" and self._cache is not None:
            from linkfix.cli.audit.cached import row_of

            key, row = row_of(about)
            self._cache.add(key, found.path, row)
        elif kind == "page":
            if self._whole is not None:
                self._whole.add(*about)
        elif kind == "document":
            self._name, self._own = about[0], Tally()
            self._format.document(self._name)
        else:
            name, tally, error = about
            if error is not None and self._whole is not None:
                self._whole.lose(found)
            return self._done(name, Tally.of(tally), None if error is None else from_plain(error))
        return 0

    def _repeat(self, found: Found) -> int:
        """Audit a document again with the site of the run: its links resemble those of other processes."""
        self._repeated = None
        with collected():  # the worker has complained already
            status = max([self._take(found, event) for event in self._again(found)])
        self._repeated = found
        return status

    def _lose(self, found: Found, error: LinkfixError) -> None:
        """Record a document whose process died."""
        if self._whole is not None:
            self._whole.lose(found)
        self._done(found.path, Tally(), error)

    def pace(self) -> str:
        """Return the speed as text; "" where standard error is no terminal."""
        if not sys.stderr.isatty() or not self.summary.seconds:
            return ""
        return f" ({self.summary.documents / self.summary.seconds:.0f} documents per second)"

    def _judge(self, plain: list[Any]) -> None:
        """Write the findings of the site's rules about a link."""
        from linkfix.auditing.occurrence import from_plain

        occurrence = from_plain(plain)
        is_accepted = self._site.accepts_occurrence(occurrence)
        if is_accepted or not self._site.is_new(occurrence.value, occurrence.directory):
            return
        findings, suppressed = self._site.judge(occurrence)
        self._own.suppressed += suppressed
        new = [finding for finding in findings if not self._is_known(finding)]
        if new:
            self._own.counts += Counter(finding.code for finding in new)
            if piece := self._format.rendered(self._name, new):
                self._format.put(piece)

    def _is_known(self, finding: Finding) -> bool:
        known = self._job.baseline.is_known(self._name, finding)
        self._own.known += known
        return known

    def _count(self, tally: Tally) -> Counter[str]:
        """Add the numbers of findings to the summary; return those that are written, by the codes of their rules."""
        summary, own = self.summary, self._own
        counts = tally.counts + own.counts
        self._own = Tally()
        summary.known += tally.known + own.known
        summary.fixed += tally.fixed
        summary.suppressed += tally.suppressed + own.suppressed
        for code, count in counts.items():
            severity = self._by_code[code].severity
            summary.counts[str(severity)] += count
            self.has_failed |= self._failing is not None and severity.at_least(self._failing)
        return counts

    def _done(self, name: str, tally: Tally, error: LinkfixError | None) -> int:
        """Add a document to the summary; return its exit status."""
        summary = self.summary
        counts = self._count(tally)
        if error is None:
            summary.documents += 1
            summary.links += tally.links
            summary.embedded += tally.embedded
        else:
            summary.failed += 1
            error.file = error.file or name
        self._format.done(name, counts, error)
        return 0 if error is None else 3
