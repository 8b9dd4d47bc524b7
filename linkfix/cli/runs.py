"""A run of ``linkfix audit`` over its documents: take what is found, and keep count."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, Any

from linkfix.cli.batch import STOPPED, collected
from linkfix.cli.examining import Examination, Recorded
from linkfix.cli.formats import Summary

if TYPE_CHECKING:
    from linkfix.auditing import Finding, Rule, Severity
    from linkfix.auditing.baseline import Baseline
    from linkfix.cli.batch import Batch
    from linkfix.cli.examining import Part, Record
    from linkfix.cli.formats import Format
    from linkfix.cli.settings import Settings
    from linkfix.errors import LinkfixError
    from linkfix.site.tree import Found

__all__ = ["Run"]


class Run:
    """The desk to which all documents come; see `linkfix.cli.examining.Desk`.

    Args:
        rules: the rules in force.
        settings: which rules are not in force in which files.
        options: of the command.
        baseline: findings that are left out.
        failing: the least severity that makes the run fail; None for none.
        writer: of the findings.

    """

    def __init__(
        self,
        rules: list[Rule],
        settings: Settings,
        options: dict[str, Any],
        baseline: Baseline,
        failing: Severity | None,
        writer: Format,
    ) -> None:
        from linkfix.auditing import Site

        self.summary = Summary()
        self.has_failed = False
        self._format = writer
        self._site = Site(rules)
        self._here = Examination(options, settings, baseline, self._site)
        self._settings = settings
        self._options = options
        self._baseline = baseline
        self._failing = failing

    def over(self, batch: Batch) -> int:
        """Do the work for every document; give the exit status without regard to findings."""
        started = time.monotonic()
        self._format.begin()
        to_terminal = self._format.out.isatty()
        if batch.jobs == 1:
            status = batch.follow(self._examine, lambda _, status: status, data=to_terminal)
        else:
            there = Examination(self._options, self._settings, self._baseline)
            status = batch.follow(
                Recorded(there), self._replay, fail=self._lose, data=to_terminal, captured=False
            )
        self.summary.seconds = time.monotonic() - started
        if status != STOPPED:
            self._format.end(self.summary)
        return status

    def _examine(self, found: Found) -> int:
        """Do the work for a document in this process."""
        return self._here.examine(found, self)

    def _replay(self, found: Found, record: Record) -> int:
        """Take what another process found in a document, or look again where others disagree."""
        if record.said:
            sys.stdout.flush()
            sys.stderr.write(record.said)
        if self._site.takes_all(record.told, record.sightings):
            record.replay(self)
            return record.status
        record.drop()
        with collected() if record.said else contextlib.nullcontext():
            return self._examine(found)

    def _lose(self, found: Found, error: LinkfixError) -> None:
        """Take note of a document whose process died."""
        self.failed(found.path, error)

    def pace(self) -> str:
        """Say how fast it went, where somebody is watching."""
        if not sys.stderr.isatty() or not self.summary.seconds:
            return ""
        return f" ({self.summary.documents / self.summary.seconds:.0f} documents per second)"

    def take(self, part: Part) -> None:
        """Write the findings of a part of a document, and those of the rules of the site."""
        position = 0
        for number, sighting in part.sightings:
            self._report(part, part.findings[position:number])
            position = number
            settled = self._site.has_taken(sighting)
            if not settled and self._site.is_new(sighting.value, sighting.directory):
                findings, suppressed = self._site.judge(sighting)
                self._report(part, findings)
                self.summary.suppressed += suppressed
        self._report(part, part.findings[position:])

    def _report(self, part: Part, findings: list[Finding]) -> None:
        for finding in findings:
            if self._baseline.is_known(part.name, finding):
                self.summary.known += 1
            elif finding.suggestion is not None and finding.start in part.changed:
                self.summary.fixed += 1
            else:
                self._format.put(part.name, finding)
                self.summary.counts[str(finding.severity)] += 1
                self.has_failed |= self._failing is not None and finding.severity.at_least(
                    self._failing
                )

    def show(self, diff: bytes) -> None:
        """Write what a fix would change."""
        self._format.out.flush()
        self._format.out.buffer.write(diff)

    def done(self, name: str, links: int, suppressed: int) -> None:
        """Count a document."""
        self.summary.documents += 1
        self.summary.links += links
        self.summary.suppressed += suppressed
        self._format.done(name, None)

    def failed(self, name: str, error: LinkfixError) -> None:
        """Count a document that cannot be processed."""
        self.summary.failed += 1
        error.file = error.file or name
        self._format.done(name, error)
