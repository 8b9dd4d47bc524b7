"""Alternatives can stand wherever an atom can."""

from __future__ import annotations

import re

import pytest

from linkfix.markup.patterns import either


def test_alternatives_are_one_branch() -> None:
    pattern = re.compile(rb"(a)?(?(1)" + either([b"b", b"c"]) + b"|" + either([b"d", b"e"]) + b")")
    assert [bool(pattern.fullmatch(text)) for text in (b"ac", b"e", b"ad", b"c")] == [True, True, False, False]  # fmt: skip


@pytest.mark.parametrize("alternatives", [[], iter([])])
def test_no_alternatives_match_nothing(alternatives: list[bytes]) -> None:
    assert re.match(either(alternatives), b"") is None


def test_an_empty_alternative_matches() -> None:
    assert re.fullmatch(either([b""]), b"")
