from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri import canonical_ascii
from linkfix.links.interest import interest
from linkfix.links.scope import EVERYTHING
from linkfix.markup.feedback import TreeFeedback
from linkfix.markup.html import HTMLTokenizer
from linkfix.markup.skipping import passed_over

CLEAN = interest(EVERYTHING, canonical_ascii("uri"), names=False, simple=True)


@pytest.mark.parametrize(
    ("document", "passed"),
    [
        (b"", 0),
        (b"<p>text &amp; <b class=x>more</b>", 0),
        (b"<a href='/x'>one</a> <img src=y.png>", 2),
        (b"<a href='/x|'>", None),
        (b"<a href='/x'>one</a> <img src='y z.png'>", None),
        (b"<img srcset=x>", None),
        (b"<a href='/x'", None),
        (b"<!-- ", None),
    ],
)
def test_documents_passed_over(document: bytes, passed: int | None) -> None:
    assert passed_over(CLEAN, document) == passed


@given(
    st.lists(
        st.sampled_from(
            [
                b"<a href=x>",
                b"<a href='a|b'>",
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
                b"<p style='a:url(b)'>",
            ]
        )
    ).map(b"".join)
)
def test_what_is_passed_over_holds_nothing_for_the_tokenizer(document: bytes) -> None:
    passed = passed_over(CLEAN, document)
    tokenizer = HTMLTokenizer(TreeFeedback(), interest=CLEAN)
    tokens = tokenizer.feed(document) + tokenizer.close()
    if passed is not None:
        assert not tokens
        assert tokenizer.passed == passed
