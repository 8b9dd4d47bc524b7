"""The work of a rewrite on one file: in place, into a folder, as a diff, or as a dry run.

Input: a file. Output: its new bytes, and a result of plain data for the run and the journal. New files are collected
in a group and committed together, which costs one synchronization of the disk for many. Until then
the old file stays.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO, ClassVar, Literal, get_args

from linkfix.errors import ArgumentError, LinkfixError, UnreadableError
from linkfix.files.access import (
    chunks,
    creating,
    open_document,
    parted,
    place_in,
    replacing,
    whole,
)
from linkfix.files.commit import Group
from linkfix.files.entries import Tally
from linkfix.files.local import discard, encoded, finish
from linkfix.files.paths import is_container, is_remote, split_packed
from linkfix.files.tree import Found, Selection, documents_in
from linkfix.files.verification import Copy, confirm
from linkfix.jobs.failures import contained
from linkfix.jobs.wire import Event
from linkfix.jobs.worker import extend_limit
from linkfix.library import results
from linkfix.links import Link
from linkfix.policy import Keep, Policy, Source, gate
from linkfix.policy.policy import Each
from linkfix.rewriting import Outcome, Rewriter
from linkfix.sites.batch import SiteSettings
from linkfix.sites.documents import Sources, holds_archive, opened
from linkfix.sites.results import Result

if TYPE_CHECKING:
    from linkfix.containers import Changes
    from linkfix.files.journal import Pen, Task
    from linkfix.policy import LinkMap
    from linkfix.server.includes import Part
    from linkfix.warc import Head, Record

#: The largest new document for an open file, in octets, that is kept in memory.
_SPOOL = 16 * 1024 * 1024
#: The destination of new documents; a stream is what goes to an open file.
Mode = Literal["stream", "in-place", "folder", "dry-run", "diff"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteSettings(SiteSettings):
    """What is done with the documents of a run.

    Attributes:
        mode: ``in-place``, ``folder`` for new documents in `output`, ``stream`` for `sink`, ``dry-run`` or ``diff``.
        sink: a binary file, to which the new documents are written one after the other; None for none.
        output: the folder of the new documents; None for none.
        backup: the suffix of the names under which old documents are kept; "" to keep none.
        verify: whether each new document is compared with the old one by independent parsers before the commit; `Policy.each` is
            asked again then.
        link_map: maps links to new targets; None for none.
        lists_changed: whether links that change are listed.
        lists_unmatched: whether links without a rule in the map are listed.
        resume: whether to resume a run that was stopped or killed.
        journal: where it is recorded what is done; None for a place beside the documents, if there are many.
        identity: what else decides what documents become: a run is resumed only with the same, as plain data.

    """

    mode: Mode = "dry-run"
    sink: IO[bytes] | None = None
    output: str | None = None
    backup: str = ""
    selection: Selection = field(default_factory=partial(Selection, archives=True))
    verify: bool = False
    link_map: LinkMap | None = None
    lists_changed: bool = False
    lists_unmatched: bool = False
    resume: bool = False
    journal: str | None = None
    identity: Mapping[str, object] = field(default_factory=dict)
    KINDS: ClassVar[dict[str, gate.Kind]] = {
        **SiteSettings.KINDS,
        "mode": get_args(Mode),
        "output": gate.PATH,
        "backup": gate.suffix,
        "link_map": gate.link_map,
        "journal": gate.PATH,
    }

    def __post_init__(self) -> None:
        SiteSettings.__post_init__(self)
        if isinstance(self.sink, str | os.PathLike):
            raise ArgumentError(f"sink={self.sink!r} is a path and no binary file")
        if self.sink is not None:
            gate.binary("sink", self.sink, "wb")
        if self.output is not None:
            object.__setattr__(self, "output", os.fspath(self.output))
        if (self.output is None) == (self.mode == "folder"):
            raise ArgumentError("output is a folder with mode='folder', and only with it")
        if (self.sink is None) == (self.mode == "stream"):
            raise ArgumentError("sink is a binary file with mode='stream', and only with it")
        if self.backup and self.mode != "in-place":
            raise ArgumentError("backup goes with mode='in-place'")


def in_places(
    policy: Policy,
    sources: Sources,
    part: Part,
    stays: Callable[[Link, bool], None] = lambda *_: None,
) -> Each | None:
    """Return what decides about the links of a part (`Policy.each`).

    Where the pages that include it are in several folders, before or after a move, its relative links stay.

    Args:
        policy: with the map; rules that it applies here are not to be counted.
        sources: what is known about documents.
        part: its pages.
        stays: called with each link that stays, and whether it leads elsewhere from now on.

    """
    from linkfix.iri.resolution import base_url, resolve
    from linkfix.server.addresses import SiteAddress

    address = SiteAddress.at(sources.base or "")
    moves = [policy.places(address.document(page, sources.index)) for page in part.pages]
    folders = {(resolve(old or "", "."), resolve(new or "", ".")) for old, new in moves}
    places = [(base_url(old), base_url(new)) for old, new in folders]

    def each(link: Link) -> str | type[Keep] | None:
        targets = {(old.resolve(link.value), new.resolve(link.value)) for old, new in places}
        moves = any((policy.mapped(old) or old) != new for old, new in targets)
        if len(targets) == 1 or not (moves or policy.style != "keep"):
            return None if policy.each is None else policy.each(link)
        stays(link, moves)
        return Keep

    return each if len(places) > 1 else policy.each


class RewriteWorker:
    """The work on one document of a run, in this process or a worker.

    The new files of several documents are committed together (`linkfix.jobs.worker.Committed`).

    Args:
        settings: what is done.
        pen: writes the journal; None where there is none.

    Attributes:
        settings: that argument.
        group: the new files that are not committed; None where none are written.

    """

    def __init__(self, settings: RewriteSettings, pen: Pen | None = None) -> None:
        self.settings = settings
        policy, link_map = settings.policy, settings.link_map
        xml = policy.xml._replace(on_recover=self._problem, on_schema=self._problem)
        target = policy.target if link_map is None else link_map.follow
        self._policy = replace(policy, xml=xml, target=target)
        #: The policy for verification: it applies the same map, without counting the rules.
        self._uncounted = policy
        if link_map is not None:
            self._uncounted = replace(policy, target=link_map.anew().follow)
        self._pen = pen
        #: The result of the document that is rewritten now.
        self._result: Result
        self.group: Group | None = Group() if settings.mode in {"in-place", "folder"} else None

    def prepare(self) -> None:
        """Load what every document needs (`linkfix.jobs.pool.run`)."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: F401 - for `linkfix.files.commit`

        from linkfix.links.stream import SAMPLES
        from linkfix.verifying import load

        if self.settings.verify:
            load()
        policy = replace(self._policy, each=None)  # these are no documents of the user's
        for type, sample in SAMPLES.items():
            Rewriter(policy=policy, source=Source(type=type)).whole(sample)

    def __call__(self, found: Found) -> Iterator[Event]:
        """Rewrite a document; yield what `linkfix.sites.results.events` reads, and after it the diff if it is wanted.

        Raises:
            LinkfixError: it cannot be processed, and is as it was.

        """
        settings = self.settings
        mode = settings.mode
        outcomes: list[Outcome] | None = [] if mode == "diff" else None
        logs = ["changed"] * settings.lists_changed + ["unmatched"] * settings.lists_unmatched
        self._result = result = Result(settings.sources.name(found.path), logs, outcomes)
        task = None if self._pen is None else self._pen.task(found.path)
        waiting = len(self.group or ())
        if settings.link_map is not None:
            settings.link_map.used.clear()
        old = b""
        with self._files(found, task) as (source, sink):
            if mode == "diff":
                if holds_archive(source, found.path, settings.sources.type):
                    raise UnreadableError(
                        "there is no diff of a WARC file", hint="use --dry-run", file=found.path
                    )
                old = b"".join(chunks(source))
                source = io.BytesIO(old)
            is_new = self._rewrite(source, sink, found)
            if mode == "in-place" and not is_new:
                discard(sink)
            elif mode == "in-place" and (problem := parted(source, found.path)) is not None:
                result.problem(problem)
            used = {} if settings.link_map is None else settings.link_map.used
            plain = result.plain(used=used, is_dry=mode == "dry-run")
            if task is not None:
                task.result = plain
        if self.group is not None:
            self.group.end(task, waiting)
        yield plain
        if outcomes:
            from linkfix.rewriting.diff import changes_of, unified_diff

            yield unified_diff(old, changes_of(outcomes), os.fsencode(found.path))

    def _problem(self, error: LinkfixError) -> None:
        """Add a problem of the document that is rewritten now."""
        self._result.problem(error)

    def _rewrite(self, source: BinaryIO, sink: IO[bytes], found: Found) -> bool:
        """Rewrite a document, an archive or a container from one open file to another; return whether it changed.

        Args:
            source: the document.
            sink: where the new document is written to.
            found: where it is.

        """
        path, sources = found.path, self.settings.sources
        name = sources.name(path)
        if holds_archive(source, name, sources.type):
            return self._rewrite_archive(source, sink, name)
        if is_container(path):
            return self._rewrite_container(found, sink)
        return self._rewrite_document(source, sink, path, name)

    def _rewrite_document(self, source: BinaryIO, sink: IO[bytes], path: str, name: str) -> bool:
        """Rewrite the document of a path, which has a name in messages; return whether it changed."""
        settings, result = self.settings, self._result
        known = self._source(name)
        left: set[int] = set()

        def observe(outcome: Outcome) -> None:
            result.record(name, outcome)
            if outcome.kept:
                left.add(outcome.link.start)
                self._leave(name, outcome.link, outcome.kept)

        def stays(link: Link, moves: bool) -> None:
            left.add(link.start)
            if moves:
                result.sums = result.sums._replace(kept=result.sums.kept + 1)
                self._leave(name, link, "pages of several folders include it")

        policy, part = self._policy, settings.sources.parts.get(name)
        if part is not None:
            policy = replace(policy, each=in_places(self._uncounted, settings.sources, part, stays))
        every, changed = settings.lists_unmatched, settings.lists_changed or settings.mode == "diff"
        rewriter = Rewriter(
            policy=policy,
            source=known,
            on_outcome=observe if every else None,
            on_change=observe if changed and not every else None,
        )
        if not (every or changed):
            rewriter.on_kept = observe
        if settings.mode == "stream" and path == "-":
            _stream(rewriter, source, sink)
        else:
            copy = Copy(sink, source) if settings.verify else None
            for data in results(rewriter, source):
                (copy or sink).write(data)
            if copy is not None and rewriter.report.changed:
                from linkfix.verifying import Settings

                compared = Settings(policy=self._uncounted, source=known, left=left)
                confirm(source, copy, compared)
        result.add(rewriter.report)
        return bool(rewriter.report.changed)

    def _rewrite_container(self, container: Found, sink: IO[bytes]) -> bool:
        """Rewrite the documents in a container; each that cannot be rewritten stays, and is reported."""
        from linkfix.files.packed import repacked

        tally, selection = Tally(), self.settings.selection._replace(whole=False)
        with repacked(container.path, sink, signed=self.settings.policy.xml.signed) as changes:
            for found in documents_in(container, selection, tally):
                extend_limit(found.size)
                try:
                    with contained(), replacing(found.path) as (source, new):
                        if not self._rewrite(source, new, found):
                            discard(new)
                except LinkfixError as error:
                    error.file = error.file or found.path
                    self._result.fail(error)
            for failure in tally.errors:
                self._result.fail(failure)
        return bool(changes)

    def _rewrite_archive(self, source: BinaryIO, sink: IO[bytes], name: str) -> bool:
        """Rewrite an archive; each record that cannot be rewritten is copied, and reported."""
        from linkfix.warc import rewrite_warc

        result = self._result

        def rewriter(record: Record | Head) -> Rewriter:
            known = self.settings.sources.source_in(record)
            observe = partial(result.record, record.name)
            return Rewriter(
                policy=self._policy, source=known, moved_to=known.base, on_outcome=observe
            )

        report = rewrite_warc(
            source, sink, name=name, rewriter=rewriter, on_report=result.add, on_error=result.fail
        )
        if name == result.name:  # the sums are enough for one in a container
            result.archive = report
        return bool(report.changed)

    def _leave(self, name: str, link: Link, why: str) -> None:
        """Process a link that stays although it should change: it is only counted."""

    def _check_changeable(self, path: str) -> None:
        """Refuse a document that could not be changed, where it is only read."""
        if split_packed(path) is not None:
            from linkfix.files.packed import check_changeable

            check_changeable(path, signed=self.settings.policy.xml.signed)

    def _source(self, name: str) -> Source:
        """Return what is known about a document."""
        return self.settings.sources.source(name)

    @contextlib.contextmanager
    def _files(self, found: Found, task: Task | None) -> Iterator[tuple[BinaryIO, IO[bytes]]]:
        """Open a document, and what the new one is written to; the block's end adds a new file to the group."""
        settings, path, group = self.settings, found.path, self.group
        with contextlib.ExitStack() as stack:
            enter = stack.enter_context
            if settings.mode == "in-place":
                within, backup = found.root, settings.backup
                yield enter(replacing(path, within=within, backup=backup, steps=task, group=group))
            elif settings.mode == "folder":
                source = enter(open_document(path))
                target, mode = self._place(found, source)
                new = creating(
                    target, like=source, mode=mode, follow=False, steps=task, group=group
                )
                yield source, enter(new)
            elif settings.sink is not None:
                sink = settings.sink
                if isinstance(sink, io.RawIOBase):
                    sink = enter(whole(sink))
                source, spool = enter(opened(path)), sink
                if found.named != "-":  # nothing is written before the whole of it is rewritten
                    spool = stack.enter_context(tempfile.SpooledTemporaryFile(_SPOOL))
                coded = encoded(spool, source)
                try:
                    yield source, coded
                finally:
                    finish(coded)
                if spool is not sink:
                    spool.seek(0)
                    shutil.copyfileobj(spool, sink)
                sink.flush()
            else:
                self._check_changeable(path)
                nowhere = stack.enter_context(Path(os.devnull).open("wb"))
                yield enter(open_document(path)), nowhere

    def _place(self, found: Found, source: BinaryIO) -> tuple[Path | str, int | None]:
        """Return the path and the permissions of a document in the output folder; None where there are none."""
        target = place_in(self.settings.output or "", found.relative)
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


@contextlib.contextmanager
def replaced(container: str, *, signed: bool) -> Iterator[Changes]:
    """Replace a container with what is changed in it in the block (`linkfix.files.packed.repacked`); without a change it stays."""
    from linkfix.files.packed import repacked

    with replacing(container) as (_, sink):
        with repacked(container, sink, signed=signed) as changes:
            yield changes
        if not changes:
            discard(sink)


def _stream(rewriter: Rewriter, source: BinaryIO, sink: IO[bytes]) -> None:
    """Rewrite a stream, chunk by chunk; one that cannot be processed goes on unchanged."""
    try:
        for data in chunks(source):
            sink.write(rewriter.feed(data))
            sink.flush()
        sink.write(rewriter.close())
    except LinkfixError:
        sink.write(rewriter.rest())
        shutil.copyfileobj(source, sink)
        raise
    finally:
        sink.flush()
