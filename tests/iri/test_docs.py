"""The examples of docs/iri.md give what they say."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_examples() -> None:
    page = Path(__file__).parents[2] / "docs" / "iri.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried > 10
    assert not failed
