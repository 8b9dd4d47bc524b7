"""Links that are values from end to end are the same whether they are read as such or by way of their parts."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invariants import rewritten
from tiers import examples

import linkfix
from linkfix.links import Link, LinkStream
from linkfix.links.settings import XMLSettings
from linkfix.links.xml import values as xmlvalues
from linkfix.links.xml.values import ValueFinder
from linkfix.markup.xml import names as xmlnames

PIECES = ["a", "/", "?", "é", "表ソ", "\ufffd", " ", "\t", "\n", "\r\n", "|", "&amp;", "&lt;", "&quot;", "&#32;", "&#10;", "&#233;", "&#xFFFD;", "]]&gt;", "{b}", "%41"]  # fmt: skip
ELEMENTS = [
    "<link>{0}</link>",
    "<enclosure url='{0}'/>",
    '<enclosure url="{0}" length="1"/>',
    "<guid isPermaLink='true'>{0}</guid>",
    "<guid>{0}<!-- --></guid>",
    "<h:a xmlns:h='http://www.w3.org/1999/xhtml' href='{0}'>{0}</h:a>",
    "<a xmlns='http://www.w3.org/2005/Atom' href='{0}' xml:base='{0}'/>",
]
#: A document type that the entities of XHTML come with.
XHTML = '<!DOCTYPE rss PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x">'


@pytest.fixture(autouse=True)
def patterns_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make patterns for the first tag already, as for long documents."""
    monkeypatch.setattr(xmlnames, "_PATIENCE", 0)


@st.composite
def documents(draw: st.DrawFn) -> str:
    value = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
    items = [draw(st.sampled_from(ELEMENTS)).format(draw(value)) for _ in range(draw(st.integers(0, 4)))]  # fmt: skip
    section = f"<link><![CDATA[{draw(value)}]]></link>"
    root = draw(st.sampled_from(["rss", "rss xmlns:x='http://www.w3.org/1999/XSL/Transform' x:version='1.0'"]))  # fmt: skip
    if draw(st.booleans()):
        return f"{XHTML}<{root}><link>&eacute;</link><link>&unknown;</link>{section}{''.join(items)}</rss>"
    return f"<{root}>{''.join(items)}{section}</rss>"


def links(source: bytes) -> list[Link]:
    # How a link is spelled may be left out where it is as itself.
    return [link._replace(spelling=link.spelled) for link in LinkStream(type="xml").whole(source)]


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(documents(), st.sampled_from(["utf-8", "windows-1252", "shift_jis", "gb18030", "utf-16", "iso-2022-jp"]))  # fmt: skip
def test_links_are_the_same_either_way(document: str, charset: str) -> None:
    text = f'<?xml version="1.0" encoding="{charset}"?>{document}'
    source = text.encode(charset, "xmlcharrefreplace")
    quickly, rewriter = links(source), linkfix.Rewriter(source=linkfix.Source(type="xml"))
    new = rewriter.whole(source)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xmlvalues, "_ONE_LINK", re.compile(b"(?!)"))
        assert links(source) == quickly
        slowly = linkfix.Rewriter(source=linkfix.Source(type="xml"))
        assert (slowly.whole(source), slowly.report) == (new, rewriter.report)


def test_values_with_references_are_read_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(ValueFinder, "_of_value")
    source = b"<rss><link>a?b&amp;c</link><enclosure url='&quot;'/><link><![CDATA[d]]></link></rss>"
    found = list(linkfix.extract(source, type="xml"))
    assert [link.value for link in found] == ["a?b&c", '"', "d"]
    assert [link.spelled.spelling(0, 1) for link in found] == ["a", "&quot;", "d"]


@pytest.mark.parametrize("value", [b"a\xff", b"a&amp;\xff"])
def test_malformed_values_of_documents_read_leniently(value: bytes) -> None:
    policy = linkfix.Policy(xml=XMLSettings(recover=True))
    source = b"<rss></x><link>" + value + b"</link><link>&amp;\xef\xbf\xbd</link></rss>"
    found = list(linkfix.extract(source, type="xml", charset="utf-8", policy=policy))
    assert [link.malformed for link in found] == [True, False]


@pytest.mark.parametrize("value", [".uno:Save", "1a:b", "é:b"])
def test_a_name_that_is_no_reference_is_left(value: str) -> None:
    """What programs call a command is no link, and no dot segment makes it one; browsers read SVG otherwise."""
    source = f"<a xmlns:x='http://www.w3.org/1999/xlink' x:href='{value}'/>".encode()
    new, outcomes = rewritten(source, "uri", type="xml")
    assert new == source
    assert "no scheme" in outcomes[0].kept
    links = linkfix.extract(source, type="xml", base="http://h/")
    assert [each.resolved for each in links if each.value == value] == [None]
    svg = source.replace(b"<a ", b"<a xmlns='http://www.w3.org/2000/svg' ")
    assert b"'./" in rewritten(svg, "uri", type="xml")[0]


@pytest.mark.parametrize("namespace", ["http://www.w3.org/2000/svg", "http://e.example/"])
def test_white_space_in_base64_is_left(namespace: str) -> None:
    """As Inkscape writes icons: readers that decode no %20 would get other octets."""
    source = (
        f"<image xmlns='{namespace}' xmlns:x='http://www.w3.org/1999/xlink' "
        "x:href='data:image/png;base64,iVBORw0KGgo\nAAAANSUhEUg\nAAACAAAA'/>"
    ).encode()
    new, outcomes = rewritten(source, "uri", type="xml")
    assert new == source
    assert outcomes[0].kept
    assert [each.code for each in linkfix.audit(source, type="xml")] == ["SCH012"]


@pytest.mark.parametrize(
    ("element", "values"),
    [
        ("<g style='&s;'/>", []),
        ("<g style='fill:red;&u;'/>", ["#x"]),
        ("<style>&u; x{mask:url(m)}</style>", ["#x", "m"]),
        ("<h:img srcset='&c;'/>", ["a.png", "b.png"]),
        ("<h:a ping='&l;'/>", ["a", "b"]),
        ("<h:meta http-equiv='refresh' content='&r;'/>", ["n.html"]),
        ("<h:a href='&l;'/>", ["a b"]),
    ],
)
def test_entities_in_a_value_of_several_links(element: str, values: list[str]) -> None:
    """What entities hide is read by the kind of the value, and none of it is rewritten."""
    document = (
        "<!DOCTYPE svg [<!ENTITY s 'fill:none;stroke:none'><!ENTITY u 'fill:url(#x);'>"
        "<!ENTITY c 'a.png 1x, b.png 2x'><!ENTITY l 'a b'><!ENTITY r '5;url=n.html'>]>"
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:h='http://www.w3.org/1999/xhtml'>"
        f"{element}</svg>"
    ).encode()
    links = [link for link in linkfix.extract(document) if link.kind != "identity"]
    assert [link.value for link in links] == values
    assert all(link.fixed for link in links)
    assert linkfix.rewrite(document) == document
