"""What a visitor notices of a rewrite: requests, navigations, submitted forms, charset and text."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

import linkfix
from linkfix.charset import lookup

from .compare import normalize
from .harness import Page

if TYPE_CHECKING:
    from .harness import Browser, Tree

pytestmark = pytest.mark.browser


def rewritten(source: bytes, **options: Any) -> bytes:
    out = BytesIO()
    linkfix.rewrite(source, out, type="html", **options)
    return out.getvalue()


def transcoded(source: bytes) -> bytes:
    out = BytesIO()
    linkfix.transcode(source, out, type="html")
    return out.getvalue()


def effects(tree: Tree) -> tuple[object, ...]:
    """Charset, base, text, requests of a page that was watched, and what its elements say they lead to."""
    texts = [node.text for node in tree.nodes if node.name not in {"style", "script"}]
    says = [
        attribute.reflected
        for node in tree.nodes
        for attribute in node.attributes
        if attribute.name in {"action", "formaction", "href", "src", "data"}
    ]
    return tree.charset, tree.base, texts, sorted(tree.requests), says


def watched(browser: Browser, *bodies: bytes) -> list[Tree]:
    return browser.load([Page(body, watch=True) for body in bodies])


@pytest.mark.parametrize(
    "content", ["0 ; url=", "0 ; URL=", "0 , url=", "0 ;url =", "0 ; url =\t", "0\n;\nurl =\t", "0;url=", "0 ; url=x y"]
)  # fmt: skip
def test_a_refresh_goes_where_it_went(browser: Browser, content: str) -> None:
    source = f'<meta charset=utf-8><meta http-equiv=refresh content="{content}"><p>é'.encode()
    before, after = watched(browser, source, rewritten(source))
    assert effects(after) == effects(before)
    last = "x%20y" if content.endswith("y") else "page.html"
    assert before.requests == (f"{browser.origin}/site/{last}",)


@pytest.mark.parametrize(
    "element",
    [
        '<form action="/a"><button formaction=" ">go</button></form>',
        '<form action="/a"><input type=submit formaction="&#1;"></form>',
        '<form action=" "><input name=a value=b></form>',
        '<video src=" "></video>', '<audio src="\t"></audio>', '<video poster=" "></video>', '<link rel=icon href=" ">',
        '<img src=" ">', '<script src=" "></script>', '<iframe src=" "></iframe>', '<object data=" "></object>',
        '<embed src=" ">', '<a href=" ">x</a>',
    ],
)  # fmt: skip
def test_white_space_alone_asks_for_what_it_asked_for(browser: Browser, element: str) -> None:
    page = (
        f'<meta charset=utf-8><base href="{browser.origin}/other/x/">{element}<a href="y z">y</a>'
    )
    source = page.encode()
    new = rewritten(source)
    assert new == source.replace(b"y z", b"y%20z")
    before, after, empty = watched(browser, source, new, re.sub(rb'"(?: |\t)"', b'""', source))
    assert effects(after) == effects(before)
    assert f"{browser.origin}/other/x/y%20z" in before.requests
    if element.startswith(("<video src", "<audio", '<form action="/a"><button')):
        assert effects(empty) != effects(before), "an empty value is another thing"


#: Links of ISO-2022-JP that end in each state of its decoder, and those that need no base.
ENDS = [
    "/日本",
    "?q=日本",
    "?q=ア",
    "?q=¥",
    "/‾",
    "?日¥",
    "?¥日",
    "?日☎",
    "?¥☎¥",
    "?ｱ",
    "/ｱ",
    "?日本#日",
    "http:?q=日",
    "http:日?q=日",
]


@pytest.mark.parametrize("value", ENDS)
def test_iso_2022_jp_sends_what_it_sent(browser: Browser, value: str) -> None:
    octets = lookup("iso-2022-jp").encode(value, missing=lambda char: f"&#{ord(char)};".encode())
    text = lookup("iso-2022-jp").encode("日本\\~¥")
    source = b"<meta charset=iso-2022-jp><a href='" + octets + b"'>\\~" + text + b"</a>"
    links = []
    for new in (source, rewritten(source), rewritten(source, to="iri"), transcoded(source)):
        [tree] = watched(browser, new)
        node = tree.find("a")
        links.append((node.text, [normalize(url) for url in tree.requests]))
    *same, moved = links
    assert same == [links[0]] * 3
    if value != "http:日?q=日":  # reported, see the tests of transcoding
        assert moved == links[0]


def test_a_query_whose_reference_needs_a_base(browser: Browser) -> None:
    source = "<meta charset=windows-1251><a href='http:?q=Ж'>Ж</a>".encode("cp1251")
    before, after = watched(browser, source, transcoded(source))
    assert after.requests == before.requests
    assert before.requests == (f"{browser.origin}/site/page.html?q=%C6",)
