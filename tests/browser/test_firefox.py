"""I1 (docs/decisions.md) in Firefox: of the documents that are hard to rewrite, no link of every fourth moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import linkfix

from .hard import hard_documents
from .harness import Browser
from .judge import assert_moves_nothing
from .marionette import Marionette, firefox

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser

#: Every fourth of them, in order: each family, each charset and each part of a reference is among them.
SOME = dict([*hard_documents().items()][::4])


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if firefox() is None:
        pytest.skip("neither firefox-esr nor firefox is on the PATH")
    with Browser(Marionette) as started:
        yield started


@pytest.mark.parametrize("name", SOME)
def test_hard_document(browser: Browser, name: str) -> None:
    assert_moves_nothing(browser, SOME[name])


#: Ids, and how SVG may name them: raw, and percent-encoded.
NAMES = ("é", "%C3%A9", "é b", "a b", "a|b", "100%", "a ", "a%20b", "%41", "日本")
FOUND = "arguments[0]([...document.querySelectorAll('use')].map(use => use.getBBox().width > 0))"


def test_names_in_svg_are_found_as_before(browser: Browser) -> None:
    def found(body: bytes) -> list[bool]:
        browser.files["/names.html"] = "text/html; charset=utf-8", body
        answer: list[bool] = browser.run(f"{browser.origin}/names.html", FOUND)
        return answer

    elements = (f'<defs><rect id="{x}" width="9" height="9"/></defs><use href="#{x}"/>' for x in NAMES)  # fmt: skip
    page = f"<meta charset=utf-8><svg>{''.join(elements)}".encode()
    before = found(page)
    for to in ("uri", "iri"):
        new = linkfix.rewrite(page, to=to)
        assert b"#a%20b" in new
        assert found(new) == before
    assert found(page.replace("#é".encode(), b"#%C3%A9")) != before


def test_a_space_behind_a_fragment_alone_counts(browser: Browser) -> None:
    page = b"<meta charset=utf-8><a href='#x '>x</a><a href='y#x '>x</a>"
    browser.files["/spaces.html"] = "text/html", page
    script = "arguments[0]([...document.links].map(link => link.hash))"
    assert browser.run(f"{browser.origin}/spaces.html", script) == ["#x%20", "#x"]
