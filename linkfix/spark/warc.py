"""WARC files as DataFrames: one task reads one file, or the part of a large one, as a stream.

`read_warc` returns documents. `extract_warc` and `audit_warc` do at once what `extract` and `audit` do with these
documents; so their bytes stay in the process that reads them, and never pass through Java.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession

import linkfix.arrow
from linkfix.arrow import DOCUMENTS, FINDINGS, LINKS, with_kept
from linkfix.arrow.archives import LARGEST
from linkfix.errors import LinkfixError
from linkfix.files.access import open_document
from linkfix.spark.files import SPLIT, Archive, Reading, archives, divided, mapped
from linkfix.spark.frames import chosen, without_number

#: The columns of a document that its links and findings have as well.
KEPT = ("file", "archive", "offset")
#: The rows of `extract_warc` and `audit_warc`.
LINK_ROWS, FINDING_ROWS = (
    whole.remove(whole.get_field_index("document"))
    for whole in (with_kept(schema, DOCUMENTS, KEPT) for schema in (LINKS, FINDINGS))
)


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
    files = divided(spark, archives(paths), split)
    return mapped(spark, files, lambda file: documents_of(file, reading), DOCUMENTS)


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
    reading = reading or Reading()
    files = divided(spark, archives(paths), reading.split)
    return mapped(spark, files, lambda file: links_of(file, reading), LINK_ROWS)


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

    def work(file: Archive) -> Iterator[pa.RecordBatch]:
        return findings_of(file, reading, select, ignore)

    return mapped(spark, divided(spark, archives(paths), reading.split), work, FINDING_ROWS)


def documents_of(file: Archive, reading: Reading) -> Iterator[pa.RecordBatch]:
    """Yield the documents of a WARC file; a row with an error if it cannot be opened."""
    try:
        source = open_document(file.path)
    except LinkfixError as error:
        error.file = None
        row = {"file": file.name, "archive": file.name, "content": b"", "error": str(error)}
        yield pa.RecordBatch.from_pylist([row], schema=DOCUMENTS)
        return
    with source:
        for batch in linkfix.arrow.read_warc(
            source, file.name, largest=reading.largest, span=file.span
        ):
            yield _filled(batch, reading)


def links_of(
    file: Archive, reading: Reading, counts: Counter[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield the links of a WARC file (`linkfix.arrow.extract`)."""
    documents = documents_of(file, reading)
    return without_number(
        linkfix.arrow.extract(documents, keep=KEPT, policy=reading.policy, counts=counts)
    )


def findings_of(
    file: Archive,
    reading: Reading,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    counts: Counter[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the findings in a WARC file (`linkfix.arrow.audit`)."""
    documents = documents_of(file, reading)
    rules = chosen(select, ignore)
    return without_number(
        linkfix.arrow.audit(documents, keep=KEPT, policy=reading.policy, rules=rules, counts=counts)
    )


def _filled(batch: pa.RecordBatch, reading: Reading) -> pa.RecordBatch:
    """Return documents with the charset and the base of the reading where they have none."""
    for name, value in (("url", reading.base), ("charset", reading.charset)):
        if value is not None:
            column = pc.fill_null(batch.column(name), value)
            batch = batch.set_column(batch.schema.get_field_index(name), name, column)
    return batch
