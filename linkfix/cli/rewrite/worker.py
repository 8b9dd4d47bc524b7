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
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Literal

from linkfix.cli.archives import RewriteResult, holds_archive, rewrite_archive
from linkfix.cli.batch import collected, embedded_lines
from linkfix.cli.documents import source_of
from linkfix.cli.output import number as counted
from linkfix.cli.rewrite.linklog import Logs
from linkfix.cli.rewrite.sums import Sums
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.access import chunks, creating, open_document, place_in, replacing
from linkfix.files.codecs import discard
from linkfix.files.commit import Group
from linkfix.files.paths import is_remote
from linkfix.files.records import choice, fields, lines, listed, mapping, number, row, text
from linkfix.files.verification import Copy, confirm
from linkfix.library import results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.cli.options.documents import DocumentOptions
    from linkfix.files.journal import Pen, Task
    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event
    from linkfix.policy import LinkMap, Policy, Source
    from linkfix.rewriting import Outcome, Report, Rewriter

#: The schema of a document's result in a journal (`RewriteWorker.__call__`).
RESULT = fields(
    {"sums": row(*(number for _ in Sums.__slots__))},
    {
        "text": text,
        "status": choice(3),
        "used": listed(row(number, number)),
        "embedded": mapping(number),
        "changed": lines,
        "unmatched": lines,
        "said": text,
    },
)

#: The destination of new documents; a stream is one document on standard output.
Mode = Literal["stream", "in-place", "folder", "dry-run", "diff"]


@dataclass(frozen=True, slots=True)
class RewriteJob:
    """What is done with the documents of a run.

    Attributes:
        document: how they are read.
        policy: how links are rewritten.
        mode: the destination of the new documents.
        verify: whether they are verified.
        link_map: maps links to new targets; None for none.
        map_path: its file.
        output: the folder of the new documents; None for none.
        backup: the suffix of the names under which old documents are kept; None to keep none.
        lists_changed: whether links that change are listed.
        lists_unmatched: whether links without a rule in the map are listed.

    """

    document: DocumentOptions
    policy: Policy
    mode: Mode
    verify: bool
    link_map: LinkMap | None = None
    map_path: str | None = None
    output: str | None = None
    backup: str | None = None
    lists_changed: bool = False
    lists_unmatched: bool = False


class _Result:
    """Collects the result of one document.

    Args:
        worker: rewrites the document.
        found: the document.

    Attributes:
        logs: of its links.
        outcomes: of the links that were rewritten, for a diff.

    """

    def __init__(self, worker: RewriteWorker, found: Found) -> None:
        job = worker.job
        self._worker = worker
        self._name = found.path
        self._changed = io.StringIO() if job.lists_changed else None
        self._unmatched = io.StringIO() if job.lists_unmatched else None
        self.logs = Logs((self._changed, self._unmatched), found.path)
        self.outcomes: list[Outcome] = []
        self._sums = Sums()
        self._embedded: Counter[str] = Counter()
        self._would: list[tuple[str, int]] = []

    def rewrite(self, source: BinaryIO, sink: IO[bytes]) -> RewriteResult:
        """Rewrite the document from one open file to another."""
        return self._worker.rewrite(source, sink, self._name, self.logs, self._note, self._add)

    def _note(self, outcome: Outcome) -> None:
        self.logs.add(outcome)
        if self._worker.job.mode == "diff" and outcome.new is not None:
            self.outcomes.append(outcome)

    def _add(self, report: Report) -> None:
        self._sums.add(report)
        self._embedded += report.embedded
        if self._worker.job.mode == "dry-run" and report.changed:
            self._would.append((report.name, report.changed))

    def plain(self, **fields: Any) -> dict[str, Any]:
        """Return the result as plain data: the sums, and all other fields that are not empty."""
        logs = {"changed": self._changed, "unmatched": self._unmatched}
        fields |= {name: log.getvalue() for name, log in logs.items() if log is not None}
        fields |= {"would": self._would, "embedded": dict(self._embedded)}
        order = ("text", "status", "used", "embedded", "changed", "unmatched", "said", "would")
        return {"sums": self._sums.plain()} | {
            name: fields[name] for name in order if fields.get(name)
        }


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
        #: For each document that is not committed, whether it has a file in the group.
        self._uncommitted: list[tuple[Task | None, bool]] = []

    def prepare(self) -> None:
        """Load what every document needs (`linkfix.jobs.pool.Prepared`)."""
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
        result = _Result(self, found)
        task = None if self._pen is None else self._pen.task(found.path)
        waiting = len(self._group)
        if self._link_map is not None:
            self._link_map.used.clear()
        with (
            contextlib.closing(result.logs),
            collected() as said,
            self._written(found, result.rewrite, task) as (done, source),
        ):
            result.logs.commit()
            plain = result.plain(
                text=done.text if self._says else "",
                status=3 if done.failed else 0,
                used=[] if self._link_map is None else list(self._link_map.used.items()),
                said=said.getvalue(),
            )
            if task is not None:
                task.result = plain
            diff = b""
            if self.job.mode == "diff":
                from linkfix.rewriting.diff import changes_of, unified_diff

                diff = unified_diff(source, changes_of(result.outcomes), os.fsencode(found.path))
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
        name: str,
        logs: Logs,
        note: Callable[[Outcome], None],
        on_report: Callable[[Report], None],
        *,
        stream: Callable[[Rewriter, BinaryIO, IO[bytes]], None] | None = None,
    ) -> RewriteResult:
        """Rewrite a document or an archive from one open file to another.

        Args:
            source: the document.
            sink: where the new document is written to.
            name: of the document.
            logs: of its links; an archive has one log for each document within them.
            note: called for each link of a document that is rewritten or cannot be; for every one
                where some are to be logged that no rule of the map is for.
            on_report: called for each document that was processed.
            stream: copies a stream through the rewriter; None for a file, which is read whole where it is small.

        """
        from linkfix.rewriting import Rewriter

        job = self.job
        if holds_archive(source, name, job.document.type):
            return rewrite_archive(
                source,
                sink,
                name=name,
                policy=self._policy,
                options=job.document,
                log=logs.within,
                on_report=on_report,
            )
        known = self._source(name)
        left: set[int] = set()

        def noted(outcome: Outcome) -> None:
            note(outcome)
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
        on_report(rewriter.report)
        return RewriteResult(bool(rewriter.report.changed), False, _summary(rewriter.report))

    def _source(self, name: str) -> Source:
        """Return what is known about a document."""
        return source_of(name, self.job.document)

    @contextlib.contextmanager
    def _written(
        self, found: Found, one: Callable[[BinaryIO, IO[bytes]], RewriteResult], task: Task | None
    ) -> Iterator[tuple[RewriteResult, bytes]]:
        """Rewrite a document; the block's end adds the new file to the group.

        Returns:
            The result, and the old bytes for a diff.

        """
        if self.job.mode == "in-place":
            backup = self.job.backup or ""
            with replacing(found.path, backup=backup, steps=task, group=self._group) as (
                source,
                sink,
            ):
                done = one(source, sink)
                if not done.changed:
                    discard(sink)
                yield done, b""
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
                    yield one(source, sink), b""
        else:
            with open_document(found.path) as source, Path(os.devnull).open("wb") as nowhere:
                if self.job.mode == "dry-run":
                    yield one(source, nowhere), b""
                    return
                if holds_archive(source, found.path, self.job.document.type):
                    raise UnreadableError(
                        "there is no diff of a WARC file", hint="use --dry-run", file=found.path
                    )
                data = b"".join(chunks(source))
                yield one(io.BytesIO(data), nowhere), data

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
