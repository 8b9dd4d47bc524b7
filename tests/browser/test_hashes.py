"""Chromium uses the styles and import maps that a policy of their page has hashes of, after a rewrite as before."""

from __future__ import annotations

import threading
from base64 import b64encode
from functools import partial
from hashlib import sha256
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

import linkfix

from .test_messages import Quiet

if TYPE_CHECKING:
    from pathlib import Path

    from .harness import Browser

pytestmark = pytest.mark.browser

HEAD = '<!doctype html><meta charset=utf-8><meta http-equiv="Content-Security-Policy" content="{}">'
STYLE = "p { background: url('x y') }"
MAP = '{"imports": {"name": "./x y"}}'
MODULE = 'import "name"'
#: Returns once what the page loads has been asked for.
LOADED = (
    "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(arguments[0], 100, null)))"
)


def hash_of(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class Counting(Quiet):
    """Serves a folder, and adds the paths that are asked for to a set."""

    def __init__(self, asked: set[str], *arguments: Any, **named: Any) -> None:
        self._asked = asked
        super().__init__(*arguments, **named)

    def do_GET(self) -> None:  # noqa: N802 - the base's name
        self._asked.add(self.path)
        super().do_GET()


STYLES, RULE = hash_of(STYLE), STYLE[4:-2]
PAGES = {
    "element": (f"style-src {STYLES}", f"<style>{STYLE}</style><p>text"),
    "element, one of several": (
        f"img-src *; STYLE-SRC-ELEM 'self' {STYLES}; script-src *",
        f"<style>{STYLE}</style><p>text",
    ),
    "element of SVG": (f"style-src {STYLES}", f"<svg><style>{STYLE}</style></svg><p>text"),
    "attribute": (f"style-src-attr 'unsafe-hashes' {hash_of(RULE)}", f'<p style="{RULE}">text'),
    "document in the page": (
        f"style-src {STYLES}",
        f'<iframe srcdoc="<style>{STYLE}</style><p>text"></iframe>',
    ),
    "import map": (
        f"script-src 'self' {hash_of(MAP)} {hash_of(MODULE)}",
        f"<script type=importmap>{MAP}</script><script type=module>{MODULE}</script>",
    ),
}


@pytest.mark.parametrize(("policy", "content"), PAGES.values(), ids=PAGES)
def test_what_is_hashed_stays_in_force(
    browser: Browser, policy: str, content: str, tmp_path: Path
) -> None:
    old = (HEAD.format(policy) + content + '<img src="a b">').encode()
    new = linkfix.rewrite(old, type="html")
    assert new == old.replace(b"a b", b"a%20b")
    asked, loaded = set[str](), list[bool]()
    handler = partial(Counting, asked, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for number, page in enumerate([old, new, old.replace(b"x y", b"x%20y")]):
            (tmp_path / str(number)).mkdir()
            (tmp_path / str(number) / "page.html").write_bytes(page)
            browser.run(f"http://127.0.0.1:{server.server_port}/{number}/page.html", LOADED)
            assert f"/{number}/a%20b" in asked
            loaded.append(f"/{number}/x%20y" in asked)
        server.shutdown()
    assert loaded == [True, True, False], "a change makes browsers ignore it"
