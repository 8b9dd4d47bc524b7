"""Rows and files of Spark are those of the command line. Few files, since each of them may start Java with pytest-xdist."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import zipfile
from collections import Counter
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from crawls import (
    differences,
    fields_of,
    record,
    rows_of,
    rows_of_command,
    rows_of_spark,
    write_crawl,
)
from spark_processes import files_in, holders, rewritten, start, wait_for, write_large

import linkfix.arrow
from linkfix.cli.group import cli

pytest.importorskip("pyspark", reason="the extra spark is not installed")
import linkfix.spark
from linkfix.auditing import select
from linkfix.spark.files import Reading, archives
from linkfix.spark.frames import findings_of, links_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from objectstore import ObjectStore
    from pyspark.sql import SparkSession

SAMPLES = [
    path
    for path in sorted((Path(__file__).parents[2] / "samples").rglob("*"))
    if path.suffix in {".html", ".xml", ".css", ".svg", ".xhtml"}
]


class Here:
    """In place of Spark: does the work of the tasks in this process."""

    def __init__(
        self, _: object, files: Iterable[Any], work: Callable[[Any], Any], __: object
    ) -> None:
        self._batches = [batch for each in files for batch in work(each)]

    def collect(self) -> list[dict[str, Any]]:
        return [row for batch in self._batches for row in batch.to_pylist()]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A session without Java, for what Spark has no part in."""
    for module in ("files", "jobs"):
        monkeypatch.setattr(f"linkfix.spark.{module}.mapped", Here)
    return None


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Three WARC files with the sample site, some of their records damaged."""
    documents = [(f"{n}/{p.name}", p.read_bytes()) for n in range(4) for p in SAMPLES]
    return [
        str(path) for path in write_crawl(tmp_path_factory.mktemp("crawl"), documents, 3, damage=20)
    ]


def parts_of(crawl: list[str]) -> Reading:
    """How to read the file of gzip members in 3 parts, and the plain one in 4; the last file has no border."""
    return Reading(split=min(Path(path).stat().st_size for path in crawl) - 1)


@pytest.mark.nightly
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


@pytest.mark.parametrize("work", ["extract", "audit"])
def test_rows_are_those_of_the_command_line(
    spark: SparkSession, crawl: list[str], work: str, tmp_path: Path
) -> None:
    """A sample of tools/differential/spark_rows.py; two of three files are divided."""
    expected = rows_of_command(work, [Path(path) for path in crawl])
    assert sum(times for row, times in expected.items() if not row.startswith("{")) >= 3
    reading = parts_of(crawl)
    if work == "extract":
        frame = linkfix.spark.extract_warc(spark, crawl, reading=reading)
    else:
        frame = linkfix.spark.audit_warc(spark, crawl, reading=reading, ignore=["SIT"])
    assert frame.rdd.getNumPartitions() == 8
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


def test_files_are_those_of_the_command_line(
    spark: SparkSession, crawl: list[str], tmp_path: Path
) -> None:
    done = linkfix.spark.rewrite_warc(spark, crawl, str(tmp_path / "new"), to="iri")
    expected = rewritten(crawl, tmp_path / "old", "--to", "iri")
    assert files_in(tmp_path / "new") == expected
    assert len(expected) == 3
    assert [each.archive for each in done] == crawl
    assert all(each.counts["changed"] for each in done)
    assert any(each.errors for each in done)
    assert all(len(each.errors) == each.counts["failed"] for each in done)


def test_a_second_run_does_what_is_missing_and_believes_nothing(
    here: SparkSession, crawl: list[str], tmp_path: Path
) -> None:
    target = tmp_path / "new"

    def run(paths: list[str] = crawl) -> list[bool]:
        done = linkfix.spark.rewrite_warc(here, paths, str(target))
        assert [each.archive for each in done] == paths
        return [each.before for each in done]

    assert run() == [False] * 3
    files = files_in(target)
    assert run() == [True] * 3
    (target / "crawl-0.warc.gz").unlink()
    assert run() == [False, True, True]
    records = sorted((target / ".linkfix-spark").glob("?*.json"))
    assert len(records) == 4
    for path in records:
        text = path.read_text()
        if "crawl-1" in text:
            path.write_text(text[: len(text) // 2])
    (target / "crawl-1.warc").unlink()
    assert run() == [True, False, True]
    assert files_in(target) == files
    # A file that is not what was written is in the way: it is kept, and the others are done.
    (target / "crawl-2.warc.gz").write_bytes(b"mine")
    done = linkfix.spark.rewrite_warc(here, crawl, str(target))
    assert [each.before for each in done] == [True, True, False]
    assert "another file is in the way" in done[2].errors[0]
    assert (target / "crawl-2.warc.gz").read_bytes() == b"mine"
    with pytest.raises(linkfix.LinkfixError, match="other settings"):
        linkfix.spark.rewrite_warc(here, crawl, str(target), to="iri")
    with pytest.raises(linkfix.LinkfixError, match="in the folder of the new files"):
        linkfix.spark.rewrite_warc(here, crawl, str(Path(crawl[0]).parent))


def test_an_archive_too_large_for_memory_is_rewritten_and_measured(
    here: SparkSession, tmp_path: Path
) -> None:
    """Beyond 1 MB the new file is on the disk before it is whole."""
    (path,) = write_large(tmp_path, 1, 200)
    for before in (False, True):
        (done,) = linkfix.spark.rewrite_warc(here, [path], str(tmp_path / "new"))
        assert (done.errors, done.before) == ((), before)
    assert (tmp_path / "new" / "0.warc").stat().st_size > 2 << 20
    assert files_in(tmp_path / "new") == rewritten([path], tmp_path / "old")


def test_a_remote_archive_is_read_by_its_url(
    here: SparkSession, crawl: list[str], tmp_path: Path
) -> None:
    pytest.importorskip("fsspec")
    with zipfile.ZipFile(tmp_path / "crawl.zip", "w") as file:
        file.write(crawl[1], "a/crawl-1.warc")
    url = f"zip://a/crawl-1.warc::{tmp_path}/crawl.zip"
    (archive,), (local,) = archives([url]), archives(crawl[1:2])
    strange = ("file", "archive")
    there, wanted = (
        [
            {k: v for k, v in row.items() if k not in strange}
            for row in rows_of(links_of(Reading(), each))
        ]
        for each in (archive, local)
    )
    assert there == wanted
    for before in (False, True):
        (done,) = linkfix.spark.rewrite_warc(here, [url], str(tmp_path / "new"))
        assert done.before is before
    linkfix.spark.rewrite_warc(here, crawl[1:2], str(tmp_path / "local"))
    assert [*files_in(tmp_path / "new").values()] == [*files_in(tmp_path / "local").values()]


def test_a_remote_target_has_the_same_files_and_goes_on(
    here: SparkSession,
    store: ObjectStore,
    crawl: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On an object store, which is a server of its own."""
    linkfix.spark.rewrite_warc(here, crawl, str(tmp_path / "new"))
    linkfix.spark.write_links(here, crawl, str(tmp_path / "links"))
    for name, value in store.environment.items():
        monkeypatch.setenv(name, value)
    bucket = store.bucket("crawl", {})
    for before in (False, True):
        for work, target in (
            (linkfix.spark.rewrite_warc, "new"),
            (linkfix.spark.write_links, "links"),
        ):
            done = work(here, crawl, f"{bucket}/{target}")
            assert [each.before for each in done] == [before] * 3
    found = store.content("crawl")
    for target in ("new", "links"):
        assert {
            name.removeprefix(f"{target}/"): data
            for name, data in found.items()
            if name.startswith(f"{target}/") and "/.linkfix-spark/" not in name
        } == {Path(name).as_posix(): data for name, data in files_in(tmp_path / target).items()}
    # An output that is gone is made again; one that is not what was written is in the way.
    store.client.delete_object(Bucket="crawl", Key="new/crawl-0.warc.gz")
    store.put("crawl", "new/crawl-1.warc", b"mine")
    done = linkfix.spark.rewrite_warc(here, crawl, f"{bucket}/new")
    assert [each.before for each in done] == [False, False, True]
    assert "another file is in the way" in done[1].errors[0]
    again = store.content("crawl")
    assert again["new/crawl-0.warc.gz"] == found["new/crawl-0.warc.gz"]
    assert again["new/crawl-1.warc"] == b"mine"
    with pytest.raises(linkfix.LinkfixError, match="other settings"):
        linkfix.spark.rewrite_warc(here, crawl, f"{bucket}/new", to="iri")


def test_a_table_of_parts_is_that_of_the_whole_and_goes_on(
    here: SparkSession, crawl: list[str], tmp_path: Path
) -> None:
    from pyarrow import dataset

    def run(target: str, reading: Reading) -> tuple[list[linkfix.spark.Done], Any]:
        form = linkfix.spark.Form(by="file")
        done = linkfix.spark.write_links(
            here, names, str(tmp_path / target), reading=reading, form=form
        )
        return done, rows_of(dataset.dataset(tmp_path / target).to_table().to_batches())

    names = [str(shutil.copy(path, tmp_path)) for path in crawl]
    whole, rows = run("whole", Reading())
    parts, same = run("parts", parts_of(names))
    assert len(files_in(tmp_path / "parts")) == 8
    assert parts == whole
    assert same == rows
    files = sorted((tmp_path / "parts").glob("*.parquet"))
    files[0].unlink()
    again, same = run("parts", parts_of(names))
    assert same == rows
    assert [each.before for each in again].count(False) == 1
    # Rows of a file that has changed would be beside the old ones.
    os.utime(names[0], (1, 1))
    (changed, *others), same = run("parts", parts_of(names))
    assert same == rows
    assert "it has changed since an earlier run has read it" in changed.errors[0]
    assert all(each.before for each in others)


def test_a_large_document_is_an_error_and_the_limit_can_be_set(
    here: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkfix.spark.session", lambda _: nullcontext(here))
    (tmp_path / "a.warc").write_bytes(
        record("http://a.example/", b"<a href=/x>" + b" " * 1024 * 1024) * 2
    )
    for limit, status, said in (("1", 3, "more than 1,048,576 bytes; raise `largest`"), ("2", 0, "2 documents, 2 links")):  # fmt: skip
        arguments = ["extract", str(tmp_path / "a.warc"), "-o", str(tmp_path / limit), "--split", "1"]  # fmt: skip
        done = CliRunner().invoke(
            cli, ["spark", *arguments, "--largest", limit], catch_exceptions=False
        )
        assert said in done.stderr
        assert done.exit_code == status
        assert len(list((tmp_path / limit).glob("host=*/*.parquet"))) == 2


@pytest.mark.nightly
@pytest.mark.usefixtures("java")
def test_the_command_runs_under_spark_submit(tmp_path: Path) -> None:
    from linkfix.cli.spark import submit
    from linkfix.spark.sessions import java_home

    program = str(Path(sys.executable).with_name("spark-submit"))
    (tmp_path / "a.warc").write_bytes(record("http://a.example/", b"<a href='/x'>"))
    quick = [
        f"--conf=spark.{name}" for name in ("ui.enabled=false", "sql.codegen.wholeStage=false")
    ]
    line = [
        program,
        "--master",
        "local[1]",
        *quick,
        submit.__file__,
        "extract",
        "a.warc",
        "--output",
        "out",
    ]
    environment = {
        **os.environ,
        "JAVA_HOME": java_home(),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, check=False, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"linkfix: 1 WARC file: 1 document, 1 link" in done.stdout + done.stderr
    assert len(files_in(tmp_path / "out")) == 1


def test_a_forged_record_leads_nowhere(
    here: SparkSession, crawl: list[str], tmp_path: Path
) -> None:
    target = tmp_path / "new"
    linkfix.spark.rewrite_warc(here, crawl[:1], str(target))
    secret = tmp_path / "secret"
    secret.write_bytes(b"x")
    (path,) = (p for p in (target / ".linkfix-spark").glob("*.json") if p.name != "run.json")
    forged = json.loads(path.read_text())
    for outputs in ([["../secret", 1, "0"]], [["/etc/passwd", 1, "0"]], "x", [], [["crawl-0.warc.gz", 1, "0"]]):  # fmt: skip
        path.write_text(json.dumps(forged | {"outputs": outputs}))
        (done,) = linkfix.spark.rewrite_warc(here, crawl[:1], str(target))
        assert done.before is (outputs == [])
    assert secret.read_bytes() == b"x"


def test_no_host_costs_the_rows_of_another(here: SparkSession, tmp_path: Path) -> None:
    from pyarrow import dataset

    hosts = ["a.example", f"{'a' * 300}.example", "漢" * 36, "漢" * 20, "..", "%2f", "a" * 250, "a" * 251, "~" * 250, "x'y", "[::1]", "con:80"]  # fmt: skip
    octets = b"".join(record(f"http://{host}/", b"<a href='x y'>") for host in hosts)
    (tmp_path / "a.warc").write_bytes(octets + record("urn:x", b"<a href='x y'>"))
    (done,) = linkfix.spark.write_links(here, [str(tmp_path / "a.warc")], str(tmp_path / "out"))
    assert done.counts == {"documents": len(hosts), "links": len(hosts), "failed": 1}  # of %2f
    rows = rows_of(dataset.dataset(tmp_path / "out", partitioning="hive").to_table().to_batches())
    assert sorted(row["url"] for row in rows) == sorted([*(f"http://{host}/" for host in hosts), "urn:x"])  # fmt: skip
    named = {row["url"] for row in rows if row["host"]}
    assert {f"http://{host}/" for host in ("a.example", "漢" * 20, "a" * 250)} <= named
    assert not {f"http://{host}/" for host in (hosts[1], "漢" * 36, "a" * 251)} & named


@pytest.mark.parametrize("options", [["--by", "host"], ["--by", "file"], ["--format", "jsonl"]])
def test_tables_of_the_command_have_the_rows_of_spark(
    spark: SparkSession,
    crawl: list[str],
    tmp_path: Path,
    options: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pyarrow import dataset

    monkeypatch.setattr("linkfix.spark.session", lambda _: nullcontext(spark))
    target = tmp_path / "out"
    work = "extract" if options == ["--by", "host"] else "audit"
    if work == "audit":
        monkeypatch.setattr("linkfix.spark.jobs.mapped", Here)
    arguments = [work, *crawl, "-o", str(target), *options]
    done = CliRunner().invoke(cli, ["spark", *arguments], catch_exceptions=False)
    assert done.exit_code == 3  # of damaged records
    assert "linkfix: 3 WARC files: " in done.stderr
    if "jsonl" in options:
        rows = [
            json.loads(line)
            for each in target.glob("*.jsonl")
            for line in each.read_text().splitlines()
        ]
    else:
        rows = rows_of(dataset.dataset(target, partitioning="hive").to_table().to_batches())
    is_extract, how = work == "extract", Reading()
    read = partial(links_of, how) if is_extract else partial(findings_of, how, select())
    wanted = rows_of(batch for archive in archives(crawl) for batch in read(archive))
    for row in rows:
        host = row.pop("host", None)
        assert host is None or row["url"].startswith(f"http://{host}/")
    assert sorted(rows, key=str) == sorted(wanted, key=str)
    files = files_in(target)
    assert all(("host=" in name) == (options == ["--by", "host"]) for name in files)
    again = CliRunner().invoke(cli, ["spark", *arguments], catch_exceptions=False)
    assert "3 WARC files, 3 of them done before" in again.stderr
    assert files_in(target) == files
    if work == "audit":
        counts = Counter(row["severity"] for row in wanted if row["severity"])
        assert f"{counts['error']:,} errors, {counts['warning']:,} warnings" in done.stderr


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """WARC files that take a moment each."""
    return write_large(tmp_path_factory.mktemp("large"), 3, 150)


@pytest.mark.nightly
def test_a_killed_worker_costs_nothing(
    spark: SparkSession, large: list[str], tmp_path: Path
) -> None:
    expected = rewritten(large, tmp_path / "old")
    target = tmp_path / "new"
    killed: list[int] = []

    def kill() -> None:
        killed.append(wait_for(lambda: holders(target, os.getpid()))[0])
        os.kill(killed[0], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    done = linkfix.spark.rewrite_warc(spark, large, str(target))
    thread.join()
    assert killed
    assert [each.errors for each in done] == [()] * 3
    assert files_in(target) == expected


@pytest.mark.nightly
def test_a_killed_driver_leaves_whole_files_and_the_second_run_does_the_rest(
    spark: SparkSession, large: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = rewritten(large, tmp_path / "old")
    target = tmp_path / "new"
    with start(large, target, "local[1]") as driver:
        wait_for(lambda: len([*target.glob("*.warc")]) >= 1 or driver.poll() is not None)
        driver.kill()
    wait_for(lambda: not holders(target, driver.pid))
    there = files_in(target)
    assert 1 <= len(there) < 3
    assert there.items() <= expected.items()
    monkeypatch.setattr("linkfix.spark.session", lambda _: nullcontext(spark))
    arguments = ["rewrite", "-o", str(target), *large]
    done = CliRunner().invoke(cli, ["spark", *arguments], catch_exceptions=False)
    assert f"3 WARC files, {len(there)} of them done before: 450 documents" in done.stderr
    assert done.exit_code == 0
    assert files_in(target) == expected


def test_functions_of_sql_keep_null(spark: SparkSession) -> None:
    linkfix.spark.register(spark)
    rows = spark.sql(
        "SELECT linkfix_uri(u), linkfix_iri(u), linkfix_normal(u), linkfix_resolve('http://h/a/', u) "
        "FROM VALUES ('../\u00e9 b'), (NULL), ('HTTP://h:80/%C3%A9'), ('http://[') AS t(u)"
    ).collect()
    assert [tuple(row) for row in rows] == [
        ("../%C3%A9%20b", "../\u00e9%20b", "../%C3%A9%20b", "http://h/%C3%A9%20b"),
        (None, None, None, None),
        ("HTTP://h:80/%C3%A9", "HTTP://h:80/\u00e9", "http://h/%C3%A9", "http://h/%C3%A9"),
        ("http://[", "http://[", "http://[", None),
    ]
