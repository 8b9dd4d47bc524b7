"""I1 (docs/decisions.md): a rewrite moves no link. The judge is Chromium, link by link."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conformance_data import conformance

import linkfix

from .hard import CHARSETS, COMPONENTS, TRAPS, HardDocument, for_the_night, hard_documents
from .harness import Page
from .judge import assert_moves_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .harness import Browser

pytestmark = pytest.mark.browser

HARD = hard_documents()
NIGHT = for_the_night()
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
#: How a web server labels a file, by extension; feeds so that Chromium shows them as XML.
MEDIA_TYPES = {
    ".html": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".svg": "image/svg+xml",
    ".atom": "application/xml",
    ".rss": "application/xml",
    ".xml": "application/xml",
}


def samples() -> Iterator[HardDocument]:
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix in MEDIA_TYPES:
            yield HardDocument(path.name, path.read_bytes(), MEDIA_TYPES[path.suffix])


def legacy_documents() -> list[HardDocument]:
    """The public documents in a charset that browsers know, with the header that declares it."""
    folder = conformance("documents")
    with conformance("documents.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["whatwg_encoding"]]
    return [
        HardDocument(
            row["path"],
            (folder / row["path"]).read_bytes(),
            MEDIA_TYPES[Path(row["path"]).suffix],
            row["whatwg_encoding"],
            changes=None,
        )
        for row in rows
    ]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.nightly] * (name in NIGHT)) for name in HARD]
)
def test_hard_document(browser: Browser, name: str) -> None:
    assert_moves_nothing(browser, HARD[name])


@pytest.mark.parametrize("sample", list(samples()), ids=lambda sample: sample.name)
def test_sample(browser: Browser, sample: HardDocument) -> None:
    assert_moves_nothing(browser, sample)


def test_every_row_has_a_document_in_the_quick_tier() -> None:
    quick = {part for name in HARD.keys() - NIGHT for part in name.split("/")}
    assert HARD.keys() >= NIGHT
    assert quick >= {*CHARSETS, *COMPONENTS, "unchanged", *TRAPS}


@pytest.mark.conformance
def test_legacy_documents(browser: Browser) -> None:
    refused = []
    for document in legacy_documents():
        try:
            assert_moves_nothing(browser, document)
        except linkfix.NotWellFormedError:
            refused.append(Page(document.body, document.content_type))
    # What linkfix refuses as not well-formed, the browser refuses too.
    for tree in browser.load(refused):
        assert "parsererror" in {node.name for node in tree.nodes}
