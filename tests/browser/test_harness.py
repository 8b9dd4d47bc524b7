"""The browser harness itself: what it reads, and that it fails when a link moves."""

from __future__ import annotations

import http.client
import os
import signal
from pathlib import Path

import pytest

from .compare import assert_same_destinations, differences, normalize
from .harness import Browser, BrowserError, Node, Page, Tree

pytestmark = pytest.mark.browser

SHIFT_JIS = "text/html; charset=Shift_JIS"

watches_processes = pytest.mark.skipif(
    not Path("/proc").exists(), reason="processes are looked for in /proc"
)


def processes_of(browser: Browser) -> list[int]:
    """The processes that were started with this browser's profile folder."""
    profile = str(browser.profile).encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if profile in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue  # it ended meanwhile
    return found


class TestBrowser:
    @watches_processes
    def test_leaves_nothing_behind(self, browser: Browser) -> None:
        del browser  # only so that this test is skipped where there is no browser
        with Browser() as other:
            assert processes_of(other)
        assert not processes_of(other)
        assert not other.profile.exists()

    @watches_processes
    def test_leaves_nothing_behind_when_the_browser_is_lost(self, browser: Browser) -> None:
        del browser
        other = Browser()

        def lose_the_browser() -> None:
            with other:
                for process in processes_of(other):
                    os.kill(process, signal.SIGKILL)
                other.load([Page(b"")])

        with pytest.raises((BrowserError, OSError, http.client.HTTPException)):
            lose_the_browser()
        assert not processes_of(other)
        assert not other.profile.exists()

    def test_resolves_against_the_address_of_the_document(self, browser: Browser) -> None:
        nodes = browser.links(b'<a href="../up">x</a>', path="/site/folder/page.html")
        link = next(node for node in nodes if node.name == "a")
        assert link.attribute("href").urls == (f"{browser.origin}/site/up",)
        assert link.text == "x"

    @pytest.mark.parametrize(
        ("content_type", "head"),
        [("text/html", b"<meta charset=Shift_JIS>"), (SHIFT_JIS, b"")],
        ids=["meta", "header"],
    )
    def test_query_is_in_the_document_charset(
        self, browser: Browser, content_type: str, head: bytes
    ) -> None:
        (tree,) = browser.load([Page(head + b"<a href='/\x83\x5c?\x83\x5c'>", content_type)])
        assert tree.charset == "Shift_JIS"
        assert tree.find("a").attribute("href").urls == (f"{browser.origin}/%E3%82%BD?%83\\",)

    def test_header_wins_over_meta(self, browser: Browser) -> None:
        (tree,) = browser.load([Page(b"<meta charset=windows-1251>", SHIFT_JIS)])
        assert tree.charset == "Shift_JIS"

    def test_base(self, browser: Browser) -> None:
        (tree,) = browser.load([Page(b"<base href='http://b.example/x/'><a href=y>")])
        assert tree.base == "http://b.example/x/"
        assert tree.find("a").attribute("href").urls == ("http://b.example/x/y",)

    def test_a_reference_that_cannot_be_parsed(self, browser: Browser) -> None:
        (tree,) = browser.load([Page(b"<a href='http://[x/'>")])
        assert tree.find("a").attribute("href").urls == (None,)

    def test_lists_of_references(self, browser: Browser) -> None:
        document = (
            b"<a ping='/a  /b'></a><img srcset='/a,b 1x, /c,/d 2x (x,y), /e'>"
            b"<meta http-equiv=Refresh content=\"9; URL = '/a;b' c\">"
            b"<meta http-equiv=refresh content='9'>"
        )
        (tree,) = browser.load([Page(document)])
        urls = [
            [url and url.removeprefix(browser.origin) for url in attribute.urls]
            for node in tree.nodes
            for attribute in node.attributes
            if attribute.name in {"ping", "srcset", "content"}
        ]
        assert urls == [["/a", "/b"], ["/a,b", "/c,/d", "/e"], ["/a;b"], []]

    def test_a_refresh_does_not_navigate(self, browser: Browser) -> None:
        page = Page(b"<meta http-equiv=refresh content='0;url=/elsewhere'><p>here")
        for tree in browser.load([page] * 20):
            assert tree.url.endswith(page.path)
            assert tree.find("p").text == "here"

    def test_scripts_count_as_enabled_and_do_not_run(self, browser: Browser) -> None:
        document = b"<noscript><a href=x></a></noscript><script>document.title = 'ran'</script>"
        on, off = browser.load([Page(document), Page(document, scripting=False)])
        assert on.find("noscript").text == "<a href=x></a>"
        assert off.find("a").attribute("href").value == "x"
        assert "title" not in {node.name for node in on.nodes}

    def test_template_and_shadow_tree_are_walked(self, browser: Browser) -> None:
        document = (
            b"<template><a href=x></a></template>"
            b"<div><template shadowrootmode=open><b></b></template></div>"
        )
        (tree,) = browser.load([Page(document)])
        assert tree.find("a").depth == tree.find("template").depth + 1
        assert tree.find("b").depth == tree.find("div").depth + 1

    def test_form_controls_do_not_shadow_the_form(self, browser: Browser) -> None:
        document = b"<form action=/x><input name=attributes><input name=childNodes></form><p>"
        (tree,) = browser.load([Page(document)])
        assert tree.find("form").attribute("action").urls == (f"{browser.origin}/x",)
        assert [node.name for node in tree.nodes][-3:] == ["input", "input", "p"]

    def test_xml_keeps_its_tree(self, browser: Browser) -> None:
        document = "<r><link> http://é.example/ </link><![CDATA[<x>]]></r>".encode()
        (tree,) = browser.load([Page(document, "application/xml")])
        assert [node.name for node in tree.nodes] == ["r", "link"]
        assert tree.find("r").text == "<x>"
        assert tree.find("link").text_url == "http://xn--9ca.example/"

    def test_comments_and_the_like_are_nodes(self, browser: Browser) -> None:
        document = b"<?x y?><!DOCTYPE r [<!ATTLIST r a CDATA 'b'>]><r><!-- c --></r><!--d-->"
        (tree,) = browser.load([Page(document, "application/xml")])
        assert [(node.depth, node.name, node.text) for node in tree.nodes] == [
            (0, "x", "y"),
            (0, "#doctype", "r  "),
            (0, "r", ""),
            (1, "#comment", " c "),
            (0, "#comment", "d"),
        ]

    def test_html_in_a_feed_is_a_document(self, browser: Browser) -> None:
        document = "<r><description>&lt;a href='/x'>é&lt;/a></description></r>".encode()
        (tree,) = browser.load([Page(document, "application/xml")])
        assert tree.find("description").text == ""
        assert tree.find("a").attribute("href").urls == (f"{browser.origin}/x",)
        assert tree.find("a").text == "é"

    def test_styles_are_computed(self, browser: Browser) -> None:
        document = (
            b"<style>@import 'i'; b {background-image: url(u)}</style>"
            b"<b>x</b><i style='border-image-source: url(\"a\")'>x</i>"
        )
        (tree,) = browser.load([Page(document, path="/x/y")])
        styles = [tree.find(name).styles for name in ("style", "b", "i")]
        assert styles == [(f"{browser.origin}/x/{name}",) for name in "iua"]

    def test_the_document_in_a_srcdoc(self, browser: Browser) -> None:
        document = b"<iframe srcdoc='<a href=x></a><p style=background:url(y)>'></iframe>"
        (tree,) = browser.load([Page(document, path="/")])
        urls = tree.find("iframe").attribute("srcdoc").urls
        assert urls == (f"{browser.origin}/x", f"{browser.origin}/y")

    def test_what_a_document_asks_for(self, browser: Browser) -> None:
        document = b"<img src=i><a href=a ping=p>x</a><form action=f></form>"
        watched, not_watched = browser.load([Page(document, path="/", watch=True), Page(document)])
        asked = {url.removeprefix(browser.origin).rstrip("?") for url in watched.requests}
        assert {"/i", "/a", "/f"} <= asked
        assert not not_watched.requests
        assert watched.find("img").attribute("src").reflected == f"{browser.origin}/i"

    def test_more_documents_than_one_batch(self, browser: Browser) -> None:
        trees = browser.load([Page(b"<p>%d" % number) for number in range(120)])
        assert [int(tree.find("p").text) for tree in trees] == list(range(120))


class TestNormalize:
    @pytest.mark.parametrize(
        ("url", "expected"),
        [
            ("http://a.example/%7e%c3|[x]", "http://a.example/~%C3%7C%5Bx%5D"),
            ("http://a.example/?%u1234%%41{\\}", "http://a.example/?%25u1234%25A%7B%5C%7D"),
            ("http://a.example/#a#b%2f", "http://a.example/#a%23b%2F"),
            ("http://[::1]:8/?", "http://[::1]:8/?"),
            ("mailto:a b@c.example", "mailto:a%20b@c.example"),
        ],
    )
    def test_one_form(self, url: str, expected: str) -> None:
        assert normalize(url) == expected
        assert normalize(expected) == expected

    def test_delimiters_keep_their_meaning(self) -> None:
        assert normalize("http://a.example/a%2Fb") != normalize("http://a.example/a/b")
        assert normalize("http://a.example/?") != normalize("http://a.example/")


class TestComparison:
    @pytest.mark.parametrize(
        ("original", "rewritten"),
        [
            (b"<a href='?\x83\x5c'>", b"<a href='?%83%5C'>"),
            (b"<a href='/\x83\x5c'>", b"<a href='/%E3%82%BD'>"),
            (b"<a href='/%zz'>", b"<a href='/%25zz'>"),
            (b"<base href='http://['><a href='|'>", b"<base href='http://['><a href='%7C'>"),
            (b"<a href='http://\xfa\x40.example/'>", b"<a href='http://&#8560;.example/'>"),
        ],
    )
    def test_same(self, browser: Browser, original: bytes, rewritten: bytes) -> None:
        assert_same_destinations(browser, Page(original, SHIFT_JIS), rewritten)

    @pytest.mark.parametrize(
        ("original", "rewritten", "problem"),
        [
            (b"<a href='?\x83\x5c'>", b"<a href='?%E3%82%BD'>", "moves it"),
            (b"<a href='/\x83\x5c'>", b"<a href='/%83%5C'>", "moves it"),
            (b"<a href='a%2Fb'>", b"<a href='a/b'>", "moves it"),
            (b"<a href='http://[x/'>", b"<a href='http://x/'>", "moves it"),
            (b"<img srcset='a 1x, b 2x'>", b"<img srcset='a 1x'>", "moves it"),
            (b"<a title='a b'>", b"<a title='a%20b'>", "no link"),
            (b"<meta content='a b'>", b"<meta content='a%20b'>", "no link"),
            (b"<link>a b", b"<link>a%20b", "no link"),
            (b"<a href=x>y</a>", b"<a href=x>z</a>", "no link"),
            (b"<!-- <a href='a b'> -->", b"<!-- <a href='a%20b'> -->", "no link"),
            (b"<a href='x'>", b"<a href='x' id=y>", "element 3"),
            (b"<a href='x'>", b"<b href='x'>", "element 3"),
            (b"<p><a>", b"<p><a><b>", "element 5"),
            (b"<base href='/a/'>", b"<base href='/b/'>", "base"),
            (b"<p style='background:url(/a)'>", b"<p style='background:url(/b)'>", "moves from"),
            (
                b"<style>p{cursor:url(a),auto}</style><p>",
                b"<style>p{cursor:url(b),auto}</style><p>",
                "moves",
            ),
            (b"<style>@import 'a'</style>", b"<style>@import 'b'</style>", "moves from"),
            (
                b"<iframe srcdoc='<a href=a>'></iframe>",
                b"<iframe srcdoc='<a href=b>'></iframe>",
                "moves it",
            ),
            (
                b"<svg><g fill='url(/a#x)'/></svg>",
                b"<svg><g fill='url(/b#x)'/></svg>",
                "moves from",
            ),
            (b"<object archive='a,b'>", b"<object archive='a,c'>", "moves it"),
        ],
    )
    def test_different(
        self, browser: Browser, original: bytes, rewritten: bytes, problem: str
    ) -> None:
        with pytest.raises(AssertionError, match=problem):
            assert_same_destinations(browser, Page(original, SHIFT_JIS), rewritten)

    def test_another_charset(self) -> None:
        before = Tree("http://a.example/", "EUC-JP", "http://a.example/", ())
        after = Tree("http://a.example/", "windows-1252", "http://a.example/", ())
        assert differences(before, after) == [
            "document charset: 'EUC-JP' became 'windows-1252'",
        ]

    def test_text_of_a_feed(self) -> None:
        def tree(text: str, url: str) -> Tree:
            node = Node(0, None, "link", (), text, url)
            return Tree("http://a.example/", "UTF-8", "http://a.example/", (node,))

        original = tree("http://a.example/ü", "http://a.example/%C3%BC")
        assert not differences(original, tree("same place", "http://a.example/%c3%bc"))
        assert differences(original, tree("elsewhere", "http://a.example/%FC"))
