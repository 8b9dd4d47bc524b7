"""Files that move inside a site: where Chromium goes before and afterwards."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

import pytest
import site_generator
from click.testing import CliRunner
from site_generator import BASE, uri_of

from linkfix.cli.group import cli

from .compare import normalize
from .test_migration import destinations, page

if TYPE_CHECKING:
    from pathlib import Path

    from .harness import Browser

pytestmark = pytest.mark.browser

SITE = site_generator.generate(140, seed=3)
KINDS = frozenset({"html", "xhtml", "svg", "atom"})


@pytest.mark.parametrize(
    ("old", "new"), [(b"sjis", b"neu \xe9/x"), (b"images/logo.png", b"l\xc3\xb6go.png")]
)  # fmt: skip
def test_documents_lead_where_the_files_are(
    browser: Browser, tmp_path: Path, old: bytes, new: bytes
) -> None:
    def moved(uri: str) -> str:
        before, after = uri_of(old), uri_of(new)
        inside = uri == before or uri[len(before) : len(before) + 1] in {"/", "?", "#"}
        return after + uri[len(before) :] if uri.startswith(before) and inside else uri

    SITE.write(tmp_path / "site")
    names = [os.fsdecode(each) for each in (old, new)]
    line = ["mv", "--root", str(tmp_path / "site"), "--base", BASE, *names]
    assert CliRunner().invoke(cli, line).exit_code == 0
    documents = [each for each in SITE.documents.values() if each.kind in KINDS]
    documents = random.Random(2).sample(documents, 20)
    before = browser.load([page(d, d.body, d.uri, is_old=True) for d in documents])
    pages = []
    for document in documents:
        place = moved(document.uri)
        path = place.removeprefix(BASE)
        body = (tmp_path / "site" / os.fsdecode(unquote_to_bytes(path))).read_bytes()
        pages.append(page(document, body, place, is_old=True))
    count = 0
    for document, was, now in zip(documents, before, browser.load(pages), strict=True):
        wanted = {n: normalize(moved(uri)) for n, uri in destinations(was, browser.origin).items()}
        assert destinations(now, browser.origin) == wanted, document.name
        count += sum(n != moved(n) for n in destinations(was, browser.origin).values())
    assert count > 2
