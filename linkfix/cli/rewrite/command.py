"""``linkfix rewrite``: check the options; rewrite one document to standard output, or start a run over files."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from dataclasses import replace
from typing import IO, TYPE_CHECKING, BinaryIO, TextIO

import click

from linkfix.cli.batch import Batch, gather
from linkfix.cli.documents import each, name_of, opened
from linkfix.cli.linkmap import say_what_was_mapped, target_from
from linkfix.cli.options.operands import check, refuse_remote
from linkfix.cli.options.rewrite import RewriteOptions
from linkfix.cli.options.settings import command as made_command
from linkfix.cli.output import complain, log
from linkfix.cli.rewrite.results import SPOOL, Mode, Result, RewriteJob, Sums
from linkfix.cli.rewrite.run import RewriteRun, begin_journal, set_apart
from linkfix.cli.rewrite.worker import RewriteWorker
from linkfix.errors import JournalError, LinkfixError, NothingToResumeError
from linkfix.files.access import chunks
from linkfix.files.codecs import encoded, finish
from linkfix.jobs.pool import WRITING

if TYPE_CHECKING:
    from linkfix.rewriting import Rewriter


@made_command(
    "rewrite",
    RewriteOptions,
    first="--to -i -o --backup --diff --dry-run --map --base --charset --only --exclude --verify -j -q",
)
def command(ctx: click.Context, options: RewriteOptions) -> int:
    """Rewrite the links of documents; every other byte stays as it is.

    One document goes to standard output; any number, and the documents of folders and of patterns
    like 'site/**/*.html', are replaced with --in-place or written to another folder with --output. With no
    PATH, or -, standard input is read. A file that cannot be processed has no output at all; standard
    input, which is a stream, then goes on unchanged from where it failed. Either way a message
    says why and the exit status is 3.

    Ctrl-C stops a run over files when the present ones are done; what was stopped or killed goes on with
    --resume, and no document is done twice. The exit status is then 130.
    """
    paths, mode = options.inputs.paths, _mode(options)
    document = options.document.settled(ctx, paths, options.inputs.stdin_filename)
    options = replace(options, document=document)
    whole = mode not in {"dry-run", "diff"}
    batch = gather(paths, options.tree, whole=whole, cost=WRITING)
    if mode == "stream" and (batch.is_tree or len(paths) > 1):
        raise click.UsageError(
            "Only one document goes to standard output; use --in-place or --output DIR for many."
        )
    job = _job(options, mode)
    journal = None
    if mode in {"in-place", "folder"}:
        set_apart(batch, options)
        try:
            journal = begin_journal(batch, options)
        except NothingToResumeError as error:
            complain(error)
            return 0
        except JournalError as error:
            raise click.UsageError(str(error)) from None
    quiet = options.quiet
    with log(options.report_path) as report, log(options.map.unmatched_path) as unmatched:
        sinks = {"changed": report, "unmatched": unmatched}
        if mode == "stream":
            return _StandardOutput(job, sinks, quiet=quiet).over(batch)
        return RewriteRun(batch, job, sinks, quiet=quiet).over(journal)


def _mode(options: RewriteOptions) -> Mode:
    """Return the destination of the new documents; a stream is one document on standard output."""
    paths, in_place, output = options.inputs.paths, options.in_place, options.output
    from_stream = not paths or "-" in paths
    check(
        {
            "--in-place needs files; standard input cannot be replaced.": in_place and from_stream,
            "--output needs files, whose names the new ones have.": output is not None
            and from_stream,
            "--in-place and --output exclude each other.": in_place and output is not None,
        }
    )
    if in_place:
        refuse_remote("--in-place", paths, "; write new documents with --output")
    suffix = options.backup
    check({"--backup goes with --in-place.": suffix is not None and not in_place})
    if suffix is not None and (not suffix or "/" in suffix or "\0" in suffix):
        raise click.BadParameter("it is put behind the name of a file.", param_hint="--backup")
    writes = in_place or output is not None
    shows = options.diff or options.dry_run
    check(
        {
            "--resume and --journal go with --in-place or --output.": (
                options.resume or options.journal
            )
            and (shows or not writes)
        }
    )
    if shows:
        return "diff" if options.diff else "dry-run"
    if writes:
        return "in-place" if in_place else "folder"
    return "stream"


def _job(options: RewriteOptions, mode: Mode) -> RewriteJob:
    """Return what the options ask for.

    Raises:
        click.UsageError: an option names a schema or a catalog that cannot be read.

    """
    link_map = target_from(options.map, options.document.site)
    policy = replace(
        options.links.policy(options.document.default_charset),
        to=options.to,
        normalize=options.normalize,
        target=None if link_map is None else link_map.follow,
        style=options.map.style,
    )
    return RewriteJob(
        options.document,
        policy,
        mode,
        options.verify,
        link_map,
        options.map.map_path,
        options.output,
        options.backup,
        options.tree.selection(archives=True, whole=True),
        lists_changed=options.report_path is not None,
        lists_unmatched=options.map.unmatched_path is not None,
    )


class _StandardOutput:
    """Rewrites documents to standard output, one by one.

    Args:
        job: what is done.
        sinks: for lines about changed links and about links without a rule; None for none.
        quiet: whether nothing is said about what was done.

    """

    def __init__(self, job: RewriteJob, sinks: dict[str, TextIO | None], *, quiet: bool) -> None:
        self._job = job
        self._sinks = sinks
        self._quiet = quiet
        self._work = RewriteWorker(job)
        self._sums = Sums()

    def over(self, batch: Batch) -> int:
        """Rewrite the documents of a batch; return the exit status."""
        status = each([found.path for found in batch.documents], self._rewrite)
        if self._job.link_map is not None and not self._quiet:
            say_what_was_mapped(self._job.link_map, self._job.map_path or "", self._sums)
        return max(status, 3 if batch.unreadable else 0)

    def _rewrite(self, path: str) -> int:
        """Rewrite a document, or standard input for ``-``; return the exit status."""
        result = Result(self._job, name_of(path, self._job.document))
        with contextlib.closing(result):
            write = self._streamed if path == "-" else self._copied
            write(path, result)
            sys.stdout.buffer.flush()
            result.copy_logs(self._sinks)
        self._sums.merge(result.sums.plain())
        if not self._quiet:
            complain(result.text)
        return 3 if result.has_failed else 0

    def _streamed(self, path: str, result: Result) -> None:
        with opened(path) as source:
            sink = encoded(sys.stdout.buffer, source)
            try:
                self._work.rewrite(source, sink, result, stream=_stream)
            finally:
                finish(sink)

    def _copied(self, path: str, result: Result) -> None:
        """Rewrite a file; nothing is written before the whole file is rewritten."""
        with opened(path) as source, tempfile.SpooledTemporaryFile(SPOOL) as spool:
            sink = encoded(spool, source)
            self._work.rewrite(source, sink, result)
            finish(sink)
            spool.seek(0)
            shutil.copyfileobj(spool, sys.stdout.buffer)


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
