"""Random tag soup around foreign content: Chromium parses it before and after a rewrite."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from conformance_data import conformance
from tiers import examples

from .soup import Figures, inputs, judge, soup, with_tails

if TYPE_CHECKING:
    from .harness import Browser

pytestmark = [pytest.mark.browser, pytest.mark.property]

DOCUMENTS, BATCH, SEED = examples(12_000, quick=1_500), 500, 1
#: Of the inputs with their tails, each n-th is loaded.
STEP = 12_000 // examples(12_000, quick=1_500)


def test_soup(browser: Browser) -> None:
    source, figures = random.Random(SEED), Figures()
    while figures.counts["documents"] < DOCUMENTS:
        judge(browser, [soup(source) for _ in range(BATCH)], SEED, figures)
    print(f"tag soup, seed {SEED}: {dict(figures.counts)}")
    assert figures.counts["documents changed"] > BATCH // 2
    assert not figures.failures


@pytest.mark.conformance
def test_tree_construction_inputs(browser: Browser) -> None:
    """The inputs of the public tree construction tests, each with every tail."""
    figures = Figures()
    documents = [
        document
        for text in inputs(conformance("html", "tree-construction"))
        for document in with_tails(text)
    ][::STEP]
    for at in range(0, len(documents), BATCH):
        judge(browser, documents[at : at + BATCH], SEED, figures)
    print(f"tree construction inputs with tails: {dict(figures.counts)}")
    assert figures.counts["documents"] > 10_000 // STEP
    assert not figures.failures
