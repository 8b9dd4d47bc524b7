"""Rewrite a document with linkfix and let the browser judge what became of its links."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Literal

import linkfix

from .compare import differences
from .harness import Page

if TYPE_CHECKING:
    from .hard import HardDocument
    from .harness import Browser

__all__ = ["assert_moves_nothing", "rewrite"]


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
    problems = [problem for after in trees for problem in differences(before, after)]
    assert not problems, "\n".join([f"{document.name}:", *problems])
