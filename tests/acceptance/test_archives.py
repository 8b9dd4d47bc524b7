"""The documents of a site as records of a WARC file: every command does its work on them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes

import pytest
from archives import Archive, sound

from .sidebyside import once, side_by_side
from .test_reading import lines_of_json

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.acceptance


@pytest.fixture
def crawl(site: Path, work: Path) -> Path:
    """Return an archive of documents of the site, alone in a folder."""
    archive = Archive()
    for path in sorted(site.rglob("*.html"))[:800]:
        if path.is_file() and not path.is_symlink():
            uri = "http://www.old.example/" + quote_from_bytes(os.fsencode(path.relative_to(site)))
            archive.add(uri, path.read_bytes())
    place = work / "site" / "crawl.warc.gz"
    place.parent.mkdir()
    place.write_bytes(archive.data)
    return place


def test_rewrite(crawl: Path, work: Path) -> None:
    """The digests are right afterwards, and a second run changes nothing."""
    run, *_ = side_by_side(crawl.parent, work, "rewrite", "{site}/crawl.warc.gz")
    assert run.status == 0
    old, new = sound(crawl.read_bytes()), sound(run.out.read_bytes())
    assert [record.uri for record in new] == [record.uri for record in old]
    assert sum(one.content != two.content for one, two in zip(old, new, strict=True)) > 20
    (work / "again.warc.gz").write_bytes(run.out.read_bytes())
    again = once("rewrite", "../again.warc.gz", folder=work / "again")
    assert again.out.read_bytes() == run.out.read_bytes()


def test_extract(crawl: Path, work: Path) -> None:
    run, *_ = side_by_side(crawl.parent, work, "extract", "--format", "jsonl", "{site}")
    assert run.status == 0
    assert len(lines_of_json(run.out.read_text("utf-8"))) > 5_000


def test_audit(crawl: Path, work: Path) -> None:
    run, *_ = side_by_side(crawl.parent, work, "audit", "--format", "jsonl", "{site}")
    assert run.status == 1
    assert len(lines_of_json(run.out.read_text("utf-8"))) > 5_000
