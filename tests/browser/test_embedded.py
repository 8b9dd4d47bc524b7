"""Links in embedded documents lead where they led, to browsers with scripts and without, and to those who read text as markup."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import linkfix
from linkfix.links.html.embedded import TEXTS

from .compare import differences
from .harness import Page, Tree

if TYPE_CHECKING:
    from .harness import Browser

pytestmark = pytest.mark.browser

CONTENT = """<p title="é &lt;">é</p><a href="x é?é|#é">x</a><img src='/a|b' srcset="c|d 1x, /é 2x"><a href=?é&amp;b=|>y</a>
<form action="f é"></form><svg><a xlink:href="/s é"></a></svg><style>p { background: url("/é|") }</style>"""
PAGE = f"""<!DOCTYPE html><meta charset=CHARSET><base href="/d/é/"><a href="o é">o</a><noscript>{CONTENT}</noscript>
<noembed>{CONTENT}</noembed><iframe>{CONTENT}</iframe><!--[if IE]>{CONTENT}<![endif]--><noframes>{CONTENT}</noframes>
<object>{CONTENT}</object><iframe srcdoc='<base href="/e/|/"><a href="x é?é|">x</a>'></iframe><a href="p é">p</a>"""
FRAMES = f"<!DOCTYPE html><meta charset=CHARSET><frameset><frame><noframes><body>{CONTENT}</body></noframes></frameset>"


def without_texts(before: Tree, after: Tree) -> tuple[Tree, Tree, list[tuple[str, str, str]]]:
    """Two trees with the embedded documents of the first in both, and those that differ, with their names."""
    found, nodes = [], []
    for old, new in zip(before.nodes, after.nodes, strict=True):
        if old.text != new.text and old.name.encode() in TEXTS:
            found.append((old.name, old.text, new.text))
            nodes.append(replace(new, text=old.text))
        else:
            nodes.append(new)
    return before, replace(after, nodes=tuple(nodes)), found


@pytest.mark.parametrize("scripting", [True, False])
@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "shift_jis"])
@pytest.mark.parametrize("page", [PAGE, FRAMES], ids=["page", "frames"])
def test_links_lead_where_they_led(
    browser: Browser, page: str, charset: str, *, scripting: bool
) -> None:
    media_type = f"text/html; charset={charset}"
    old = page.replace("CHARSET", charset).encode(charset, "xmlcharrefreplace")
    new = linkfix.Rewriter(type="html").whole(old)
    pages = [Page(body, media_type, scripting=scripting) for body in (old, new)]
    before, after, texts = without_texts(*browser.load(pages))
    assert not differences(before, after)
    names = {"noembed", "iframe", "#comment", "noframes"} | ({"noscript"} if scripting else set())
    assert {name for name, _, _ in texts} == (names if page is PAGE else {"noframes"})
    for name, *both in texts:
        head = "<!DOCTYPE html><base href='/d/é/'>"
        bodies = [(head + text).encode(charset, "xmlcharrefreplace") for text in both]
        one, two = browser.load([Page(body, media_type, scripting=False) for body in bodies])
        assert not differences(one, two), name
        assert one.find("a").attribute("href").value != two.find("a").attribute("href").value
