"""Link maps, moved documents and styles of references: where Chromium goes afterwards."""

from __future__ import annotations

import io
from itertools import chain
from typing import TYPE_CHECKING, Literal

import pytest

import linkfix
from linkfix import LinkMap, Policy

from .compare import is_link, normalize
from .harness import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .harness import Browser, Tree

pytestmark = pytest.mark.browser

HEAD = '<!doctype html><meta charset="{charset}">{base}<title>t</title>'
BODY = """
<link rel=stylesheet href="../style/s.css"><meta http-equiv=refresh content="9999;url=named">
<body background="bild.png"><a href="named">1</a><a href="/site/named?q=空#f">2</a>
<a href="//127.0.0.1:{port}/site/folder/表.htm">3</a><a href="{origin}/site/%6eamed#x&amp;y">4</a>
<a href="#here">5</a><a href="">6</a><a href="?q=空&r=1">7</a><a href="page.html#there">8</a>
<a href="folder/../folder/%2E%2e/named">9</a><a href=" folder/a b.htm ">10</a><a href="..">11</a>
<a href="http:folder/x.htm">12</a><a href="HTTPS://Other.example/あ?空">13</a><a href=mailto:a@b.example>14</a>
<a href="javascript:void(0)">15</a><a href="/outside/x.htm" ping="named /outside/p">16</a>
<img srcset="named 1x, /site/folder/b.png 2x, ../c.png 3x" src='\\site\\named'>
<p style="background:url('folder/d.png')">p</p><p style="background:url(&quot;/outside/é.png&quot;)">p</p>
<form action="named?空"><input type=image src=folder/><button formaction="/site/">b</button></form>
<iframe srcdoc='<a href="named">i</a><a href="/outside/">j</a>'></iframe>
<blockquote cite="folder/x.y.htm">q</blockquote><svg><a href="named#s"><image xlink:href="folder/e.png"/></a></svg>
<object data="folder/f.swf"></object><object codebase="folder/"></object><video poster="/site/named" src="folder//g.mp4"></video>
"""
BASES = ("", '<base href="folder/">', '<base href="{origin}/outside/dir/">', '<base href="//other.example/">')  # fmt: skip
CODECS = {"utf-8": "utf-8", "shift_jis": "cp932"}
OLD, NEW = "/site/page.html", "/neu/tief/seite.html"


def rules(origin: str) -> str:
    return (
        f"{origin}/site/,{origin}/neu/%E7%A9%BA/,prefix\n"
        f"{origin}{OLD},{origin}{NEW}\n"
        f"{origin}/site/named,{origin}/named.html#own\n"
        f"{origin}/site/folder/*.htm,https://moved.example/o/*.html,extension\n"
        "https://other.example/,http://another.example/,prefix\n"
        "http://other.example/,https://another.example/,prefix\n"
    )


def mapped(url: str, origin: str) -> str:
    """What the rules make of an address, spelled out for each of them."""
    resource, hash_, fragment = url.partition("#")
    path, mark, query = resource.partition("?")
    rest = mark + query + hash_ + fragment
    if resource == origin + OLD:
        return origin + NEW + hash_ + fragment
    if resource == f"{origin}/site/named":
        return f"{origin}/named.html#own"
    if path.startswith(f"{origin}/site/folder/") and path.endswith(".htm"):
        return (
            "https://moved.example/o/" + path[len(f"{origin}/site/folder/") : -4] + ".html" + rest
        )
    for old, new in (
        (f"{origin}/site/", f"{origin}/neu/%E7%A9%BA/"),
        ("https://other.example/", "http://another.example/"),
        ("http://other.example/", "https://another.example/"),
    ):
        if path.startswith(old):
            return new + url[len(old) :]
    return url


def urls(tree: Tree) -> Iterator[str | None]:
    for node in tree.nodes:
        links = (each.urls for each in node.attributes if is_link(node, each.name))
        yield from chain.from_iterable(links)
        yield from node.styles


@pytest.mark.parametrize("charset", CODECS)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("with_map", [True, False], ids=["map", "no map"])
def test_links_lead_where_the_map_says(
    browser: Browser, charset: str, base: str, with_map: bool
) -> None:
    origin = browser.origin
    text = (HEAD + BODY).replace("{charset}", charset).replace("{base}", base)
    text = text.replace("{origin}", origin).replace("{port}", origin.rpartition(":")[2])
    body = text.encode(CODECS[charset], "xmlcharrefreplace")
    target = LinkMap.parse(rules(origin), format="csv").follow if with_map else None
    pages = [Page(body, path=OLD)]
    to: Literal["uri", "iri"]
    style: Literal["keep", "absolute", "relative", "root-relative"]
    for to in ("uri", "iri"):
        for style in ("keep", "absolute", "relative", "root-relative"):
            out = io.BytesIO()
            policy = Policy(to, target=target, style=style)
            linkfix.rewrite(body, out, base=origin + OLD, policy=policy)
            pages.append(Page(out.getvalue(), path=NEW if with_map else OLD))
    before, *after = browser.load(pages)
    old = [None if url is None else normalize(url) for url in urls(before)]
    assert len(old) > 35
    wanted = [mapped(url, origin) if url and with_map else url for url in old]
    assert not with_map or sum(map(str.__ne__, map(str, old), map(str, wanted))) > 5
    for tree, page in zip(after, pages[1:], strict=True):
        found = [None if url is None else normalize(url) for url in urls(tree)]
        moved = [pair for pair in zip(wanted, found, strict=True) if pair[0] != pair[1]]
        assert not moved, page.body.decode(CODECS[charset])
