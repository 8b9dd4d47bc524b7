"""A run of ``linkfix audit``: read all documents, join their facts, and read again those of which the join has found something.

Input: the events of `linkfix.cli.audit.worker`. Output: rendered findings and a summary, in the order of the
documents: first what each document has by itself, then what the join has found. Only this process joins.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from linkfix.auditing.pages import Pages
from linkfix.cli.audit.changed import ChangedFiles, Renamed, differs
from linkfix.cli.audit.trees import Trees
from linkfix.cli.audit.worker import Again, AuditJob, AuditWorker, Tally
from linkfix.cli.batch import STOPPED, Batch
from linkfix.cli.formats import Summary
from linkfix.facts.join import Join, Known, Origin, by_document
from linkfix.files.paths import real, relative
from linkfix.jobs.failures import from_plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkfix.auditing import Severity
    from linkfix.cli.audit.cache import Cache
    from linkfix.errors import LinkfixError
    from linkfix.facts.join import SiteFiles
    from linkfix.files.tree import Found


class AuditRun:
    """Collect the events of all documents, and compare the documents with each other.

    Args:
        job: what is done.
        failing: the least severity that makes the run fail; None if none does.

    """

    def __init__(self, job: AuditJob, failing: Severity | None) -> None:
        self.summary: Summary = Summary()
        self.has_failed: bool = False
        self._job = job
        self._format = job.form
        self._work = AuditWorker(job)
        self._cache: Cache | None = None
        if job.options.cache is not None:
            from linkfix.cli.audit.cache import Cache
            from linkfix.cli.audit.cached import CachedWorker

            self._cache = Cache(job.options.cache)
            self._work = CachedWorker(job)
        self._failing = failing
        self._by_code = {rule.code: rule for rule in job.rules}
        self._trees = Trees(job.options, job.policy, job.roots)
        self._join = Join(job.rules, self._known)
        self._documents: Sequence[Found] = ()
        #: The number of the present file, and the numbers of those that could not be processed.
        self._number = -1
        self._damaged: set[int] = set()
        #: By the root of a site: its pages, and where links to renamed files lead.
        self._pages: dict[str, Pages] = {}
        self._renamed: dict[str, Renamed] = {}
        #: Whether the documents are those of the first pass, and whether they count.
        self._is_first = True

    def over(self, batch: Batch) -> int:
        """Audit every document; return the exit status, findings aside."""
        started = time.monotonic()
        self._format.begin()
        to_terminal = self._format.out.isatty()
        self._documents = batch.documents
        status = batch.follow(self._work, self._take, fail=self._lose, data=to_terminal)
        if status != STOPPED:
            self._join.run()
            self._is_first = False
            batch.problems = []  # they are known
            again = self._again()
            work = self._work.again(self._join.found)
            status = max(
                status,
                batch.follow(work, self._take, fail=self._lose_again, only=again, data=to_terminal),
            )
        if self._cache is not None:
            self._cache.commit()
        self.summary.seconds = time.monotonic() - started
        if status != STOPPED:
            self._format.end(self.summary)
        return status

    def _again(self) -> list[Again]:
        """Return the files with findings of the join; where documents are rewritten, all files that can be."""
        found = dict(by_document(self._join.origins))
        if self._job.rewrites:
            numbers = range(len(self._documents))
            found = {
                n: found.get(n, [(self._documents[n].path, [])])
                for n in numbers
                if n not in self._damaged
            }
        return [Again(self._documents[n], names, n in self._damaged) for n, names in found.items()]

    def _take(self, found: Found | Again, event: Any) -> int:
        """Process an event; return the exit status, findings aside."""
        if isinstance(event, bytes):
            self._format.put(event)
            return 0
        kind, *about = event
        if kind == "facts":
            origin, names, piece = about
            number = self._number_of(found)
            place = Origin(number, *origin)
            if names is not None:
                self._trees.files(place.root).add_names(place.path, names)
            self._join.add(place, piece)
        elif kind == "cached" and self._cache is not None:
            from linkfix.cli.audit.cached import row_of

            self._cache.add(*row_of(about))
        elif kind == "document":
            self._format.document(about[0])
        elif kind == "done":
            name, tally, error = about
            if error is not None and self._is_first:
                self._damaged.add(self._number_of(found))
            return self._done(name, Tally.of(tally), None if error is None else from_plain(error))
        return 0

    def _number_of(self, found: Found | Again) -> int:
        """Return the number of a file of the first pass."""
        while self._number < 0 or self._documents[self._number] is not found:
            self._number += 1
        return self._number

    def _known(self, origin: Origin) -> Known:
        """Return what is known of the site of a document."""
        found = self._documents[origin.number]
        rules = self._job.rules_for(origin.name, found)
        if not origin.root:
            return Known(rules, None, None)
        files: SiteFiles = self._trees.files(origin.root)
        changes = self._job.changes
        if changes is not None:
            if origin.root not in self._renamed:
                self._renamed[origin.root] = Renamed(self._trees.files(origin.root).server, changes)
            only = not differs(changes, found)
            files = ChangedFiles(
                self._trees.files(origin.root), changes.gone, self._renamed[origin.root], only=only
            )
        return Known(rules, files, self._pages_of(origin.root))

    def _pages_of(self, root: str) -> Pages | None:
        """Return the pages of a site; None if no rule is about them."""
        if root not in self._pages and any(rule.pages for rule in self._job.rules):
            places = [self._trees.place(found) for found in self._documents]
            lost = {places[number][0] for number in self._damaged}
            is_whole = root not in lost and any(
                relative(real(root), real(each)) is not None for each in self._job.whole
            )
            paths = (path for own, path in places if own == root)
            home = self._trees.files(root).home
            self._pages[root] = Pages(paths, is_whole=is_whole, home=home)
        return self._pages.get(root)

    def _lose(self, found: Found, error: LinkfixError) -> None:
        """Record a document whose process died."""
        self._damaged.add(self._number_of(found))
        self._done(found.path, Tally(), error)

    def _lose_again(self, found: Again, error: LinkfixError) -> None:
        """Record a document whose process died when it was read again."""
        self._done(found.path, Tally(), error)

    def pace(self) -> str:
        """Return the speed as text; "" where standard error is no terminal."""
        if not sys.stderr.isatty() or not self.summary.seconds:
            return ""
        return f" ({self.summary.documents / self.summary.seconds:.0f} documents per second)"

    def _count(self, tally: Tally) -> None:
        """Add the numbers of findings to the summary."""
        summary = self.summary
        summary.known += tally.known
        summary.fixed += tally.fixed
        summary.suppressed += tally.suppressed
        for code, count in tally.counts.items():
            severity = self._by_code[code].severity
            summary.counts[str(severity)] += count
            self.has_failed |= self._failing is not None and severity.at_least(self._failing)

    def _done(self, name: str, tally: Tally, error: LinkfixError | None) -> int:
        """Add a document to the summary; return its exit status."""
        summary = self.summary
        self._count(tally)
        if error is not None:
            summary.failed += 1
            error.file = error.file or name
        elif self._is_first or self._job.rewrites:
            summary.documents += 1
            summary.links += tally.links
            summary.embedded += tally.embedded
        self._format.done(name, tally.counts, error)
        return 0 if error is None else 3
