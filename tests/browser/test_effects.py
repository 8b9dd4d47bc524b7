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


def page_with_late_declaration(to: str) -> bytes:
    """A page in windows-1251 whose declaration the links before it would move across byte 1,024."""
    if to == "uri":
        text = f"<center><a href='/{'a b ' * 60}'>home</a></center><p>{'y' * 640}<meta charset=windows-1251>"
    else:
        text = (
            "<?xml version='1.0' encoding='windows-1251'?><body>"
            f"<a href='/{'%D0%96' * 40}'>x</a>{'y' * 770}<meta charset=koi8-r>"
        )
    return (text + "<a href='/Ж'>z</a><form action=/f><input name=q value=Ж></form>").encode(
        "cp1251"
    )


@pytest.mark.parametrize("to", ["uri", "iri"])
def test_a_declaration_near_the_border_counts_as_before(browser: Browser, to: str) -> None:
    source = page_with_late_declaration(to)
    new = rewritten(source, to=to)
    before, after = watched(browser, source, new)
    assert before.charset == after.charset == "windows-1251"
    assert [[node.text, node.name] for node in after.nodes] == [
        [node.text, node.name] for node in before.nodes
    ]
    assert [*map(normalize, after.requests)] == [*map(normalize, before.requests)]
    assert f"{browser.origin}/f?q=%C6" in before.requests
    # What the rewrite of every link would have done.
    moved = source.replace(b"a b ", b"a%20b%20").replace(b"%D0%96", b"\xc6")
    [tree] = watched(browser, moved)
    assert tree.charset != "windows-1251"


UNDECLARED = [
    "<title>日本語の本</title><a href='/日本?q=日本#日'>x</a><a href='/a b'>y</a>".encode(),
    "<p>Ж текст на русском языке и ещё немного<a href='/Ж?Ж'>x</a><img src='/a|b'>".encode("koi8-r"),
    "<p>テキスト<a href='/ソ?ソ'>x</a><a href='?q=&eacute; b'>y</a>".encode("shift_jis"),
    b"<p>caf\xe9 <a href='/caf\xe9 x?caf\xe9'>x</a><a href='/&eacute; b?x=1'>y</a>",
    "<a href='/é'>x</a><a href='/%C3%A9'>y</a>".encode(),
]  # fmt: skip


@pytest.mark.parametrize("to", ["uri", "iri"])
@pytest.mark.parametrize("source", UNDECLARED)
@pytest.mark.parametrize("charset", ["", "; charset=windows-1252", "; charset=utf-8", "; charset=koi8-r", "; charset=shift_jis"])  # fmt: skip
def test_undeclared_pages_lead_where_they_led_whatever_is_guessed(
    browser: Browser, source: bytes, to: str, charset: str
) -> None:
    """The label of the transport stands for a browser that guesses that charset."""
    media_type = f"text/html{charset}"
    pages = [Page(body, media_type, watch=True) for body in (source, rewritten(source, to=to))]
    before, after = browser.load(pages)
    assert after.charset == before.charset
    assert [node.text for node in after.nodes] == [node.text for node in before.nodes]
    assert [*map(normalize, after.requests)] == [*map(normalize, before.requests)]
