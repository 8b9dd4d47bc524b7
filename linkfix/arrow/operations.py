"""Extract, audit, rewrite and transcode the documents of record batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from linkfix.arrow import schemas
from linkfix.arrow.documents import Columns, Document, check_batch, documents, no_batches
from linkfix.errors import ArgumentError, LinkfixError, NoDocumentError
from linkfix.extracting import Extractor
from linkfix.extracting.extractor import fields_of as link_fields
from linkfix.files.access import CHUNK
from linkfix.files.local import encoded, finish
from linkfix.jobs.failures import contained, salvaged
from linkfix.policy import Policy, gate
from linkfix.rewriting import Rewriter

if TYPE_CHECKING:
    from linkfix.auditing import Rule
    from linkfix.transcoding import Transcoder

_COLUMNS = Columns()
_ARGUMENTS = {
    "columns": gate.Instance(Columns, "Columns", required=True),
    "keep": gate.Instance(Iterable, "list of names of columns", required=True),
    "counts": gate.Instance(Counter, "Counter"),
    "accept_losses": gate.BOOL,
}


def extract(
    batches: Iterable[pa.RecordBatch],
    *,
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
    counts: Counter[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the links of documents.

    Args:
        batches: rows are documents.
        columns: the names of their columns.
        keep: columns of the input that each link has as well, such as a key.
        policy: how links are read.
        counts: the numbers of ``documents`` that were read whole, of ``failed`` ones and of ``links`` are added to it.

    Returns:
        Batches with the columns to keep and those of `linkfix.arrow.LINKS`, in the order of the documents and of their links.

    Raises:
        ArgumentError: the batches have no such columns, or an argument is wrong.

    """
    totals: Counter[str] = Counter() if counts is None else counts
    gate.check(_ARGUMENTS, counts=counts)
    Extractor(policy)  # a wrong argument is no error of each document

    def links(document: Document) -> Iterator[dict[str, Any]]:
        extractor = Extractor(policy, source=document.source)
        for found in salvaged(extractor, document.pieces(), extractor.close):
            totals["links"] += len(found)
            yield from map(link_fields, found)

    return _collected(batches, columns, keep, schemas.LINKS, partial(_listed, links, totals))


def audit(
    batches: Iterable[pa.RecordBatch],
    *,
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
    rules: Sequence[Rule] | None = None,
    counts: Counter[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the findings about the links of documents, each document by itself.

    Args:
        batches: rows are documents.
        columns: the names of their columns.
        keep: columns of the input that each finding has as well, such as a key.
        policy: how links are read, and what a suggestion looks like.
        rules: the rules in force, from `linkfix.auditing.select`; None for all. Rules that compare documents compare
            nothing here.
        counts: as for `extract`, and the number of findings that are ``suppressed``.

    Returns:
        Batches with the columns to keep and those of `linkfix.arrow.FINDINGS`.

    Raises:
        ArgumentError: the batches have no such columns, or an argument is wrong.

    """
    from linkfix.auditing import Auditor, Site
    from linkfix.auditing import select as selected
    from linkfix.auditing.finding import fields_of as finding_fields

    gate.check(_ARGUMENTS, counts=counts)
    Auditor(policy, rules=rules)
    chosen = [rule for rule in rules or selected() if rule.compare is None]
    site = Site(chosen)
    totals: Counter[str] = Counter() if counts is None else counts

    def findings(document: Document) -> Iterator[dict[str, Any]]:
        auditor = Auditor(policy, rules=chosen, site=site, source=document.source)
        for found in salvaged(auditor, document.pieces(), auditor.end):
            yield from map(finding_fields, found)
        yield from map(finding_fields, auditor.late_findings())
        totals["links"] += auditor.links
        totals["suppressed"] += auditor.suppressed

    return _collected(batches, columns, keep, schemas.FINDINGS, partial(_listed, findings, totals))


def rewrite(
    batches: Iterable[pa.RecordBatch],
    *,
    to: Literal["uri", "iri"] | None = None,
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield documents with rewritten links.

    Args:
        batches: rows are documents.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs; None for what the policy says, or ``uri``.
        columns: the names of their columns.
        keep: columns of the input that each row of the result has as well, such as a key.
        policy: every other setting.

    Returns:
        Batches with the columns to keep and those of `linkfix.arrow.REWRITTEN`, one row for each of the input.

    Raises:
        ArgumentError: the batches have no such columns, or an argument is wrong.

    """
    made = partial(Rewriter, to, policy=policy)
    made()  # a wrong argument is no error of each document
    return _collected(batches, columns, keep, schemas.REWRITTEN, partial(_changed, made))


def transcode(
    batches: Iterable[pa.RecordBatch],
    *,
    to: Literal["uri", "iri"] | None = None,
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
    accept_losses: bool = False,
) -> Iterator[pa.RecordBatch]:
    """Yield documents in UTF-8, whose links keep their targets.

    Args:
        batches: rows are documents.
        to: ``uri`` or ``iri`` to rewrite every link that is not valid; None to rewrite only links whose target would
            change.
        columns: the names of their columns.
        keep: columns of the input that each row of the result has as well, such as a key.
        policy: every other setting for links; its `to` is not used.
        accept_losses: whether octets that are malformed in the charset become U+FFFD; otherwise the document has an
            error.

    Returns:
        Batches with the columns to keep and those of `linkfix.arrow.TRANSCODED`, one row for each of the input.

    Raises:
        ArgumentError: the batches have no such columns, or an argument is wrong.

    """
    from linkfix.transcoding import Transcoder

    gate.check(_ARGUMENTS, accept_losses=accept_losses)
    made = partial(Transcoder, to, policy=policy, accept_losses=accept_losses)
    made()
    return _collected(batches, columns, keep, schemas.TRANSCODED, partial(_changed, made))


def _listed(
    work: Callable[[Document], Iterator[dict[str, Any]]],
    counts: Counter[str],
    document: Document,
) -> Iterator[dict[str, Any]]:
    """Yield the rows that the work on a document yields; a failure is one more row."""
    if not document.error and (document.content is None or document.is_other):
        return
    try:
        with contained():
            yield from work(document)
    except NoDocumentError:
        return
    except LinkfixError as error:
        counts["failed"] += 1
        yield {"error": error.text}
    else:
        counts["documents"] += 1


def _changed(
    made: Callable[..., Rewriter | Transcoder], document: Document
) -> Iterator[dict[str, Any]]:
    """Yield one row for a document: the new one, or the old one where it cannot be processed."""
    row: dict[str, Any] = {"content": document.content}
    try:
        with contained():
            if document.content is not None and (document.error or not document.is_other):
                row = _written(made(source=document.source), document)
    except NoDocumentError:
        pass
    except LinkfixError as error:
        row["error"] = error.text
    yield row


def _collected(
    batches: Iterable[pa.RecordBatch],
    columns: Columns,
    keep: Sequence[str],
    schema: pa.Schema,
    rows: Callable[[Document], Iterator[dict[str, Any]]],
) -> Iterator[pa.RecordBatch]:
    """Return the rows of all documents as record batches; the arguments are checked before one is read."""
    gate.check(_ARGUMENTS, columns=columns, keep=keep)
    if isinstance(keep, str):
        raise ArgumentError(f"keep={keep!r} is no list of names of columns")
    if not isinstance(batches, Iterable):
        raise no_batches(batches)
    return _filled(iter(batches), columns, tuple(keep), schema, rows)


def _filled(
    rest: Iterator[pa.RecordBatch],
    columns: Columns,
    keep: tuple[str, ...],
    schema: pa.Schema,
    rows: Callable[[Document], Iterator[dict[str, Any]]],
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of all documents as record batches."""
    first = next(rest, None)
    if first is None:
        return
    check_batch(first, columns)
    found = (
        {"document": document.number, "url": document.url, **document.kept, **row}
        for document in documents(chain([first], rest), columns, keep)
        for row in rows(document)
    )
    yield from schemas.collected(found, schemas.with_kept(schema, first.schema, keep))


def _written(stream: Rewriter | Transcoder, document: Document) -> dict[str, Any]:
    """Return a new document, and what is said of it."""
    file, new = document.file(), BytesIO()
    sink, pieces = encoded(new, file), document.pieces(file)
    if sink is new and len(document.content or b"") <= CHUNK and isinstance(stream, Rewriter):
        sink.write(stream.whole(b"".join(pieces)))
    else:
        for piece in pieces:
            sink.write(stream.feed(piece))
        sink.write(stream.close())
    finish(sink)
    report = stream.report
    return {
        "content": new.getvalue(),
        "type": report.type,
        "charset": report.charset or None,
        "links": report.links,
        "changed": report.changed,
        "kept": report.kept,
    }
