"""A site behind Apache, before and after a migration: Chromium finds the same texts and resources."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

import apache
import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path

    from .harness import Browser

pytestmark = pytest.mark.browser

#: What Chromium makes of a page: its charset and text, and for each link what the server answers.
LOOK = """
const done = arguments[arguments.length - 1];
const links = [...document.querySelectorAll("a[href], img[src], link[href]")];
Promise.all(links.map(async (each) => {
  const answer = await fetch(each.href || each.src);
  return [answer.status, answer.headers.get("X-File"), new URL(answer.url).search];
})).then((found) => {
  const form = document.querySelector("form");
  done({charset: document.characterSet, text: document.body.innerText, links: found,
        form: form && new URLSearchParams(new FormData(form)).toString() + form.acceptCharset});
});
"""
JAPANESE = "日本語の案内と検索の一覧"
RUSSIAN = "Привет, мир и новости"
MENU = '<ul><li><a href="/index.html">表紙</a><li><a href="/s/検索.html?q=空">検索</a></ul>'
PAGES = {
    # No page below declares a charset but by .htaccess, unless it says so.
    "index.html": (
        (
            f'<title>{JAPANESE}</title><p>{JAPANESE}<a href="s/a.html?q=空#日">a</a>'
            '<a href="s/検索.html">b</a><a href="none.html">c</a><img src="i/a b.png">'
            '<form action="/s/a.html"><input name=q value="空"></form>'
        ),
        "shift_jis",
    ),
    "s/a.html": (
        f'<p>{JAPANESE}<a href="../index.html">表紙</a><a href="/ru/">ru</a>',
        "shift_jis",
    ),
    "s/検索.html": (f'<p>{JAPANESE}<a href="a.html?表">a</a>', "shift_jis"),
    "page.shtml": (
        (
            f'<title>{JAPANESE}</title><!--#include virtual="/inc/menu.html" --><p>{JAPANESE}'
            '<!--#include file="foot.inc" -->'
        ),
        "shift_jis",
    ),
    "inc/menu.html": (MENU, "shift_jis"),
    "foot.inc": (MENU.replace("検索.html", "a.html"), "shift_jis"),
    "ru/index.html": (f'<p>{RUSSIAN}<a href="new.htm?q=мир">n</a>', "koi8-r"),
    "ru/new.htm": (f'<p>{RUSSIAN}<a href="./?q=новости">n</a>', "windows-1251"),
    "de/index.html": ('<meta charset="iso-8859-1"><p>Grüße<a href="?q=ä">ä</a>', "windows-1252"),
    "de/undeclared.html": (f"<title>{JAPANESE * 3}</title><p>{JAPANESE * 9}", "euc-jp"),
}
DIRECTIVES = {
    ".htaccess": "AddDefaultCharset Shift_JIS\n",
    "ru/.htaccess": "AddDefaultCharset koi8-r\nAddCharset windows-1251 .htm\n",
    "de/.htaccess": "AddDefaultCharset Off\n",
}


def old_site(root: Path) -> Path:
    for name, (text, charset) in PAGES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode(charset))
    for name, text in DIRECTIVES.items():
        (root / name).write_text(text)
    (root / "i").mkdir()
    (root / "i/a b.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return root


def looks(browser: Browser, root: Path, state: Path) -> dict[str, Any]:
    """Return what Chromium makes of every page that has an address."""
    found = {}
    with apache.serving(root, state) as origin:
        for name in PAGES:
            if not name.endswith(".inc") and not name.startswith("inc/"):
                look = browser.run(f"{origin}/{name}", LOOK)
                for link in look["links"]:
                    link[1] = link[1] and os.path.relpath(link[1], root)
                    link[2] = unquote_to_bytes(link[2])  # octets, however they are spelled
                found[name] = look
    return found


def test_a_migrated_site_is_the_same_site(browser: Browser, tmp_path: Path) -> None:
    if why := apache.missing():
        pytest.skip(why)
    old = old_site(tmp_path / "old")
    before = looks(browser, old, tmp_path / "state1")
    arguments = ["migrate", str(old), str(tmp_path / "new"), "--served", "none.html"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 1, result.stderr  # for the page whose charset is guessed
    after = looks(browser, tmp_path / "new", tmp_path / "state2")
    for name, old_look in before.items():
        new_look = after[name]
        assert new_look["text"] == old_look["text"], name
        assert new_look["links"] == old_look["links"], name
        undeclared = name == "de/undeclared.html"
        assert new_look["charset"] == (old_look["charset"] if undeclared else "UTF-8"), name
    assert before["index.html"]["charset"] == "Shift_JIS"
    assert before["ru/new.htm"]["charset"] == "windows-1251"
    assert [status for status, *_ in before["page.shtml"]["links"]] == [200, 200, 200, 200]
    assert after["index.html"]["form"].endswith("Shift_JIS")
