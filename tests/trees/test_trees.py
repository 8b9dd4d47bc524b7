"""The same links in a tree as in the document it was made from, with every tree library."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import bs4
import html5lib
import lxml.etree
import lxml.html
import lxml.objectify
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkfix
from linkfix.trees import iter_links, rewrite_links

if TYPE_CHECKING:
    from collections.abc import Callable

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


#: Every kind of tree, made from the bytes of a document.
MAKERS: dict[str, Callable[[bytes], Any]] = {
    "lxml": lxml.html.document_fromstring,
    "lxml.etree": lambda data: lxml.etree.fromstring(data, lxml.etree.HTMLParser()),
    "html5lib": lambda data: html5lib.parse(data, treebuilder="etree"),
    "html5lib, lxml": lambda data: html5lib.parse(data, treebuilder="lxml"),
    "html.parser": lambda data: bs4.BeautifulSoup(data, "html.parser"),
    "soup, lxml": lambda data: bs4.BeautifulSoup(data, "lxml"),
    "soup, html5lib": lambda data: bs4.BeautifulSoup(data, "html5lib"),
}
LETTERS = {
    "shift_jis": "空本ソ表",
    "euc-jp": "空本検索",
    "windows-1251": "жйЁя",
    "koi8-r": "жйЁя",
    "big5": "功能許可",
}


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """Return a page in a legacy charset, with links in HTML, SVG and MathML."""
    charset = draw(st.sampled_from(sorted(LETTERS)))
    letters = st.text(LETTERS[charset] + "a b/", min_size=1, max_size=5)
    templates = st.sampled_from(
        [
            '<a href="{}?q={}#{}">x</a>',
            '<p><img src="{}" srcset="{}?{} 2x"></p>',
            '<svg><image xlink:href="{}?{}"/><g><a xlink:href="{}"><text>t</text></a></g></svg>',
            '<form action="/{}?{}"><input name="{}"></form>',
            '<math><mi xlink:href="{}?{}">{}</mi></math>',
            '<svg><desc><img src="{}?{}" alt="{}"></desc></svg>',
        ]
    )
    pieces = draw(st.lists(st.tuples(templates, letters, letters, letters), max_size=4))
    body = "".join(template.format(*texts) for template, *texts in pieces)
    head = f'<!DOCTYPE html><html><head><meta charset="{charset}"><title>t</title></head>'
    return f"{head}<body>{body}</body></html>".encode(charset)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", MAKERS)
@given(data=documents())
def test_a_tree_has_the_links_of_the_document_in_legacy_charsets(library: str, data: bytes) -> None:
    tree: Any = MAKERS[library](data)
    base = "http://e.example/d/p"
    expected = [(link.value, link.resolved) for link in linkfix.extract(data, base=base)]
    assert [(link.value, link.resolved) for link in iter_links(tree, base=base)] == expected
    out = io.BytesIO()
    report = linkfix.rewrite(data, out)
    assert rewrite_links(tree) == report.changed
    expected = [(link.value, link.resolved) for link in linkfix.extract(out.getvalue(), base=base)]
    assert [(link.value, link.resolved) for link in iter_links(tree, base=base)] == expected


@pytest.mark.parametrize(
    ("tree", "query"),
    [
        (
            lxml.html.document_fromstring('<meta charset="shift_jis"><a href="?q=空">x</a>'),
            "%8B%F3",
        ),
        (bs4.BeautifulSoup('<meta charset="shift_jis"><a href="?q=空">', "lxml"), "%8B%F3"),
        (bs4.BeautifulSoup('<a href="?q=空">', "html.parser"), "%E7%A9%BA"),
        (
            bs4.BeautifulSoup(
                '<meta http-equiv=content-type content="text/html; charset=euc-jp"><a href="?q=空">',
                "html.parser",
            ),
            "%B6%F5",
        ),
        (html5lib.parse('<meta charset="none"><a href="?q=空">'), "%E7%A9%BA"),
    ],
)
def test_the_declaration_names_the_charset_of_a_string(tree: Any, query: str) -> None:
    rewrite_links(tree)
    assert [link.value for link in iter_links(tree)] == [f"?q={query}"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("library", MAKERS)
def test_a_base_in_a_template_is_none_of_the_document(library: str) -> None:
    """The content of a template is in another document (HTML Standard, 4.12.3)."""
    head = "<meta charset=utf-8><template><p><base href='/t u/'></p></template><base href='/b c/'>"
    page = f"<!doctype html><html><head>{head}<title>x</title></head><body><a href='x y'>x</a></body></html>"
    base = "http://e.example/p"
    tree = MAKERS[library](page.encode())
    expected = [(link.value, link.resolved) for link in linkfix.extract(page.encode(), base=base)]
    assert [(link.value, link.resolved) for link in iter_links(tree, base=base)] == expected
    assert expected[-1] == ("x y", "http://e.example/b%20c/x%20y")
    assert rewrite_links(tree, base=base) == 2
    assert [link.value for link in iter_links(tree)] == ["/t u/", "/b%20c/", "x%20y"]


SHIFT_JIS_PAGE = (
    '<html><head><meta charset="shift_jis"><base href="d/"></head>'
    '<body><div><a href="?q=空">x</a></div></body></html>'
).encode("cp932")


@pytest.mark.parametrize(
    "make",
    [
        lambda: lxml.html.fromstring(SHIFT_JIS_PAGE).find(".//div"),
        lambda: bs4.BeautifulSoup(SHIFT_JIS_PAGE, "html.parser").div,
        lambda: bs4.BeautifulSoup(SHIFT_JIS_PAGE.decode("cp932"), "html.parser").div,
    ],
)
def test_a_part_of_a_tree_has_the_charset_and_the_base_of_its_document(make: Any) -> None:
    part = make()
    (link,) = iter_links(part, base="http://e.example/p")
    assert link.resolved == "http://e.example/d/?q=%8B%F3"
    assert rewrite_links(part) == 1
    assert [link.value for link in iter_links(part)] == ["?q=%8B%F3"]


def test_a_part_of_a_document_that_moves_is_written_for_its_base_element() -> None:
    tree = lxml.html.fromstring("<html><base href='d/'><div><a href='x'></a></div></html>")
    part = tree.find(".//div")
    rewrite_links(part, base="http://e.example/a/p", moved_to="http://e.example/b/p")
    (link,) = iter_links(part, base="http://e.example/b/p")
    assert link.resolved == "http://e.example/a/d/x"


@pytest.mark.parametrize("value", [None, 3, True, b"a b"])
def test_attributes_that_are_no_text_are_left(value: Any) -> None:
    soup = bs4.BeautifulSoup("<a href='a b'><img src='c d'>", "html.parser")
    for anchor, image in zip(soup.find_all("a"), soup.find_all("img"), strict=True):
        image["width"] = anchor["href"] = value
    assert rewrite_links(soup) == 1
    root = ET.Element("a", {"href": value, "ping": "a%"})
    assert rewrite_links(root) == 1
    assert root.attrib["href"] == value


@pytest.mark.parametrize(
    "tree",
    [
        lxml.etree.Comment("x"),
        lxml.etree.ProcessingInstruction("x"),
        lxml.etree.Entity("x"),
        lxml.etree.ElementTree(),
        ET.ElementTree(),
    ],
)
def test_a_tree_without_elements_has_no_links(tree: Any) -> None:
    assert (list(iter_links(tree)), rewrite_links(tree)) == ([], 0)


def test_objectified_trees_are_read_once() -> None:
    tree = lxml.objectify.fromstring("<html><a href='a b'/><a href='c d'/></html>")
    assert rewrite_links(tree) == 2
    assert rewrite_links(tree.a) == 0
    assert [link.value for link in iter_links(tree)] == ["a%20b", "c%20d"]


def test_soups_of_xml_know_namespaces_of_attributes() -> None:
    soup = bs4.BeautifulSoup(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink"><a l:href="a b"/></svg>',
        "xml",
    )
    assert rewrite_links(soup) == 1
    assert [link.value for link in iter_links(soup)] == ["a%20b"]


def test_names_may_be_objects() -> None:
    name: Any = ET.QName
    tree: Any = ET.Element(name("http://www.w3.org/1999/xhtml", "body"))
    ET.SubElement(tree, name("http://www.w3.org/1999/xhtml", "a")).set("href", "a b")
    link = ET.SubElement(tree, name("http://www.w3.org/2000/svg", "a"))
    link.set(name("http://www.w3.org/1999/xlink", "href"), "c d")
    read = ET.fromstring(ET.tostring(tree))
    found = [(each.attribute, each.value) for each in iter_links(tree)]
    assert found == [(each.attribute, each.value) for each in iter_links(read)]
    assert rewrite_links(tree) == rewrite_links(read) == 2
    assert ET.tostring(tree) == ET.tostring(read)
