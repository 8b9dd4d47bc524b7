"""The links that a run tells of are those that the tokenizer gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri import canonical_ascii
from linkfix.links.interest import interest
from linkfix.links.scope import EVERYTHING, Scope
from linkfix.markup.feedback import TreeFeedback
from linkfix.markup.html import HTMLTokenizer, SimpleLinks
from linkfix.markup.htmlrun import HTMLRun

if TYPE_CHECKING:
    from linkfix.markup.skipping import Interest

CLEAN = interest(EVERYTHING, canonical_ascii("uri"), names=False, simple=True)
UNCOUNTED = interest(EVERYTHING, canonical_ascii("uri"), names=False, simple=True, count=False)
EVERY = interest(EVERYTHING, None, names=False, simple=True)
SCRIPTS = Scope(data_blocks=True)
PIECES = [
    b"<a href=x>",
    b"<a href='a|b'>",
    b'<a title="href=\'c|d\'" href="\xc3\xa9">',
    b"<a href='e&amp;f|'>",
    b"<p>",
    b"</a>",
    b"t ",
    b"<",
    b"<!--",
    b"-->",
    b"<svg>",
    b"<style>",
    b"</style>",
    b"<img src=\"y\" alt='>'>",
    b"<title>",
    b"</title>",
    b"<a ",
    b"'",
    b"<i id=x>",
    b"=",
    b"href='g|'",
    b"<p style='a:url(b)'>",
    b"<p style='a:b'>",
    b"<script>",
    b"</script>",
    b"<base href='h|'>",
]


@pytest.mark.parametrize(
    ("document", "values", "passed"),
    [
        (b"", [], 0),
        (b"<p>text &amp; <b class=x>more</b>", [], 0),
        (b"<a href='/x'>one</a> <img src=y.png>", [], 2),
        (b"<a href='/x|'>", [b"/x|"], 0),
        (b"<a href='/x'>one</a> <img src='y z.png'>", [b"y z.png"], 1),
    ],
)
def test_documents_of_simple_links(document: bytes, values: list[bytes], passed: int) -> None:
    for wanted, count in ((CLEAN, passed), (UNCOUNTED, 0)):
        (found,) = HTMLRun(wanted).links([document])
        assert found is not None
        assert (found[0].values, found[1]) == (values, count)


@pytest.mark.parametrize(
    "document",
    [b"<img srcset='x|'>", b"<a href='/x|'", b"<!-- href='|'", b"<style>a{b:url('c|')}</style>", b"<svg><a href='b|'>"],
)  # fmt: skip
def test_what_takes_a_closer_look(document: bytes) -> None:
    assert all(HTMLRun(wanted).links([document]) == [None] for wanted in (EVERY, CLEAN, UNCOUNTED))


def rows(links: list[SimpleLinks]) -> list[tuple[tuple[bytes, bytes, bytes], int, bytes]]:
    return [row for each in links for row in zip(*each, strict=True)]


@given(
    st.lists(st.lists(st.sampled_from(PIECES)).map(b"".join), min_size=1, max_size=4),
    st.sampled_from([EVERY, CLEAN, UNCOUNTED, interest(SCRIPTS, canonical_ascii("uri"), names=False, simple=True, count=False)]),
)  # fmt: skip
def test_a_run_gives_what_the_tokenizer_gives(documents: list[bytes], wanted: Interest) -> None:
    for document, found in zip(documents, HTMLRun(wanted).links(documents), strict=True):
        tokenizer = HTMLTokenizer(TreeFeedback(), interest=wanted)
        tokens = tokenizer.feed(document) + tokenizer.close()
        if found is not None:
            links = [token for token in tokens if isinstance(token, SimpleLinks)]
            assert found[1] == tokenizer.passed
            assert rows([found[0]]) == rows(links)
            if (
                wanted is not UNCOUNTED
            ):  # where nothing is worth a look, nobody looks at the elements
                assert links == tokens
