"""Which ``base`` element sets the base of an HTML document (HTML Standard, 4.2.3)."""

from __future__ import annotations

import pytest

import linkfix

#: What is in the body of a document, and the path that its last link is resolved against.
BASES = [
    ("<base href=/1/>", "/1/"),
    ("<base href=/1/><base href=/2/>", "/1/"),
    ("<template><base href=/1/></template>", "/"),
    ("<template><base href=/1/></template><base href=/2/>", "/2/"),
    ("<template><div><base href=/1/></div></template>", "/"),
    ("<template><div><template></template><p><base href=/1/></template><base href=/2/>", "/2/"),
    ("<template></div><base href=/1/>", "/"),
    ("<div><template><p></template></div><base href=/1/>", "/1/"),
    ("<template shadowrootmode=open><base href=/1/></template>", "/"),
    ("<svg><base href=/1/></svg>", "/"),
    ("<svg><template><base href=/1/></template></svg>", "/"),
    ("<svg><desc><template><p><base href=/1/></template></desc></svg>", "/"),
    ("<svg><desc><template><p></template></desc></svg><base href=/1/>", "/1/"),
]


@pytest.mark.parametrize(("content", "base"), BASES)
@pytest.mark.parametrize("size", [1, 10_000])
def test_a_base_counts_in_the_tree_of_the_document(content: str, base: str, size: int) -> None:
    text = f"<!doctype html><meta charset=utf-8><title>x</title>{content}<a href=x>"
    extractor = linkfix.Extractor(source=linkfix.Source(base="http://h.example/"))
    links = []
    for at in range(0, len(text), size):
        links += extractor.feed(text[at : at + size].encode())
    links += extractor.close()
    assert links[-1].resolved == f"http://h.example{base}x"
    assert all(link.sets_base != bool(link.fixed) for link in links if link.element == "base")


def test_a_frameset_ignores_a_base() -> None:
    text = b"<meta charset=utf-8><title>x</title><frameset><base href=/1/><frame src=x></frameset>"
    links = linkfix.extract(text, base="http://h.example/")
    assert [link.resolved for link in links if link.element == "frame"] == ["http://h.example/x"]


def test_a_template_in_a_srcdoc_has_no_base_of_it() -> None:
    inner = "<template><base href=/1/></template><base href=/2/><a href=x>"
    text = f'<meta charset=utf-8><title>x</title><iframe srcdoc="{inner}"></iframe><a href=x>'
    links = linkfix.extract(text.encode(), base="http://h.example/")
    found = [link.resolved for link in links if link.element == "a"]
    assert found == ["http://h.example/2/x", "http://h.example/x"]


def test_a_base_in_a_template_is_left() -> None:
    text = b"<!doctype html><meta charset=utf-8><title>x</title><template><base href='/a b/'></template><a href='x y'>"
    assert linkfix.rewrite(text) == text.replace(b"x y", b"x%20y")
