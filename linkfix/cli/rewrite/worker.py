"""The work of ``linkfix rewrite`` on one file: in place, into a folder, as a diff, or as a dry run.

Input: a file. Output: its new bytes, and a result of plain data for the run and the journal. New files are collected
in a group and committed together, which costs one synchronization of the disk for many. Until then
the old file stays.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from linkfix.cli.archives import holds_archive, rewrite_archive, rewrite_container
from linkfix.cli.batch import collected, embedded_lines
from linkfix.cli.documents import source_of
from linkfix.cli.output import number as counted
from linkfix.cli.rewrite.results import Result, RewriteJob
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import chunks, creating, open_document, place_in, replacing
from linkfix.files.codecs import discard
from linkfix.files.commit import Group
from linkfix.files.paths import is_container, is_remote
from linkfix.files.tree import Found
from linkfix.files.verification import Copy, confirm
from linkfix.library import results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.files.journal import Pen, Task
    from linkfix.jobs.wire import Event
    from linkfix.policy import Source
    from linkfix.rewriting import Outcome, Report, Rewriter


class RewriteWorker:
    """The work on one document of a run, in this process or a worker (`linkfix.jobs.pool.Grouped`).

    The new files of several documents are committed together.

    Args:
        job: what is done.
        pen: writes the journal; None where there is none.
        says: whether each result has a text that sums it up.

    Attributes:
        job: what is done.

    """

    def __init__(self, job: RewriteJob, pen: Pen | None = None, *, says: bool = False) -> None:
        self.job = job
        self._policy = job.policy
        self._link_map = job.link_map
        #: The policy for verification: it applies the same map, without counting the rules.
        self._uncounted = job.policy
        if job.link_map is not None:
            self._uncounted = replace(job.policy, target=job.link_map.anew().follow)
        self._pen = pen
        self._says = says
        self._group = Group()
        #: The file that is rewritten now; None for one that goes to standard output.
        self._found: Found | None = None
        #: For each document that is not committed, whether it has a file in the group.
        self._uncommitted: list[tuple[Task | None, bool]] = []

    def prepare(self) -> None:
        """Load what every document needs (`linkfix.jobs.pool.run`)."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: F401 - for `linkfix.files.commit`

        from linkfix.links.stream import SAMPLES
        from linkfix.policy import Source
        from linkfix.rewriting import Rewriter
        from linkfix.verifying import load

        if self.job.verify:
            load()
        for type, sample in SAMPLES.items():
            Rewriter(policy=self._policy, source=Source(type=type)).whole(sample)

    def __call__(self, found: Found) -> Iterator[Event]:
        """Rewrite a document.

        Returns:
            One dictionary, and after it the diff in bytes in the mode ``diff``. The dictionary has the `sums`. If
            they are not empty, it also has: the `text` that sums it up; the exit `status`; how often each rule
            of the map was `used`; how many links were in `embedded` documents; lines about the links that `changed`, and about `unmatched` ones; what was
            `said` on standard error; the documents that `would` be rewritten, each with the number of links.

        Raises:
            LinkfixError: it cannot be processed, and is as it was.

        """
        result = Result(self.job, found.path)
        task = None if self._pen is None else self._pen.task(found.path)
        waiting, self._found = len(self._group), found
        if self._link_map is not None:
            self._link_map.used.clear()
        with (
            contextlib.closing(result),
            collected() as said,
            self._written(found, result, task),
        ):
            plain = result.plain(
                text=self._says,
                used=[] if self._link_map is None else list(self._link_map.used.items()),
                said=said.getvalue(),
            )
            if task is not None:
                task.result = plain
            diff = b""
            if self.job.mode == "diff":
                from linkfix.rewriting.diff import changes_of, unified_diff

                changes = changes_of(result.outcomes)
                diff = unified_diff(result.source, changes, os.fsencode(found.path))
        self._uncommitted.append((task, len(self._group) > waiting))
        yield plain
        if diff:
            yield diff

    def commit(self) -> list[LinkfixError | None]:
        """Commit the new files.

        Returns:
            For each result since the last commit None, or the error that left the document unchanged.

        """
        errors = iter(self._group.commit())
        failures: list[LinkfixError | None] = []
        for task, is_new in self._uncommitted:
            failures.append(next(errors) if is_new else None)
            if task is not None and failures[-1] is None:
                task.done()
        self._uncommitted.clear()
        return failures

    def discard(self) -> None:
        """Discard the new files that are not committed."""
        self._group.discard()
        self._uncommitted.clear()

    def _leave(self, name: str, outcome: Outcome) -> None:
        """Process a link that stays although it should change: it is only counted."""

    def rewrite(
        self,
        source: BinaryIO,
        sink: IO[bytes],
        result: Result,
        *,
        stream: Callable[[Rewriter, BinaryIO, IO[bytes]], None] | None = None,
    ) -> None:
        """Rewrite a document, an archive or a container from one open file to another.

        Args:
            source: the document.
            sink: where the new document is written to.
            result: takes what becomes of it.
            stream: copies a stream through the rewriter; None for a file, which is read whole where it is small.

        """
        job, name = self.job, result.name
        if holds_archive(source, name, job.document.type):
            rewrite_archive(source, sink, result, self._policy, job.document)
        elif is_container(name):
            selected = self._found or Found(name, "", name, None), job.selection
            rewrite_container(source, sink, result, selected, self._rewrite_document, self._policy)
        else:
            report = self._rewrite_document(source, sink, result, name, stream)
            result.is_changed = bool(report.changed)
            result.text = _summary(report)

    def _rewrite_document(
        self,
        source: BinaryIO,
        sink: IO[bytes],
        result: Result,
        name: str,
        stream: Callable[[Rewriter, BinaryIO, IO[bytes]], None] | None = None,
    ) -> Report:
        """Rewrite a document; the arguments are those of `rewrite`, and the document's name."""
        from linkfix.rewriting import Rewriter

        job, known = self.job, self._source(name)
        left: set[int] = set()

        def noted(outcome: Outcome) -> None:
            result.note(name, outcome)
            if outcome.kept:
                left.add(outcome.link.start)
                self._leave(name, outcome)

        rewriter = Rewriter(
            policy=self._policy,
            source=known,
            on_outcome=noted if job.lists_unmatched else None,
            on_change=None if job.lists_unmatched else noted,
        )
        if stream is None and job.verify:
            copy = Copy(sink)
            _write_all(rewriter, source, copy)
            if rewriter.report.changed:
                from linkfix.verifying import Settings

                settings = Settings(policy=self._uncounted, source=known, left=left)
                confirm(source, copy.content(), settings)
        else:
            (stream or _write_all)(rewriter, source, sink)
        result.add(rewriter.report)
        return rewriter.report

    def _source(self, name: str) -> Source:
        """Return what is known about a document."""
        return source_of(name, self.job.document)

    @contextlib.contextmanager
    def _written(self, found: Found, result: Result, task: Task | None) -> Iterator[None]:
        """Rewrite a document; the block's end adds the new file to the group."""
        if self.job.mode == "in-place":
            backup = self.job.backup or ""
            with replacing(found.path, backup=backup, steps=task, group=self._group) as (
                source,
                sink,
            ):
                self.rewrite(source, sink, result)
                if not result.is_changed:
                    discard(sink)
                yield
        elif self.job.mode == "folder":
            with open_document(found.path) as source:
                target, mode = self._place(found, source)
                with creating(
                    target,
                    like=source,
                    mode=mode,
                    follow=False,
                    steps=task,
                    group=self._group,
                ) as sink:
                    self.rewrite(source, sink, result)
                    yield
        else:
            with open_document(found.path) as source, Path(os.devnull).open("wb") as nowhere:
                if self.job.mode == "dry-run":
                    self.rewrite(source, nowhere, result)
                elif holds_archive(source, found.path, self.job.document.type):
                    raise UnreadableError(
                        "there is no diff of a WARC file", hint="use --dry-run", file=found.path
                    )
                else:
                    result.source = b"".join(chunks(source))
                    self.rewrite(io.BytesIO(result.source), nowhere, result)
                yield

    def _place(self, found: Found, source: BinaryIO) -> tuple[Path | str, int | None]:
        """Return the path and the permissions of a document in the output folder; None where there are none."""
        target = place_in(self.job.output or "", found.relative)
        is_same, mode = target == found.path, None
        if not is_remote(found.path):
            status = os.fstat(source.fileno())
            mode = stat.S_IMODE(status.st_mode)
            if isinstance(target, Path):
                is_same = target.exists() and os.path.samestat(status, target.stat())
        if is_same:
            raise UnreadableError(
                "the new document would take the place of the old one",
                hint="use --in-place, or another folder",
                file=found.path,
            )
        return target, mode


def _write_all(rewriter: Rewriter, source: BinaryIO, sink: IO[bytes] | Copy) -> None:
    for data in results(rewriter, source):
        sink.write(data)


def _summary(report: Report) -> str:
    text = f"{report.name}: "
    text += (
        f"{counted(report.changed, 'link')} rewritten" if report.changed else "nothing to rewrite"
    )
    if report.kept:
        text += f", {report.kept:,} left because they cannot be rewritten (see linkfix audit)"
    if report.mapped:
        text += f", {report.mapped:,} mapped"
    if not report.declared and report.changed:
        text += f"; no charset is declared, read as {report.charset}"
    return "; ".join([text, *embedded_lines(report.embedded)])
