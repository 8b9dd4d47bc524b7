from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri.unicode import ucd
from linkfix.iri.unicode.ucd import nfc_edits

#: Letters and marks of several combining classes, some of which are made of others.
MARKED = st.text(
    "aé가\u1100\u1161\u11a8\u0301\u0316\u0344\u0345\u0f71\u0f73\u05b0\u093c", max_size=200
)


@given(MARKED | st.text())
def test_it_is_the_normal_form(text: str) -> None:
    assert ucd.to_nfc(text) == ucd.normalize("NFC", text)


def test_marks_without_end_take_no_time() -> None:
    marks = "\u0301\u0316" * 500_000
    assert ucd.to_nfc(f"x{marks}") == "x" + "\u0316" * 500_000 + "\u0301" * 500_000
    (edit,) = nfc_edits(f"/x{marks}")
    assert (edit.start, edit.end) == (2, len(marks) + 2)
    assert ucd.to_nfc("\u0f73" * 200_000) == "\u0f71" * 200_000 + "\u0f72" * 200_000
