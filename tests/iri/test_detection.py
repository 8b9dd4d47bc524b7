"""Links in plain text, by UTS #58."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
from conformance_data import conformance
from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri import find
from linkfix.iri.text.link_data import TOP_LEVEL


def marked(text: str) -> str:
    for start, end, *_ in reversed(find(text)):
        text = f"{text[:start]}⸠{text[start:end]}⸡{text[end:]}"
    return text


@pytest.mark.conformance
def test_every_line_of_the_standard() -> None:
    data = conformance("uts58", "LinkDetectionTest.txt").read_text("utf-8")
    lines = [line for line in data.split("\n") if line and line[0] != "#"]
    wrong = [line for line in lines if marked(re.sub("[⸠⸡]", "", line)) != line]
    assert (len(lines), wrong) == (345, [])


@pytest.mark.conformance
def test_the_tables_are_those_that_their_tool_writes() -> None:
    tool = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "iri" / "make_links.py"))
    written = tool["module"](conformance("uts58"), TOP_LEVEL.split())
    assert tool["TARGET"].read_text("utf-8") == written


@pytest.mark.parametrize(
    "text",
    [
        # the example of RFC 3986, Appendix C
        'Yes, Jim, I found it under "⸠http://www.w3.org/Addressing/⸡",\nbut you can probably pick it up from <⸠ftp://foo.example⸡.\ncom/rfc/>.',
        "see <URL:⸠http://h/d%C3%A9/é日本⸡>, (cf. ⸠http://h/a_(b)⸡).",
        "«⸠mailto:a@b.example⸡» 「⸠http://h/あ⸡」。⸠http://h/い⸡。",
        "⸠www.example.org⸡, ⸠WWW.EXAMPLE.ORG/a⸡?! www.) www.. http:)",
        "nothing: foo:bar http: a@http://x javascript:x() 12:30 http://… foo://a.com/",
        "⸠tel:+1-2⸡, ⸠urn:isbn:1⸡; ⸠sip:a@b⸡. News:新闻",
        # closing marks of every script, the next link, the end of a quotation
        "详见⸠http://example.org⸡，然后⸠http://a.b/x⸡）和，「⸠http://a.b/x⸡」和",
        "⸠http://a.b/x⸡,⸠http://a.b/y⸡https://a.b/y",
        "⸠https://web.example/2020/http://a.b/?u=ftp://c.d⸡",
        '`⸠http://a.b/x⸡`y {"u":"⸠http://h/é⸡","v":1}',
        "⸠http://例え.jp⸡。次 ⸠http://example.org⸡查看",
        "⸠ssh://git@a.b/c⸡ ⸠file:///x⸡ ⸠file:/y⸡ ⸠http://[::1]:80/é⸡ ⸠ldap:///dc=x⸡",
        "请看⸠www.example.org⸡。",
        "見て。⸠http://日本語.jp/⸡、 次。見てhttp://…。⸠https://a.b⸡",
        "見て。⸠example.com⸡。次。⸠a.example.com/x⸡",
        # characters that no IRI has, and a link of a wiki
        "\u200f(⸠http://a.b/x⸡\u200e) ⸠http://a.com⸡\u200e",
        "[[⸠http://a.b/x⸡|y]], ⸠http://a.b/x|y⸡",
    ],
)
def test_what_is_found(text: str) -> None:
    assert marked(re.sub("[⸠⸡]", "", text)) == text


@pytest.mark.parametrize(
    ("text", "kind", "certainty"),
    [
        ("http://h/é", "iri", "certain"),
        ("http://bücher.example", "iri", "certain"),
        ("http://例え.jp/", "iri", "certain"),
        ("http://bücher/", "iri", "unsure"),
        ("http://h/😀", "iri", "likely"),
        ("http://h/文档。更多", "iri", "likely"),
        ("http://h/path查看", "iri", "likely"),
        ("http://h/查看", "iri", "likely"),
        ("http://h/aب", "iri", "likely"),
        ("http://h/ب", "iri", "certain"),
        ("ftp://имя@ftp.h/путь/", "iri", "certain"),
        ("http://h/é|b", "iri", "unsure"),
        ("http://h/http://i/", "iri", "unsure"),
        ("urn:x:é", "iri", "unsure"),
        ("www.a.com", "www", "likely"),
        ("a.com/b", "domain", "likely"),
        ("README.md", "domain", "unsure"),
        ("a@b.com", "mail", "likely"),
        ("é@b.com", "mail", "unsure"),
    ],
)
def test_kind_and_certainty(text: str, kind: str, certainty: str) -> None:
    assert find(text) == [(0, len(text), kind, certainty)]


@given(st.lists(st.sampled_from(["http://", "a", ".", "com", "@", "/", "(", ")", "é", "。", "，", "例", " ", ":", "-", "?", '"', "www.", "mailto:"])).map("".join))  # fmt: skip
def test_links_are_apart_and_in_order(text: str) -> None:
    ends = [point for link in find(text) for point in link[:2]]
    assert ends == sorted(ends)
    assert all(start < end for start, end, *_ in find(text))


def test_a_search_takes_linear_time() -> None:
    assert [x[:2] for x in find("http://h/" + ")" * 1_000)] == [(0, 9)]
    assert len(find("http://h/é " * 20_000)) == 20_000
    assert find("文档。" * 20_000 + "a." * 20_000 + "(" * 20_000 + "@" * 20_000) == []
    assert find("x.com" * 20_000) == []
