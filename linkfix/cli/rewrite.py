"""``linkfix rewrite``: the same documents with their links rewritten."""

from __future__ import annotations

import shutil
import sys
import tempfile
from typing import TYPE_CHECKING, Any, TextIO

import click

from linkfix.cli.documents import STANDARD_INPUT, each, opened
from linkfix.cli.options import document_options, paths_argument, policy_from, policy_options
from linkfix.cli.output import complain, json_line
from linkfix.errors import LinkfixError
from linkfix.site.files import chunks, replacing

if TYPE_CHECKING:
    from linkfix.rewriting import Outcome, Report, Rewriter

__all__ = ["command"]

#: How much of a rewritten file is held in memory before it goes to a temporary file.
SPOOL = 16 * 1024 * 1024


class _Log:
    """The changes of one document, kept until it is known that they were made."""

    def __init__(self, name: str, sink: TextIO | None) -> None:
        self._name = name
        self._sink = sink
        self._lines = tempfile.SpooledTemporaryFile(SPOOL, "w+", encoding="ascii")  # noqa: SIM115 - closed by close()

    def add(self, outcome: Outcome) -> None:
        link = outcome.link
        if self._sink is None or outcome.new is None:
            return
        record = {
            "file": self._name,
            "line": link.line,
            "column": link.column,
            "start": link.start,
            "end": link.end,
            "element": link.element,
            "attribute": link.attribute,
            "old": link.value,
            "new": outcome.conversion.text,
        }
        self._lines.write(json_line(record) + "\n")

    def commit(self) -> None:
        if self._sink is not None:
            self._lines.seek(0)
            shutil.copyfileobj(self._lines, self._sink)

    def close(self) -> None:
        self._lines.close()


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
    log_sink = _open_report(report_path)
    policy = policy_from(options, to=options["to"], normalize=options["normalize"])

    def work(path: str) -> None:
        from linkfix import Rewriter

        name = STANDARD_INPUT if path == "-" else path
        log = _Log(name, log_sink)
        rewriter = Rewriter(
            policy=policy,
            type=None if options["type"] == "auto" else options["type"],
            charset=options["charset"],
            base=options["base"],
            name=name,
            on_outcome=log.add,
        )
        try:
            if in_place:
                _replace(path, rewriter)
            elif path == "-":
                _stream(rewriter)
            else:
                _copy(path, rewriter)
            log.commit()
        finally:
            log.close()
        if not quiet:
            _say(rewriter.report)

    try:
        status = each(paths, work)
    finally:
        if log_sink is not None:
            log_sink.close()
    ctx.exit(status)


def _open_report(path: str | None) -> TextIO | None:
    if path is None:
        return None
    try:
        return click.open_file(path, "w", encoding="ascii")  # type: ignore[return-value]
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}", param_hint="--report") from None


def _replace(path: str, rewriter: Rewriter) -> None:
    with replacing(path) as (source, sink):
        for data in chunks(source):
            sink.write(rewriter.feed(data))
        sink.write(rewriter.close())
        if not rewriter.report.changed:
            sink.seek(0)
            sink.truncate()


def _copy(path: str, rewriter: Rewriter) -> None:
    """Rewrite a file to standard output, of which nothing is written before all is known."""
    with opened(path) as source, tempfile.SpooledTemporaryFile(SPOOL) as spool:
        for data in chunks(source):
            spool.write(rewriter.feed(data))
        spool.write(rewriter.close())
        spool.seek(0)
        shutil.copyfileobj(spool, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _stream(rewriter: Rewriter) -> None:
    """Rewrite standard input to standard output as it comes."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
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


def _say(report: Report) -> None:
    text = f"{report.name}: {report.links} links, {report.changed} rewritten"
    if report.kept:
        text += f", {report.kept} left as they were because they cannot be made valid (see linkfix audit)"
    if not report.declared and report.changed:
        text += f"; no charset is declared, read as {report.charset}"
    complain(text)
