"""Random tag soup around foreign content: Chromium parses it before and after a rewrite."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest
from conformance_data import conformance

from .soup import Figures, inputs, judge, soup, with_tails

if TYPE_CHECKING:
    from .harness import Browser

pytestmark = pytest.mark.browser

#: About as many documents as a minute is enough for.
DOCUMENTS, BATCH, SEED = 12_000, 500, 1


def test_soup(browser: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    source, figures, start = random.Random(SEED), Figures(), time.monotonic()
    while figures.counts["documents"] < DOCUMENTS and time.monotonic() < start + 60:
        judge(browser, [soup(source) for _ in range(BATCH)], SEED, figures)
    with capsys.disabled():
        print(f"\ntag soup, seed {SEED}: {dict(figures.counts)}")
    assert figures.counts["documents changed"] > BATCH // 2
    assert not figures.failures


@pytest.mark.conformance
def test_tree_construction_inputs(browser: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    """The inputs of the public tree construction tests, each with every tail."""
    figures = Figures()
    documents = [
        document
        for text in inputs(conformance("html", "tree-construction"))
        for document in with_tails(text)
    ]
    for at in range(0, len(documents), BATCH):
        judge(browser, documents[at : at + BATCH], SEED, figures)
    with capsys.disabled():
        print(f"\ntree construction inputs with tails: {dict(figures.counts)}")
    assert figures.counts["documents"] > 10_000
    assert not figures.failures
