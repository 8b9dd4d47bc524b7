"""WARC files on the command line: recognize and rewrite them."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, BinaryIO, NamedTuple

from linkfix.cli.output import complain
from linkfix.files.local import unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.cli.options.documents import DocumentOptions
    from linkfix.cli.rewrite.linklog import Logs
    from linkfix.errors import LinkfixError
    from linkfix.policy import Policy, Source
    from linkfix.rewriting import Report, Rewriter
    from linkfix.warc import ArchiveReport, Head, Record

#: How many bytes of a file show whether it is an archive.
_PREFIX = 512


class RewriteResult(NamedTuple):
    """The result of rewriting a document or an archive.

    Attributes:
        changed: whether its bytes changed.
        failed: whether a part of it could not be processed.
        text: the message about it.

    """

    changed: bool
    failed: bool
    text: str


def holds_archive(source: BinaryIO, name: str, type: str) -> bool:
    """Return whether a file is read as a WARC file.

    Args:
        source: the file, at its beginning; its position stays there.
        name: of the file.
        type: the value of the option ``--type``.

    Raises:
        UnreadableError: it cannot be read.

    """
    if type != "auto":
        return type == "warc"
    peek = getattr(source, "peek", None)
    try:
        prefix: bytes = b"" if peek is None else peek(_PREFIX)
    except OSError as error:
        raise unreadable(name, "cannot read it", error) from error
    if not prefix.startswith((b"WARC/", b"\x1f\x8b")) and "warc" not in name.lower():
        return False
    from linkfix.warc import is_archive

    return is_archive(prefix[:_PREFIX], name)


def source_in(document: Record | Head, options: DocumentOptions) -> Source:
    """Return what is known about a document in an archive, or else said by the command line."""
    from linkfix.warc import source_of

    return source_of(
        document, charset=options.charset, environment=options.environment, base=options.base
    )


def rewrite_archive(
    source: BinaryIO,
    sink: IO[bytes],
    *,
    name: str,
    policy: Policy,
    options: DocumentOptions,
    log: Callable[[str], Logs],
    on_report: Callable[[Report], None],
) -> RewriteResult:
    """Rewrite an archive; report each record that cannot be rewritten.

    Args:
        source: the archive, at its beginning.
        sink: where the new archive is written to.
        name: of the archive.
        policy: how links are read, and what they become.
        options: how documents are read.
        log: returns the log of a document, by its name.
        on_report: called for each document and HTTP header that was processed.

    Raises:
        UnreadableError: the archive cannot be processed as a whole.

    """
    from linkfix.rewriting import Rewriter
    from linkfix.warc import rewrite_warc

    logs: list[Logs] = []

    def rewriter(record: Record | Head) -> Rewriter:
        logs.append(log(record.name))
        known = source_in(record, options)
        return Rewriter(policy=policy, source=known, moved_to=known.base, on_outcome=logs[-1].add)

    def done(report: Report) -> None:
        first = logs.pop(0)
        first.commit()
        first.close()
        on_report(report)

    def failed(error: LinkfixError) -> None:
        while logs:
            logs.pop().close()
        complain(error)

    try:
        report = rewrite_warc(
            source, sink, name=name, rewriter=rewriter, on_report=done, on_error=failed
        )
    finally:
        for each in logs:
            each.close()
    return RewriteResult(bool(report.changed), bool(report.failed), _summary(name, report))


def _summary(name: str, report: ArchiveReport) -> str:
    from linkfix.cli.output import number

    text = (
        f"{name}: {number(report.records, 'record')}, {number(report.documents, 'document')}, "
        f"{report.rewritten:,} of them rewritten; {number(report.links, 'link')}, {report.changed:,} rewritten"
    )
    if report.headers:
        verb = "has" if report.headers == 1 else "have"
        text += f"; {number(report.headers, 'HTTP header')} {verb} new links"
    if report.kept:
        text += f", {report.kept} left as they were because they cannot be made valid (see linkfix audit)"
    if report.failed:
        text += f"; {number(report.failed, 'record')} could not be processed, copied unchanged"
    if report.revisits:
        text += f"; {report.revisits} revisit records have the new digests"
    if report.stale:
        text += (
            f"; {report.stale} revisit records come before what they repeat and have its old digest"
        )
    return text
