"""I1 (docs/decisions.md) in Firefox: of the documents that are hard to rewrite, no link of every fourth moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .hard import hard_documents
from .harness import Browser
from .judge import assert_moves_nothing
from .marionette import Marionette, firefox

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser

#: Every fourth of them, in order: each family, each charset and each part of a reference is among them.
SOME = dict([*hard_documents().items()][::4])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if firefox() is None:
        pytest.skip("neither firefox-esr nor firefox is on the PATH")
    with Browser(Marionette) as started:
        yield started


@pytest.mark.parametrize("name", SOME)
def test_hard_document(browser: Browser, name: str) -> None:
    assert_moves_nothing(browser, SOME[name])
