"""Tables at URLs that Spark itself need not know: tasks read and upload them, as they do all other output.

The parts of a table are the work of one task each. Their names depend on their number only, so that another run replaces them by
the same.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from linkfix.files.access import open_document
from linkfix.files.paths import join
from linkfix.spark.files import Archive, mapped
from linkfix.spark.ledger import Ledger, Output

_PARTS = pa.schema([("number", pa.int64()), ("outputs", pa.string()), ("counts", pa.string())])


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


def write_table(
    frame: DataFrame, ledger: Ledger, table: Archive, parts: int, schema: pa.Schema
) -> dict[str, int]:
    """Write a table with the columns of findings, and record it; return its numbers of rows by severity.

    Args:
        frame: the table.
        ledger: which has the place.
        table: stands for the table in the ledger.
        parts: how many files it has; always the same for the same ledger.
        schema: of the rows.

    Raises:
        LinkfixError: a part cannot be uploaded.

    """

    def write(number: int, batches: Iterable[pa.RecordBatch]) -> dict[str, Any]:
        counts: Counter[str] = Counter()
        with ledger.scratch(table) as folder:
            with pq.ParquetWriter(folder / f"part-{number:05}.parquet", schema) as file:
                for batch in batches:
                    for each in pc.value_counts(batch.column("severity")).to_pylist():
                        counts[each["values"]] += each["counts"]
                    file.write_batch(batch.cast(schema))
            outputs = ledger.commit(folder)
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
