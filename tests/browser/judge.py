"""Rewrite a document with linkfix and let the browser judge what became of its links."""

from __future__ import annotations

import io
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

import linkfix
from linkfix.charset import lookup
from linkfix.links.html.embedded import TEXTS

from .compare import HTML, differences
from .harness import Page

if TYPE_CHECKING:
    from .hard import HardDocument
    from .harness import Browser, Node, Tree

__all__ = [
    "all_differences",
    "assert_moves_nothing",
    "embedded_differences",
    "rewrite",
    "without_texts",
]


def rewrite(document: HardDocument, body: bytes, to: Literal["uri", "iri"]) -> bytes:
    """Rewrite bytes as what a document says they are."""
    sink = io.BytesIO()
    linkfix.rewrite(body, sink, to=to, type=document.type, charset=document.charset)
    return sink.getvalue()


def assert_moves_nothing(browser: Browser, document: HardDocument) -> None:
    """Rewrite to URIs, to IRIs, and from those back to URIs; no link may lead elsewhere."""
    uri = rewrite(document, document.body, "uri")
    iri = rewrite(document, document.body, "iri")
    if document.changes is not None:
        expected = "something" if document.changes else "nothing"
        assert (uri != document.body) == document.changes, f"{expected} is to change"
    bodies = dict.fromkeys((uri, iri, rewrite(document, iri, "uri")))
    bodies.pop(document.body, None)  # the same bytes are the same document
    if not bodies:
        return
    before, *trees = browser.load(
        [Page(body, document.content_type) for body in (document.body, *bodies)]
    )
    problems = [problem for after in trees for problem in all_differences(browser, before, after)]
    assert not problems, "\n".join([f"{document.name}:", *problems])


def all_differences(browser: Browser, before: Tree, after: Tree) -> list[str]:
    """Say what a rewrite did to a document, and to those that are embedded in its texts, that it must not do."""
    charsets = before.charset, after.charset
    after, pairs = without_texts(before, after)
    return differences(before, after) + embedded_differences(browser, pairs, charsets)


def embedded_differences(
    browser: Browser, pairs: list[tuple[str, str, str]], charsets: tuple[str, str]
) -> list[str]:
    """Say what a rewrite did to embedded documents, each loaded as a page of its own in the charset of its page."""
    problems = []
    for _, *both in pairs:
        pages = [
            Page(lookup(charset).encode(text), f"text/html; charset={charset}", scripting=False)
            for text, charset in zip(both, charsets, strict=True)
        ]
        one, two = browser.load(pages)
        problems += differences(replace(one, charset=two.charset), two)
    return problems


def without_texts(before: Tree, after: Tree) -> tuple[Tree, list[tuple[str, str, str]]]:
    """The second tree with the embedded documents of the first, and those that differ, with their names."""
    found, nodes = [], []
    for old, new in zip_longest(before.nodes, after.nodes):
        if old and new and old.text != new.text and old.name == new.name and is_embedded(old):
            found.append((old.name, old.text, new.text))
            nodes.append(replace(new, text=old.text))
        elif new:
            nodes.append(new)
    return replace(after, nodes=tuple(nodes)), found


def is_embedded(node: Node) -> bool:
    """Return whether the text of a node is a document to some readers."""
    is_conditional = node.name == "#comment" and node.text.startswith("[if ")
    return is_conditional or (node.namespace == HTML and node.name.encode() in TEXTS)
