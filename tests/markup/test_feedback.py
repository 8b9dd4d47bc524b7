"""Namespaces and states that depend on all that came before a tag, however the document comes."""

from __future__ import annotations

import random

import pytest
from browser.soup import soup
from hypothesis import given
from hypothesis import strategies as st

from linkfix.errors import LimitExceededError
from linkfix.markup.html import feedback as module
from linkfix.markup.html.elements_data import HTML, MATHML, SVG
from linkfix.markup.html.feedback import TreeFeedback
from linkfix.markup.html.skip import Wanted
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import StartTag
from linkfix.markup.html.treeconstruction.stage import TreeConstruction

#: Documents, and their start tags with the first letters of the namespaces that are not HTML.
CASES = [
    # 13.2.6.5, "Any other end tag": down the stack, then by the insertion mode.
    ("<span><svg></span><script><a></script><b>", "span s:svg script b"),
    ("<label><math></label><title><a></title>", "label m:math title"),
    ("<x-icon><svg></x-icon><p>", "x-icon s:svg p"),
    ("<svg></div><text><![CDATA[><a>]]></text>", "s:svg s:text"),
    ("<svg></em></section></table></td></li><![CDATA[><a>]]>", "s:svg"),
    ("<div><svg><g></div><![CDATA[><a>]]>", "div s:svg s:g a"),
    ("<div><p><svg></div><script><a></script>", "div p s:svg script"),
    ("<table><tr><td><svg></td><script><a></script>", "table tr td s:svg script"),
    ("<table><tr><td><svg></tbody><script><a></script>", "table tr td s:svg script"),
    ("<ul><li><svg></ul><title><a></title>", "ul li s:svg title"),
    ("<button><svg></button><title><a></title>", "button s:svg title"),
    ("<h1><svg></h2><title><a></title>", "h1 s:svg title"),
    ("<svg></p><title><a></title>", "s:svg title"),
    ("<svg></br><title><a></title>", "s:svg title"),
    # Start tags that are ignored.
    ("<math><mtext><td><![CDATA[><a>]]>", "m:math m:mtext td"),
    ("<svg><desc><html><![CDATA[><a>]]>", "s:svg s:desc html"),
    ("<svg><desc><frame><body><![CDATA[><a>]]>", "s:svg s:desc frame body"),
    ("<frameset><svg><noframes><a></noframes><frame>", "frameset svg noframes frame"),
    ("<frameset><script><frame></script>", "frameset script frame"),
    ("<p>x<frameset><script><a></script>", "p frameset script"),
    ("<p><<frameset><script><a></script>", "p frameset script"),
    ("<template><col><script><a></script></template><script><b></script>", "template col script a script"),
    ("<template><p><col><script><a></script>", "template p col script"),
    ("<template><template></template><col><title><a></title>", "template template col title a"),
    ("<template><svg></svg></template><col><title><a></title>", "template s:svg col title"),
    # The list of active formatting elements.
    ("<svg><foreignObject><p><i></p>a<![CDATA[><a>]]>", "s:svg s:foreignobject p i a"),
    ("<svg><foreignObject><p><i></p><![CDATA[><a>]]>", "s:svg s:foreignobject p i"),
    ("<svg><desc><a></desc><a><![CDATA[><b>]]>", "s:svg s:desc a a b"),
    ("<b><div><svg></b><![CDATA[><a>]]>", "b div s:svg a"),
    ("<b><div><svg><desc></b><![CDATA[><a>]]>", "b div s:svg s:desc"),
    ("<b><svg></b><![CDATA[><a>]]>", "b s:svg a"),
    ("<a><b><div><svg></a></b><title><a></title></div><title><a></title>", "a b div s:svg title title"),
    # Insertion modes.
    ("<table><tr><td><svg><desc><td><title><a></title>", "table tr td s:svg s:desc td title"),
    ("<table><svg><desc><tr><title><a></title>", "table s:svg s:desc tr title"),
    ("<table><caption><svg><desc><col><title><a></title>", "table caption s:svg s:desc col title"),
    ("<select><svg></select><title><a></title>", "select s:svg title"),
    ("<select><svg><desc><input><title><a></title>", "select s:svg s:desc input title"),
    ("<p><select><svg></p><![CDATA[><a>]]>", "p select s:svg a"),
    # Quirks mode: a table closes no paragraph.
    ("<p><x-y><table></table><svg></x-y><![CDATA[><a>]]>", "p x-y table s:svg a"),
    ("<!DOCTYPE html><p><x-y><table></table><svg></x-y><![CDATA[><a>]]>", "p x-y table s:svg"),
    # Integration points.
    ("<math><annotation-xml encoding=text/HTML><div></math><title><a></title>", "m:math m:annotation-xml div title"),
    ("<math><annotation-xml><svg></annotation-xml><title><a></title>", "m:math m:annotation-xml s:svg m:title m:a"),
    ("<math><annotation-xml><div><title><a></title>", "m:math m:annotation-xml div title"),
    ("<math><mi><mglyph><p><title><a></title>", "m:math m:mi m:mglyph p title"),
    ("<svg><font color=x><title><a></title>", "s:svg font title"),
    ("<svg><font face><font><title><a></title>", "s:svg font font title"),
    ("<svg><font x><title><a></title>", "s:svg s:font s:title a"),
]  # fmt: skip
LETTER = {HTML: "", SVG: "s:", MATHML: "m:"}


def start_tags(tokenizer: HTMLTokenizer, chunks: list[bytes]) -> str:
    tokens = [token for chunk in chunks for token in tokenizer.feed(chunk)] + tokenizer.feed(
        b"", final=True
    )
    tags = [token for token in tokens if isinstance(token, StartTag)]
    return " ".join(LETTER[tag.namespace] + tag.name.decode() for tag in tags)


def whole(document: bytes) -> str:
    return start_tags(HTMLTokenizer(TreeFeedback()), [document])


@pytest.mark.parametrize(("document", "expected"), CASES, ids=[case[0] for case in CASES])
def test_start_tags(document: str, expected: str) -> None:
    source = document.encode()
    assert whole(source) == expected
    octets = [source[at : at + 1] for at in range(len(source))]
    assert start_tags(HTMLTokenizer(TreeFeedback()), octets) == expected
    following = TreeFeedback(tree=TreeConstruction())
    assert start_tags(HTMLTokenizer(following), [source]) == expected


@given(st.integers(0, 2**32), st.booleans())
def test_following_every_token_brings_the_same(seed: int, scripting: bool) -> None:
    """The stage that looks back answers as the one that has followed from the beginning."""
    source = soup(random.Random(seed)).encode()
    following = TreeFeedback(tree=TreeConstruction(scripting=scripting))
    expected = start_tags(HTMLTokenizer(following), [source])
    assert start_tags(HTMLTokenizer(TreeFeedback(scripting=scripting)), [source]) == expected
    size = 1 + seed % 40
    chunks = [source[at : at + size] for at in range(0, len(source), size)]
    assert start_tags(HTMLTokenizer(TreeFeedback(scripting=scripting)), chunks) == expected


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("<frameset><script><a></script><noembed><b></noembed>", "frameset script noembed"),
        ("<head><body><title><a></title><frame>", "head body title frame"),
        ("<p><table><svg></p><title><a></title>", "p table s:svg title"),
        ("<svg><desc><frameset></svg><title><a></title>", "s:svg s:desc frameset title"),
    ],
)
def test_a_part_of_a_body_has_no_framesets(document: str, expected: str) -> None:
    source = document.encode()
    for following in (None, TreeConstruction(is_body=True)):
        tokenizer = HTMLTokenizer(TreeFeedback(is_body=True, tree=following))
        assert start_tags(tokenizer, [source]) == expected


def test_foreign_content_that_is_closed_is_not_looked_back_from() -> None:
    looked: list[TreeFeedback] = []
    feedback = TreeFeedback()
    HTMLTokenizer(feedback)
    feedback.look_back = looked.append
    for name in (b"div", b"svg", b"g", b"title", b"math", b"mi"):
        feedback.start_tag(name, b"<" + name + b">", self_closing=False)
    feedback.end_tag(b"g")
    feedback.end_tag(b"svg")
    assert feedback.names_decide
    feedback.start_tag(b"svg", b"<svg>", self_closing=False)
    feedback.start_tag(b"p", b"<p>", self_closing=False)
    assert feedback.names_decide
    assert not looked
    feedback.start_tag(b"math", b"<math>", self_closing=False)
    feedback.end_tag(b"div")
    assert looked


def test_a_stream_looks_back_so_far_and_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PAST", 100)
    before, broken = b"<span>" + b"x" * 200, b"<svg></span><title><a></title>"
    interest = Wanted(frozenset({"svg", "math"}), frozenset())
    for chunks in ([before + broken], [before, broken], [before[:90], before[90:], broken]):
        tokenizer = HTMLTokenizer(TreeFeedback(), wanted=interest, unit=2)
        with pytest.raises(LimitExceededError, match="200 bytes back") as caught:
            start_tags(tokenizer, chunks)
        assert caught.value.offset == 2 * (len(before) + len(b"<svg>"))
    assert start_tags(HTMLTokenizer(TreeFeedback()), [before[:60], broken]) == "span s:svg title"
    # What is known once is the place to look back to; a document that is at hand is looked through from its start.
    again = [broken, b"x" * 60, broken, b"x" * 60, broken]
    assert start_tags(HTMLTokenizer(TreeFeedback()), again) == " ".join(["s:svg s:title a"] * 3)
    tags = HTMLTokenizer(TreeFeedback()).feed(before + broken, final=True)
    assert [token.name for token in tags if isinstance(token, StartTag)] == [
        b"span",
        b"svg",
        b"title",
    ]


def test_depth_makes_no_difference() -> None:
    """What is unmatched closes nothing, and what is matched closes all that is inside it."""
    unmatched = b"<svg>" + b"<g>" * 100_000 + b"</i>" * 100_000 + b"<title></title></svg><title><a>"
    assert whole(unmatched).split()[-2:] == ["s:title", "title"]
    matched = (
        b"<div><svg><desc>" + b"<b>" * 20_000 + b"</x>" * 20_000 + b"</desc></div></svg><title>"
    )
    assert whole(matched).endswith("b title")
