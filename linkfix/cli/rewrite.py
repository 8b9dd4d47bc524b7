"""``linkfix rewrite``: the same documents with their links rewritten."""

from __future__ import annotations

import shutil
import sys
import tempfile
from functools import partial
from typing import IO, TYPE_CHECKING, Any, BinaryIO, TextIO

import click

from linkfix.cli.archives import Done, holds_archive, rewrite_archive
from linkfix.cli.documents import STANDARD_INPUT, each, opened
from linkfix.cli.linkmap import say_what_was_mapped, unmatched_record
from linkfix.cli.options import (
    document_options,
    map_options,
    paths_argument,
    policy_from,
    policy_options,
    target_from,
)
from linkfix.cli.output import complain, json_line
from linkfix.errors import LinkfixError
from linkfix.site.files import chunks, replacing

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.policy import Policy
    from linkfix.rewriting import Outcome, Report, Rewriter

__all__ = ["command"]

#: How much of a rewritten file is held in memory before it goes to a temporary file.
SPOOL = 16 * 1024 * 1024


class _Log:
    """Lines about the links of one document, kept until it is known that it was written.

    Args:
        sink: of the lines, None for no log.
        record: gives what is to be said about a link, None for nothing.

    """

    def __init__(
        self, sink: IO[str] | None, record: Callable[[Outcome], dict[str, Any] | None]
    ) -> None:
        self._sink = sink
        self._record = record
        self._lines = tempfile.SpooledTemporaryFile(SPOOL, "w+", encoding="ascii")  # noqa: SIM115 - closed by close()

    @property
    def lines(self) -> IO[str] | None:
        """What has been kept so far; None where nothing is."""
        return None if self._sink is None else self._lines

    def add(self, outcome: Outcome) -> None:
        if self._sink is not None and (record := self._record(outcome)) is not None:
            self._lines.write(json_line(record) + "\n")

    def commit(self) -> None:
        if self._sink is not None:
            self._lines.seek(0)
            shutil.copyfileobj(self._lines, self._sink)

    def close(self) -> None:
        self._lines.close()


class _Logs:
    """Everything that is noted about the links of one document, or of the documents in an archive.

    Args:
        sinks: of the lines about changes, and of those about links that no rule is for.
        name: of the document.

    """

    def __init__(self, sinks: tuple[IO[str] | None, IO[str] | None], name: str) -> None:
        changes, unmatched = sinks
        self._logs = (
            _Log(changes, partial(changed_record, name)),
            _Log(unmatched, partial(unmatched_record, name)),
        )

    def add(self, outcome: Outcome) -> None:
        for log in self._logs:
            log.add(outcome)

    def within(self, name: str) -> _Logs:
        """Give the logs of one document of this archive, which are committed to these."""
        changes, unmatched = (log.lines for log in self._logs)
        return _Logs((changes, unmatched), name)

    def commit(self) -> None:
        for log in self._logs:
            log.commit()

    def close(self) -> None:
        for log in self._logs:
            log.close()


def changed_record(name: str, outcome: Outcome) -> dict[str, Any] | None:
    """Give what the report says about a link that was changed, None for another."""
    link = outcome.link
    if outcome.new is None:
        return None
    return {
        "file": name,
        "line": link.line,
        "column": link.column,
        "start": link.start,
        "end": link.end,
        "element": link.element,
        "attribute": link.attribute,
        "old": link.value,
        "new": outcome.conversion.text,
    }


@click.command("rewrite")
@paths_argument
@click.option(
    "--to",
    type=click.Choice(["uri", "iri"]),
    default="uri",
    show_default=True,
    help="Canonical URIs (ASCII, RFC 3986) or readable IRIs.",
)
@click.option(
    "-i", "--in-place", is_flag=True, help="Replace each file, whole or not at all, if it changes."
)
@click.option(
    "--report",
    "report_path",
    type=click.Path(),
    metavar="FILE",
    help="Write one line of JSON for each link that was changed.",
)
@click.option(
    "--normalize",
    type=click.Choice(["none", "syntax", "scheme"]),
    default="none",
    show_default=True,
    help="How far new values are normalized besides.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing about what was done.")
@map_options
@document_options
@policy_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    in_place: bool,
    report_path: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Rewrite the links of documents; every other byte stays as it is.

    One document goes to standard output, any number are replaced with --in-place. With no PATH,
    or -, standard input is read. A file that cannot be processed gives no output at all; standard
    input, which is a stream, then goes on unchanged from where it failed. Either way a message
    says why and the exit status is 3.
    """
    if in_place and (not paths or "-" in paths):
        raise click.UsageError("--in-place needs files; standard input cannot be replaced.")
    if len(paths) > 1 and not in_place:
        raise click.UsageError(
            "Only one document goes to standard output; say --in-place for many."
        )
    link_map = target_from(options)
    log_sink = _open_report(report_path, "--report")
    unmatched_sink = _open_report(options["unmatched_path"], "--unmatched")
    policy = policy_from(
        options,
        to=options["to"],
        normalize=options["normalize"],
        target=None if link_map is None else link_map.follow,
        style=options["style"],
    )
    reports: list[Report] = []

    def work(path: str) -> int:
        name = STANDARD_INPUT if path == "-" else path
        logs = _Logs((log_sink, unmatched_sink), name)

        def one(source: BinaryIO, sink: IO[bytes]) -> Done:
            if holds_archive(source, name, options["type"]):
                return rewrite_archive(
                    source,
                    sink,
                    name=name,
                    policy=policy,
                    options=options,
                    log=logs.within,
                    on_report=reports.append,
                )
            rewriter = _rewriter(policy, options, name, logs.add)
            if path == "-":
                _stream(rewriter, source, sink)
            else:
                for data in chunks(source):
                    sink.write(rewriter.feed(data))
                sink.write(rewriter.close())
            reports.append(rewriter.report)
            return Done(bool(rewriter.report.changed), False, _summary(rewriter.report))

        try:
            if in_place:
                done = _replace(path, one)
            elif path == "-":
                done = one(sys.stdin.buffer, sys.stdout.buffer)
                sys.stdout.buffer.flush()
            else:
                done = _copy(path, one)
            logs.commit()
        finally:
            logs.close()
        if not quiet:
            complain(done.text)
        return 3 if done.failed else 0

    try:
        status = each(paths, work)
    finally:
        for sink in (log_sink, unmatched_sink):
            if sink is not None:
                sink.close()
    if link_map is not None and not quiet:
        say_what_was_mapped(link_map, options["map_path"], reports)
    ctx.exit(status)


def _open_report(path: str | None, option: str) -> TextIO | None:
    if path is None:
        return None
    try:
        return click.open_file(path, "w", encoding="ascii")  # type: ignore[return-value]
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}", param_hint=option) from None


def _rewriter(
    policy: Policy, options: dict[str, Any], name: str, note: Callable[[Outcome], None]
) -> Rewriter:
    from linkfix import Rewriter

    return Rewriter(
        policy=policy,
        type=None if options["type"] == "auto" else options["type"],
        charset=options["charset"],
        environment=options["environment"],
        base=options["base"],
        name=name,
        on_outcome=note,
    )


def _replace(path: str, work: Callable[[BinaryIO, IO[bytes]], Done]) -> Done:
    with replacing(path) as (source, sink):
        done = work(source, sink)
        if not done.changed:
            sink.seek(0)
            sink.truncate()
    return done


def _copy(path: str, work: Callable[[BinaryIO, IO[bytes]], Done]) -> Done:
    """Rewrite a file to standard output, of which nothing is written before all is known."""
    with opened(path) as source, tempfile.SpooledTemporaryFile(SPOOL) as spool:
        done = work(source, spool)
        spool.seek(0)
        shutil.copyfileobj(spool, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return done


def _stream(rewriter: Rewriter, source: BinaryIO, sink: IO[bytes]) -> None:
    """Rewrite standard input to standard output as it comes."""
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


def _summary(report: Report) -> str:
    text = f"{report.name}: {report.links} links, {report.changed} rewritten"
    if report.kept:
        text += f", {report.kept} left as they were because they cannot be rewritten (see linkfix audit)"
    if report.mapped:
        text += f", {report.mapped} mapped"
    if not report.declared and report.changed:
        text += f"; no charset is declared, read as {report.charset}"
    return text
