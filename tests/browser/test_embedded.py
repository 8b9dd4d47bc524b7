"""Links in embedded documents lead where they led, to browsers with scripts and without, and to those who read text as markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from embedded_documents import ALL, MODES, asked, followed, make_site, run, shown

import linkfix

from .harness import Page
from .judge import all_differences, without_texts

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.mark.parametrize("mode", MODES)
def test_chromium_follows_every_kind_where_it_led(
    browser: Browser, tmp_path: Path, mode: str
) -> None:
    """It asks for the same files after a rewrite, a move of the pages, a move of the files, and a migration."""

    def found(site: Path, pages: str) -> set[str]:
        return asked(browser, site, pages, scripting=MODES[mode])

    site = make_site(tmp_path / "site")
    before = found(site, "pages")
    assert followed(before) == shown()[mode]
    run("rewrite", *ALL, "-o", site / "new", site / "pages")
    assert (site / "new/page.html").read_bytes() != (site / "pages/page.html").read_bytes()
    assert found(site, "new") == before
    run("mv", "--root", site, site / "pages", site / "deep/er")
    assert found(site, "deep/er") == before
    run("mv", "--root", site, site / "files", site / "media")
    assert found(site, "deep/er") == {path.replace("/files/", "/media/") for path in before}
    run("migrate", site, tmp_path / "migrated", "--rename", ".png=.gif")
    moved = {path.replace("/files/", "/media/").replace(".png", ".gif") for path in before}
    assert found(tmp_path / "migrated", "deep/er") == moved
