"""What a glance passes over holds nothing that a closer look would find."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkfix
from linkfix.iri import canonical_ascii
from linkfix.links import Scope
from linkfix.links.interest import worth
from linkfix.markup.glance import nothing_worth
from linkfix.policy import Policy

CLEAN = [
    b"<p class='x'>a = b, x  = b, a==b",
    b'<a href="x">',
    b"<a href=x>",
    b"<a href='http://h.example/?a=b&amp;c#d'>",
    b'<a href="?a=1&b=2&amp;c=&#64;h.example">',
    b'<meta name="viewport" content="width=device-width">',
    b"name=&quot;refresh&quot; x        = y, std::less    = z",
    b"<style>p { color: red }</style>url(a|b)",
    b'<b style="color: red">',
    b"<style>p { color: red }</style>",
    b"<svg fill='red'></svg>",
    b'<a href="?a=b&action=c">',
]
WORTH = [
    b'<a href="a b">',
    b'<a href = "a b">',
    b'<a href    = "a b">',
    b'<a href\n="a b">',
    b'<a xlink:href="a b">',
    b"<a href=\xe9>",
    b"<a href='?&lt=1&copy;'>",
    b"<meta http-equiv      = refresh content='0;url=a|b'>",
    b"<style></styles>p { background: url(a|b) }</style>",
    b'<a HREF="&#233;">',
    b'<img srcset="a b">',
    b'<meta http-equiv="refresh" content="0;url=a b">',
    b"<meta http-equiv=Refresh content='0;a b'>",
    b'<meta http-equiv="&#114;efresh" content="0;url=a|b">',
    b'<meta property="og:url" content="a b">',
    b'<b style="background: url(a|b)">',
    b'<b style="background: &#117;rl(a|b)">',
    b"<style>@import 'a|b';</style>",
    b"<style>p { background: u\\72l(a|b) }</style>",
    b"<svg><path fill='url(a|b)'></svg>",
    b"<math href='a|b'>",
    b"<iframe srcdoc=\"&lt;a href='a|b'>\">",
    b"""<a title='style="a' href="a|b">""",
    b'<a title="href="href="a|b">',
    b'<a title="href="href=a?b">',
]


def rewriter() -> linkfix.Rewriter:
    return linkfix.Rewriter(type="html", charset="windows-1252", count=False)


@pytest.mark.parametrize("document", CLEAN)
def test_nothing_is_told_at_a_glance(document: bytes) -> None:
    assert nothing_worth(worth(canonical_ascii("uri")), document)


@settings(max_examples=500)
@given(st.lists(st.sampled_from([*CLEAN, *WORTH, b"'", b'"', b"<!--", b"-->", b"\n"]), max_size=6))
def test_whatever_is_worth_a_look_is_looked_at(pieces: list[bytes]) -> None:
    document = b"".join(pieces)
    slowly = rewriter()
    assert rewriter().whole(document) == slowly.feed(document) + slowly.close()


@pytest.mark.parametrize("document", WORTH)
def test_each_is_worth_a_look(document: bytes) -> None:
    assert not nothing_worth(worth(canonical_ascii("uri")), document)


def test_data_blocks_have_links_without_equals_signs() -> None:
    block = (
        b'<script type="application/ld+json">{"@context":"https://schema.org","url":"a b"}</script>'
    )
    policy = Policy(scope=Scope(data_blocks=True))
    for type, document in (
        ("html", block),
        ("xml", b"<rss><description><![CDATA[" + block + b"]]></description></rss>"),
    ):
        whole = linkfix.Rewriter(policy=policy, type=type, charset="utf-8", count=False)  # type: ignore[arg-type]
        assert b'"a%20b"' in whole.whole(document)
