"""What people enter."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linkfix.iri import typed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" \uff48\uff54\uff54\uff50\uff1a\uff0f\uff0fh\uff0fe\u0301\u3000", "http://h/\u00e9"),
        ("/\uff76\uff9e", "/\u30ac"),
        ("http://h/\u200fא\u200e\u2067b\u2069", "http://h/אb"),
        ("/a  b\n c", "/a  b\n c"),
    ],
)
def test_what_is_typed(text: str, expected: str) -> None:
    assert typed(text) == expected


def test_every_step_can_be_left_out() -> None:
    text = " /\uff41e\u0301\u200f b"
    assert typed(text, nfc=False) == "/ae\u0301 b"
    assert typed(text, widths=False) == "/\uff41\u00e9 b"
    assert typed(text, controls=False) == "/a\u00e9\u200f b"
    assert typed(text, blanks="remove") == "/a\u00e9b"


@given(st.text())
@example("\u0339 \u0334")
def test_to_type_it_again_changes_nothing(text: str) -> None:
    assert typed(typed(text, blanks="remove"), blanks="remove") == typed(text, blanks="remove")
