"""``linkfix mv``: move a file or folder inside a site, with the links that lead to it and those that it has."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click
from click.core import ParameterSource

from linkfix.cli.batch import STOPPED, Batch, gather, report_failure
from linkfix.cli.migration_report import STALE
from linkfix.cli.options.mv import MvOptions
from linkfix.cli.options.operands import check, refuse_remote
from linkfix.cli.options.settings import Settings
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.output import complain, escape, log, number, write
from linkfix.cli.redirects import write_redirects
from linkfix.cli.rewrite.results import RESULT, RewriteJob, Sums
from linkfix.cli.rewrite.run import BEGINS, RewriteRun, asked
from linkfix.cli.rewrite.worker import RewriteWorker
from linkfix.errors import JournalError, MoveError, NothingToResumeError, UnreadableError
from linkfix.files.access import chunks, open_document
from linkfix.files.journal import NAME, Journal, Pen
from linkfix.jobs.pool import WRITING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event
    from linkfix.migration.moving import SiteMove
    from linkfix.policy import Source
    from linkfix.rewriting import Outcome
    from linkfix.server.server import Server


@made_command(
    "mv",
    MvOptions,
    first="--root --base --redirects --dry-run --diff --after --resume --verify -q",
)
def command(ctx: click.Context, options: MvOptions) -> int:
    """Move the file or folder OLD of a site to NEW, and rewrite the links to it and in it.

    OLD and NEW are paths from the root of the site. In every document of the site, the links that lead to what moves are
    rewritten, and those links of the documents that move which would lead elsewhere. All other bytes stay. Nothing
    is changed unless every document can be processed.

    Exit status: 1 if links to what moved had to stay as they are; 130 if it was stopped.
    """
    if options.redirect.redirects_path is not None and not options.resume:
        _check_new(options.redirect.redirects_path)
    shows = options.dry_run or options.diff
    check({"--resume changes documents; --dry-run and --diff do not.": options.resume and shows})
    refuse_remote("mv", (options.old, options.new, options.root))
    root = _root(ctx, options.root)
    try:
        with log(options.report_path) as report:
            return _Command(root, options, report).run()
    except (MoveError, JournalError) as error:
        raise click.UsageError(str(error)) from None


def _root(ctx: click.Context, root: str | None) -> str:
    """Return the root of the site: an option, else what the settings name, else the current folder."""
    settings = ctx.find_object(Settings) or Settings()
    if root is None:
        from_settings = ctx.get_parameter_source("base") is ParameterSource.DEFAULT_MAP
        root = os.fspath(settings.folder) if from_settings else os.curdir
    if not Path(root).is_dir():
        raise click.BadParameter(f"{escape(root)} is no folder", param_hint="--root")
    return os.path.abspath(root)  # noqa: PTH100 - links stay


def _check_new(path: str) -> None:
    """Refuse to replace a table of redirects: it has those of earlier moves."""
    if Path(path).is_file() and Path(path).stat().st_size:
        raise click.BadParameter(
            f"{escape(path)} exists; name another file, and join them", param_hint="--redirects"
        )


class _Command:
    """One run of the command.

    Args:
        root: of the site.
        options: of the command.
        report: sink for lines about changed links; None for none.

    """

    def __init__(self, root: str, options: MvOptions, report: TextIO | None) -> None:
        from linkfix.migration.moving import path_in
        from linkfix.migration.settings import NOWHERE

        self._root, self._base = root, options.base or NOWHERE
        self._old, self._new = path_in(root, options.old), path_in(root, options.new)
        self._report = report
        self._shows = options.dry_run or options.diff
        self._options = replace(options, root=root, base=self._base)

    def run(self) -> int:
        """Move; return the exit status."""
        from linkfix.migration.moving import plan_links, plan_move

        options = self._options
        server = self._server()
        journal, resumes = None, options.resume
        if not self._shows:
            try:
                journal = self._journal(resume=resumes)
            except NothingToResumeError:
                resumes = False
        is_whole = not resumes  # nothing was done
        try:
            if options.after:
                move = plan_links(server, self._old, self._new)
            else:
                move = plan_move(server, self._old, self._new, resume=options.resume)
            if move.is_done and not options.after:
                is_whole = True
                complain(f"{self._new}: an earlier run has moved it; nothing is left to do")
                return 0
            if journal is None and not self._shows:
                complain(f"{self._root}: {BEGINS}")
                journal = self._journal(resume=False)
            batch = gather([self._root], options.tree, archives=False, cost=WRITING)
            documents = batch.documents
            if journal is not None:
                documents = [each for each in documents if not journal.is_done(each.path)]
            job = self._job(move)
            first = _Examination(replace(batch, documents=documents), job, move, options)
            status = first.over(None)
            if self._shows or status == STOPPED:
                return status or int(first.has_left)
            if status or not all(map(_is_writable, first.changed)):
                complain(
                    "nothing was changed; correct these documents, or leave them out with --exclude"
                )
                return 3
            is_whole = False
            if journal is None:
                return 3
            ready = {each.path for each in first.changed}
            batch.documents = [
                each for each in batch.documents if each.path in ready or journal.is_done(each.path)
            ]
            journal, kept = None, journal
            # The examination has verified what is written now.
            job = replace(job, mode="in-place", verify=False)
            last = _Rewriting(batch, job, move, options, self._report, first.documents)
            return last.over(kept) or int(first.has_left)
        finally:
            if journal is not None:
                journal.close(whole=is_whole)

    def _server(self) -> Server:
        from linkfix.server.addresses import SiteAddress
        from linkfix.server.server import server_of

        try:
            address = SiteAddress.at(self._base)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--base") from None
        serving = self._options.serving.serving(self._options.index)
        server = server_of(self._root, address, serving, complain)
        for failure in server.listing.failures:
            raise failure
        return server

    def _journal(self, *, resume: bool) -> Journal:
        paths = [self._root, *(os.path.join(self._root, path) for path in (self._old, self._new))]  # noqa: PTH118 - bytes in names
        return Journal(
            Path(self._root, NAME), asked("mv", paths, self._options), resume=resume, result=RESULT
        )

    def _job(self, move: SiteMove) -> RewriteJob:
        """Return what is done with the documents."""
        options = self._options
        # A link leads to a file that moves, so that the file proves how its octets are to be read.
        policy = replace(
            options.links.policy(options.default_charset),
            target=move.target,
            keeps_spelling=True,
            disputed="chromium",
            trusts_guess=True,
        )
        return RewriteJob(
            options.document(),
            policy,
            "diff" if options.diff else "dry-run",
            options.verify,
            lists_changed=options.report_path is not None,
        )


def _renew(move: SiteMove, *, shows: bool) -> None:
    """Write the files of the server anew, or list those that would change; report the lines that are to be corrected by hand."""
    for path, changes, stale in move.renew(writes=not shows):
        if changes and shows:
            write(escape(os.path.join(move.root, path)))  # noqa: PTH118 - bytes in names
        for line, words in stale:
            complain(f"{path}:{line}: {words}: {STALE}")


def _is_writable(found: Found) -> bool:
    """Return whether a document can be replaced; report it if it cannot."""
    path = Path(found.path)
    is_writable = path.stat().st_mode & 0o222 and os.access(path.parent, os.W_OK | os.X_OK)
    if not is_writable:
        error = UnreadableError(
            "it cannot be replaced",
            hint="make it and its folder writable, for example with chmod u+w",
        )
        report_failure(found, error)
    return bool(is_writable)


class _Worker(RewriteWorker):
    """The work on one document. A link that has to stay although it should change is reported before anything is written.

    Args:
        job: what is done.
        pen: of the journal; None where there is none.
        move: what moves.

    """

    def __init__(self, job: RewriteJob, pen: Pen | None, move: SiteMove) -> None:
        super().__init__(job, pen)
        self._move = move

    def __call__(self, found: Found) -> Iterator[Event]:
        if self.job.mode != "in-place":
            with open_document(found.path) as source:
                path = os.path.relpath(found.path, self._move.root)
                self._move.check_includes(path, chunks(source))
        events = super().__call__(found)
        plain = next(events)
        if self.job.mode != "in-place" and isinstance(plain, dict):
            plain["near"] = [*self._move.near.items()]
            self._move.near.clear()
        yield plain
        yield from events

    def _source(self, name: str) -> Source:
        source = super()._source(name)
        path = os.path.relpath(name, self._move.root)
        before = self._move.before_at(path)
        if before != path:
            address = self._move.before.address
            source = replace(source, base=address.document(before, self.job.document.index))
        return source

    def _leave(self, name: str, outcome: Outcome) -> None:
        if self.job.mode != "in-place":
            link = outcome.link
            place = f"{name}:{link.line}:{link.column}"
            complain(f"{place}: {link.value}: this link will lead elsewhere: {outcome.kept}")


class _Examination(RewriteRun):
    """The first pass: find the documents that change, and write nothing.

    Attributes:
        changed: the documents that change.
        documents: how many were read.
        has_left: whether links have to stay that will lead elsewhere.

    """

    def __init__(self, batch: Batch, job: RewriteJob, move: SiteMove, options: MvOptions) -> None:
        super().__init__(batch, job, {}, quiet=options.quiet)
        self._shows_names, self._shows_diff = options.dry_run, options.diff
        self._move = move
        self._near: set[str] = set()
        self.changed: list[Found] = []
        self.documents = 0
        self.has_left = False

    def _worker(self, pen: Pen | None) -> RewriteWorker:
        return _Worker(self._job, pen, self._move)

    def _take(self, found: Found, result: dict[str, Any] | bytes) -> int:
        if isinstance(result, dict):
            sums = Sums(*result["sums"])
            self.documents += sums.documents
            self.has_left |= bool(sums.kept)
            if sums.changed:
                self.changed.append(found)
            if not self._shows_names:
                result["would"] = ()
            for uri, why in result.pop("near", ()):
                if uri not in self._near and not self._quiet:
                    complain(
                        f"/{uri.removeprefix(self._move.before.address.root)}: links to it stay: {why}"
                    )
                self._near.add(uri)
        return super()._take(found, result)

    def _say(self, seconds: float) -> None:
        if self._shows_names or self._shows_diff:
            if self._shows_names:
                _renew(self._move, shows=True)
                write(escape(f"{self._move.old} -> {self._move.new}"))
            super()._say(seconds)


class _Rewriting(RewriteRun):
    """The second pass: rewrite the documents that change, and rename the file or folder at the end."""

    def __init__(
        self,
        batch: Batch,
        job: RewriteJob,
        move: SiteMove,
        options: MvOptions,
        report: TextIO | None,
        documents: int,
    ) -> None:
        super().__init__(batch, job, {"changed": report}, quiet=options.quiet)
        self._move = move
        self._redirect = options.redirect
        self._documents = documents
        self._is_moved = False

    def _worker(self, pen: Pen | None) -> RewriteWorker:
        return _Worker(self._job, pen, self._move)

    def _complete(self) -> None:
        if self._redirect.redirects_path is not None:
            moved, standing = self._move.redirects()
            write_redirects(moved, standing, self._move.before.address.root, self._redirect)
        if self._journal is not None:  # the names in it are those before the renaming
            self._journal.sweep()
        _renew(self._move, shows=False)
        self._move.finish()
        self._is_moved = True

    def _keeps_journal(self) -> bool:
        return not self._is_moved

    def _say(self, seconds: float) -> None:
        move, sums = self._move, self._total.sums
        if not self._is_moved:
            complain(f"{move.old} is not moved yet; go on with --resume")
        elif not self._quiet:
            links = number(sums.changed, "link")
            complain(
                f"{move.old} -> {move.new}; {number(self._documents, 'document')}: {links} rewritten "
                f"in {number(sums.touched, 'document')}; {seconds:.1f} s"
            )
