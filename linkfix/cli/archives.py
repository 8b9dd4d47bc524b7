"""WARC files and containers on the command line: recognize and rewrite them."""

from __future__ import annotations

import contextlib
import tempfile
from functools import partial
from typing import IO, TYPE_CHECKING, BinaryIO

from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.files.codecs import decoded, encoded, finish
from linkfix.files.entries import Tally
from linkfix.files.local import unreadable
from linkfix.files.tree import documents_in
from linkfix.jobs.failures import contained
from linkfix.jobs.worker import extend_limit

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.cli.options.documents import DocumentOptions
    from linkfix.cli.rewrite.results import Result
    from linkfix.files.tree import Found, Selection
    from linkfix.policy import Policy, Source
    from linkfix.rewriting import Report, Rewriter
    from linkfix.warc import ArchiveReport, Head, Record

#: The largest new document in octets that is kept in memory.
_SPOOL = 1024 * 1024
#: How many bytes of a file show whether it is an archive.
_PREFIX = 512


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
    source: BinaryIO, sink: IO[bytes], result: Result, policy: Policy, options: DocumentOptions
) -> None:
    """Rewrite an archive; report each record that cannot be rewritten.

    Args:
        source: the archive, at its beginning.
        sink: where the new archive is written to.
        result: takes what becomes of it.
        policy: how links are read, and what they become.
        options: how documents are read.

    Raises:
        UnreadableError: the archive cannot be processed as a whole.

    """
    from linkfix.rewriting import Rewriter
    from linkfix.warc import rewrite_warc

    def rewriter(record: Record | Head) -> Rewriter:
        known, note = source_in(record, options), partial(result.note, record.name)
        return Rewriter(policy=policy, source=known, moved_to=known.base, on_outcome=note)

    def failed(error: LinkfixError) -> None:
        result.drop()
        complain(error)

    report = rewrite_warc(
        source, sink, name=result.name, rewriter=rewriter, on_report=result.add, on_error=failed
    )
    result.is_changed, result.has_failed = bool(report.changed), bool(report.failed)
    result.text = _summary(result.name, report)


def rewrite_container(
    source: BinaryIO,
    sink: IO[bytes],
    result: Result,
    selected: tuple[Found, Selection],
    rewrite: Callable[[BinaryIO, IO[bytes], Result, str], Report],
    policy: Policy,
) -> None:
    """Rewrite the documents in a container; report each that cannot be rewritten, and leave it.

    Args:
        source: the container.
        sink: where the new container is written to.
        result: takes what becomes of it.
        selected: the container as it was found, and which documents in it are rewritten.
        rewrite: rewrites a document of a name.
        policy: says whether signatures may become invalid.

    Raises:
        LinkfixError: the container cannot be processed as a whole.

    """
    from linkfix.containers import opened

    container, tally = opened(source, result.name), Tally()
    container.check_changeable(signed=policy.xml.signed)
    new: dict[str, IO[bytes]] = {}
    with contextlib.ExitStack() as stack:
        for each in documents_in(*selected, tally):
            extend_limit(each.size)
            spool = stack.enter_context(tempfile.SpooledTemporaryFile(_SPOOL))
            try:
                with contained():
                    member = decoded(container.open(each.relative), each.path)
                    coded = encoded(spool, member)
                    if rewrite(member, coded, result, each.path).changed:
                        finish(coded)
                        new[each.relative] = spool
            except LinkfixError as error:
                error.file = error.file or each.path
                result.drop()
                tally.errors.append(error)
        for failure in tally.errors:
            complain(failure)
        for piece in container.copy(new):
            sink.write(piece)
    result.is_changed, result.has_failed = bool(new), bool(tally.errors)
    result.text = f"{result.name}: {result.sums.text('rewritten')}"
    if kept := result.sums.kept:
        result.text += f", {kept:,} left because they cannot be rewritten (see linkfix audit)"


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
