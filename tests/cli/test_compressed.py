"""Compressed documents (``.svgz``, ``.html.gz``): every command reads them, and writes them compressed."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING

import pytest
from packages import run

import linkfix

if TYPE_CHECKING:
    from pathlib import Path

SVG = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<!-- \xe2\x82\xac\r\n -->\n<svg xmlns="http://www.w3.org/2000/svg"\n'
    b'  xmlns:l="http://www.w3.org/1999/xlink"><a l:href = \'b c.html\'/><image href="d.png"/></svg>\n'
)
NEW = SVG.replace(b"b c", b"b%20c")
PACKED, UNCHANGED = gzip.compress(SVG, 1), gzip.compress(NEW, 1)
PAGE = b"<!doctype html><meta charset=utf-8><a href='b c.html'>x</a>\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "t.svgz").write_bytes(PACKED)
    (folder / "same.svgz").write_bytes(UNCHANGED)
    (folder / "plain.svgz").write_bytes(SVG)
    (folder / "page.html.gz").write_bytes(gzip.compress(PAGE))
    (folder / "b c.html").write_bytes(b"<!doctype html><meta charset=utf-8><title>b</title>")
    return folder


def identity(path: Path) -> tuple[int, int]:
    """What changes where a file is replaced."""
    status = path.stat()
    return status.st_ino, status.st_mtime_ns


def values(links: list[str]) -> list[str]:
    """The values but for those of namespaces."""
    return [value for value in links if "w3.org" not in value]


def check(folder: Path) -> None:
    """Compare a folder with what a rewrite makes of the site."""
    assert gzip.decompress((folder / "t.svgz").read_bytes()) == NEW
    assert (folder / "same.svgz").read_bytes() == UNCHANGED
    assert (folder / "plain.svgz").read_bytes() == NEW
    assert gzip.decompress((folder / "page.html.gz").read_bytes()) == PAGE.replace(b"b c", b"b%20c")


def test_a_rewrite_in_place(site: Path) -> None:
    before = identity(site / "same.svgz")
    run("rewrite", "-i", "--backup", ".bak", site)
    check(site)
    assert identity(site / "same.svgz") == before
    assert (site / "t.svgz.bak").read_bytes() == PACKED
    assert run("rewrite", "-i", site).exit_code == 0
    check(site)


def test_a_rewrite_into_a_folder(site: Path, tmp_path: Path) -> None:
    run("rewrite", "-o", tmp_path / "new", site)
    check(tmp_path / "new")
    assert (site / "t.svgz").read_bytes() == PACKED


def test_a_rewrite_to_standard_output(site: Path) -> None:
    assert gzip.decompress(run("rewrite", site / "t.svgz").stdout_bytes) == NEW
    assert run("rewrite", site / "same.svgz").stdout_bytes == UNCHANGED
    assert run("rewrite", site / "plain.svgz").stdout_bytes == NEW
    assert gzip.decompress(run("rewrite", given=PACKED).stdout_bytes) == NEW


def test_a_migration(site: Path, tmp_path: Path) -> None:
    old = '<?xml version="1.0" encoding="shift_jis"?><svg xmlns="http://www.w3.org/2000/svg"><a href="検"/></svg>'
    (site / "old.svgz").write_bytes(gzip.compress(old.encode("shift_jis")))
    (site / "damaged.svgz").write_bytes(PACKED[:-9])
    run("migrate", site, tmp_path / "new", "--to", "uri", status=3)
    (tmp_path / "new" / "damaged.svgz").unlink()
    check(tmp_path / "new")
    new = old.replace("shift_jis", "UTF-8").replace("検", "%E6%A4%9C").encode()
    assert gzip.decompress((tmp_path / "new" / "old.svgz").read_bytes()) == new


def test_a_damaged_file_is_named_and_stays(site: Path, tmp_path: Path) -> None:
    (site / "t.svgz").write_bytes(PACKED[:-9])
    for command in (["extract"], ["rewrite", "-i"], ["rewrite", "-o", str(tmp_path / "new")], ["audit", "--fix"]):  # fmt: skip
        result = run(*command, site / "t.svgz", status=3)
        assert "t.svgz: the compressed data is damaged" in result.stderr
        assert (site / "t.svgz").read_bytes() == PACKED[:-9]
    assert not (tmp_path / "new" / "t.svgz").exists()


def test_links_and_findings_are_those_of_the_document(site: Path, tmp_path: Path) -> None:
    (tmp_path / "t.svg").write_bytes(SVG)
    for command in ("extract", "audit"):
        there = run(command, "-q", tmp_path / "t.svg", status=command == "audit").stdout
        here = run(command, "-q", site / "t.svgz", status=command == "audit").stdout
        assert here.replace(str(site), str(tmp_path)).replace("svgz", "svg") == there
        piped = run(command, "-q", given=PACKED, status=command == "audit").stdout
        assert piped.replace("<stdin>", str(tmp_path / "t.svg")) == there


def test_an_audit_corrects_it(site: Path) -> None:
    run("audit", "--fix", "-q", site / "t.svgz")
    assert gzip.decompress((site / "t.svgz").read_bytes()) == NEW
    before = identity(site / "same.svgz")
    run("audit", "--fix", "-q", site / "same.svgz")
    assert identity(site / "same.svgz") == before


def test_a_verification_reads_through_it(site: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    run("rewrite", "-o", new, site)
    run("verify", "-q", site, new)
    (new / "t.svgz").write_bytes(gzip.compress(NEW.replace(b"d.png", b"e.png")))
    assert "t.svgz" in run("verify", site, new, status=1).stdout


def test_a_move_follows_its_links(site: Path) -> None:
    run("mv", "-q", "--root", site, site / "b c.html", site / "n.html")
    assert b"'n.html'" in gzip.decompress((site / "t.svgz").read_bytes())
    assert b"'n.html'" in gzip.decompress((site / "page.html.gz").read_bytes())


def test_the_library_writes_what_it_reads(site: Path, tmp_path: Path) -> None:
    for source in (site / "t.svgz", PACKED):
        out = io.BytesIO()
        assert linkfix.rewrite(source, out).changed == 1
        assert gzip.decompress(out.getvalue()) == NEW
        linkfix.rewrite(source, tmp_path / "n.svgz")
        assert gzip.decompress((tmp_path / "n.svgz").read_bytes()) == NEW
    out = io.BytesIO()
    linkfix.transcode(UNCHANGED, out)
    assert out.getvalue() == UNCHANGED
    assert values([link.value for link in linkfix.extract(PACKED)]) == ["b c.html", "d.png"]
    assert linkfix.verify(PACKED, tmp_path / "n.svgz") is None


def test_rows_of_record_batches() -> None:
    pa = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")
    import linkfix.arrow as arrow

    contents = [PACKED, UNCHANGED, SVG, PACKED[:-9]]
    table = pa.record_batch([pa.array(contents, pa.binary())], ["content"])
    rows = [row for batch in arrow.rewrite([table]) for row in batch.to_pylist()]
    assert gzip.decompress(rows[0]["content"]) == NEW
    assert [row["content"] for row in rows[1:]] == [UNCHANGED, NEW, PACKED[:-9]]
    assert "damaged" in rows[3]["error"]
    links = [row for batch in arrow.extract([table]) for row in batch.to_pylist()]
    assert values([row["value"] for row in links if row["document"] == 0]) == ["b c.html", "d.png"]
    found = [row for batch in arrow.audit([table]) for row in batch.to_pylist()]
    assert {row["document"] for row in found} == {0, 2, 3}


def test_a_graph_has_its_links(site: Path) -> None:
    lines = run("graph", "-q", site).stdout
    assert "t.svgz" in lines
    assert "page.html.gz" in lines


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("page.html.gz", "page.html", 2),
        ("b c.html", "b.html.gz", 2),
        ("t.svgz", "t.svg", 2),
        ("b c.html", "b.epub", 2),
        ("page.html.gz", "d/page.htm.gz", 0),
        ("page.html.gz", "page.old", 0),
    ],
)
def test_no_move_makes_a_file_that_its_name_belies(
    site: Path, old: str, new: str, status: int
) -> None:
    done = run("mv", "--root", site, old, new, status=status)
    assert ("it could not be read" in done.stderr) is bool(status)
    assert (site / old).exists() is bool(status)


@pytest.mark.parametrize("names", [".svgz=.svg", ".html=.zip", ".html=.html.gz"])
def test_no_migration_makes_a_file_that_its_name_belies(site: Path, names: str) -> None:
    done = run("migrate", site, site.parent / "new", "--rename", names, status=2)
    assert "it could not be read" in done.stderr
    assert not (site.parent / "new").exists()
    run("migrate", site, site.parent / "new", "--rename", ".html=.htm", status=1)
