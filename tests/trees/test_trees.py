"""The same links in a tree as in the document it was made from, with every tree library."""

from __future__ import annotations

from typing import Any

import bs4
import html5lib
import lxml.html
import pytest

import linkfix
from linkfix.trees import iter_links, rewrite_links

PAGE = """<!doctype html><html><head><base href="/dir/"><title>x</title>
<style>a{background:url('ü.png')}</style></head><body>
<a href="é?q=ソ" ping="/a /é">x</a><img srcset="é.png 1x, b.png 2x" style="background:url(&quot;/ä&quot;)">
<iframe srcdoc="&lt;a href='/ö&amp;amp;x'&gt;"></iframe><p title="é">é</p>
<svg><a xlink:href="/ø"></a></svg></body></html>"""


def lxml_tree() -> Any:
    return lxml.html.document_fromstring(PAGE)


def html5lib_tree() -> Any:
    return html5lib.parse(PAGE, treebuilder="etree")


def html5lib_lxml_tree() -> Any:
    return html5lib.parse(PAGE, treebuilder="lxml")


def soup() -> Any:
    return bs4.BeautifulSoup(PAGE, "html.parser")


def soup_by_html5lib() -> Any:
    return bs4.BeautifulSoup(PAGE, "html5lib")


TREES = [lxml_tree, html5lib_tree, html5lib_lxml_tree, soup, soup_by_html5lib]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", TREES)
def test_the_links_are_those_of_the_document(make: Any) -> None:
    from_bytes = linkfix.extract(
        PAGE.encode(), type="html", charset="utf-8", base="http://e.example/p"
    )
    expected = [(link.value, link.kind, link.resolved) for link in from_bytes]
    found = list(iter_links(make(), base="http://e.example/p"))
    if make in {lxml_tree, soup}:  # these know no SVG
        expected = [link for link in expected if link[0] != "/ø"]
    assert [(link.value, link.kind, link.resolved) for link in found] == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", TREES)
def test_rewriting_changes_links_and_nothing_else(make: Any) -> None:
    tree = make()
    assert rewrite_links(tree, charset="shift_jis") >= 6
    values = [link.value for link in iter_links(tree)]
    assert values[:6] == ["/dir/", "%C3%BC.png", "%C3%A9?q=%83%5C", "/a", "/%C3%A9", "%C3%A9.png"]
    assert "/%C3%B6&x" in values
    assert rewrite_links(tree, charset="shift_jis") == 0
    assert rewrite_links(tree, to="iri", charset="shift_jis") >= 6
    values = [link.value for link in iter_links(tree)]
    assert values[2] == "é?q=%83%5C"
    before, after = (_texts(t) for t in (make(), tree))
    assert before == after


def _texts(tree: Any) -> list[str]:
    if hasattr(tree, "find_all"):
        return [tag.get("title", "") + tag.get_text() for tag in tree.find_all("p")]
    root = tree.getroot() if hasattr(tree, "getroot") else tree
    return [e.get("title", "") + (e.text or "") for e in root.iter() if str(e.tag).endswith("p")]


def test_spans_are_those_of_the_value() -> None:
    tree = lxml.html.fromstring("<div><img srcset='é.png 1x,  ü.png 2x'></div>")
    (element,) = tree.iter("img")
    for link in iter_links(tree):
        assert element.get("srcset", "")[link.start : link.end] == link.value


def test_lone_surrogates_are_left_alone() -> None:
    soup = bs4.BeautifulSoup("<a href='x y'></a>", "html.parser")
    (anchor,) = soup.find_all("a")
    anchor["href"] = "\ud800"
    assert rewrite_links(soup) == 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", TREES)
def test_links_are_mapped_and_written_for_their_new_place(make: Any) -> None:
    tree = make()
    rules = "http://old.example/,https://new.example/,prefix\nhttp://old.example/dir/,https://new.example/n/,prefix\n"
    policy = linkfix.Policy(
        target=linkfix.LinkMap.parse(rules, format="csv").follow, style="root-relative"
    )
    before = [link.resolved or "" for link in iter_links(make(), base="http://old.example/x/p")]
    rewrite_links(tree, base="http://old.example/x/p", policy=policy)
    links = list(iter_links(tree, base="https://new.example/x/p"))
    assert [link.resolved for link in links] == [
        uri.replace("http://old.example/dir/", "https://new.example/n/").replace(
            "http://old.", "https://new."
        )
        for uri in before
    ]
    assert [link.value for link in links][:4] == [
        "/n/",
        "/n/%C3%BC.png",
        "/n/%C3%A9?q=%E3%82%BD",
        "/a",
    ]
