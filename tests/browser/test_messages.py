"""Pages that Chromium saves as MHTML: rewritten, their links lead where they led, and what they load is there."""

from __future__ import annotations

import base64
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import packages
import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli as main

if TYPE_CHECKING:
    from pathlib import Path

    from .harness import Browser

PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
PAGE = """<!doctype html><meta charset=utf-8><link rel=stylesheet href="é.css">
<a href="http://o.example/é?q=a|b">x</a><a href="../x y">y</a><a href="http://o.example/%C3%A9">z</a>
<img src="é.gif"><img src="a|b.gif">"""
#: Returns where links lead, which images are there, and what the style sheet says.
LOOK = """const done = arguments[0]; Promise.allSettled([...document.images].map(i => i.decode())).then(() => done([[...document.links].map(a => a.href),
[...document.images].map(i => [i.src, i.naturalWidth]), getComputedStyle(document.body).color]))"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize("to", ["uri", "iri"])
def test_a_saved_page_leads_where_it_led(browser: Browser, to: str, tmp_path: Path) -> None:
    css = b"body { color: rgb(1, 2, 3); background: url('a|b.gif') }"
    files = {"page.html": PAGE.encode(), "é.css": css, "é.gif": PIXEL, "a|b.gif": PIXEL}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    path = tmp_path / "page.mht"
    handler = partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        path.write_bytes(browser.saved(f"http://127.0.0.1:{server.server_port}/page.html"))
        server.shutdown()
    before: Any = browser.run(path.as_uri(), LOOK)
    assert [width for _, width in before[1]] == [1, 1]
    assert before[2] == "rgb(1, 2, 3)"
    old = path.read_bytes()
    done = CliRunner().invoke(main, ["rewrite", "-i", "--to", to, str(path)])
    assert done.exit_code == 0, done.output
    assert path.read_bytes() != old
    after: Any = browser.run(path.as_uri(), LOOK)
    normal = [[each.replace("|", "%7C") for each in links] for links in (before[0], after[0])]
    assert normal[0] == normal[1]
    assert after[1:] == before[1:]
    was, now = packages.message_parts(old), packages.message_parts(path.read_bytes())
    assert [fields for fields, _ in now] == [fields for fields, _ in was]
