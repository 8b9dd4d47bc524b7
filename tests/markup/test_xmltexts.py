"""A text that is read in bytes is read as `xml_text` reads it, and leads back to the same spellings."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.markup.references import xml_text
from linkfix.markup.xmltexts import TextView

PIECES = ["a", "é", ">", '"', "'", ";", "#39;", "amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&amp;", "&#34;", "&#39;", "&#039;", "&#x22;", "&#x27;", "&#233;", "&#128;", "&#x80;", "&#x02019;", "&#0128512;"]  # fmt: skip
OTHERS = ["&#38;", "&#60;", "&#127;", "&#x7F;", "&#x3C;", "&#10;", "&eacute;", "&#x1;"]


@given(st.lists(st.sampled_from(PIECES)).map("".join), st.data())
def test_texts_are_read_and_lead_back(source: str, data: st.DataObject) -> None:
    content = source.encode("latin-1")
    text, read = TextView.of(content), xml_text(source)
    assert text is not None
    # A character beyond ASCII may have more bytes than one.
    shown = re.sub(rb"[\x80-\xff]+", b"\xff", text.view)
    assert shown == re.sub("[^\x00-\x7f]+", "\xff", read.value).encode("latin-1")
    if not text.tells_spellings():
        return
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text.view)), max_size=4)))
    for first, last in pairwise(at for at in cuts if not _is_inside(text.view, at)):
        part = TextView.of(content[text.spelling(first) : text.spelling(last)])
        assert part is not None
        assert part.view == text.view[first:last]


def _is_inside(view: bytes, at: int) -> bool:
    """Tell whether an index may be inside a character beyond ASCII."""
    return not view[max(at - 1, 0) : at + 1].isascii()


@pytest.mark.parametrize("reference", OTHERS)
def test_other_references_take_a_closer_look(reference: str) -> None:
    assert TextView.of(f"&lt;a{reference}&gt;".encode()) is None
    text = TextView.of(f"&lt;a&amp;{reference[1:]}&gt;".encode())
    assert text is not None
    assert text.view == f"<a{reference}>".encode()


@pytest.mark.parametrize(
    ("content", "alike"),
    [
        ("", True),
        ("a\"b'c>", True),
        ("&lt;a b=&quot;c&quot;>", True),
        ("&lt;a b=&quot;c\"&gt;", False),
        ("&#39;&apos;", False),
        ("&amp;#39;'", True),
    ],
)  # fmt: skip
def test_each_character_is_spelled_in_one_way(content: str, alike: bool) -> None:
    text = TextView.of(content.encode())
    assert text is not None
    assert text.tells_spellings() is alike
