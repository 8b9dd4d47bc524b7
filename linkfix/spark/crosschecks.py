"""The rules across the documents of a crawl, as joins: missing targets and fragments, spellings of one target.

Input: the facts of WARC files. Output: findings with the codes of ``linkfix audit``. Only keys are compared in Java. What
the rules say of two spellings, the rules themselves say, in Python: of the pairs that are left.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everywhere with Spark
from pyspark.sql.pandas.types import from_arrow_schema

from linkfix.auditing.base import shown
from linkfix.auditing.facts import from_plain
from linkfix.auditing.finding import fields_of
from linkfix.auditing.rule import Hit
from linkfix.files.paths import OWN_PREFIX, absolute, is_remote, join
from linkfix.spark.facts import FACTS, FRAGMENT, MISSING, RULES, SPELLINGS, facts_of
from linkfix.spark.files import Archive, Reading, archives, mapped
from linkfix.spark.jobs import Done
from linkfix.spark.ledger import Ledger
from linkfix.spark.remote import read_table, write_table
from linkfix.spark.tables import Form, ledger_of, write_tables
from linkfix.spark.warc import FINDING_ROWS

#: The answers for which a target counts as missing (RFC 9110, 15.5.5 and 15.5.11).
_GONE = (404, 410)
_COLUMNS = FINDING_ROWS.names


def read_facts(
    spark: SparkSession, paths: Sequence[str], *, reading: Reading | None = None
) -> DataFrame:
    """Return what `targets` needs of WARC files, with the columns of `linkfix.spark.facts.FACTS`.

    Args:
        spark: the session.
        paths: of files, folders and patterns; each executor must find them.
        reading: how documents are read.

    Raises:
        UnreadableError: a folder cannot be read, or nothing matches a pattern.

    """
    chosen = reading or Reading()
    return mapped(spark, archives(paths), lambda file: facts_of(file, chosen), FACTS)


def targets(facts: DataFrame) -> DataFrame:
    """Return the findings about targets in a crawl, with the columns of `audit_warc`.

    ``TGT001``: a target at a host of the crawl that was not captured, or only with 404 or 410. ``TGT005``: a captured page
    without the place that a fragment names. ``SIT001``: another spelling of an earlier target. ``SIT004``: a target by http
    and by https. The order of links is that of the names of WARC files, and in each that of its records.

    Args:
        facts: from `read_facts`. They are read several times, so persist or write them first.

    """
    captures = facts.where(F.col("kind") == "capture")
    links = facts.where(F.col("kind") == "link")
    found = _missing(captures, links).unionByName(_fragments(facts, captures, links))
    spellings = facts.where(F.col("kind") == "spelling")
    for code in SPELLINGS:
        found = found.unionByName(_spellings(spellings, code))
    return found


def write_targets(
    spark: SparkSession, paths: Sequence[str], target: str, *, reading: Reading | None = None
) -> list[Done]:
    """Write the findings of `targets` to the folder ``findings`` of a folder, and the facts beside them.

    A second run reads only WARC files whose facts are missing. In a local folder the findings have their name when they are
    whole; of a remote one Spark itself need not know the file system.

    Args:
        spark: the session.
        paths: of files, folders and patterns; each executor must find them.
        target: the folder, for all executors, or its URL.
        reading: how documents are read.

    Returns:
        One result for each WARC file, and one for the findings: their numbers by severity.

    Raises:
        LinkfixError: the target has the output of another run, or cannot be written. A remote one also has to be of the same
            WARC files.

    """
    chosen = reading or Reading()

    def rows(archive: Archive, counts: Counter[str]) -> Iterator[pa.RecordBatch]:
        return facts_of(archive, chosen, counts)

    facts, findings = (join(absolute(target), name) for name in ("facts", "findings"))
    asked = {"work": "targets", "reading": chosen.asked()}
    files, form = archives(paths), Form(by="kind")
    if is_remote(target):
        ledger = Ledger(findings, {**asked, "archives": sorted(each.path for each in files)})
        ledger.begin()  # before the work
    done = write_tables(spark, files, facts, rows, FACTS, form=form, asked=asked)
    is_new = not all(each.before for each in done)
    if is_remote(target):
        table = Archive(findings, facts, "")
        known = None if is_new else ledger.result(table)
        if known is not None:
            return [*done, Done(findings, known["counts"], before=True)]
        frame = read_table(spark, ledger_of(facts, form, asked), files, FACTS)
        frame.persist(StorageLevel.DISK_ONLY)
        try:
            counts = write_table(targets(frame), ledger, table, max(len(files), 1), FINDING_ROWS)
        finally:
            frame.unpersist()
        return [*done, Done(findings, counts)]
    if is_new or not Path(findings, "_SUCCESS").exists():
        new = f"{facts}/{OWN_PREFIX}findings"
        schema = from_arrow_schema(FACTS)
        targets(spark.read.schema(schema).parquet(facts)).write.mode("overwrite").parquet(new)
        shutil.rmtree(findings, ignore_errors=True)
        Path(new).rename(findings)
    counted = spark.read.parquet(findings).groupBy("severity").count().collect()
    return [*done, Done(findings, {row["severity"]: row["count"] for row in counted})]


def _missing(captures: DataFrame, links: DataFrame) -> DataFrame:
    """Return the findings about targets that are not there."""
    gone = F.col("status").isin(*_GONE)
    known = captures.groupBy("key").agg(
        F.min(gone).alias("is_gone"), F.max("status").alias("answer")
    )
    hosts = captures.select("host").distinct()
    said = F.when(
        F.col("is_gone"), F.concat(F.lit("the crawl was answered with "), F.col("answer"))
    ).otherwise(F.lit("the crawl has not captured it"))
    judged = (
        links.where(F.col("rule") == MISSING)
        .join(F.broadcast(hosts), "host", "left_semi")
        .join(known, "key", "left")
        .where(F.coalesce("is_gone", F.lit(True)))
    )
    return _findings(judged, MISSING, said)


def _fragments(facts: DataFrame, captures: DataFrame, links: DataFrame) -> DataFrame:
    """Return the findings about fragments for which a captured page has no place."""
    pages = captures.where("named").select("key").distinct()
    names = facts.where(F.col("kind") == "name").select("key", "fragment").distinct()
    asking = links.where(F.col("rule") == FRAGMENT).join(pages, "key", "left_semi")
    asked = asking.select("key", "fragment", "names").distinct()
    spelled = asked.withColumn("name", F.explode("names"))
    there = spelled.join(
        names.withColumnRenamed("fragment", "name"), ["key", "name"], "left_semi"
    ).select("key", "fragment")
    judged = asking.join(there.distinct(), ["key", "fragment"], "left_anti")
    return _findings(judged, FRAGMENT, F.lit("that document has no such place"))


def _findings(judged: DataFrame, code: str, message: Column) -> DataFrame:
    """Return the findings of a rule about links."""
    facts = RULES[code]
    texts = {"name": facts.name, "severity": str(facts.severity), "section": facts.section}
    row: dict[str, Any] = {name: F.lit(text) for name, text in texts.items()}
    row |= {"message": message, "suggestion": F.lit(None).cast("string")}
    return judged.select(
        [row[name].alias(name) if name in row else F.col(name) for name in _COLUMNS]
    )


def _spellings(links: DataFrame, code: str) -> DataFrame:
    """Return the findings of a rule about spellings of one target: each differs from the first one of its form."""
    order = F.struct("archive", "record", "start")
    columns = ["file", "archive", "offset", "url", "target", "plain", "start", "record"]
    once = links.groupBy("value").agg(F.min_by(F.struct(*columns), order).alias("link"))
    formed = once.select("link.*").mapInArrow(
        lambda batches: _with_forms(batches, code),
        "file string, archive string, offset long, url string, target string, plain string, start long, record long, form string",
    )
    firsts = formed.groupBy("form").agg(
        F.min_by("target", order).alias("first_target"), F.min_by("plain", order).alias("first_plain"),
        F.min("target").alias("least"), F.max("target").alias("most"),
    )  # fmt: skip
    several = firsts.where(F.col("least") != F.col("most"))
    pairs = formed.join(several, "form").where(F.col("target") != F.col("first_target"))
    return pairs.mapInArrow(lambda batches: _judged(batches, code), from_arrow_schema(FINDING_ROWS))


def _with_forms(batches: Iterable[pa.RecordBatch], code: str) -> Iterator[pa.RecordBatch]:
    """Yield spellings with the form that those of one target share; others are left out."""
    import pyarrow as pa

    for batch in batches:
        forms = [SPELLINGS[code](target) for target in batch.column("target").to_pylist()]
        whole = batch.append_column("form", pa.array(forms, pa.string()))
        yield whole.filter(whole.column("form").is_valid())


def _judged(batches: Iterable[pa.RecordBatch], code: str) -> Iterator[pa.RecordBatch]:
    """Yield what the rule says of pairs of spellings."""
    import pyarrow as pa

    compare = RULES[code].compare
    for batch in batches:
        rows = []
        for pair in batch.to_pylist():
            first, other = (from_plain(json.loads(pair[n])) for n in ("first_plain", "plain"))
            message = compare and compare().message(first.resource or "", other.resource or "")
            if message and code not in other.suppressed:
                rows.append(_row(pair, code, other, Hit(0, len(other.value), shown(message))))
        yield pa.RecordBatch.from_pylist(rows, schema=FINDING_ROWS)


def _row(pair: dict[str, Any], code: str, occurrence: Any, hit: Any) -> dict[str, Any]:
    """Return a finding as a row."""
    from linkfix.auditing.verdict import Verdict

    finding = Verdict(RULES[code], hit).finding(occurrence.link)
    place = {name: pair[name] for name in ("file", "archive", "offset", "url")}
    return {**place, **fields_of(finding), "error": None}
