"""Links of HTML in the texts of XML are those of the HTML, wherever and however it is spelled."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import examples

import linkfix
from linkfix.links import LinkStream
from linkfix.markup.xml import names as xmlnames

if TYPE_CHECKING:
    from collections.abc import Callable

PIECES = [
    "<p>", "</p>", "text é ", "x &lt; y ", "&#8217;", "&#x2019;", "&nbsp;", "\n", "<", "'", '"', "=", "<!-- <a href='no|'> -->",
    "<a href='/b/c'>", '<a href="d|e">', "<a href=f{>", "<a href='é?é'>", "<a href='表ソ'>", '<a href="g?h=1&amp;i|">', "<a href='j&k=|'>",
    "<a href='l&quot;m'>", "<a href=' n '>", "<a href=''>", "<img src='o p'>", "<img srcset='q| 1x, r 2x'>", "<a style='s:url(t|)'>",
    "<style>u{v:url('w|')}</style>", "<svg><a xlink:href='x|'/></svg>", "<base href='/y|/'>", "<iframe srcdoc='<a href=&quot;z|&quot;>'>",
    "<link href='é'>", "<q cite='&eacute;'>", "<form action='\ufffd|'>",
]  # fmt: skip


def in_section(html: str) -> str:
    return f"<![CDATA[{html.replace(']]>', '')}]]>"


SPELLINGS: list[Callable[[str], str]] = [
    escape,
    lambda html: escape(html, {"'": "&#039;", '"': "&quot;"}),
    lambda html: escape(html, {'"': "&#34;", "é": "&#233;", "表": "&#x8868;"}),
    lambda html: escape(html).replace("&lt;a", "&#60;a"),
    lambda html: escape(html, {"='": "=&apos;"}),
    in_section,
    lambda html: f"\n {in_section(html)}\n",
]
CHARSETS = ["utf-8", "windows-1252", "shift_jis", "gb18030", "utf-16", "iso-2022-jp"]


@pytest.fixture(autouse=True)
def patterns_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make patterns for the first tag already, as for long documents."""
    monkeypatch.setattr(xmlnames, "_PATIENCE", 0)


def values(source: bytes, type: str) -> list[tuple[str, str, str]]:
    stream = LinkStream(type="html" if type == "html" else "xml", charset="utf-8")
    links = stream.feed(source) + stream.close()
    return [(link.element, link.attribute, link.value) for link in links]


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), st.sampled_from(SPELLINGS))
def test_links_are_those_of_the_html(html: str, spell: Callable[[str], str]) -> None:
    source = f"<rss><description>{spell(html)}</description></rss>"
    expected = values(f"<!DOCTYPE html>{html}".encode(), "html")
    assert values(source.encode(), "xml") == expected


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(SPELLINGS)), max_size=6),
    st.sampled_from(CHARSETS),
    st.integers(1, 50),
)
def test_a_link_stands_where_it_says_in_every_charset(
    pieces: list[tuple[str, Callable[[str], str]]], charset: str, size: int
) -> None:
    items = "".join(f"<description>{spell(html)}</description>" for html, spell in pieces)
    text = f'<?xml version="1.0" encoding="{charset}"?><rss>{items}<link>a|</link></rss>'
    source = text.encode(charset, "xmlcharrefreplace")
    stream, pieces_of = LinkStream(type="xml"), range(0, len(source), size)
    links = [link for at in pieces_of for link in stream.feed(source[at : at + size])]
    links += stream.close()
    whole = LinkStream(type="xml").whole(source)
    assert [each._replace(spelling=each.spelled) for each in links] == [
        each._replace(spelling=each.spelled) for each in whole
    ]
    for link in links:
        assert source[link.start : link.end] == link.raw
        if charset not in {"iso-2022-jp", "utf-16"}:
            raw = link.raw.decode(charset)
            assert unescape(unescape(raw)).strip() == unescape(link.value).strip()


def test_each_text_may_be_spelled_in_its_own_way() -> None:
    texts = [spell('<a href="a|">') for spell in SPELLINGS[:3]]
    items = "".join(f"<description>{text}</description>" for text in texts)
    found = list(linkfix.extract(f"<rss>{items}</rss>".encode(), type="xml"))
    assert [(link.value, link.column) for link in found] == [
        ("a|", items.index("a|") + len("<rss>") + 1),
        ("a|", items.index("&quot;a|") + len("<rss>&quot;") + 1),
        ("a|", items.index("&#34;a|") + len("<rss>&#34;") + 1),
    ]
