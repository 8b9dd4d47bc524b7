"""What people enter, and references in plain text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linkfix.iri import find, typed


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the example of RFC 3986, Appendix C
        ("Yes, Jim, I found it under \"http://www.w3.org/Addressing/\",\nbut you can probably pick it up from <ftp://foo.example.\ncom/rfc/>.", ["http://www.w3.org/Addressing/", "ftp://foo.example"]),
        ("see <URL:http://h/d%C3%A9/é日本>, (cf. http://h/a_(b)).", ["http://h/d%C3%A9/é日本", "http://h/a_(b)"]),
        ("«mailto:a@b.example» 「http://h/あ」。http://h/い。", ["mailto:a@b.example", "http://h/あ", "http://h/い"]),
        ("www.example.org, WWW.EXAMPLE.ORG/a?! www.) www.. http:)", ["www.example.org", "WWW.EXAMPLE.ORG/a"]),
        ("nothing: foo:bar http: a@http://x javascript:x() 12:30", []),
        ("tel:+1-2, urn:isbn:1; sip:a@b.", ["tel:+1-2", "urn:isbn:1", "sip:a@b"]),
    ],
)  # fmt: skip
def test_references_in_text(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in find(text)] == expected


def test_a_search_takes_linear_time() -> None:
    assert find("http://h/" + ")" * 1_000) == [(0, 9)]
    assert len(find("http://h/é " * 20_000)) == 20_000
