"""A run of ``linkfix rewrite`` over files: collect the results of workers, sum them up, resume a killed run.

Input: the results of `linkfix.cli.rewrite.worker`, in the order of the documents. Output: messages, logs and an exit
status. The journal stores each result with its document. So a resumed run reports what the killed one would
have, and rewrites no document twice.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

import linkfix
from linkfix.cli.batch import STOPPED, Batch, embedded_lines, report_failure
from linkfix.cli.linkmap import say_what_was_mapped
from linkfix.cli.options.table import flat
from linkfix.cli.output import complain, escape, escape_lines, number, write
from linkfix.cli.rewrite.results import RESULT, RewriteJob, Sums
from linkfix.cli.rewrite.worker import RewriteWorker
from linkfix.errors import LinkfixError, NothingToResumeError, UnreadableError, WorkerError
from linkfix.files.access import make_folder
from linkfix.files.journal import NAME, Journal, Pen, journal_of
from linkfix.files.paths import absolute, is_remote, real, relative
from linkfix.files.tree import Found, folder_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkfix.cli.options.mv import MvOptions
    from linkfix.cli.options.rewrite import RewriteOptions

#: What is said where there is nothing to resume, and the run begins.
BEGINS = "no unfinished run is recorded here; this one begins"

#: Options that do not change what a document becomes.
_ASIDE = frozenset({
    "paths", "old", "new", "jobs", "timeout", "memory", "resume", "journal", "quiet", "in_place", "dry_run", "diff",
    "include", "exclude", "hidden",
})  # fmt: skip
#: Options with names of files: output, logs of links, input.
_PATHS = ("output",)
_LOGS = ("report_path", "unmatched_path")
_READ = ("map_path", "schema", "catalog")


@dataclass(slots=True)
class Total:
    """The totals of a run.

    Attributes:
        sums: of the documents that were processed.
        used: how often each rule of the link map matched.
        embedded: how many links were in embedded documents.
        failed: how many documents could not be processed.
        again: how many of these failures another try may mend.

    """

    sums: Sums = field(default_factory=Sums)
    used: Counter[int] = field(default_factory=Counter)
    embedded: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    again: int = 0

    def text(self, batch: Batch, seconds: float, verb: str) -> str:
        """Return the totals as one line."""
        sums = self.sums
        parts = [sums.text(verb)]
        if sums.kept:
            parts.append(f"{sums.kept:,} left because they cannot be rewritten (see linkfix audit)")
        if sums.guessed:
            documents = number(sums.guessed, "document")
            parts.append(f"{documents} declared no charset (see linkfix audit)")
        if self.failed:
            parts.append(f"besides, {number(self.failed, 'document')} could not be processed")
        if passed := batch.passed_over():
            parts.append(passed)
        return f"{'; '.join(parts)}; {seconds:.1f} s"


class RewriteRun:
    """A run over the documents of a batch.

    Args:
        batch: the documents.
        job: what is done.
        sinks: for lines about links that changed, and about those without a rule in the map, by the names of their logs; None
            for none.
        quiet: whether nothing is said about what was done.

    """

    def __init__(
        self, batch: Batch, job: RewriteJob, sinks: dict[str, TextIO | None], *, quiet: bool
    ) -> None:
        self._batch = batch
        self._job = job
        self._quiet = quiet
        self._sinks = sinks
        self._total = Total()
        self._journal: Journal | None = None
        #: The documents whose results are not processed yet.
        self._order = iter(batch.documents)

    def over(self, journal: Journal | None) -> int:
        """Rewrite the documents that are not done yet, and report the totals.

        Args:
            journal: of this run; None for none. It is closed afterwards.

        Returns:
            The exit status.

        """
        started = time.monotonic()
        self._journal = journal
        status = STOPPED
        try:
            status = self._batch.follow(
                self._worker(None if journal is None else journal.pen),
                self._take_in_order,
                fail=self._fail,
                only=self._remaining(),
                data=self._job.mode in {"dry-run", "diff"},
                hint="" if journal is None else "go on with --resume",
            )
            if status != STOPPED:
                self._catch_up(None)
                status = max(status, 3 if self._total.failed else 0)
                if not status:
                    self._complete()
                self._say(time.monotonic() - started)
        finally:
            if journal is not None:
                journal.close(whole=status != STOPPED and not self._keeps_journal())
        return status

    def _worker(self, pen: Pen | None) -> RewriteWorker:
        """Return the work on one document."""
        return RewriteWorker(self._job, pen, says=not self._batch.many)

    def _complete(self) -> None:
        """Do what remains once every document is done, before the journal is closed."""

    def _remaining(self) -> list[Found]:
        """Return the documents that are not done; report those that may be done or not."""
        journal, remaining = self._journal, []
        if journal is None:
            return self._batch.documents
        for found in self._batch.documents:
            if journal.is_done(found.path):
                continue
            doubt = journal.doubt(found.path)
            if doubt is None:
                remaining.append(found)
            else:
                report_failure(found, doubt)
                self._total.failed += 1
                self._total.again += 1
        return remaining

    def _catch_up(self, end: Found | None) -> None:
        """Add the results of an earlier run for the documents before `end`; None for all that follow."""
        for found in self._order:
            if found is end:
                return
            if self._journal is not None and self._journal.is_done(found.path):
                self._take(found, self._journal.result(found.path))

    def _take_in_order(self, found: Found, result: dict[str, Any] | bytes) -> int:
        self._catch_up(found)
        return self._take(found, result)

    def _fail(self, found: Found, error: LinkfixError) -> None:
        self._catch_up(found)
        self._total.failed += 1
        self._total.again += isinstance(error, UnreadableError | WorkerError)

    def _keeps_journal(self) -> bool:
        """Return whether to keep the journal: some documents may succeed later, the others must not run twice."""
        sums = self._total.sums
        failed = self._total.again or self._batch.unreadable
        return bool(failed and (sums.documents if self._job.mode == "folder" else sums.changed))

    def _take(self, found: Found, result: dict[str, Any] | bytes) -> int:
        """Process the result of a document, or its diff; return the exit status."""
        if isinstance(result, bytes):
            sys.stdout.flush()
            sys.stdout.buffer.write(result)
            return 0
        if "said" in result:
            sys.stderr.write(escape_lines(result["said"]))
        self._total.sums.merge(result["sums"])
        self._total.used.update(dict(result.get("used", ())))
        self._total.embedded.update(result.get("embedded", {}))
        for name, sink in self._sinks.items():
            if sink is not None and name in result:
                sink.write(result[name])
        if self._job.mode == "dry-run":
            for name, links in result.get("would", ()):
                write(escape(f"{name}: {number(links, 'link')} to be rewritten"))
        elif "text" in result and not self._quiet:
            complain(result["text"])
        return int(result.get("status", 0))

    def _say(self, seconds: float) -> None:
        """Report the totals."""
        if self._quiet:
            return
        link_map = self._job.link_map
        if link_map is not None:
            link_map.used.clear()
            link_map.merge(self._total.used)
            say_what_was_mapped(link_map, self._job.map_path or "", self._total.sums)
        if self._batch.many:
            verb = "to be rewritten" if self._job.mode in {"dry-run", "diff"} else "rewritten"
            complain(self._total.text(self._batch, seconds, verb))
            for line in embedded_lines(self._total.embedded):
                complain(line)


def set_apart(batch: Batch, options: RewriteOptions) -> None:
    """Remove backups from a batch; refuse an output folder inside a source, and two documents with the same output.

    Args:
        batch: the documents.
        options: of the command.

    """
    suffix, output = options.backup, options.output
    if suffix is not None:
        batch.documents = [
            found for found in batch.documents if not (found.root and found.path.endswith(suffix))
        ]
    if output is None:
        return
    target = real(output)
    for root in dict.fromkeys(found.root for found in batch.documents if found.root):
        if relative(target, real(root)) is not None:
            way = "" if is_remote(output) else ", or use --in-place"
            raise click.UsageError(
                f"{escape(output)} is inside {escape(root)}, whose documents are read; "
                f"name a folder beside it{way}."
            )
    places: dict[str, str] = {}
    for found in batch.documents:
        other = places.setdefault(found.relative, found.path)
        if other != found.path:
            raise click.UsageError(
                f"{escape(other)} and {escape(found.path)} would both become "
                f"{escape(found.relative)} in {output}; name the folder that they are in."
            )


def begin_journal(batch: Batch, options: RewriteOptions) -> Journal | None:
    """Open the journal of a run that writes files; None for a single file or no file, which need none.

    A run that resumes nothing begins, where doing it twice does no harm: new documents in another folder, or no map.

    Args:
        batch: the documents.
        options: of the command.

    Raises:
        NothingToResumeError: there is nothing to resume, and the map may not be applied twice.
        JournalError: the run cannot begin, or not go on.
        UnreadableError: the journal cannot be written.

    """
    paths, output = options.inputs.paths, options.output
    if not batch.documents or not (batch.many or options.resume or options.journal):
        return None
    if output is not None:
        make_folder(output)
    path = options.journal or _journal_path(paths, batch, output)
    roots = [folder for path in paths for folder in _folders(path)] if output is None else [output]
    if output is not None and is_remote(output):
        roots = []  # no temporary file is beside a remote one
    opening = partial(Journal, path, asked("rewrite", paths, options), roots=roots, result=RESULT)
    try:
        return opening(resume=options.resume)
    except NothingToResumeError as error:
        if output is None and options.map.map_path is not None:
            raise
        complain(f"{error.file}: {BEGINS}")
        return opening()


def _folders(path: str) -> tuple[str, str]:
    """Return the folder of a path argument, as written and with symbolic links resolved."""
    return folder_of(path) or os.curdir, os.path.dirname(os.path.realpath(path))  # noqa: PTH120 - bytes in names


def _journal_path(paths: Sequence[str], batch: Batch, output: str | None) -> Path:
    """Return the path of the journal: in the output folder, one for each set of paths.

    A journal is a file of this machine; that of a remote folder is in the current one.
    """
    if output is not None and is_remote(output):
        return journal_of(output, *paths)
    folder = Path(folder_of(paths[0]) if output is None else output)
    if batch.is_tree and len(paths) == 1:
        return folder / NAME
    return folder / journal_of(*paths)


def asked(
    command: str, paths: Sequence[str], options: RewriteOptions | MvOptions
) -> dict[str, Any]:
    """Return the options of a command that decide what a document becomes."""
    values = flat(options)
    deciding: dict[str, Any] = {
        name: value if isinstance(value, str | int | None) else repr(value)
        for name, value in values.items()
        if name not in _ASIDE
    }
    for name in _LOGS:  # the journal has their lines
        deciding[name] = values.get(name) is not None
    for name in (*_PATHS, *_READ):
        path = values.get(name)
        if isinstance(path, str):
            deciding[name] = absolute(path) if name in _PATHS else _digest(path)
    return {
        "command": command,
        "linkfix": linkfix.__version__,
        "paths": [absolute(path) for path in paths],
        **deciding,
    }


def _digest(path: str) -> str:
    import hashlib

    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
