"""Rows and files of Spark are those of the command line. One file, so that pytest-xdist starts Java once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from crawls import differences, fields_of, rows_of_command, rows_of_spark, write_crawl

import linkfix.arrow

pytest.importorskip("pyspark", reason="the extra spark is not installed")
import linkfix.spark
from linkfix.auditing import select

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import SparkSession

SAMPLES = [
    path
    for path in sorted((Path(__file__).parents[2] / "samples").rglob("*"))
    if path.suffix in {".html", ".xml", ".css", ".svg", ".xhtml"}
]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three WARC files with the sample site, some of their records damaged."""
    documents = [(f"{n}/{p.name}", p.read_bytes()) for n in range(4) for p in SAMPLES]
    return [
        str(path) for path in write_crawl(tmp_path_factory.mktemp("crawl"), documents, 3, damage=20)
    ]


def rows_of(batches: Iterable[Any]) -> list[dict[str, Any]]:
    """The rows of record batches without the number of the document."""
    rows = [row for batch in batches for row in batch.to_pylist()]
    return sorted([row for row in rows if row.pop("document", 0) is not None], key=repr)


def test_frames_have_the_rows_of_record_batches(spark: SparkSession) -> None:
    import pyarrow as pa

    rows: list[dict[str, Any]] = [
        {"id": n, "content": path.read_bytes(), "url": f"http://a.example/{path.name}"}
        for n, path in enumerate(SAMPLES)
    ]
    rows.append({"id": 99, "content": b"<a href=x></x>", "type": "text/xml"})
    names = ("id", "content", "url", "type")
    columns = {name: [row.get(name) for row in rows] for name in names}
    batch = pa.record_batch(
        [pa.array(columns["id"]), pa.array(columns["content"]), *(pa.array(columns[n], pa.string()) for n in names[2:])],
        names=names,
    )  # fmt: skip
    frame = spark.createDataFrame(
        [tuple(row.get(name) for name in names) for row in rows],
        "id long, content binary, url string, type string",
    ).repartition(3)
    rules = [rule for rule in select() if rule.code != "ENC001"]
    for found, expected in (
        (linkfix.spark.extract(frame, keep=["id"]), linkfix.arrow.extract([batch], keep=["id"])),
        (
            linkfix.spark.audit(frame, keep=["id"], ignore=["ENC001"]),
            linkfix.arrow.audit([batch], keep=["id"], rules=rules),
        ),
        (
            linkfix.spark.rewrite(frame, keep=["id"], to="iri"),
            linkfix.arrow.rewrite([batch], keep=["id"], to="iri"),
        ),
    ):
        wanted = rows_of(expected)
        assert len(wanted) > 10
        assert rows_of(found.toArrow().to_batches()) == wanted
    with pytest.raises(ValueError, match="no column 'nothing'"):
        linkfix.spark.extract(frame, keep=["nothing"])


@pytest.mark.parametrize("work", ["extract", "audit"])
def test_rows_are_those_of_the_command_line(
    spark: SparkSession, crawl: list[str], work: str, tmp_path: Path
) -> None:
    """A sample of tools/differential/spark_rows.py."""
    expected = rows_of_command(work, [Path(path) for path in crawl])
    assert sum(times for row, times in expected.items() if not row.startswith("{")) >= 3
    if work == "extract":
        frame = linkfix.spark.extract_warc(spark, crawl)
    else:
        frame = linkfix.spark.audit_warc(spark, crawl, ignore=["SIT"])
    assert differences(expected, rows_of_spark(frame, fields_of(expected), tmp_path / "rows")) == 0


def test_documents_of_archives_are_rows(spark: SparkSession, crawl: list[str]) -> None:
    documents = linkfix.spark.read_warc(spark, [*crawl, "/nowhere/a.warc"])
    rows = documents.select("file", "archive", "offset", "type", "error").collect()
    assert {row["archive"] for row in rows} == {*crawl, "/nowhere/a.warc"}
    lost = [row for row in rows if row["archive"].startswith("/nowhere")]
    assert [row["error"] for row in lost] == ["cannot read it: No such file or directory; check the name"]  # fmt: skip
    assert any(row["type"] == "message/http" and "header" in row["file"] for row in rows)
    assert any(row["error"] and row["archive"] in crawl for row in rows)
    # Through Java and back, the links are the same.
    through = linkfix.spark.extract(documents, keep=["file"]).count()
    assert through == linkfix.spark.extract_warc(spark, [*crawl, "/nowhere/a.warc"]).count()
