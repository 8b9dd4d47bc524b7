"""Links of HTML in texts are the same whether they are made where they stand or by way of the whole text."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import linkfix
from linkfix.iri import canonical_ascii
from linkfix.links import Link, LinkStream
from linkfix.links.html import HTMLFinder
from linkfix.links.xmldocuments import XMLDocuments
from linkfix.markup import xmlskipping

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.markup.skipping import Clean

PIECES = [
    "<p>", "</p>", "text é ", "x &lt; y ", "&#8217;", "&#x2019;", "&nbsp;", "\n", "\r\n", "<", "'", '"', "=", "<!-- <a href='no|'> -->",
    "<a href='/b/c'>", '<a href="d|e">', "<a href=f{>", "<a href='é?é'>", "<a href='表ソ'>", '<a href="g?h=1&amp;i|">', "<a href='j&k=|'>",
    "<a href='l&quot;m'>", "<a href=' n '>", "<a href=''>", "<img src='o p'>", "<img srcset='q| 1x, r 2x'>", "<a style='s:url(t|)'>",
    "<style>u{v:url('w|')}</style>", "<svg><a xlink:href='x|'/></svg>", "<base href='/y|/'>", "<iframe srcdoc='<a href=&quot;z|&quot;>'>",
    "<link href='é'>", "<q cite='&eacute;'>", "<form action='\ufffd|'>",
]  # fmt: skip


def in_section(html: str) -> str:
    return f"<![CDATA[{html.replace(']]>', '')}]]>"


SPELLINGS: list[Callable[[str], str]] = [
    escape,
    lambda html: escape(html, {'"': "&quot;", "'": "&#039;"}),
    lambda html: escape(html, {'"': "&#34;", "é": "&#233;", "表": "&#x8868;"}),
    lambda html: escape(html, {"<a": "&#60;a"}),
    lambda html: escape(html, {"<a": "&lt;a", "='": "=&apos;"}),
    in_section,
    lambda html: f"\n {in_section(html)}\n",
]


@pytest.fixture(autouse=True)
def patterns_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make patterns for the first tag already, as for long documents."""
    monkeypatch.setattr(xmlskipping, "_PATIENCE", 0)


@st.composite
def feeds(draw: st.DrawFn) -> str:
    texts = draw(st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), max_size=4))
    spell = st.sampled_from(SPELLINGS)
    items = "".join(f"<item><description>{draw(spell)(text)}</description><link>a|</link></item>" for text in texts)  # fmt: skip
    return f"<rss>{items}</rss>"


def links(source: bytes, clean: Clean | None, *, count: bool) -> tuple[list[Link], int]:
    stream = LinkStream(type="xml", clean=clean, count=count)
    found = stream.whole(source)
    # How a link is spelled may be left out where it is as itself.
    return [link._replace(spelling=link.spelled) for link in found], stream.passed


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(feeds(), st.sampled_from(["utf-8", "windows-1252", "shift_jis", "gb18030", "utf-16", "iso-2022-jp"]))  # fmt: skip
def test_links_are_the_same_either_way(document: str, charset: str) -> None:
    text = f'<?xml version="1.0" encoding="{charset}"?>{document}'
    source = text.encode(charset, "replace" if charset != "utf-8" else "strict")
    for clean, count in (
        (None, True),
        (canonical_ascii("uri"), True),
        (canonical_ascii("uri"), False),
    ):
        where_they_stand = links(source, clean, count=count)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(XMLDocuments, "links", lambda _, spans, *__: [None] * len(spans))
            assert where_they_stand == links(source, clean, count=count)
    rewritten = linkfix.Rewriter(type="xml")
    new = rewritten.whole(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(XMLDocuments, "links", lambda _, spans, *__: [None] * len(spans))
        slowly = linkfix.Rewriter(type="xml")
        assert slowly.whole(source) == new
    assert slowly.report == rewritten.report


@pytest.mark.parametrize("number", [0, 1, 2, 5, 6])
def test_simple_links_are_made_where_they_stand(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(HTMLFinder, "document")
    text = SPELLINGS[number]("<p>&#233; <a href='a|'> é <img src=b> <a href=c?d&amp;e>")
    source = f"<rss><description>{text}</description></rss>".encode()
    assert [link.value for link in linkfix.extract(source, type="xml")] == ["a|", "b", "c?d&e"]


def test_texts_that_are_spelled_in_different_ways_are_read_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(HTMLFinder, "document")
    texts = [spell('<a href="a|">') for spell in SPELLINGS[:3]]
    items = "".join(f"<description>{text}</description>" for text in texts)
    found = list(linkfix.extract(f"<rss>{items}</rss>".encode(), type="xml"))
    assert [(link.value, link.column) for link in found] == [
        ("a|", items.index("a|") + len("<rss>") + 1),
        ("a|", items.index("&quot;a|") + len("<rss>&quot;") + 1),
        ("a|", items.index("&#34;a|") + len("<rss>&#34;") + 1),
    ]
