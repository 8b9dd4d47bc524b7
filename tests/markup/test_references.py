"""Character references in values, with the way back to their spelling."""

from __future__ import annotations

import pickle

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.markup.layers import (
    html_attribute,
    html_references,
    references_in_xml,
    xml_attribute,
    xml_text,
)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("?a=1&copy=2", "?a=1&copy=2"),
        ("?a=1&copyx", "?a=1&copyx"),
        ("?a=1&copy;=2", "?a=1©=2"),
        ("?a=1&copy", "?a=1©"),
        ("?a=1&copy-2", "?a=1©-2"),
        ("&amp;lt;", "&lt;"),
        ("&notit;&notin;", "&notit;∉"),
        ("&#228&#xE4;&#XE4", "äää"),
        ("&#0;&#x110000;&#xD800;&#99999999999999999999;", "\ufffd\ufffd\ufffd\ufffd"),
        ("&#x80;&#150;", "€–"),
        ("&#;&#x;&;& ", "&#;&#x;&;& "),
        ("a\r\nb\rc\0", "a\nb\nc\ufffd"),
        ("&NotEqualTilde;", "≂̸"),
        ("&nosuchthing;", "&nosuchthing;"),
    ],
)
def test_html_attribute(source: str, value: str) -> None:
    assert html_attribute(source).value == value


def test_html_text_takes_the_longest_name() -> None:
    assert html_references("&notit; &copyx").value == "¬it; ©x"


@pytest.mark.parametrize(
    ("source", "value", "complete"),
    [
        ("a&amp;b&#x20;c&#10;", "a&b c\n", True),
        ("a\tb\r\nc\nd", "a b c d", True),
        ("&lt;&gt;&quot;&apos;", "<>\"'", True),
        ("x&own;y", "x&own;y", False),
        # References to no character, in a document that is read although it is not well-formed.
        ("&#2342025; ", "&#2342025; ", False),
        ("&#xD800;&#x41;", "&#xD800;A", False),
        ("&#0;", "&#0;", False),
        (f"&#{'9' * 5000};", f"&#{'9' * 5000};", False),
        (f"&#{'0' * 5000}65;", "A", True),
    ],
)
def test_xml_attribute(source: str, value: str, complete: bool) -> None:
    spelled = xml_attribute(source)
    assert (spelled.value, spelled.complete) == (value, complete)


def test_references_to_characters_that_xml_has() -> None:
    source = "&#x41;&#x110000;&#xFFFE;&lt;&#10;"
    assert [*references_in_xml(source)] == [(0, 6, "A"), (28, 33, "\n")]


def test_xml_text_keeps_white_space() -> None:
    assert xml_text("a\tb\r\nc&amp;").value == "a\tb\nc&"


SPELLINGS = st.lists(
    st.sampled_from(
        [
            "a",
            "&",
            "&amp;",
            "&amp",
            "&copy",
            "&copy;",
            "=",
            ";",
            "&#228;",
            "&#x1F600",
            "\r\n",
            "\r",
            "é",
            "&NotEqualTilde;",
        ]
    )
).map("".join)


@given(SPELLINGS)
def test_every_code_point_has_its_spelling(source: str) -> None:
    for read in (html_attribute, html_references):
        spelled = read(source)
        assert spelled.spelling(0, len(spelled.value)) == source
        if spelled.starts is not None:
            assert len(spelled.starts) == len(spelled.value) + 1
            assert list(spelled.starts) == sorted(spelled.starts)


@given(SPELLINGS.filter(lambda s: '"' not in s))
def test_agrees_with_html5lib(source: str) -> None:
    page = f'<a href="{source}">'
    document = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    anchor = document.find(".//a")
    assert anchor is not None
    assert anchor.get("href") == html_attribute(source).value


@given(st.lists(st.sampled_from(["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "lt;", "a", "é", " ", "\n"])).map("".join))  # fmt: skip
def test_predefined_entities_are_read_as_all_others(source: str) -> None:
    for read in (xml_text, xml_attribute):
        spelled = read(source)
        with_other = read(source + "&#x61;")  # which is read reference by reference
        assert spelled.value + "a" == with_other.value
        starts = list(range(len(source) + 1)) if spelled.starts is None else list(spelled.starts)
        assert [*starts, len(source) + 6] == list(with_other.starts or ())
        assert pickle.loads(pickle.dumps(spelled)) == spelled
