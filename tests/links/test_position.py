"""Lines and columns are those of the decoded document, however it is gone over."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.charset import lookup
from linkfix.links.builder import Position

CHARSETS = ["utf-8", "windows-1252", "shift_jis", "gb18030", "utf-16le"]


def by_the_text(text: str) -> tuple[int, int]:
    """The line and column just after a text."""
    lines = re.split(r"\r\n|\r|\n", text)
    return len(lines), len(lines[-1]) + 1


@pytest.mark.parametrize("charset", CHARSETS)
@given(
    pieces=st.lists(st.text(alphabet="ab\r\né日", max_size=8), max_size=8),
    cuts=st.lists(st.integers(0, 8), max_size=3),
    line_ends=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_several_places_at_once(
    charset: str, pieces: list[str], cuts: list[int], line_ends: str
) -> None:
    known = lookup(charset)
    pieces = [
        "".join(char for char in piece.replace("\n", line_ends) if known.encodable(char))
        for piece in pieces
    ]
    for at in range(1, len(pieces)):  # no place is between a CR and its LF
        if "".join(pieces[:at]).endswith("\r") and pieces[at].startswith("\n"):
            pieces[at] = "a" + pieces[at]
    expected = [by_the_text("".join(pieces[: at + 1])) for at in range(len(pieces))]
    one_by_one, at_once = Position(known), Position(known)
    found: list[tuple[int, int]] = []
    alone: list[tuple[int, int]] = []
    bounds = [0, *sorted(min(cut, len(pieces)) for cut in cuts), len(pieces)]
    for first, last in pairwise(bounds):
        source, ends = b"", []
        for piece in pieces[first:last]:
            start = len(source)
            source += known.encode(piece)
            ends.append(len(source))
            one_by_one.advance(source, start, len(source))
            alone.append((one_by_one.line, one_by_one.column))
        found += zip(*at_once.each(source, 0, ends), strict=True)
    assert alone == expected
    assert found == expected
