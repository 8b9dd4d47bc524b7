"""Rewrite the links of whole sites: in place, into a folder, as diffs, or as a dry run.

Input: paths. Output: events, in the order of the documents, and new files (`linkfix.sites.writing`). The journal stores
each result with its document: a resumed run yields what the killed one would have, and rewrites no document twice.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from linkfix.errors import ArgumentError, UnreadableError, WorkerError
from linkfix.files.access import make_folder
from linkfix.files.paths import absolute, is_remote, real, relative
from linkfix.files.tree import folder_of
from linkfix.jobs.pool import WRITING
from linkfix.jobs.stopping import Stop
from linkfix.policy import gate
from linkfix.sites.batch import Batch, Common, gather, stop_of
from linkfix.sites.events import Diff, Failed, Output, Problem
from linkfix.sites.results import RESULT, Rewritten, Sums, events
from linkfix.sites.writing import RewriteSettings, RewriteWorker
from linkfix.version import __version__

if TYPE_CHECKING:
    from linkfix.files.journal import Journal


@dataclass(slots=True)
class Totals:
    """The totals of a run, its last event.

    Attributes:
        sums: of the documents that were processed.
        used: how often each rule of the link map matched, by its number.
        embedded: how many links were in embedded documents.
        failed: how many documents could not be processed.
        again: how many of these failures another try may mend.
        passed: how many files of folders were passed over, by the reason.
        seconds: the elapsed time.

    """

    sums: Sums = Sums()  # noqa: RUF009 - it cannot be changed
    used: Counter[int] = field(default_factory=Counter)
    embedded: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    again: int = 0
    passed: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, result: Rewritten) -> None:
        """Add a document."""
        self.sums = self.sums.plus(result.sums)
        self.used.update(result.used)
        self.embedded.update(result.embedded)


RewriteEvent: TypeAlias = Common | Rewritten | Diff | Totals


def rewrite_site(
    paths: Sequence[str | os.PathLike[str]], settings: RewriteSettings, *, stop: Stop | None = None
) -> Iterator[RewriteEvent]:
    """Rewrite the links of documents; yield what happens, in their order.

    Args:
        paths: files, folders, patterns like ``site/**/*.html``, and URLs of remote ones.
        settings: what is done.
        stop: asks to end after the present documents; None for no such request.

    Raises:
        ArgumentError: the output folder is inside a source, or two documents would have the same new name.
        NothingToResumeError: there is nothing to resume, and the map may not be applied twice.
        JournalError: the run cannot begin, or not go on.
        UnreadableError: the journal or the output folder cannot be written.

    """
    started = time.monotonic()
    stop = stop_of(settings, RewriteSettings, stop)
    selection = settings.selection._replace(whole=settings.mode not in {"dry-run", "diff"})
    names = gate.paths_of(paths)
    batch = gather(names, selection, settings.workers, cost=WRITING)
    has_base = settings.sources.base is not None
    if has_base and (settings.link_map is not None or settings.policy.moves):
        settings = replace(settings, sources=batch.placed(settings))
    _set_apart(batch, settings)
    writes = settings.mode in {"in-place", "folder"}
    journal = _begin_journal(names, batch, settings) if writes else None
    if journal is not None and journal.begun is not None:
        yield Problem(journal.begun)
    totals, is_whole = Totals(passed=batch.tally.passed), False
    try:
        work = RewriteWorker(settings, None if journal is None else journal.pen)
        yield from rewritten(batch, work, journal, totals, stop)
        is_whole = not stop.asked and not _may_go_on(batch, settings, totals)
        if not stop.asked:
            if settings.link_map is not None:
                settings.link_map.used.clear()
                settings.link_map.merge(totals.used)
            totals.seconds = time.monotonic() - started
            yield totals
    finally:
        if journal is not None:
            journal.close(whole=is_whole)


def rewritten(
    batch: Batch, work: RewriteWorker, journal: Journal | None, totals: Totals, stop: Stop
) -> Iterator[Common | Rewritten | Diff]:
    """Rewrite the documents that are not done yet; yield the results of all of them, in order.

    Args:
        batch: the documents.
        work: rewrites one of them.
        journal: of this run; None for none.
        totals: takes the results.
        stop: asks to end early.

    """
    for event in batch.events(work, stop, journal=journal):
        if isinstance(event, Failed):
            totals.failed += 1
            totals.again += isinstance(event.error, UnreadableError | WorkerError)
        if not isinstance(event, Output):
            yield event
        elif isinstance(event.value, bytes):
            yield Diff(event.found.path, event.value)
        else:
            for each in events(work.settings.sources.name(event.found.path), event.value):
                if isinstance(each, Rewritten):
                    totals.add(each)
                yield each


def _set_apart(batch: Batch, settings: RewriteSettings) -> None:
    """Remove backups from a batch; refuse an output folder inside a source, and two documents with the same output."""
    suffix, output = settings.backup, settings.output
    if suffix:
        batch.documents = [
            found for found in batch.documents if not (found.root and found.path.endswith(suffix))
        ]
    if output is None:
        return
    target = real(output)
    for root in dict.fromkeys(found.root for found in batch.documents if found.root):
        if relative(target, real(root)) is not None:
            way = "" if is_remote(output) else ", or use --in-place"
            raise ArgumentError(
                f"{output} is inside {root}, whose documents are read; "
                f"name a folder beside it{way}."
            )
    places: dict[str, str] = {}
    for found in batch.documents:
        other = places.setdefault(found.relative, found.path)
        if other != found.path:
            raise ArgumentError(
                f"{other} and {found.path} would both become "
                f"{found.relative} in {output}; name the folder that they are in."
            )


def _may_go_on(batch: Batch, settings: RewriteSettings, totals: Totals) -> bool:
    """Return whether the journal stays: some documents may succeed later, the others must not run twice."""
    failed = totals.again or batch.tally.errors
    sums = totals.sums
    return bool(failed and (sums.documents if settings.mode == "folder" else sums.changed))


def _begin_journal(paths: Sequence[str], batch: Batch, settings: RewriteSettings) -> Journal | None:
    """Open the journal of a run that writes files; None for a single file or no file, which need none.

    A run that resumes nothing begins, where doing it twice does no harm: new documents in another folder, or no map.

    Raises:
        NothingToResumeError: there is nothing to resume, and the map may not be applied twice.
        JournalError: the run cannot begin, or not go on.
        UnreadableError: the journal cannot be written.

    """
    output = settings.output
    if not batch.documents or not (batch.many or settings.resume or settings.journal):
        return None
    if output is not None:
        make_folder(output)
    path = settings.journal or _journal_path(paths, batch, output)
    from linkfix.files.journal import Journal

    roots = [folder for path in paths for folder in _folders(path)] if output is None else [output]
    if output is not None and is_remote(output):
        roots = []  # no temporary file is beside a remote one
    asked = identity("rewrite", paths, settings.identity)
    begins = output is not None or settings.link_map is None
    return Journal(
        path,
        asked,
        resume=settings.resume,
        roots=roots,
        result=RESULT,
        begins=begins,
        elsewhere="name another place with --journal",
    )


def identity(
    command: str, paths: Sequence[str], deciding: Mapping[str, object]
) -> dict[str, object]:
    """Return what decides what a run does, for its journal."""
    return {
        "command": command,
        "linkfix": __version__,
        "paths": [absolute(path) for path in paths],
        **deciding,
    }


def _folders(path: str) -> tuple[str, str]:
    """Return the folder of a path argument, as written and with symbolic links resolved."""
    return folder_of(path) or os.curdir, os.path.dirname(os.path.realpath(path))  # noqa: PTH120 - bytes in names


def _journal_path(paths: Sequence[str], batch: Batch, output: str | None) -> Path:
    """Return the path of the journal: in the output folder, one for each set of paths.

    A journal is a file of this machine; that of a remote folder is in the current one.
    """
    from linkfix.files.journal import NAME, journal_of

    if output is not None and is_remote(output):
        return journal_of(output, *paths)
    folder = Path(folder_of(paths[0]) if output is None else output)
    if batch.tally.is_tree and len(paths) == 1:
        return folder / NAME
    return folder / journal_of(*paths)
