"""Texts of XML whose spelling contains CDATA sections, comments, instructions or elements."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from invariants import check, rewritten
from lxml import etree
from tiers import examples

import linkfix
from linkfix.charset import lookup
from linkfix.links import LinkStream
from linkfix.links.html import finder
from linkfix.links.html.finder import HTMLFinder
from linkfix.links.settings import XMLSettings
from linkfix.markup.html.skip import skip
from linkfix.markup.xml import names as xmlnames

RSS = "<rss version='2.0'><channel><description>{}</description></channel></rss>"


def links(source: str, *, recover: bool = False) -> list[linkfix.Link]:
    stream = LinkStream(type="xml", xml=XMLSettings(recover=recover))
    return stream.feed(source.encode()) + stream.close()


def new(text: str) -> str:
    source = RSS.format(text).encode()
    octets, _ = rewritten(source, "uri", type="xml")
    return octets.decode().removeprefix(RSS.partition("{")[0]).removesuffix(RSS.partition("}")[2])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<![CDATA[<a href='é'>x]]]]><![CDATA[></a><a href='ü'>]]>", "<![CDATA[<a href='%C3%A9'>x]]]]><![CDATA[></a><a href='%C3%BC'>]]>"),
        ("&lt;a href='é&amp;amp;b'><![CDATA[<a href='ü&amp;b'>]]>", "&lt;a href='%C3%A9&amp;amp;b'><![CDATA[<a href='%C3%BC&amp;b'>]]>"),
        ("&lt;a <!-- c -->href='é'>", "&lt;a <!-- c -->href='%C3%A9'>"),
        ("<?p i?><![CDATA[<a href='é'>]]><!-- <a href='ä'> -->", "<?p i?><![CDATA[<a href='%C3%A9'>]]><!-- <a href='ä'> -->"),
        ("<![CDATA[<a hr]]><![CDATA[ef='é'>]]>", "<![CDATA[<a hr]]><![CDATA[ef='%C3%A9'>]]>"),
        ("<![CDATA[<!-- <a href='é'>]]><![CDATA[ --><a href='ü'>]]>", "<![CDATA[<!-- <a href='é'>]]><![CDATA[ --><a href='%C3%BC'>]]>"),
        ("<!--<![CDATA[-->&lt;a href='é'><!--]]>-->", "<!--<![CDATA[-->&lt;a href='%C3%A9'><!--]]>-->"),
        ("<![CDATA[<style>b{background:url(é)}</style><p style='x:url(]]><![CDATA[ü)' title='&amp;'>]]>", "<![CDATA[<style>b{background:url(%C3%A9)}</style><p style='x:url(]]><![CDATA[%C3%BC)' title='&amp;'>]]>"),
    ],
)  # fmt: skip
def test_html_in_pieces_is_one_text(text: str, expected: str) -> None:
    assert new(text) == expected


def test_a_link_across_pieces_is_left_with_the_reason() -> None:
    text = "<![CDATA[<a href='é]]]]><![CDATA[>ü'><a href='ä'>]]>"
    octets, outcomes = rewritten(RSS.format(text).encode(), "uri", type="xml")
    assert [(each.link.value, bool(each.kept)) for each in outcomes] == [
        ("é]]>ü", True),
        ("ä", False),
    ]
    assert octets.decode() == RSS.format(text.replace("ä", "%C3%A4"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!-- c --> http://x/é ", "<!-- c --> http://x/%C3%A9 "),
        (" <![CDATA[http://x/é]]><?p i?>", " <![CDATA[http://x/%C3%A9]]><?p i?>"),
        ("http://x/é<!-- c -->", "http://x/%C3%A9<!-- c -->"),
        (
            "<![CDATA[]]>http://x/é&amp;<![CDATA[ ]]>",
            "<![CDATA[]]>http://x/%C3%A9&amp;<![CDATA[ ]]>",
        ),
    ],
)
def test_a_link_in_one_piece_is_rewritten(text: str, expected: str) -> None:
    source = f"<rss><link>{text}</link></rss>"
    assert (
        rewritten(source.encode(), "uri", type="xml")[0].decode()
        == f"<rss><link>{expected}</link></rss>"
    )


@pytest.mark.parametrize("dtd", ["", "<!DOCTYPE rss [<!ENTITY e 'x'>]>"])
@pytest.mark.parametrize("end", ["</link></rss>", "</link></wrong>"])
def test_a_link_with_an_element_inside_is_listed_with_the_reason(dtd: str, end: str) -> None:
    source = f"{dtd}<rss><link>http://x/é<b/>ü</link><link>\n <b>x</b></link><link>http://y/<i>é</i>{end}"
    found = links(source, recover=True)
    assert [(link.value, bool(link.fixed)) for link in found] == [
        ("http://x/é", True),
        ("http://y/", True),
    ]
    assert [link.line for link in found] == [1, 2]
    assert rewritten((dtd + "<rss><link>http://x/é<b/>ü</link></rss>").encode(), "uri", type="xml")[
        1
    ][0].kept


def test_html_with_elements_inside_is_no_link() -> None:
    assert links(RSS.format("&lt;a href='é'><b/>")) == []


def test_html_that_cannot_be_read_resolves_to_nothing() -> None:
    source = f"<!DOCTYPE rss [<!ENTITY e '&lt;a href=\"x\">'>]>{RSS.format('&e;')}"
    [link] = linkfix.extract(source.encode(), type="xml", base="http://h/")
    assert (link.kind, link.resolved) == ("document", None)
    assert link.fixed


PARTS = st.lists(
    st.sampled_from(
        ["&lt;a href='é'>", "&lt;img src=\"ü&amp;amp;b\">", "<![CDATA[<a href='ö&amp;c'>]]>", "<![CDATA[<a title=']]>", "<![CDATA[x]]]]><![CDATA[>]]>",
         "<!-- <a href='ä'> -->", "<?p <a href='ä'>?>", "表ソ ", "<![CDATA[<a href=é]]>", "&gt;", "'&gt;", "<![CDATA[' href=\"/é|\">]]>", "&#233;", "\n"]
    ),
    max_size=8,
).map("".join)  # fmt: skip


@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(PARTS, PARTS, st.data())
@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "shift_jis", "iso-2022-jp", "gb18030"])
def test_invariants(charset: str, first: str, second: str, data: st.DataObject) -> None:
    text = f"<?xml version='1.0' encoding='{charset}'?><rss><description>{first}</description><link>{second}</link></rss>"
    encoding = lookup("utf-16le" if charset == "utf-16" else charset)
    mark = "\ufeff" if charset == "utf-16" else ""
    source = encoding.encode(mark + "".join(c if encoding.encodable(c) else "x" for c in text))
    cut = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=3)))
    for to in ("uri", "iri"):
        check(source, to, type="xml", cuts=(cut, [*range(1, len(source))]))


@settings(max_examples=examples(150), deadline=None)
@given(PARTS)
def test_the_links_are_those_of_the_character_data(text: str) -> None:
    """By lxml: the links are those of the text as one page, and after a rewrite the page has the same ones."""
    source = RSS.format(text)

    def page(document: bytes) -> str:
        return str(etree.fromstring(document).xpath("string(//description)"))

    def urls(markup: str) -> list[str]:
        found = linkfix.extract(
            f"<!DOCTYPE html><meta charset=utf-8>{markup}".encode(), type="html", base="http://h/"
        )
        return [link.resolved or "" for link in found]

    listed = linkfix.extract(source.encode(), type="xml", base="http://h/")
    assert [link.resolved or "" for link in listed] == urls(page(source.encode()))
    assert urls(page(rewritten(source.encode(), "uri", type="xml")[0])) == urls(
        page(source.encode())
    )


HTML = "<p class=\"b\">x</p><a href=\"{}\">&eacute;</a><img src='c &amp; d' alt='é'>"


@pytest.mark.parametrize(
    "text",
    [
        f"<![CDATA[{HTML}]]>",
        f"<![CDATA[<i>\u3042</i>{HTML}<br/>]]>",
        HTML.replace("&", "&amp;").replace("<", "&lt;"),
    ],
)
def test_plain_html_needs_no_tokenizer(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The skip alone finds the same links, spelled and counted alike."""
    monkeypatch.setattr(xmlnames, "_PATIENCE", 0)  # the pattern as for long documents

    def read(text: str) -> tuple[object, ...]:
        source = RSS.format(text.format("é \u3042"))
        report = linkfix.rewrite(source.encode(), sink := io.BytesIO(), type="xml")
        return links(source), report, sink.getvalue()

    with monkeypatch.context() as patch:
        patch.setattr(HTMLFinder, "simple", lambda *_: {})
        expected = read(text)
    monkeypatch.setattr(HTMLFinder, "document", None)
    assert read(text) == expected


def of_items(*texts: str) -> str:
    items = "".join(f"<item><description><![CDATA[{text}]]></description></item>" for text in texts)
    return f"<rss version='2.0'><channel>{items}</channel></rss>"


def test_all_plain_html_is_skipped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bytes] = []

    def counted(*arguments: Any) -> int:
        calls.append(arguments[1])
        return skip(*arguments)

    monkeypatch.setattr(finder, "skip", counted)
    found = links(of_items(*(f"<p>Text {n}<a href='{n}.html'>" for n in range(20))))
    assert [link.value for link in found] == [f"{n}.html" for n in range(20)]
    assert len(calls) == 1


#: Whole and broken tokens, those that the skip leaves to the tokenizer, and what is put around each text.
PIECES = [
    '<a href="x y">', "<a href='b&amp;c'>t</a>", "<img src=i.png>", '<img src="a" srcset="b 1x, c 2x">', "<!-- ", "-->",
    '<svg><a href="q"/></svg>', "<", "</", "</p", "<p", "text", "日本", "<title>", "</title>", "<script>", "</script>",
    '<a title="', '"', "'", ">", '<a href="">', "<a href=>", "&amp;", '<base href="http://e/">', "<plaintext>", "<template>",
    '<meta http-equiv=refresh content="0;url=r">', '<p style="background:url(k)">', "<a\nhref=nl>", "<frameset>", "<textarea>",
]  # fmt: skip


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), max_size=6))
@example(["<a href=x><img srcset='a 1x, b 2x'>", "<a href=y>"])
@example(["<!-- ", "<a href=x>--><a href=y>", "<a href=z>"])
@example(["<a href=x>", '<p title="', "<a href=y>", "<a href=z>"])
def test_texts_that_are_read_together_have_the_links_that_each_has_alone(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xmlnames, "_PATIENCE", 0)  # the pattern as for long documents
        found = [(link.value, link.raw) for link in links(of_items(*texts))]
        patch.setattr(HTMLFinder, "simple", lambda *_: {})
        alone = [(link.value, link.raw) for text in texts for link in links(of_items(text))]
    assert found == alone
