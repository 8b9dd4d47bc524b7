"""URLs in style sheets, and their spelling."""

from __future__ import annotations

import re
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.markup import css
from linkfix.markup.css import CSS_DOUBLE, CSS_SINGLE, CSS_URL, urls
from linkfix.markup.layers import Layer, write_layers

#: What style sheets are put together from.
PIECES = [
    *(
        "url(",
        "src(",
        "image-set(",
        "@import ",
        "@namespace ",
        "@",
        "#",
        "-",
        "--",
        "5",
        "e",
        "url",
        "x|y",
    ),
    *(")", "(", "{", "}", "[", "]", ";", ",", ".", "<", '"', "'", '"x"', "'y'", "/*", "*/", "/"),
    *("\\", "\\75 ", "\n", "\r", " ", "\0", "é", "ſ", "_"),
]


def found(text: str) -> list[str]:
    return [layer.read(text[first:last]).value for first, last, layer, _ in urls(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a{b:url(x.png)}", ["x.png"]),
        ("a{b:URL( 'x y' ) url( \"z\\\"\" )}", ["x y", 'z"']),
        ('@import "a"; @IMPORT/**/url(b) screen; @charset "c"; @namespace "d";', ["a", "b"]),
        ("image-set('a' 1x type('image/png'), url(b) 2x) -webkit-image-set('c' 1x)", ["a", "b", "c"]),
        ("@namespace url(a);@namespace b url('c');url(d)", ["d"]),
        ("/* url(a) */ 'url(b)' url(c)", ["c"]),
        ("url(a b) url(c'd) url(e)", ["e"]),
        (r"url(a\)b\20 c) url(\e9) url('a\
b\000041c')", ["a)b c", "é", "abAc"]),
        ("content:'no' attr(x) foo(url(y))", ["y"]),
        ("url(unclosed", ["unclosed"]),
        ("url('unclosed", ["unclosed"]),
        ("'broken\nurl(a)", ["a"]),
        ("/* unclosed url(a)", []),
        ("myurl(a) url-prefix(b) url(c)", ["c"]),
        ("url()", []),
        ("v\\:*{behavior:url(#default#VML)}a{behavior:url('#Default#userData') url(a.htc#b)}", ["a.htc#b"]),
        ("'\\22\n' url(a) '\\22\n url(no)' url(b)", ["a", "b"]),
        ("'broken url(no)\nurl(a)", ["a"]),
        (r"\75 r\00006C(a) \u\r\l(b) \55\52\4c('c') @\69mport 'd'; @n\61mespace 'e';", ["a", "b", "c", "d"]),
        (r"\6d url(a) #url(b) 1url(c) --url(d) \755rl(e) 1% url(f)", ["f"]),
    ],
)  # fmt: skip
def test_urls(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_what_is_imported() -> None:
    text = (
        "@import 'a';@import/**/url(b);@import URL( 'c' )print;@import foo('d');x{y:url(e)url('f')}"
    )
    assert [text[first] for first, _, _, imported in urls(text) if imported] == ["a", "b", "c"]
    assert [text[first] for first, _, _, imported in urls(text) if not imported] == ["e", "f"]


@given(
    st.text(st.sampled_from("ab\"'()\\ é\U0001f600/*{};@%")),
    st.sampled_from([CSS_DOUBLE, CSS_SINGLE, CSS_URL]),
)
def test_what_is_written_is_read_again(text: str, layer: Layer) -> None:
    written = write_layers(text, [layer], str.isascii)
    assert layer.read(written).value == text
    around = {CSS_DOUBLE: 'url("{}")', CSS_SINGLE: "url('{}')", CSS_URL: "url({})"}[layer]
    if text or layer is not CSS_URL:
        assert found("a{b:" + around.replace("{}", written) + "}") == [text]


@given(st.text(st.sampled_from("url('\"\\)/*@import \n;{}")))
def test_any_text_is_read_in_order(text: str) -> None:
    position = 0
    for first, last, *_ in urls(text):
        assert position <= first <= last <= len(text)
        position = last


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_ordinary_over_tokens_changes_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = list(urls(text))
    with mock.patch.object(css, "_SKIPPED", re.compile("")):
        assert found == list(urls(text))
