"""Tables of links and findings as files: each task has files of its own, so that a run can go on where it stopped.

A task reads a WARC file, or a part of a large one. Its rows never pass through Java. Their files are made in a temporary folder of
its machine, written to their places when all are whole, and then recorded. Their names depend on the WARC file, the part and
the settings only; so a task that is done again replaces them by the same. `read_table` and `write_table` are for tables at URLs that
Spark itself need not know: tasks read and upload them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import linkfix.auditing
from linkfix.files.access import open_document
from linkfix.files.paths import OWN_PREFIX, join
from linkfix.spark.files import Archive, Ledger, Output, Reading, divided, mapped
from linkfix.spark.frames import FINDING_ROWS, LINK_ROWS, findings_of, links_of
from linkfix.spark.jobs import MOST_ERRORS, Done, run

if TYPE_CHECKING:
    #: Yields the rows of a WARC file, and counts what it has read.
    Rows = Callable[[Archive, Counter[str]], Iterator[pa.RecordBatch]]

_PARTS = pa.schema([("number", pa.int64()), ("outputs", pa.string()), ("counts", pa.string())])
#: How many octets the name of a folder has at most (POSIX, NAME_MAX).
_LONGEST = 255
#: The host of an absolute URI.
_HOST = r"^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?(?P<host>\[[^\]/?#]*\]|[^/?#:]*)"


@dataclass(frozen=True, slots=True)
class Form:
    """The form of tables.

    Attributes:
        format: Parquet, or one object of JSON a line.
        by: the column that names the folders of Parquet files, as ``host=www.example.org``, made of ``url``; ``file`` for one
            file for each WARC file. A host whose name is too long for a folder is with those that have none (null).

    """

    format: Literal["parquet", "jsonl"] = "parquet"
    by: str = "host"

    @property
    def folders(self) -> str:
        """The column that names the folders; "" for none."""
        return "" if self.format == "jsonl" or self.by == "file" else self.by


def write_links(
    spark: SparkSession,
    paths: Sequence[str],
    target: str,
    *,
    reading: Reading | None = None,
    form: Form | None = None,
) -> list[Done]:
    """Write the links in WARC files to a folder, as `extract_warc` returns them. A second run does only what is missing.

    Args:
        spark: the session.
        paths: of files, folders and patterns; each executor must find them.
        target: the folder, for all executors, or its URL.
        reading: how documents are read.
        form: of the tables.

    Returns:
        One result for each WARC file: the numbers of ``documents``, ``failed`` ones and ``links``.

    Raises:
        LinkfixError: the target has the output of another run, or cannot be written.

    """
    reading, form = reading or Reading(), form or Form()
    ledger = ledger_of(target, form, {"work": "extract", "reading": reading.asked()})
    work = partial(write_rows, ledger, form, LINK_ROWS, partial(links_of, reading))
    return run(spark, divided(spark, paths, reading.split), ledger, work)


def write_findings(
    spark: SparkSession,
    paths: Sequence[str],
    target: str,
    *,
    reading: Reading | None = None,
    form: Form | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> list[Done]:
    """Write the findings in WARC files to a folder, as `audit_warc` returns them. A second run does only what is missing.

    Args:
        spark: the session.
        paths: of files, folders and patterns; each executor must find them.
        target: the folder, for all executors, or its URL.
        reading: how documents are read, and what a suggestion looks like.
        form: of the tables.
        select: rules by their codes, beginnings of codes or names; all if empty.
        ignore: rules that are not in force although they are selected.

    Returns:
        One result for each WARC file: as for `write_links`, the number of findings that are ``suppressed``, and the numbers
        of findings by severity.

    Raises:
        LinkfixError: the target has the output of another run, or cannot be written.

    """
    reading, form = reading or Reading(), form or Form()
    rules = linkfix.auditing.select(select, ignore)
    codes = sorted(rule.code for rule in rules)
    asked = {"work": "audit", "reading": reading.asked(), "rules": codes}
    ledger = ledger_of(target, form, asked)
    work = partial(write_rows, ledger, form, FINDING_ROWS, partial(findings_of, reading, rules))
    return run(spark, divided(spark, paths, reading.split), ledger, work)


def ledger_of(target: str, form: Form, asked: dict[str, Any]) -> Ledger:
    """Return the records of a job that writes tables.

    Args:
        target: the folder, for all executors, or its URL.
        form: of the tables.
        asked: what decides the rows, as plain data.

    """
    return Ledger(target, {**asked, "format": form.format, "by": form.folders})


def write_rows(ledger: Ledger, form: Form, schema: pa.Schema, rows: Rows, archive: Archive) -> Done:
    """Write the tables of a WARC file, or of a part of one, on an executor.

    Args:
        ledger: of the job.
        form: of the tables.
        schema: of the rows.
        rows: returns the rows of an archive.
        archive: the WARC file.

    Returns:
        The counts that `rows` has made, with the numbers of rows of each severity.

    """
    counts: Counter[str] = Counter()
    errors: list[str] = []
    batches = _noted(rows(archive, counts), counts, errors)
    stem = f"part-{ledger.key(archive)}"
    with TemporaryDirectory(prefix=OWN_PREFIX) as name:
        folder = Path(name)
        if form.format == "jsonl":
            with Path(folder, f"{stem}.jsonl").open("w", encoding="ascii") as file:
                for batch in batches:
                    file.writelines(json.dumps(row) + "\n" for row in batch.to_pylist())
        else:
            _write_parquet(folder, stem, batches, schema, form.folders)
        outputs = ledger.write(folder)
    ledger.record(archive, outputs, {"counts": dict(counts), "errors": errors})
    return Done(archive.name, dict(counts), tuple(errors))


def _noted(
    batches: Iterator[pa.RecordBatch], counts: Counter[str], errors: list[str]
) -> Iterator[pa.RecordBatch]:
    """Yield the same batches; count their rows by severity, and collect the first errors."""
    for batch in batches:
        if "severity" in batch.schema.names:
            _count_severities(batch, counts)
        column = batch.column("error")
        if column.null_count < len(batch) and len(errors) < MOST_ERRORS:
            for row in batch.filter(pc.is_valid(column)).select(["file", "error"]).to_pylist():
                separator = "" if row["error"].startswith(":") else ": "
                errors.append(f"{row['file']}{separator}{row['error']}")
            del errors[MOST_ERRORS:]
        yield batch


def _count_severities(batch: pa.RecordBatch, counts: Counter[str]) -> None:
    for each in pc.value_counts(batch.column("severity").drop_null()).to_pylist():
        counts[each["values"]] += each["counts"]


def _write_parquet(
    folder: Path, stem: str, batches: Iterator[pa.RecordBatch], schema: pa.Schema, by: str
) -> None:
    from pyarrow import dataset

    if by == "host":
        schema = schema.append(pa.field("host", pa.string()))
        batches = (each.append_column("host", _hosts(each.column("url"))) for each in batches)
    parts = dataset.partitioning(pa.schema([schema.field(by)]), flavor="hive") if by else None
    dataset.write_dataset(
        pa.RecordBatchReader.from_batches(schema, batches),
        folder,
        format="parquet",
        partitioning=parts,
        basename_template=f"{stem}-{{i}}.parquet",
        use_threads=False,
        max_partitions=1_000_000,
        existing_data_behavior="overwrite_or_ignore",
    )


def _hosts(urls: pa.Array) -> pa.Array:
    """Return the host of each URL in lower case; null for none, and for one that no folder can be named by."""
    hosts = pc.utf8_lower(pc.struct_field(pc.extract_regex(urls, _HOST), "host"))
    strange = [x for x in pc.unique(hosts).to_pylist() if x and len(f"host={quote(x)}") > _LONGEST]
    if not strange:
        return hosts
    return pc.if_else(pc.is_in(hosts, pa.array(strange)), pa.scalar(None, pa.string()), hosts)


# --- Tables at URLs ---------------------------------------------------------------------------------
# The parts of such a table are the work of one task each. Their names depend on their number only, so that another run replaces them
# by the same.


def read_table(
    spark: SparkSession, ledger: Ledger, files: Sequence[Archive], schema: pa.Schema
) -> DataFrame:
    """Return the rows that are recorded for WARC files.

    Args:
        spark: the session.
        ledger: of the job that has written them, as Parquet in folders that a column names.
        files: the WARC files.
        schema: of the rows.

    """

    def rows(archive: Archive) -> Iterator[pa.RecordBatch]:
        for path in ledger.outputs(archive):
            column, _, value = path.rpartition("/")[0].partition("=")
            with open_document(join(ledger.target, path)) as source:
                for batch in pq.ParquetFile(source).iter_batches():
                    named = pa.array([value] * len(batch), pa.string())
                    whole = batch.append_column(column, named)
                    yield whole.select(schema.names).cast(schema)

    return mapped(spark, files, rows, schema)


def write_table(frame: DataFrame, ledger: Ledger, table: Archive, parts: int) -> dict[str, int]:
    """Write a table with the columns of findings, and record it; return its numbers of rows by severity.

    Args:
        frame: the table.
        ledger: which has the place.
        table: stands for the table in the ledger.
        parts: how many files it has; always the same for the same ledger.

    Raises:
        LinkfixError: a part cannot be uploaded.

    """

    def write(number: int, batches: Iterable[pa.RecordBatch]) -> dict[str, Any]:
        counts: Counter[str] = Counter()
        with TemporaryDirectory(prefix=OWN_PREFIX) as name:
            folder = Path(name)
            with pq.ParquetWriter(folder / f"part-{number:05}.parquet", FINDING_ROWS) as file:
                for batch in batches:
                    _count_severities(batch, counts)
                    file.write_batch(batch.cast(FINDING_ROWS))
            outputs = ledger.write(folder)
        return {"number": number, "outputs": json.dumps(outputs), "counts": json.dumps(counts)}

    def task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        number = TaskContext.get().partitionId()  # type: ignore[union-attr]
        yield pa.RecordBatch.from_pylist([write(number, batches)], schema=_PARTS)

    spread = frame.repartition(parts, "archive")
    done = [row.asDict() for row in spread.mapInArrow(task, from_arrow_schema(_PARTS)).collect()]
    # Spark has no tasks for a table that it knows to be empty.
    missing = {*range(parts)} - {part["number"] for part in done}
    done += [write(number, ()) for number in sorted(missing)]
    total: Counter[str] = Counter()
    outputs: list[Output] = []
    for part in done:
        total.update(json.loads(part["counts"]))
        outputs += [tuple(each) for each in json.loads(part["outputs"])]
    counts = dict(total)
    ledger.record(table, outputs, {"counts": counts, "errors": []})
    return counts
