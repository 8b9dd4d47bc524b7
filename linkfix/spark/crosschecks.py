"""The rules across the documents of a crawl, as joins: missing targets and fragments, spellings of one target.

Input: WARC files. Each is read in one pass to rows of four kinds, its facts:

=========  ==================================================================================================
capture    a record with a response: what was asked for, and its status
name       a target of fragments in a captured page
link       a link that leads to another place, for the rules about missing targets and fragments
spelling   the first link with a value in a folder, for the rules about spellings of one target
=========  ==================================================================================================

Output: findings with the codes of ``linkfix audit``. URIs are compared without their fragment, in the normal form of their scheme
(`linkfix.auditing.rule.normal_form`); that is the column ``key``. ``record`` is the number of the document in its WARC file: the
order of the crawl. Only keys are compared in Java. What the rules say of two spellings, the rules themselves say, in Python: of the
pairs that are left.
"""

import json
import shutil
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everywhere with Spark
from pyspark.sql.pandas.types import from_arrow_schema

from linkfix.arrow.schemas import collected
from linkfix.auditing import Auditor, Rule, select
from linkfix.auditing.base import shown
from linkfix.auditing.finding import Facts, Finding, fields_of, from_plain
from linkfix.auditing.rule import FileProblem, FileRule, Hit, normal_form, without_scheme
from linkfix.auditing.site import judged_key
from linkfix.auditing.verdict import Verdict
from linkfix.charset import Charset
from linkfix.errors import LinkfixError
from linkfix.files.access import open_document
from linkfix.files.paths import OWN_PREFIX, absolute, is_remote, join
from linkfix.iri.reference import fragment_of, has_fragment, names_of, without_fragment
from linkfix.jobs.failures import contained, salvaged
from linkfix.spark.files import Archive, Ledger, Reading, archives, mapped
from linkfix.spark.frames import FINDING_ROWS
from linkfix.spark.jobs import Done, run
from linkfix.spark.tables import Form, ledger_of, read_table, write_rows, write_table
from linkfix.warc import Head, Record
from linkfix.warc.records import all_records, source_of

#: The answers for which a target counts as missing (RFC 9110, 15.5.5 and 15.5.11).
_GONE = (404, 410)
_COLUMNS = FINDING_ROWS.names
#: The rules: a target that is missing, a fragment that is, spellings of one target with the form that these share.
MISSING, FRAGMENT = "TGT001", "TGT005"
SPELLINGS = {"SIT001": normal_form, "SIT004": without_scheme}
RULES = {each.code: each for each in select([MISSING, FRAGMENT, *SPELLINGS])}
#: How many values of a WARC file are known, so that their spellings are rows once; others are rows again.
_MOST_KNOWN = 100_000
#: The types of records that have captured something (WARC 1.1, 6); a revisit has what another record has.
_CAPTURES = frozenset(["response", "resource", "conversion", "revisit"])
_STRINGS = ("kind", "file", "archive", "url", "key", "host", "fragment", "target", "plain")

#: The rows: `FACTS` has the columns of a finding about a link as well.
FACTS = pa.schema(
    [
        *[(name, pa.string()) for name in _STRINGS],
        ("record", pa.int64()),
        ("offset", pa.int64()),
        ("status", pa.int64()),
        ("named", pa.bool_()),
        ("names", pa.list_(pa.string())),
        *[(name, pa.int64()) for name in ("line", "column", "start", "end", "first", "last")],
        *[(name, pa.string()) for name in ("rule", "element", "attribute", "value", "error")],
    ]
)


def read_facts(
    spark: SparkSession, paths: Sequence[str], *, reading: Reading | None = None
) -> DataFrame:
    """Return what `targets` needs of WARC files, with the columns of `FACTS`.

    Args:
        spark: the session.
        paths: of files, folders and patterns; each executor must find them.
        reading: how documents are read.

    Raises:
        UnreadableError: a folder cannot be read, or nothing matches a pattern.

    """
    chosen = reading or Reading()
    return mapped(spark, archives(paths), partial(_facts_of, chosen), FACTS)


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
    rows = partial(_facts_of, chosen)
    facts, findings = (join(absolute(target), name) for name in ("facts", "findings"))
    asked = {"work": "targets", "reading": chosen.asked()}
    files, form = archives(paths), Form(by="kind")
    if is_remote(target):
        ledger = Ledger(findings, {**asked, "archives": sorted(each.path for each in files)})
        ledger.begin()  # before the work
    recorded = ledger_of(facts, form, asked)
    done = run(spark, files, recorded, partial(write_rows, recorded, form, FACTS, rows))
    is_new = not all(each.before for each in done)
    if is_remote(target):
        table = Archive(findings, facts, "")
        known = None if is_new else ledger.result(table)
        if known is not None:
            return [*done, Done(findings, known["counts"], before=True)]
        frame = read_table(spark, recorded, files, FACTS)
        frame.persist(StorageLevel.DISK_ONLY)
        try:
            counts = write_table(targets(frame), ledger, table, max(len(files), 1))
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
    for batch in batches:
        forms = [SPELLINGS[code](target) for target in batch.column("target").to_pylist()]
        whole = batch.append_column("form", pa.array(forms, pa.string()))
        yield whole.filter(whole.column("form").is_valid())


def _judged(batches: Iterable[pa.RecordBatch], code: str) -> Iterator[pa.RecordBatch]:
    """Yield what the rule says of pairs of spellings."""
    compare = RULES[code].compare
    for batch in batches:
        rows = []
        for pair in batch.to_pylist():
            first, other = (from_plain(json.loads(pair[n])) for n in ("first_plain", "plain"))
            message = compare and compare().message(first.resource or "", other.resource or "")
            if message and code not in other.suppressed:
                hit = Hit(0, len(other.link.value), shown(message))
                place = {name: pair[name] for name in ("file", "archive", "offset", "url")}
                fields = fields_of(Verdict(RULES[code], hit).finding(other.link))
                rows.append({**place, **fields, "error": None})
        yield pa.RecordBatch.from_pylist(rows, schema=FINDING_ROWS)


# --- The facts of a WARC file -----------------------------------------------------------------------


class _Asked:
    """Files of a site of which every target is asked for, and none is known (`linkfix.auditing.files.Files`)."""

    def problem(self, uri: str, charset: Charset) -> FileProblem | None:
        """Return that a target of HTTP is missing, which `linkfix.spark.targets` judges."""
        del charset
        return FileProblem("missing") if uri.startswith(("http:", "https:")) else None


def _facts_of(
    reading: Reading, file: Archive, counts: Counter[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """Return the facts of a WARC file; a damaged record is a row with an ``error`` besides."""
    return collected(_facts(reading, file, Counter() if counts is None else counts), FACTS)


def _facts(reading: Reading, file: Archive, counts: Counter[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a WARC file."""
    try:
        with contained(), open_document(file.path) as source:
            for row in _rows(source, file.name, reading, counts):
                yield {"archive": file.name, **row}
    except LinkfixError as error:
        counts["failed"] += 1
        error.file = None
        yield {"kind": "error", "file": file.name, "archive": file.name, "error": error.text}


def _rows(
    source: BinaryIO, name: str, reading: Reading, counts: Counter[str]
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a WARC file but for ``archive``."""
    rules = [
        RULES[MISSING],
        replace(RULES[FRAGMENT], file=FileRule("missing", about="place")),
        *(RULES[code] for code in SPELLINGS),
    ]
    known: set[str] = set()
    number = 0
    for record in all_records(source, name):
        captured = _capture(record)
        documents = [each for each in (record.head, record if record.type else None) if each]
        for document in documents:
            number += 1
            place = {"file": document.name, "record": number, "offset": document.offset}
            names = yield from _of_document(document, reading, rules, known, counts, place)
            if document is record and captured is not None and names is not None:
                captured["named"] = True
                for one in names:
                    yield {"kind": "name", "key": captured["key"], "fragment": one}
        record.frame.finish()
        if captured is not None:
            yield captured
        if record.type is None and record.frame.error is not None:
            counts["failed"] += 1
            yield {"kind": "error", "file": record.name, "error": record.frame.error.message}


def _capture(record: Record) -> dict[str, Any] | None:
    """Return the row of a record that has captured something; None for another one."""
    if record.kind not in _CAPTURES or record.base is None:
        return None
    status = record.status or 200
    key = _key(record.base)
    return {"kind": "capture", "file": record.name, "url": record.base, "key": key, "host": _host(key),
            "status": status, "named": False}  # fmt: skip


def _of_document(
    document: Record | Head,
    reading: Reading,
    rules: list[Rule],
    known: set[str],
    counts: Counter[str],
    place: dict[str, Any],
) -> Generator[dict[str, Any], None, set[str] | None]:
    """Yield the rows of the links of a document; the last one is an error if it cannot be read.

    Args:
        document: of a WARC file.
        reading: how it is read.
        rules: in force.
        known: the values in their folders that have rows.
        counts: takes numbers.
        place: the fields of the document that each row has.

    Returns:
        The targets of fragments; None where they are not known.

    """
    known_source = source_of(document, charset=reading.charset, base=reading.base)
    place, facts = {**place, "url": known_source.base}, Facts(keeps_places=True)
    try:
        with contained():
            auditor = Auditor(
                reading.policy, rules=rules, facts=facts, files=_Asked(), source=known_source
            )
            for findings in salvaged(auditor, document.chunks(), auditor.end):
                yield from (place | row for row in _links(findings))
                yield from (place | row for row in _spelled(facts, known))
    except LinkfixError as error:
        counts["failed"] += 1
        error.file = None
        yield {**place, "url": None, "kind": "error", "error": error.text}
        return None
    counts["documents"] += 1
    counts["links"] += auditor.links
    return set(auditor.names or ()) if auditor.type in {"html", "xhtml"} else None


def _links(findings: list[Finding]) -> Iterator[dict[str, Any]]:
    """Yield the rows of links to other places."""
    for finding in findings:
        target, fragment = without_fragment(finding.target), fragment_of(finding.target)
        if finding.code == FRAGMENT and has_fragment(fragment, ()):
            continue  # every page has the place, if there is one at all
        key = _key(target)
        row = fields_of(finding)
        yield {"kind": "link", "key": key, "host": _host(key), "fragment": fragment, "names": names_of(fragment),
               "target": finding.target, **row}  # fmt: skip


def _spelled(facts: Facts, known: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of links whose values are new in their folders."""
    for link in facts.taken()[1]:
        each = from_plain(link)
        value = judged_key(each.directory, each.link.value)
        if each.is_compared and each.resource is not None and value not in known:
            if len(known) >= _MOST_KNOWN:
                known.clear()
            known.add(value)
            yield {"kind": "spelling", "value": value, "target": each.resource, "start": each.link.start,
                   "plain": json.dumps(link)}  # fmt: skip


def _key(uri: str) -> str:
    """Return an absolute URI without its fragment, in its normal form."""
    whole = without_fragment(uri)
    return normal_form(whole) or whole


def _host(key: str) -> str:
    """Return the host of a key, with its port."""
    return key.partition("://")[2].partition("/")[0].rpartition("@")[2]
