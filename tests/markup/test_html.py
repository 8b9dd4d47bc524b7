"""The tokenizer with the feedback of tree construction."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.errors import LimitExceededError
from linkfix.markup.html.elements_data import HTML, MATHML, SVG
from linkfix.markup.html.feedback import TreeFeedback
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import StartTag


def tags(*chunks: bytes, scripting: bool = True) -> list[StartTag]:
    tokenizer = HTMLTokenizer(TreeFeedback(scripting=scripting))
    found = [tag for chunk in chunks for tag in tokenizer.feed(chunk)]
    return [tag for tag in found + tokenizer.feed(b"", final=True) if isinstance(tag, StartTag)]


def names(source: bytes, *, scripting: bool = True) -> list[str]:
    short = {HTML: "", SVG: "svg:", MATHML: "math:"}
    return [short[tag.namespace] + tag.name.decode() for tag in tags(source, scripting=scripting)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"<title><a></title><b>", ["title", "b"]),
        (b"<textarea><a></textarea x><b>", ["textarea", "b"]),
        (b"<style><a></style ><b>", ["style", "b"]),
        (b"<script><a></script><b>", ["script", "b"]),
        (b"<script><!--<script></script><a>--></script><b>", ["script", "b"]),
        (b"<script><!--><a></script><b>", ["script", "b"]),
        (b"<script><!--<script></script><a></script><b>--></script><i>", ["script", "b", "i"]),
        (b"<plaintext><a></plaintext><b>", ["plaintext"]),
        (
            b"<xmp><a></xmp><iframe><a></iframe><noembed><a></noembed><b>",
            ["xmp", "iframe", "noembed", "b"],
        ),
        (b"<!-- <a> --><b><!--><i><!---><u><!-- <a> --!><s>", ["b", "i", "u", "s"]),
        (b"<!doctype html '>'><b><?php <a> ?><i></><u></3 <a>><s>", ["b", "i", "u", "s"]),
        (b"<![CDATA[<a>]]><b>", ["b"]),
        (b"<svg><![CDATA[<a>]]><b>", ["svg:svg", "b"]),
        (
            b"<svg><title><a></title></svg><title><a></title>",
            ["svg:svg", "svg:title", "a", "title"],
        ),
        (
            b"<svg><style><a/></style><script><g></script></svg>",
            ["svg:svg", "svg:style", "svg:a", "svg:script", "svg:g"],
        ),
        (
            b"<svg><foreignObject><p><a><svg><a></svg></foreignObject><a>",
            ["svg:svg", "svg:foreignobject", "p", "a", "svg:svg", "svg:a", "a"],
        ),
        (
            b"<svg/><a><math><mi><a></a><mglyph></mi></math><a>",
            ["svg:svg", "a", "math:math", "math:mi", "a", "math:mglyph", "a"],
        ),
        (
            b"<math><annotation-xml><a><svg>",
            ["math:math", "math:annotation-xml", "math:a", "math:svg"],
        ),
        (
            b"<math><annotation-xml encoding='Text/HTML'><a>",
            ["math:math", "math:annotation-xml", "a"],
        ),
        (b"<svg><p><a>", ["svg:svg", "p", "a"]),
        (b"<svg><font><a></font><font color=x><a>", ["svg:svg", "svg:font", "svg:a", "font", "a"]),
        (b"<svg></p><a>", ["svg:svg", "a"]),
    ],
)
def test_element_names(source: bytes, expected: list[str]) -> None:
    assert names(source) == expected


def test_noscript_holds_text_when_scripting() -> None:
    assert names(b"<noscript><a></noscript><b>") == ["noscript", "b"]
    assert names(b"<noscript><a></noscript><b>", scripting=False) == ["noscript", "a", "b"]


def test_first_of_duplicate_attributes_wins() -> None:
    (tag,) = tags(b"<a HREF=1 href='2' Href=\"3\">")
    assert [(a.name, a.quote, a.start, a.end) for a in tag.attributes()] == [(b"href", "", 8, 9)]


def test_what_stands_after_the_last_attribute() -> None:
    (tag,) = tags(b"<a href=x/ title / / >")
    assert [(a.name, a.start, a.end) for a in tag.attributes()] == [
        (b"href", 8, 10),
        (b"title", 16, 16),
    ]
    (tag,) = tags(b"<a" + b" /" * 100_000 + b">")
    assert list(tag.attributes()) == []


@pytest.mark.parametrize("size", [1, 3, 16, 100])
@pytest.mark.parametrize(
    "tag", [b"<a title='>' %bhref=x>", b"<a title=\"%b'>'\" href = '>'>", b"</a %b>"]
)
def test_a_tag_is_waited_for(tag: bytes, size: int) -> None:
    source = b"<p>" + tag % (b"x='>' y=\">\" z " * 20) + b"<b>"
    chunks = [source[at : at + size] for at in range(0, len(source), size)]
    assert tags(*chunks) == tags(source)


def test_an_unfinished_tag_is_no_tag() -> None:
    assert tags(b"<b><a href='x' title=") == tags(b"<b>")


def test_a_tag_that_never_ends_is_refused_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkfix.markup.html.tokenizer.MAX_TAG", 1000)
    tokenizer = HTMLTokenizer(TreeFeedback())
    with pytest.raises(LimitExceededError) as caught:
        tokenizer.feed(b"<p>" + b"<a title='" + b"x" * 2000)
    assert caught.value.offset == 3
    wide = HTMLTokenizer(TreeFeedback(), unit=2)
    with pytest.raises(LimitExceededError) as caught:
        wide.feed(b"<p>" + b"<a title='" + b"x" * 2000)
    assert caught.value.offset == 6


PIECES = st.lists(
    st.sampled_from(
        [b"<a href=x>", b"<script>", b"</script>", b"<!--", b"-->", b"<svg>", b"</svg>", b"<title>", b"</title>",
         b"<p>", b"</p>", b"<![CDATA[", b"]]>", b"'", b'"', b"=", b" ", b">", b"<", b"/", b"<desc>", b"</desc>", b"<math>", b"<mi>", b"x"]
    ),
    max_size=25,
).map(b"".join)  # fmt: skip


@given(PIECES, st.data())
def test_chunks_make_no_difference(source: bytes, data: st.DataObject) -> None:
    whole = tags(source)
    assert tags(*(bytes([byte]) for byte in source)) == whole
    cut = data.draw(st.integers(0, len(source)))
    assert tags(source[:cut], source[cut:]) == whole
    for tag in whole:
        assert source[tag.start : tag.end] == tag.raw


def references(*chunks: bytes) -> list[tuple[int, bytes]]:
    """The places of what looks like a character reference in text that is given."""
    spans: list[tuple[int, int]] = []
    tokenizer = HTMLTokenizer(TreeFeedback(), on_text=lambda *span: spans.append(span))
    for chunk in chunks:
        tokenizer.feed(chunk)
    tokenizer.feed(b"", final=True)
    source = b"".join(chunks)
    pieces = [(start, source[start:end]) for start, end in spans]
    assert all(b"&" in piece for _, piece in pieces)
    return [
        (start + found.start(), found[0])
        for start, piece in pieces
        for found in re.finditer(rb"&#?[0-9A-Za-z]+;?", piece)
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"a&eacute;b<i>&amp</i>&#228", [b"&eacute;", b"&amp", b"&#228"]),
        (b"<title>&lt;p>&gt</title><textarea>&copy", [b"&lt;", b"&gt", b"&copy"]),
        (b"<style>&lt;</style><script>&lt;</script><!-- &lt; --><plaintext>&lt;", []),
        (b"<svg><![CDATA[&lt;]]><style>&gt;</style></svg>", [b"&gt;"]),
        (b"<a title=&lt;></a &gt;><b &amp;", []),
        (b"1 < 2 &lt; 3", [b"&lt;"]),
    ],
)
def test_text_with_references(source: bytes, expected: list[bytes]) -> None:
    assert [reference for _, reference in references(source)] == expected
    assert references(*(source[n : n + 1] for n in range(len(source)))) == references(source)


@given(st.lists(PIECES | st.sampled_from([b"&amp;", b"&#233", b"&", b"&notit;"])).map(b"".join))
def test_chunks_make_no_difference_to_references(source: bytes) -> None:
    assert references(*(bytes([byte]) for byte in source)) == references(source)
