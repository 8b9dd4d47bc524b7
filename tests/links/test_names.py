"""The names that fragments can lead to: those of the tree, and no more than look like them."""

from __future__ import annotations

import warnings
from typing import Any

import html5lib
import pytest
from conformance_data import conformance
from invariants import PRESCAN

from linkfix.links import LinkStream, Scope
from linkfix.links.selectors import Addition

HEAD = b"<!DOCTYPE html><meta charset=utf-8>" + b" " * PRESCAN
PAGES = {
    "quotes": b"<p id=\"a\"><p id='b'><p id=c><p ID = d><p id=e/f>",
    "both": b"<a id=x name=y>.</a><a name='x'>.</a><a name=z id=z class=k>.</a><a name></a>",
    "name of others": b"<meta name=n><input name=i><form name=f><p name=p><p name=q id=r>",
    "with links": b"<a id=x href=y>.</a><a href=y name='x'>.</a><img id=i src=j name=k>",
    "inside values": b"<p title=\"x id='y'\"><p title='a' id=b><p data-id=c><p xid=d>",
    "references": b"<p id='a&amp;b'><p id=&#65;><p id='&eacute;'><p id='\xc3\xa9'>",
    "line ends": b"<p id='a\r\nb'><p\nid\n=\n'c'\n><p/id='d'/>",
    "twice": b"<p id=a id=b><a id=a name=b id=c name=d>.</a>",
    "the same once more": b"<a id=x name=x href=u>.</a><a id='a' name='a'/><a id=b name=bc>.</a><a id=d name=d/>.</a><p name=e id=e>"
    b"<a id='f' name=\"f\">.</a><a id=g name=g id=h>.</a><a id='i'name='i'>.</a><p id=j name=k><meta name=l id=m content=n>",
    "raw text": b"<script id=s>'<p id=no>'</script><style id=t><p id=no></style><title id=u>x</title>",
    "none after a text": b"<title>x</title><a>.</a><script>y</script><a class=k>.</a><p id=z>",
    "foreign": b"<svg id=s><g id=g/><a name=n></a></svg><p id=p><math id=m></math>",
    "comments": b"<!-- <p id=no> --><p id=yes><![if id=no]><textarea id=t><p id=no></textarea>",
    "unquoted at the end": b"<p id=abc",
    "upper case": b'<P ID="A"><A NAME=B>.</A><SECTION CLASS=x ID=C>',
    "template": b"<template id=t><p id=u></template><p id=v>",
}


def names(page: bytes, size: int = 1 << 16, *, simple: bool = True, links: bool = True) -> set[str]:
    """What the stream of links names, from tags that it gives as a whole if not `simple`."""
    found: set[str] = set()
    scope = Scope() if simple else Scope(add=(Addition.parse("x-none@href"),))
    scope = scope if links else scope.without_links()
    stream = LinkStream(type="html", names=found, scope=scope)
    for at in range(0, len(page), size):
        stream.feed(page[at : at + size])
    stream.close()
    return found


def in_tree(page: bytes) -> set[str]:
    """The names in html5lib's tree, line ends and all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree: Any = html5lib.parse(page, namespaceHTMLElements=False)
    found = [element.get("id") for element in tree.iter()]
    found += [element.get("name") for element in tree.iter("a")]
    return {name for name in found if name is not None}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_what_the_tree_has_is_named(page: bytes) -> None:
    quick = names(HEAD + page)
    assert in_tree(HEAD + page) - {""} <= quick
    assert quick - {""} == names(HEAD + page, simple=False) - {""}
    assert quick - {""} == names(HEAD + page, links=False) - {""}
    assert "no" not in quick


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_chunks_make_no_difference(page: bytes) -> None:
    page = HEAD + page
    assert all(names(page, size) == names(page) for size in (1, 2, 7))
    assert all(names(page, size, links=False) == names(page, links=False) for size in (1, 2, 7))


def test_charsets() -> None:
    page = '<p id="é"><a name="б">.</a><p id=ascii>'
    for label in ("utf-16le", "utf-8"):
        bom = "\ufeff".encode(label)
        assert names(bom + page.encode(label)) == {"é", "б", "ascii"}
    head = "<meta charset=iso-2022-jp>"
    assert names((head + '<p id="検索"><a name=a>').encode("iso-2022-jp")) == {"検索", "a"}


XML_PAGES = {
    "ids": "<p id='a'><a href='x' id='b'/><b xml:id='c' class='k'/></p>",
    "names": "<a name='n'/><p name='no'/><h:a xmlns:h='http://www.w3.org/1999/xhtml' name='m' href='x'/><a xmlns='urn:x' name='no'/>",
    "other namespaces": "<p xmlns:x='urn:x' x:id='no'><a href='x' x:id='no'/><i x:id='no' id='d'/></p>",
    "references": "<p id='a&amp;b'><a href='y' id='&#233;'/></p>",
    "graphics": "<svg xmlns='http://www.w3.org/2000/svg'><g id='g'/><a id='h' href='#g'/></svg>",
    "texts": "<style id='s'>p { background: url(no) }</style><script id='t'/><?xml-stylesheet href='no'?>",
}


@pytest.mark.parametrize("page", XML_PAGES.values(), ids=XML_PAGES)
@pytest.mark.parametrize("times", [1, 600])  # the skip begins after some tags
def test_xml(page: str, times: int) -> None:
    text = f"<html xmlns='http://www.w3.org/1999/xhtml'>{page * times}</html>".encode()
    found = []
    for scope in (Scope(), Scope().without_links()):
        names: set[str] = set()
        stream = LinkStream(type="xhtml", names=names, scope=scope)
        links = stream.whole(text)
        found.append(names)
    assert links == []
    assert found[0] == found[1] != set()
    assert "no" not in found[0]
    assert {"n", "m"} <= found[0] or "name='n'" not in page


@pytest.mark.conformance
def test_documents_from_the_web() -> None:
    checked = 0
    for path in sorted(conformance("documents").rglob("*.html")):
        page = path.read_bytes()
        if len(page) < 100_000:
            assert names(page) - {""} == names(page, simple=False) - {""}, path
            assert names(page) - {""} == names(page, links=False) - {""}, path
            checked += 1
    print(f"{checked} documents")
    assert checked > 20
