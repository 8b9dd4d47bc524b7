"""``linkfix mv``: move a file or folder inside a site, with the links that lead to it and those that it has."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

import click
from click.core import ParameterSource

from linkfix.cli.batch import STOPPED, Batch, gather, report_failure, tree_options
from linkfix.cli.options.operands import refuse_remote
from linkfix.cli.options.policy import (
    absolute,
    charset_option,
    default_charset_option,
    policy_from,
    policy_options,
    verify_option,
)
from linkfix.cli.options.serving import index_option, serving_from, serving_options
from linkfix.cli.options.settings import Settings, settings_option
from linkfix.cli.output import complain, escape, log, number, write
from linkfix.cli.redirects import redirect_options, write_redirects
from linkfix.cli.rewrite.run import BEGINS, RewriteRun, asked
from linkfix.cli.rewrite.sums import Sums
from linkfix.cli.rewrite.worker import RESULT, RewriteWorker
from linkfix.errors import JournalError, MoveError, NothingToResumeError, UnreadableError
from linkfix.files.access import chunks, open_document
from linkfix.files.journal import NAME, Journal, Pen
from linkfix.jobs.pool import WRITING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.files.tree import Found
    from linkfix.jobs.wire import Event
    from linkfix.migration.moving import SiteMove
    from linkfix.policy import Policy
    from linkfix.rewriting import Outcome
    from linkfix.server.server import Server


@click.command("mv")
@click.argument("old", type=click.Path())
@click.argument("new", type=click.Path())
@click.option(
    "--root",
    metavar="DIR",
    help="The root of the site, in which OLD and NEW are.  [default: the current folder]",
)
@click.option("--base", metavar="IRI", callback=absolute, help="The address of the root.")
@index_option
@serving_options
@charset_option
@default_charset_option
@redirect_options
@click.option("--dry-run", is_flag=True, help="Change nothing; list the files that would change.")
@click.option("--diff", is_flag=True, help="Change nothing; write a diff of the documents.")
@click.option(
    "--after", is_flag=True, help="OLD has become NEW already: rewrite the links, move nothing."
)
@click.option("--resume", is_flag=True, help="Go on with a move that was stopped or killed.")
@click.option(
    "--report",
    "report_path",
    type=click.Path(),
    metavar="FILE",
    help="Write one line of JSON for each link that was changed.",
)
@verify_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but what is wrong.")
@tree_options
@policy_options
@settings_option
@click.pass_context
def command(ctx: click.Context, /, old: str, new: str, **options: Any) -> None:
    """Move the file or folder OLD of a site to NEW, and rewrite the links to it and in it.

    OLD and NEW are paths from the root of the site. In every document of the site, the links that lead to what moves are
    rewritten, and those links of the documents that move which would lead elsewhere. All other bytes stay. Nothing
    is changed unless every document can be processed.

    Exit status: 1 if links to what moved had to stay as they are; 130 if it was stopped.
    """
    if options["redirects_path"] is not None and not options["resume"]:
        _check_new(options["redirects_path"])
    if options["resume"] and (options["dry_run"] or options["diff"]):
        raise click.UsageError("--resume changes documents; --dry-run and --diff do not.")
    refuse_remote("mv", (old, new, options["root"]))
    root = options["root"] = _root(ctx, options["root"])
    try:
        with log(options["report_path"]) as report:
            status = _Command(root, old, new, options, report).run()
    except (MoveError, JournalError) as error:
        raise click.UsageError(str(error)) from None
    ctx.exit(status)


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
        old: what moves, as the user wrote it.
        new: where it goes.
        options: of the command.
        report: sink for lines about changed links; None for none.

    """

    def __init__(
        self, root: str, old: str, new: str, options: dict[str, Any], report: TextIO | None
    ) -> None:
        from linkfix.migration.migration import NOWHERE
        from linkfix.migration.moving import path_in

        self._root = root
        self._old, self._new = path_in(root, old), path_in(root, new)
        self._report = report
        self._shows = options["dry_run"] or options["diff"]
        # What the command `rewrite` has besides.
        besides = dict.fromkeys(("environment", "backup", "output", "unmatched_path", "map_path"))
        self._options: dict[str, Any] = {"type": "auto", **besides, **options}
        self._options["base"] = options["base"] or NOWHERE

    def run(self) -> int:
        """Move; return the exit status."""
        from linkfix.migration.moving import plan_links, plan_move

        options = self._options
        server = self._server()
        journal, resumes = None, options["resume"]
        if not self._shows:
            try:
                journal = self._journal(resume=resumes)
            except NothingToResumeError:
                resumes = False
        is_whole = not resumes  # nothing was done
        try:
            if options["after"]:
                move = plan_links(server, self._old, self._new)
            else:
                move = plan_move(server, self._old, self._new, resume=options["resume"])
            if move.is_done and not options["after"]:
                is_whole = True
                complain(f"{self._new}: an earlier run has moved it; nothing is left to do")
                return 0
            if journal is None and not self._shows:
                complain(f"{self._root}: {BEGINS}")
                journal = self._journal(resume=False)
            batch = gather([self._root], options, archives=False, cost=WRITING)
            documents = batch.documents
            if journal is not None:
                documents = [each for each in documents if not journal.is_done(each.path)]
            policy = self._policy(move)
            first = _Examination(replace(batch, documents=documents), options, policy, move)
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
            last = _Rewriting(batch, options, policy, move, self._report, first.documents)
            return last.over(kept) or int(first.has_left)
        finally:
            if journal is not None:
                journal.close(whole=is_whole)

    def _server(self) -> Server:
        from linkfix.server.addresses import SiteAddress
        from linkfix.server.server import server_of

        try:
            address = SiteAddress.at(self._options["base"])
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--base") from None
        server = server_of(self._root, address, serving_from(self._options), complain)
        for failure in server.listing.failures:
            raise failure
        return server

    def _journal(self, *, resume: bool) -> Journal:
        paths = [self._root, *(os.path.join(self._root, path) for path in (self._old, self._new))]  # noqa: PTH118 - bytes in names
        return Journal(
            Path(self._root, NAME),
            asked("mv", paths, self._options),
            resume=resume,
            result=RESULT,
        )

    def _policy(self, move: SiteMove) -> Policy:
        # A link leads to a file that moves, so that the file proves how its octets are to be read.
        return policy_from(
            self._options,
            target=move.target,
            keeps_spelling=True,
            disputed="chromium",
            trusts_guess=True,
        )


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
        options: of the command.
        policy: how links are rewritten.
        mode: the destination of the new document.
        pen: of the journal; None where there is none.
        move: what moves.

    """

    def __init__(
        self,
        options: dict[str, Any],
        policy: Policy,
        mode: Any,
        pen: Pen | None,
        move: SiteMove,
    ) -> None:
        super().__init__(options, policy, None, mode, pen)
        self._move = move

    def __call__(self, found: Found) -> Iterator[Event]:
        if self.mode != "in-place":
            with open_document(found.path) as source:
                path = os.path.relpath(found.path, self._move.root)
                self._move.check_includes(path, chunks(source))
        events = super().__call__(found)
        plain = next(events)
        if self.mode != "in-place" and isinstance(plain, dict):
            plain["near"] = [*self._move.near.items()]
            self._move.near.clear()
        yield plain
        yield from events

    def _reading(self, source: BinaryIO, name: str) -> dict[str, Any]:
        reading = super()._reading(source, name)
        path = os.path.relpath(name, self._move.root)
        before = self._move.before_at(path)
        if before != path:
            address = self._move.before.address
            reading["base"] = address.document(before, self.options["index"])
        return reading

    def _leave(self, name: str, outcome: Outcome) -> None:
        if self.mode != "in-place":
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

    def __init__(
        self, batch: Batch, options: dict[str, Any], policy: Policy, move: SiteMove
    ) -> None:
        mode: Any = "diff" if options["diff"] else "dry-run"
        super().__init__(batch, options, policy, None, mode, None, None)
        self._move = move
        self._near: set[str] = set()
        self.changed: list[Found] = []
        self.documents = 0
        self.has_left = False

    def _worker(self, pen: Pen | None) -> RewriteWorker:
        return _Worker(self._options, self._policy, self._mode, pen, self._move)

    def _take(self, found: Found, result: dict[str, Any] | bytes) -> int:
        if isinstance(result, dict):
            sums = Sums(*result["sums"])
            self.documents += sums.documents
            self.has_left |= bool(sums.kept)
            if sums.changed:
                self.changed.append(found)
            if not self._options["dry_run"]:
                result["would"] = ()
            for uri, why in result.pop("near", ()):
                if uri not in self._near and not self._options["quiet"]:
                    complain(
                        f"/{uri.removeprefix(self._move.before.address.root)}: links to it stay: {why}"
                    )
                self._near.add(uri)
        return super()._take(found, result)

    def _say(self, seconds: float) -> None:
        options = self._options
        if options["dry_run"] or options["diff"]:
            if options["dry_run"]:
                write(escape(f"{self._move.old} -> {self._move.new}"))
            super()._say(seconds)


class _Rewriting(RewriteRun):
    """The second pass: rewrite the documents that change, and rename the file or folder at the end."""

    def __init__(
        self,
        batch: Batch,
        options: dict[str, Any],
        policy: Policy,
        move: SiteMove,
        report: TextIO | None,
        documents: int,
    ) -> None:
        super().__init__(batch, options, policy, None, "in-place", report, None)
        self._move = move
        self._documents = documents
        self._is_moved = False

    def _worker(self, pen: Pen | None) -> RewriteWorker:
        # The examination has verified what is written now.
        options = {**self._options, "verify": False}
        return _Worker(options, self._policy, self._mode, pen, self._move)

    def _complete(self) -> None:
        if self._options["redirects_path"] is not None:
            moved, standing = self._move.redirects()
            base = self._move.before.address.root
            write_redirects(moved, standing, base, self._options)
        if self._journal is not None:  # the names in it are those before the renaming
            self._journal.sweep()
        self._move.finish()
        self._is_moved = True

    def _keeps_journal(self) -> bool:
        return not self._is_moved

    def _say(self, seconds: float) -> None:
        move, sums = self._move, self._total.sums
        if not self._is_moved:
            complain(f"{move.old} is not moved yet; go on with --resume")
        elif not self._options["quiet"]:
            links = number(sums.changed, "link")
            complain(
                f"{move.old} -> {move.new}; {number(self._documents, 'document')}: {links} rewritten "
                f"in {number(sums.touched, 'document')}; {seconds:.1f} s"
            )
