"""The benchmarks run, and measure the same documents each time."""

from __future__ import annotations

import subprocess
import sys
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import corpus
import growth
import hard
import pytest
import xml_peers

import linkfix

if TYPE_CHECKING:
    from collections.abc import Callable

    from work import Work

BENCHMARKS = Path(linkfix.__file__).parent.parent / "benchmarks"


@pytest.mark.parametrize("mix", corpus.MIXES)
def test_pages_are_the_same_each_time_and_as_dirty_as_they_should_be(mix: str) -> None:
    pages = list(corpus.documents(mix, 100_000))
    assert pages == list(corpus.documents(mix, 100_000))
    assert sum(len(data) for _, data in pages) >= 100_000
    changed = links = 0
    for _, data in pages:
        rewriter = linkfix.Rewriter("uri")
        rewriter.feed(data)
        rewriter.close()
        assert rewriter.report.declared
        changed += rewriter.report.changed
        links += rewriter.report.links or 0
    assert links > 100
    assert (changed > 0) == (corpus.MIXES[mix].dirty > 0)


def test_fragments_and_feeds_are_the_same_each_time() -> None:
    assert list(corpus.fragments("clean", 9)) == list(corpus.fragments("clean", 9))


@pytest.mark.parametrize("name", corpus.VARIANTS)
def test_feeds_of_each_kind_are_the_same_each_time_and_as_dirty_as_they_should_be(
    name: str,
) -> None:
    variant = corpus.VARIANTS[name]
    size = variant.each * len(corpus.kinds())
    feeds = list(corpus.feeds(size, variant))
    assert feeds == list(corpus.feeds(size, variant))
    assert {path.rpartition("-")[0] for path, _ in feeds} == set(corpus.kinds())
    for path, data in feeds:
        report = linkfix.rewrite(data, BytesIO(), type="xml")
        if path.startswith("records"):
            assert report.links == 0
            continue
        assert report.links
        expected = {"one dirty link": range(1, 3), "dirty": range(50, 1000)}
        assert report.changed in expected.get(name, range(1))


def test_a_stream_is_as_long_as_it_should_be() -> None:
    size = 1_500_000
    length = sum(map(len, corpus.stream("clean", size)))
    assert size <= length < size + 500_000


def test_a_draw_copies_from_each_folder_in_turn(tmp_path: Path) -> None:
    for name in ("a", "b"):
        corpus.write(corpus.documents("clean", 60_000), tmp_path / name)
    for target in ("once", "again"):
        corpus.draw([tmp_path / "a", tmp_path / "b"], tmp_path / target, 60_000, 1_000_000)
    drawn = [corpus.found(tmp_path / target, corpus.HTML_SUFFIXES) for target in ("once", "again")]
    once, again = ([path.relative_to(path.parents[1]) for path in paths] for paths in drawn)
    assert once == again
    assert {path.parts[0] for path in once} == {"0", "1"}


def rows_of(command: list[str], beginning: str, *, check: bool) -> list[list[str]]:
    """Run a script and give the cells of the rows that it prints."""
    run = [sys.executable, *command]
    done = subprocess.run(run, cwd=BENCHMARKS, capture_output=True, text=True, check=check)
    return [line.split(" | ") for line in done.stdout.splitlines() if line.startswith(beginning)]


def test_peers_prints_a_row_for_each_program() -> None:
    command = ["peers.py", "--size", "0.02", "--runs", "1", "--seconds", "1", "--only", "lxml.html"]
    rows = rows_of([*command, "--task", "rewrite", "--task", "extract"], "| l", check=True)
    names = [row[0].removeprefix("| ") for row in rows]
    assert [name for name in names if "," not in name] == ["linkfix", "lxml.html"] * 2
    assert all(float(row[1]) > 0 and row[10] == "0 |" for row in rows)
    assert all(int(row[7]) > 0 for row in rows if row[0] == "| lxml.html")


@pytest.mark.parametrize("kind", hard.DOCUMENTS, ids=lambda kind: kind.name)
def test_hard_documents_are_as_long_as_they_should_be(kind: hard.Document) -> None:
    once, twice = len(kind.make(100_000)), len(kind.make(200_000))
    assert 50_000 < once < 120_000
    assert 1.8 < twice / once < 2.2


def test_scaling_prints_a_row_for_each_job() -> None:
    command = ["scaling.py", "--only", "unclosed comment"]
    # A busy machine may find a ratio too high, which is no matter here.
    rows = rows_of([*command, "--size", "20000", "--runs", "1"], "| unclosed", check=False)
    jobs = dict.fromkeys(row[1].strip() for row in rows)  # what seems to grow too fast comes again
    assert [*jobs] == ["rewrite", "whole", "bytes", "extract", "audit"]
    assert all(float(row[6].split()[0]) > 0 for row in rows)


@pytest.mark.parametrize("make", [xml_peers.lxml_html, xml_peers.lxml_pattern])
def test_peers_for_feeds_read_the_html_and_write_the_document(make: Callable[[], Work]) -> None:
    html = "<p><a href='é b'>x</a> <img src=\"/i\"/></p>"
    source = (
        "<rss><channel><item><link>http://x/ü</link>"
        f"<description>{escape(html)}</description></item></channel></rss>"
    )
    done = make()(source.encode(), "")
    assert (done.links, done.changed) == (3, 2)
    written = (done.output or b"").decode()
    assert "<link>http://x/%C3%BC</link>" in written
    values = [link.value for link in linkfix.extract(written.encode(), type="xml")]
    assert values == ["http://x/%C3%BC", "%C3%A9%20b", "/i"]


def test_a_growing_site_has_the_faults_that_it_is_made_with(tmp_path: Path) -> None:
    """Also where next to nothing fits into memory, and in two processes."""
    growth.make(tmp_path / "site", 120, 40)
    hrefs = [href for n in range(120) for href in growth.hrefs(n, 40, 120)]
    broken = sum("pgae" in href for href in hrefs)
    command = ["audit", "-q", "--format", "jsonl", "--fail-on", "never", str(tmp_path / "site")]
    limits = (
        "import linkfix.auditing.site as m, linkfix.server.nearmiss as f; m.MOST = f.MOST = 9000"
    )
    main = "from linkfix.cli import main; main()"
    outputs = [
        subprocess.run(
            [sys.executable, "-c", f"{before}\n{main}", *command, "-j", jobs],
            capture_output=True,
            check=True,
        ).stdout
        for before, jobs in (("", "1"), (limits, "1"), (limits, "2"))
    ]
    assert outputs[0] == outputs[1] == outputs[2]
    assert outputs[0].count(b'"rule": "TGT001"') == broken > 100
    assert outputs[0].count(b'"rule": "TGT') == broken
