"""``linkfix rewrite``: parse the options; rewrite one document to standard output, or start a run over files."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TextIO

import click

from linkfix.cli.batch import Batch, gather, tree_options
from linkfix.cli.documents import each, name_of, opened
from linkfix.cli.linkmap import map_options, say_what_was_mapped, target_from
from linkfix.cli.options.operands import PathOrURL, refuse_remote
from linkfix.cli.options.policy import (
    document_options,
    normalize_option,
    paths_argument,
    policy_options,
    settle_base,
    to_option,
    verify_option,
)
from linkfix.cli.options.settings import settings_option
from linkfix.cli.output import complain, log
from linkfix.cli.rewrite.linklog import SPOOL, Logs
from linkfix.cli.rewrite.run import RewriteRun, begin_journal, set_apart
from linkfix.cli.rewrite.sums import Sums
from linkfix.cli.rewrite.worker import Mode, RewriteWorker, policy_of
from linkfix.errors import JournalError, LinkfixError, NothingToResumeError
from linkfix.files.access import chunks
from linkfix.jobs.pool import WRITING

if TYPE_CHECKING:
    from linkfix.cli.archives import RewriteResult
    from linkfix.policy import LinkMap, Policy
    from linkfix.rewriting import Rewriter


@click.command("rewrite")
@paths_argument
@to_option
@click.option(
    "-i", "--in-place", is_flag=True, help="Replace each file, whole or not at all, if it changes."
)
@click.option(
    "-o",
    "--output",
    type=PathOrURL(writes=True, file_okay=False),
    metavar="DIR",
    help="Write the new documents to a folder, in which the folders of the old ones are mirrored.",
)
@click.option(
    "--backup",
    metavar="SUFFIX",
    help="With --in-place: keep the old bytes under the name with SUFFIX, if they change.",
)
@click.option("--dry-run", is_flag=True, help="Write nothing; list the files that would change.")
@click.option("--diff", is_flag=True, help="Write nothing but a diff for `patch`.")
@click.option(
    "--resume", is_flag=True, help="Go on with a run over files that was stopped or killed."
)
@click.option(
    "--journal",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Where what is done is noted, for --resume.  [default: beside the documents]",
)
@click.option(
    "--report",
    "report_path",
    type=click.Path(),
    metavar="FILE",
    help="Write one line of JSON for each link that was changed.",
)
@normalize_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing about what was done.")
@verify_option
@tree_options
@map_options
@document_options
@policy_options
@settings_option
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Rewrite the links of documents; every other byte stays as it is.

    One document goes to standard output; any number, and the documents of folders and of patterns
    like 'site/**/*.html', are replaced with --in-place or written to another folder with --output. With no
    PATH, or -, standard input is read. A file that cannot be processed has no output at all; standard
    input, which is a stream, then goes on unchanged from where it failed. Either way a message
    says why and the exit status is 3.

    Ctrl-C stops a run over files when the present ones are done; what was stopped or killed goes on with
    --resume, and no document is done twice. The exit status is then 130.
    """
    mode = _mode(paths, options)
    settle_base(ctx, paths, options)
    batch = gather(paths, options, cost=WRITING)
    if mode == "stream" and (batch.is_tree or len(paths) > 1):
        raise click.UsageError(
            "Only one document goes to standard output; use --in-place or --output DIR for many."
        )
    link_map = target_from(options)
    policy = policy_of(options, link_map)
    journal = None
    if mode in {"in-place", "folder"}:
        set_apart(batch, options)
        try:
            journal = begin_journal(paths, batch, options)
        except NothingToResumeError as error:
            complain(error)
            ctx.exit(0)
        except JournalError as error:
            raise click.UsageError(str(error)) from None
    with log(options["report_path"]) as report, log(options["unmatched_path"]) as unmatched:
        if mode == "stream":
            sinks = (report, unmatched)
            status = _StandardOutput(options, policy, link_map, sinks).over(batch)
        else:
            status = RewriteRun(batch, options, policy, link_map, mode, report, unmatched).over(
                journal
            )
    ctx.exit(status)


def _mode(paths: tuple[str, ...], options: dict[str, Any]) -> Mode:
    """Return the destination of the new documents; a stream is one document on standard output."""
    in_place, output = options["in_place"], options["output"]
    if in_place and (not paths or "-" in paths):
        raise click.UsageError("--in-place needs files; standard input cannot be replaced.")
    if output is not None and (not paths or "-" in paths):
        raise click.UsageError("--output needs files, whose names the new ones have.")
    if in_place and output is not None:
        raise click.UsageError("--in-place and --output exclude each other.")
    if in_place:
        refuse_remote("--in-place", paths, "; write new documents with --output")
    suffix = options["backup"]
    if suffix is not None and not in_place:
        raise click.UsageError("--backup goes with --in-place.")
    if suffix is not None and (not suffix or "/" in suffix or "\0" in suffix):
        raise click.BadParameter("it is put behind the name of a file.", param_hint="--backup")
    writes = in_place or output is not None
    shows = options["diff"] or options["dry_run"]
    if (options["resume"] or options["journal"]) and (shows or not writes):
        raise click.UsageError("--resume and --journal go with --in-place or --output.")
    if shows:
        return "diff" if options["diff"] else "dry-run"
    if writes:
        return "in-place" if in_place else "folder"
    return "stream"


class _StandardOutput:
    """Rewrites documents to standard output, one by one.

    Args:
        options: of the command.
        policy: how links are rewritten.
        link_map: maps links to new targets; None for none.
        sinks: for lines about changed links and about links without a rule; None for none.

    """

    def __init__(
        self,
        options: dict[str, Any],
        policy: Policy,
        link_map: LinkMap | None,
        sinks: tuple[TextIO | None, TextIO | None],
    ) -> None:
        self._options = options
        self._link_map = link_map
        self._sinks = sinks
        self._work = RewriteWorker(options, policy, link_map, "stream")
        self._sums = Sums()

    def over(self, batch: Batch) -> int:
        """Rewrite the documents of a batch; return the exit status."""
        status = each([found.path for found in batch.documents], self._rewrite)
        if self._link_map is not None and not self._options["quiet"]:
            say_what_was_mapped(self._link_map, self._options["map_path"], self._sums)
        return max(status, 3 if batch.unreadable else 0)

    def _rewrite(self, path: str) -> int:
        """Rewrite a document, or standard input for ``-``; return the exit status."""
        name = name_of(path, self._options)
        with contextlib.closing(Logs(self._sinks, name)) as logs:
            done = self._streamed(name, logs) if path == "-" else self._copied(path, logs)
            sys.stdout.buffer.flush()
            logs.commit()
        if not self._options["quiet"]:
            complain(done.text)
        return 3 if done.failed else 0

    def _streamed(self, name: str, logs: Logs) -> RewriteResult:
        source, sink = sys.stdin.buffer, sys.stdout.buffer
        return self._work.rewrite(
            source, sink, name, logs, logs.add, self._sums.add, stream=_stream
        )

    def _copied(self, path: str, logs: Logs) -> RewriteResult:
        """Rewrite a file; nothing is written before the whole file is rewritten."""
        with opened(path) as source, tempfile.SpooledTemporaryFile(SPOOL) as spool:
            done = self._work.rewrite(source, spool, path, logs, logs.add, self._sums.add)
            spool.seek(0)
            shutil.copyfileobj(spool, sys.stdout.buffer)
        return done


def _stream(rewriter: Rewriter, source: BinaryIO, sink: IO[bytes]) -> None:
    """Rewrite standard input to standard output, chunk by chunk."""
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
