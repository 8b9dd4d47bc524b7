"""The base of a document is that of Chromium, in random tag soup with templates, foreign content and framesets."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from tiers import examples

import linkfix
from linkfix.links.html.embedded import parse_kinds
from linkfix.links.scope import Scope

if TYPE_CHECKING:
    from .harness import Browser

pytestmark = [pytest.mark.browser, pytest.mark.property]

DOCUMENTS, SEED = examples(12_000, quick=1_500), 7
#: The HTML standard, 4.2.3: the first ``base`` element with ``href`` in the tree; the content of a template is a tree of its own.
SCRIPT = """arguments[arguments.length - 1](DOCUMENTS.map(text => {
  const all = [...new DOMParser().parseFromString(text, "text/html").querySelectorAll("base[href]")];
  return all.find(base => base.namespaceURI.endsWith("xhtml"))?.getAttribute("href") ?? "";
}));"""
#: Without `soup.DESC`, and without columns, for what `soup.NOT_BESIDE_TEMPLATE` says.
NAMES = (
    *("template", "template", "template", "svg", "math", "desc", "desc", "title", "mi", "mtext"),
    *("frameset", "table", "tr", "td", "caption", "div", "span", "p", "b", "script", "style"),
    *("body", "head", "html", "a", "noscript", "li", "button"),
)  # fmt: skip
TEXTS = ("x", " ", "<!-- <base href=no> -->", "<noframes><base href=no></noframes>")  # fmt: skip


def soup(chance: random.Random) -> str:
    """Return a random document with some ``base`` elements.

    None has a base before a frameset, which removes a body with all that is in it, or before one in a table, which
    is moved in front of that: the first one would depend on what comes later. None has a template beside a frameset,
    which Chromium ignores later than the standard.
    """
    pieces, number = ["<!DOCTYPE html>"], 0
    names = chance.sample(NAMES, 5)
    names = [name for name in names if name != "frameset" or "template" not in names]
    for _ in range(chance.randint(2, 20)):
        kind = chance.random()
        if kind < 0.2:
            names = [name for name in names if name not in {"frameset", "table"}] or ["p"]
            number += 1
            pieces.append(f"<base href={number}>")
        elif kind < 0.6:
            pieces.append(f"<{chance.choice(names)}>")
        elif kind < 0.9:
            pieces.append(f"</{chance.choice(names)}>")
        else:
            pieces.append(chance.choice(TEXTS))
        if number and "<table>" in pieces:
            return "".join(pieces)
    return "".join([*pieces, "<base href=last>"])


def test_the_base_is_that_of_a_browser(browser: Browser) -> None:
    chance = random.Random(SEED)
    documents = [soup(chance) for _ in range(DOCUMENTS)]
    bases = list[str]()
    for at in range(0, DOCUMENTS, 500):
        script = SCRIPT.replace("DOCUMENTS", json.dumps(documents[at : at + 500]), 1)
        bases += browser.run("about:blank", script)
    # DOMParser runs no scripts, and takes what other readers take for documents for text.
    policy = linkfix.Policy(scope=Scope(scripting=False, embedded=parse_kinds(["off"])))
    different = []
    for document, base in zip(documents, bases, strict=True):
        links = linkfix.extract(document.encode(), policy=policy, type="html", charset="utf-8")
        ours = next((link.value for link in links if link.sets_base), "")
        if ours != base:
            different.append((document, base, ours))
    print(f"bases of tag soup, seed {SEED}: {len(documents)} documents, {len(different)} differ")
    assert len({*bases}) > 5
    assert not different
