"""The base URLs of links in feeds, and what feedparser and lxml make of them before and after a rewrite.

That is I8 of docs/decisions.md.
"""

from __future__ import annotations

import io
from typing import Any
from urllib.parse import urljoin

import feedparser
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from tiers import examples

import linkfix
from linkfix.iri import comparison_form
from linkfix.iri.steps import iri_to_uri
from linkfix.policy import Policy

BASE = "http://base.example/dir/page"
HTML = "http://www.w3.org/1999/xhtml"


def resolved(source: str, base: str | None = BASE) -> dict[str, str | None]:
    """What each link leads to, by its value."""
    links = linkfix.extract(source.encode(), type="xml", base=base)
    return {link.value: link.resolved for link in links if link.kind != "identity"}


def targets(source: str) -> list[str | None]:
    """What the links lead to, in their order."""
    links = linkfix.extract(source.encode(), type="xml", base=BASE)
    return [link.resolved for link in links if link.kind != "identity"]


def rewritten(source: str, **settings: Any) -> str:
    policy = Policy(**settings.pop("policy", {}))
    sink = io.BytesIO()
    linkfix.rewrite(source.encode(), sink, type="xml", policy=policy, **settings)
    return sink.getvalue().decode()


CONTENT = "&lt;a href='p'>&lt;/a>&lt;img src='i' srcset='s 2x' style='background:url(u)'>&lt;style>b{background:url(v)}&lt;/style>"
HREFS = ("p", "i", "s", "u", "v")


@pytest.mark.parametrize(
    "feed",
    [
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h.example/f/'><entry><content type='html'>{}</content></entry></feed>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry xml:base='http://h.example/f/'><summary type='html'>{}</summary></entry></feed>",
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h.example/'><title xml:base='f/' type='html'>{}</title></feed>",
        "<feed xmlns='http://purl.org/atom/ns#' xml:base='http://h.example/f/'><tagline type='text/html' mode='escaped'>{}</tagline></feed>",
        "<rss xml:base='http://h.example/f/'><channel><item><description>{}</description></item></channel></rss>",
        "<rss xml:base='http://h.example/f/' xmlns:c='http://purl.org/rss/1.0/modules/content/'><c:encoded>{}</c:encoded></rss>",
        "<r:RDF xml:base='http://h.example/f/' xmlns='http://purl.org/rss/1.0/' xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><item><description>{}</description></item></r:RDF>",
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_section", [False, True])
def test_xml_base_applies_to_the_html_in_a_value(feed: str, *, is_section: bool) -> None:
    section = f"<![CDATA[{CONTENT.replace('&lt;', '<')}]]>"
    found = resolved(feed.format(section if is_section else CONTENT))
    assert {each: found[each] for each in HREFS} == {
        each: f"http://h.example/f/{each}" for each in HREFS
    }


ATOM = (
    "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://h.example/f/'><link href='l'/><entry>"
    "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><a href='x'/>"
    "<div xml:base='q/'><a href='y'/><p xml:base='../'><a href='z'/></p></div><a href='w'/></div></content>"
    "</entry><entry xml:base='/e/'><content type='html'>&lt;a href=\"v\"></content></entry></feed>"
)


def test_xml_base_applies_to_the_xhtml_of_a_feed() -> None:
    assert resolved(ATOM) == {
        "http://h.example/f/": "http://h.example/f/",
        "l": "http://h.example/f/l",
        "x": "http://h.example/f/x",
        "q/": "http://h.example/f/q/",
        "y": "http://h.example/f/q/y",
        "../": "http://h.example/f/",
        "z": "http://h.example/f/z",
        "w": "http://h.example/f/w",
        "/e/": "http://h.example/e/",
        "v": "http://h.example/e/v",
    }


def test_every_style_of_links_follows_the_base() -> None:
    absolute = rewritten(ATOM, policy={"style": "absolute"}, base=BASE)
    assert {*resolved(absolute, None)} == {*resolved(ATOM).values()}
    for style in ("relative", "root-relative"):
        assert "h.example" not in rewritten(
            absolute, policy={"style": style}, base="http://h.example/"
        )
    for style in ("keep", "relative", "root-relative"):
        for source in (ATOM, absolute):
            new = rewritten(source, policy={"style": style}, base=BASE)
            assert targets(new) == targets(source)


def test_a_link_map_follows_the_base() -> None:
    moved = {
        "http://h.example/f/x": "http://new.example/x",
        "http://h.example/e/v": "http://h.example/e/é",
    }
    new = rewritten(ATOM, policy={"target": moved.get}, base=BASE)
    expected = ATOM.replace("'x'", "'http://new.example/x'").replace('"v"', '"%C3%A9"')
    assert new == expected


def test_links_stay_where_they_are_if_the_base_moves() -> None:
    def move(uri: str) -> str | None:
        return "http://h.example/moved/" if uri == "http://h.example/f/" else None

    new = rewritten(ATOM, policy={"target": move}, base=BASE)
    assert "http://h.example/moved/" in new
    kept = [target for target in resolved(ATOM).values() if target != "http://h.example/f/"]
    assert [t for t in resolved(new).values() if t != "http://h.example/moved/"] == kept


def test_browsers_ignore_xml_base_outside_of_feeds() -> None:
    for root in ("html", "svg"):
        source = f"<{root} xmlns='{HTML}' xml:base='http://h.example/'><a href='x'/><iframe srcdoc='&lt;a href=y>'/></{root}>"
        assert resolved(source)["x"] == "http://base.example/dir/x"
        assert resolved(source)["y"] == "http://base.example/dir/y"


@pytest.mark.parametrize("base", ["javascript:alert(1)", "data:,x"])
def test_a_base_that_is_a_program_or_data_is_no_base(base: str) -> None:
    source = f"<rss xml:base='http://h.example/'><channel xml:base='{base}'><link>x</link></channel></rss>"
    assert resolved(source)["x"] == "http://h.example/x"
    new = rewritten(source, policy={"style": "absolute"}, base=BASE)
    assert "<link>http://h.example/x</link>" in new


# --- feedparser -------------------------------------------------------------------------------------

BASES = st.sampled_from(["", " xml:base='http://a.example/x/y'", " xml:base='q/'", " xml:base='../'", " xml:base='/r/é'", " xml:base='?q'", " xml:base=''"])  # fmt: skip
HREF = st.sampled_from(["p", "../p", "/p?a=1", "?é", "//b.example/ü", "http://c.example/%C3%A9", "#f", "a b", "ä/%zz", "."])  # fmt: skip
FEEDS = [
    (
        "<feed xmlns='http://www.w3.org/2005/Atom'{}><link href='{}'/><title type='html'{}>&lt;a href='{}'>x&lt;/a></title>"
        "<entry{}><link href='{}'/><content type='html'{}><![CDATA[<p><img src='{}'/></p>]]></content></entry></feed>"
    ),
    (
        "<feed xmlns='http://www.w3.org/2005/Atom'{}><icon>{}</icon><title{}>x</title><author><uri>{}</uri></author>"
        "<entry{}><link href='{}'/><content type='xhtml'{}><div xmlns='http://www.w3.org/1999/xhtml'><a href='{}'>x</a></div></content></entry></feed>"
    ),
    (
        "<rss version='2.0'{}><channel><link>{}</link><title{}>x</title><docs>{}</docs>"
        "<item{}><link>{}</link><description{}>&lt;a href='{}'>x&lt;/a></description></item></channel></rss>"
    ),
    (
        "<feed version='0.3' xmlns='http://purl.org/atom/ns#'{}><link href='{}'/><tagline type='text/html' mode='escaped'{}>&lt;a href='{}'>x&lt;/a></tagline>"
        "<entry{}><link href='{}'/><content type='text/html' mode='escaped'{}>&lt;a href='{}'>x&lt;/a></content></entry></feed>"
    ),
]  # fmt: skip


def read_by_feedparser(source: str, base: str) -> list[str]:
    """Every URL in what feedparser returns, in the normal form."""
    headers = {"content-location": base, "content-type": "application/xml; charset=utf-8"}
    parsed = feedparser.parse(source.encode(), response_headers=headers)
    assert not parsed.bozo
    found: list[str] = []

    def walk(value: object, key: str = "") -> None:
        if isinstance(value, dict):
            for name in sorted(value):
                walk(value[name], name)
        elif isinstance(value, list):
            for each in value:
                walk(each, key)
        elif isinstance(value, str) and key in {"href", "docs", "icon", "link"}:
            found.append(value)
        elif isinstance(value, str) and "<" in value:
            tree: Any = etree.fromstring(f"<div>{value}</div>", etree.HTMLParser())
            found.extend(str(each) for each in tree.xpath("//@href|//@src"))

    walk(parsed.feed)
    walk(parsed.entries)
    return [comparison_form(iri_to_uri(each).text) for each in found]


@settings(max_examples=examples(150), deadline=None)
@given(st.sampled_from(FEEDS), st.lists(st.tuples(BASES, HREF), min_size=4, max_size=4))
def test_feedparser_reads_the_same_links_after_a_rewrite(
    feed: str, parts: list[tuple[str, str]]
) -> None:
    source = feed.format(*(each for part in parts for each in part))
    before = read_by_feedparser(source, BASE)
    links = linkfix.extract(source.encode(), type="xml", base=BASE)
    # Some links are in the result of feedparser twice.
    assert {*before} <= {comparison_form(link.resolved or "") for link in links}
    for to in ("uri", "iri"):
        assert read_by_feedparser(rewritten(source, policy={"to": to}), BASE) == before
    if any(href == "#f" for _, href in parts):
        return  # stays a reference to the document itself
    absolute = rewritten(source, policy={"style": "absolute"}, base=BASE)
    assert read_by_feedparser(absolute, "http://elsewhere.example/") == before


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(BASES.filter(lambda base: not base.endswith("=''")), min_size=4, max_size=4))
def test_lxml_knows_the_same_bases(parts: list[str]) -> None:
    source = (
        "<feed xmlns='http://www.w3.org/2005/Atom'{}><entry{}><content type='xhtml'>"
        "<div xmlns='http://www.w3.org/1999/xhtml'{}><a href='x'/><p{}><a href='x'/></p></div></content></entry></feed>"
    ).format(*parts)
    source = source.replace(
        "é", "e"
    )  # libxml2 ignores such a base, and takes an empty one for none
    tree = etree.fromstring(source.encode(), base_url=BASE)
    expected = [urljoin(each.base or "", "x") for each in tree.iter(f"{{{HTML}}}a")]
    links = linkfix.extract(source.encode(), type="xml", base=BASE)
    assert [link.resolved for link in links if link.attribute == "href"] == expected
