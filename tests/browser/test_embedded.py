"""Links in embedded documents lead where they led, to browsers with scripts and without, and to those who read text as markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import linkfix

from .harness import Page
from .judge import all_differences, without_texts

if TYPE_CHECKING:
    from .harness import Browser

pytestmark = pytest.mark.browser

CONTENT = """<p title="é &lt;">é</p><a href="x é?é|#é">x</a><img src='/a|b' srcset="c|d 1x, /é 2x"><a href=?é&amp;b=|>y</a>
<form action="f é"></form><svg><a xlink:href="/s é"></a></svg><style>p { background: url("/é|") }</style>"""
PAGE = f"""<!DOCTYPE html><meta charset=CHARSET><base href="/d/é/"><a href="o é">o</a><noscript>{CONTENT}</noscript>
<noembed>{CONTENT}</noembed><iframe>{CONTENT}</iframe><!--[if IE]>{CONTENT}<![endif]--><noframes>{CONTENT}</noframes>
<object>{CONTENT}</object><iframe srcdoc='<base href="/e/|/"><a href="x é?é|">x</a>'></iframe><a href="p é">p</a>"""
FRAMES = f"<!DOCTYPE html><meta charset=CHARSET><frameset><frame><noframes><body>{CONTENT}</body></noframes></frameset>"


@pytest.mark.parametrize("scripting", [True, False])
@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "shift_jis"])
@pytest.mark.parametrize("page", [PAGE, FRAMES], ids=["page", "frames"])
def test_links_lead_where_they_led(
    browser: Browser, page: str, charset: str, *, scripting: bool
) -> None:
    media_type = f"text/html; charset={charset}"
    old = page.replace("CHARSET", charset).encode(charset, "xmlcharrefreplace")
    new = linkfix.Rewriter(source=linkfix.Source(type="html")).whole(old)
    pages = [Page(body, media_type, scripting=scripting) for body in (old, new)]
    before, after = browser.load(pages)
    assert not all_differences(browser, before, after)
    _, texts = without_texts(before, after)
    names = {"noembed", "iframe", "#comment", "noframes"} | ({"noscript"} if scripting else set())
    assert {name for name, *_ in texts} == (names if page is PAGE else {"noframes"})
