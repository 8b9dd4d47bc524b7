"""Links to targets that a crawl misses: findings of joins are those of the audit."""

from __future__ import annotations

import io
import json
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from crawl_targets import findings_of_command, findings_of_spark, write_site
from crawls import record, rows_of

import linkfix.arrow
from linkfix.cli.group import cli

pytest.importorskip("pyspark", reason="the extra spark is not installed")
import linkfix.spark

if TYPE_CHECKING:
    from objectstore import ObjectStore
    from pyspark.sql import SparkSession


def test_targets_are_those_of_the_audit_of_the_folder(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of tools/differential/spark_targets.py."""
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    head = "<meta charset=utf-8><a href=#x id=Top-1>"
    (site / "index.html").write_text(
        head
        + "<a href='sub/'><a href=sub/page.html#there><a href=sub/page.html#none><a href=gone.html>"
        "<a href='sub/page%2Ehtml'><a href='HTTP://site.example/index.html#top-1'><a href=http://other.example/>"
        "<!-- linkfix: off --><a href=gone2.html><!-- linkfix: on --><a href=Sub/page.html>"
    )
    (site / "sub" / "page.html").write_text(
        head
        + "<p id=there><p id=\u00e9><a href='../index.html'><a href='https://site.example/index.html'><a href=page.html#%C3%A9>"
        "<p id='%41|x'><a href='page.html#%41|x'>"
        "<a href='./%67one.html'><a href=../gone.html>"
    )
    (site / "sub" / "index.html").write_text(head + "<img src=no.png>")
    write_site(site, tmp_path / "crawl.warc")
    monkeypatch.setattr("linkfix.spark.session", lambda _: nullcontext(spark))
    target = tmp_path / "out"
    arguments = ["targets", str(tmp_path / "crawl.warc"), "-o", str(target)]
    done = CliRunner().invoke(cli, ["spark", *arguments], catch_exceptions=False)
    assert done.exit_code == 1
    assert "linkfix: 1 WARC file: 5 documents, " in done.stderr
    found = findings_of_spark(spark.read.parquet(str(target / "findings")))
    expected = findings_of_command(site)
    assert {code for *_, code in expected} == {"TGT001", "TGT005", "SIT001", "SIT004"}
    assert found == expected
    again = CliRunner().invoke(cli, ["spark", *arguments], catch_exceptions=False)
    assert "1 WARC file, 1 of them done before" in again.stderr


@pytest.mark.nightly
def test_targets_of_a_remote_folder_are_those_of_a_local_one(
    spark: SparkSession, store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyarrow import parquet

    for number in range(2):
        links = b"<a href='http://h.example/~x'><a href='http://h.example/%%7Ex'><a href=/%d#no><a href=/gone>" % number  # fmt: skip
        page = record(f"http://h.example/{number}", links)
        (tmp_path / f"{number}.warc").write_bytes(page)
    paths = [str(tmp_path / f"{number}.warc") for number in range(2)]
    *_, local = linkfix.spark.write_targets(spark, paths, str(tmp_path / "out"))
    expected = rows_of([spark.read.parquet(str(tmp_path / "out" / "findings")).toArrow()])
    assert {row["rule"] for row in expected} == {"TGT001", "TGT005", "SIT001"}
    for name, value in store.environment.items():
        monkeypatch.setenv(name, value)
        monkeypatch.setitem(spark.sparkContext.environment, name, value)
    bucket = store.bucket("targets", {})
    for before in (False, True):
        done = linkfix.spark.write_targets(spark, paths, f"{bucket}/out")
        assert [each.before for each in done] == [before] * 3
        assert done[-1].counts == local.counts
    parts = {name: data for name, data in store.content("targets").items() if "/findings/part-" in name}  # fmt: skip
    assert len(parts) == 2
    tables = [parquet.read_table(io.BytesIO(data)) for data in parts.values()]
    assert rows_of(tables) == expected
    store.client.delete_object(Bucket="targets", Key=min(parts))
    done = linkfix.spark.write_targets(spark, paths, f"{bucket}/out")
    assert [each.before for each in done] == [True, True, False]
    with pytest.raises(linkfix.LinkfixError, match="other settings"):
        linkfix.spark.write_targets(spark, paths[:1], f"{bucket}/out")


def test_a_spelling_is_reported_once_whatever_its_fragments(
    spark: SparkSession, tmp_path: Path
) -> None:
    paths = [tmp_path / f"{n}.warc" for n in range(3)]
    links = ["http://o.example/~x", "http://o.example/%7Ex#a", "http://o.example/%7Ex#b"]
    for number, (path, link) in enumerate(zip(paths, links, strict=True)):
        path.write_bytes(record(f"http://a.example/{number}", f"<a href='{link}'>".encode()))
    names = [str(path) for path in paths]
    found = linkfix.spark.targets(linkfix.spark.read_facts(spark, names)).where("rule = 'SIT001'")
    done = CliRunner().invoke(cli, ["audit", "--format", "jsonl", "--select", "SIT001", *names])
    (expected,) = map(json.loads, done.stdout.splitlines())
    assert [row["file"] for row in found.collect()] == [expected["file"]]


def test_a_target_is_missing_if_every_capture_says_so(spark: SparkSession, tmp_path: Path) -> None:
    base, page = "http://a.example/", b"".join(b"<a href=/%d>" % n for n in range(5))
    records = [record(base, page), record(f"{base}0", b""), record(f"{base}1", b"", status=404),
               record(f"{base}2", b"", status=410), record(f"{base}3", b"", status=404),
               record(f"{base}%33", b"<a href=http://b.example/>")]  # fmt: skip
    (tmp_path / "a.warc").write_bytes(b"".join(records))
    facts = linkfix.spark.read_facts(spark, [str(tmp_path / "a.warc")])
    rows = linkfix.spark.targets(facts).collect()
    assert {(row["value"], row["rule"], row["message"]) for row in rows} == {
        ("/1", "TGT001", "the crawl was answered with 404"),
        ("/2", "TGT001", "the crawl was answered with 410"),
        ("/4", "TGT001", "the crawl has not captured it"),
    }
