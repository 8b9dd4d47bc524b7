"""Documents in DataFrames, and in WARC files as DataFrames: extract, audit and rewrite them by ``mapInArrow``.

One task reads one WARC file, or the part of a large one, as a stream. `extract_warc` and `audit_warc` do at once what `extract` and
`audit` do with the documents of `read_warc`; so the bytes of these stay in the process that reads them, and never pass through Java.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

import linkfix.arrow
import linkfix.auditing
from linkfix.arrow import DOCUMENTS, FINDINGS, LINKS, REWRITTEN, Columns, with_kept
from linkfix.arrow.documents import LARGEST
from linkfix.auditing import Rule
from linkfix.errors import LinkfixError
from linkfix.files.access import open_document
from linkfix.policy import Policy, gate
from linkfix.spark.files import SPLIT, Archive, Reading, divided, mapped

_COLUMNS = Columns()
#: The number of a row in its batches, which says nothing of a distributed table.
_NUMBER = "document"
#: The columns of a document that its links and findings have as well.
KEPT = ("file", "archive", "offset")


def _rows(schema: pa.Schema, documents: pa.Schema, keep: Sequence[str]) -> pa.Schema:
    """Return the schema of rows with the columns to keep of their documents, and without their number."""
    whole = with_kept(schema, documents, keep)
    return whole.remove(whole.get_field_index(_NUMBER))


#: The rows of `extract_warc` and `audit_warc`.
LINK_ROWS, FINDING_ROWS = (_rows(schema, DOCUMENTS, KEPT) for schema in (LINKS, FINDINGS))


def extract(
    frame: DataFrame,
    *,
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
) -> DataFrame:
    """Return the links of documents: the columns to keep, and those of `linkfix.arrow.LINKS` without ``document``.

    Args:
        frame: its rows are documents.
        columns: the names of their columns.
        keep: columns that each link has as well, such as a key.
        policy: how links are read.

    Raises:
        ArgumentError: the frame has no such columns, or an argument is wrong.

    """
    work = partial(linkfix.arrow.extract, columns=columns, keep=keep, policy=policy)
    return _mapped(frame, work, LINKS, keep)


def audit(
    frame: DataFrame,
    *,
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> DataFrame:
    """Return findings: the columns to keep, and those of `linkfix.arrow.FINDINGS` without ``document``.

    Each document is audited by itself; `linkfix.spark.targets` compares them.

    Args:
        frame: its rows are documents.
        columns: the names of their columns.
        keep: columns that each finding has as well, such as a key.
        policy: how links are read, and what a suggestion looks like.
        select: rules by their codes, beginnings of codes or names; all if empty.
        ignore: rules that are not in force although they are selected.

    Raises:
        ArgumentError: the frame has no such columns, or an argument is wrong.

    """
    rules = linkfix.auditing.select(select, ignore)
    work = partial(linkfix.arrow.audit, columns=columns, keep=keep, policy=policy, rules=rules)
    return _mapped(frame, work, FINDINGS, keep)


def rewrite(
    frame: DataFrame,
    *,
    to: Literal["uri", "iri"] = "uri",
    columns: Columns = _COLUMNS,
    keep: Sequence[str] = (),
    policy: Policy | None = None,
) -> DataFrame:
    """Return rewritten documents: the columns to keep, and those of `linkfix.arrow.REWRITTEN` without ``document``.

    Args:
        frame: its rows are documents.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs.
        columns: the names of their columns.
        keep: columns that each row of the result has as well, such as a key.
        policy: every other setting; its `to` precedes the argument.

    Raises:
        ArgumentError: the frame has no such columns, or an argument is wrong.

    """
    work = partial(linkfix.arrow.rewrite, to=to, columns=columns, keep=keep, policy=policy)
    return _mapped(frame, work, REWRITTEN, keep)


def _without_number(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield batches without the column ``document``."""
    for batch in batches:
        yield batch.drop_columns([_NUMBER])


def _mapped(
    frame: DataFrame,
    work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    schema: pa.Schema,
    keep: Sequence[str],
) -> DataFrame:
    """Return what the work makes of the rows of a frame."""
    gate.check(
        {"frame": gate.Instance(DataFrame, "DataFrame of Spark", required=True)}, frame=frame
    )
    work([])  # a wrong argument is no error of each task
    result = _rows(schema, to_arrow_schema(frame.schema), keep)

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _without_number(work(batches))

    return frame.mapInArrow(run, from_arrow_schema(result))


def read_warc(
    spark: SparkSession, paths: Sequence[str], *, largest: int = LARGEST, split: int = SPLIT
) -> DataFrame:
    """Return the documents of WARC files, with the columns of `linkfix.arrow.DOCUMENTS`.

    A damaged record is a row with an ``error``, as is a file that cannot be read.

    Args:
        spark: the session.
        paths: of files, folders and patterns; each executor must find them.
        largest: the largest document in bytes; a larger one is a row with an error, without its content.
        split: WARC files of more bytes are divided between several tasks.

    Raises:
        UnreadableError: a path does not exist.

    """
    reading = Reading(largest=largest, split=split)
    files = divided(spark, paths, split)
    return mapped(spark, files, partial(documents_of, reading), DOCUMENTS)


def extract_warc(
    spark: SparkSession, paths: Sequence[str], *, reading: Reading | None = None
) -> DataFrame:
    """Return the links in WARC files: the columns `KEPT`, and those of `linkfix.arrow.LINKS` without ``document``.

    Args:
        spark: the session.
        paths: as for `read_warc`.
        reading: how documents are read.

    Raises:
        UnreadableError: a path does not exist.

    """
    chosen = reading or Reading()
    files = divided(spark, paths, chosen.split)
    return mapped(spark, files, partial(links_of, chosen), LINK_ROWS)


def audit_warc(
    spark: SparkSession,
    paths: Sequence[str],
    *,
    reading: Reading | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> DataFrame:
    """Return the findings in WARC files: the columns `KEPT`, and those of `linkfix.arrow.FINDINGS` without ``document``.

    Args:
        spark: the session.
        paths: as for `read_warc`.
        reading: how documents are read, and what a suggestion looks like.
        select: rules by their codes, beginnings of codes or names; all if empty.
        ignore: rules that are not in force although they are selected.

    Raises:
        UnreadableError: a path does not exist.

    """
    reading = reading or Reading()
    work = partial(findings_of, reading, linkfix.auditing.select(select, ignore))
    return mapped(spark, divided(spark, paths, reading.split), work, FINDING_ROWS)


def documents_of(reading: Reading, file: Archive) -> Iterator[pa.RecordBatch]:
    """Yield the documents of a WARC file; a row with an error if it cannot be opened."""
    try:
        source = open_document(file.path)
    except LinkfixError as error:
        error.file = None
        row = {"file": file.name, "archive": file.name, "content": b"", "error": error.text}
        yield pa.RecordBatch.from_pylist([row], schema=DOCUMENTS)
        return
    with source:
        for batch in linkfix.arrow.read_warc(
            source, file.name, largest=reading.largest, span=file.span
        ):
            yield _filled(batch, reading)


def links_of(
    reading: Reading, file: Archive, counts: Counter[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield the links of a WARC file (`linkfix.arrow.extract`)."""
    documents = documents_of(reading, file)
    return _without_number(
        linkfix.arrow.extract(documents, keep=KEPT, policy=reading.policy, counts=counts)
    )


def findings_of(
    reading: Reading,
    rules: Sequence[Rule],
    file: Archive,
    counts: Counter[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the findings in a WARC file (`linkfix.arrow.audit`)."""
    documents = documents_of(reading, file)
    return _without_number(
        linkfix.arrow.audit(documents, keep=KEPT, policy=reading.policy, rules=rules, counts=counts)
    )


def _filled(batch: pa.RecordBatch, reading: Reading) -> pa.RecordBatch:
    """Return documents with the charset and the base of the reading where they have none."""
    for name, value in (("url", reading.base), ("charset", reading.charset)):
        if value is not None:
            column = pc.fill_null(batch.column(name), value)
            batch = batch.set_column(batch.schema.get_field_index(name), name, column)
    return batch
