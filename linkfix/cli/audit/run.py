"""A run of ``linkfix audit`` over its documents: put what is found in order, and keep count."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from linkfix.cli.audit.worker import AuditWorker, Tally
from linkfix.cli.batch import STOPPED, collected
from linkfix.cli.formats import Summary
from linkfix.site.failures import from_plain

if TYPE_CHECKING:
    from linkfix.auditing import Finding, Rule, Severity
    from linkfix.auditing.baseline import Baseline
    from linkfix.cli.batch import Batch
    from linkfix.cli.formats import Format
    from linkfix.cli.settings import Settings
    from linkfix.errors import LinkfixError
    from linkfix.policy import Policy
    from linkfix.site.tree import Found

__all__ = ["AuditRun"]


class AuditRun:
    """Take the events of all documents in order (`linkfix.cli.audit.worker`), and judge what concerns several.

    Args:
        rules: the rules in force.
        settings: which rules are not in force in which files.
        options: of the command.
        policy: how links are read, and what is suggested for them.
        baseline: findings that are left out.
        failing: the least severity that makes the run fail; None for none.
        writer: renders and writes the findings.

    """

    def __init__(
        self,
        rules: list[Rule],
        settings: Settings,
        options: dict[str, Any],
        policy: Policy,
        baseline: Baseline,
        failing: Severity | None,
        writer: Format,
    ) -> None:
        from linkfix.auditing import Site

        self.summary = Summary()
        self.has_failed = False
        self._format = writer
        self._site = Site(rules)
        self._here = AuditWorker(options, policy, settings, baseline, writer, self._site)
        self._there = AuditWorker(options, policy, settings, baseline, writer)
        self._baseline = baseline
        self._failing = failing
        self._severities = {rule.code: rule.severity for rule in rules}
        #: Of the present document: its name, and the findings about it that the site made.
        self._name = ""
        self._own = Tally()
        #: The file that was audited again here, whose other events are passed over.
        self._repeated: Found | None = None

    def over(self, batch: Batch) -> int:
        """Do the work for every document; give the exit status without regard to findings."""
        started = time.monotonic()
        self._format.begin()
        to_terminal = self._format.out.isatty()
        # The site is asked here for what other processes find.
        work = self._there if batch.jobs else self._here
        status = batch.follow(work, self._take, fail=self._lose, data=to_terminal)
        self.summary.seconds = time.monotonic() - started
        if status != STOPPED:
            self._format.end(self.summary)
        return status

    def _take(self, found: Found, event: Any) -> int:
        """Take an event, and return the exit status without regard to findings."""
        if found is self._repeated:
            return 0
        if isinstance(event, bytes):
            self._format.put(event)
            return 0
        kind, *about = event
        if kind == "told":
            return 0 if self._site.takes_all(*about) else self._repeat(found)
        if kind == "sighting":
            self._judge(about)
        elif kind == "document":
            self._name, self._own = about[0], Tally()
            self._format.document(self._name)
        else:
            name, tally, error = about
            return self._done(name, Tally.of(tally), None if error is None else from_plain(error))
        return 0

    def _repeat(self, found: Found) -> int:
        """Audit a document again with the site of the run, since links of several processes are alike."""
        self._repeated = None
        with collected():  # the worker has said it
            status = max([self._take(found, event) for event in self._here(found)])
        self._repeated = found
        return status

    def _lose(self, found: Found, error: LinkfixError) -> None:
        """Take note of a document whose process died."""
        self._done(found.path, Tally(), error)

    def pace(self) -> str:
        """Say how fast it went, where somebody is watching."""
        if not sys.stderr.isatty() or not self.summary.seconds:
            return ""
        return f" ({self.summary.documents / self.summary.seconds:.0f} documents per second)"

    def _judge(self, plain: list[Any]) -> None:
        """Write what the rules of the site find about a link."""
        from linkfix.auditing.sighting import from_plain

        sighting = from_plain(plain)
        settled = self._site.has_taken(sighting)
        if settled or not self._site.is_new(sighting.value, sighting.directory):
            return
        findings, suppressed = self._site.judge(sighting)
        self._own.suppressed += suppressed
        new = [finding for finding in findings if not self._is_known(finding)]
        if new:
            self._own.counts += Counter(finding.code for finding in new)
            if piece := self._format.rendered(self._name, new):
                self._format.put(piece)

    def _is_known(self, finding: Finding) -> bool:
        known = self._baseline.is_known(self._name, finding)
        self._own.known += known
        return known

    def _done(self, name: str, tally: Tally, error: LinkfixError | None) -> int:
        """Count a document that has ended, and return its exit status."""
        summary, own = self.summary, self._own
        counts = tally.counts + own.counts
        self._own = Tally()
        summary.known += tally.known + own.known
        summary.fixed += tally.fixed
        summary.suppressed += tally.suppressed + own.suppressed
        for code, count in counts.items():
            severity = self._severities[code]
            summary.counts[str(severity)] += count
            self.has_failed |= self._failing is not None and severity.at_least(self._failing)
        if error is None:
            summary.documents += 1
            summary.links += tally.links
        else:
            summary.failed += 1
            error.file = error.file or name
        self._format.done(name, counts, error)
        return 0 if error is None else 3
