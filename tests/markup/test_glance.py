"""What a glance passes over holds nothing that a closer look would find."""

from __future__ import annotations

import codecs
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import PRESCAN

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
    b'<p style="background: url(a.png); color: rgba(0, 0, 0, .5); width: calc(1px + 1em)">',
    b"<p style='background: url( \"a.png\" )'>",
    b"<style>@import 'a.css'; @import url(b.css); p { color: red !important; background: url('c%20d') }</style>",
    b'<img srcset="a.png 1x, http://h.example/b.png 2x,c.png 3x">',
    b'<img srcset=" a.png , b.png 100w , c.png, ">',
    b"<a ping='a  http://h.example/b'>",
    b'<p>\n  <meta property="og:url" content="http://h.example/">',
    b"<p><META name='twitter:image' content='a.png'>",
    b'<a href="mailto:a&#37;&#52;&#48;h&#46;example">',
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
    b"<p style=\"background: url('a|b')\">",
    b"<p style='background: url(a b)'>",
    b"<p style='background: src(\"a|b\")'>",
    b'<img srcset="a.png 1x,//h|h/b.png 2x">',
    b'<img srcset="a.png 1x, b|c 2x">',
    b'<img srcset=",//h|h/b 1x">',
    b'<img srcset="a.png,http://h|h/b 1x">',
    b'<img srcset="a.png (1x, b|c) 2x, d|e">',
    b"<a ping='a b|c'>",
    b"<style>@import url(a|b)</style>",
    b'<p><meta property="og:url" content="a|b">',
    b'<p><meta content="a|b" property="og:url" content="c">',
    b'<p><meta content=a|b <meta property="og:url" content="c">',
    b'<p><meta content="a|b" title=">" <meta property="og:url" content="c">',
    b'<a href="&#37;4|">',
]


def rewriter(*, count: bool = False) -> linkfix.Rewriter:
    return linkfix.Rewriter(type="html", charset="windows-1252", count=count)


@pytest.mark.parametrize("document", CLEAN)
def test_nothing_is_told_at_a_glance(document: bytes) -> None:
    assert nothing_worth(worth(canonical_ascii("uri")), document)


PIECES = [
    *CLEAN,
    *WORTH,
    *(
        b"'",
        b'"',
        b"<!--",
        b"-->",
        b"\n",
        b"=",
        b" ",
        b"<a ",
        b"href",
        b"<script>",
        b"</script>",
        b">",
    ),
    *(
        b"<svg>",
        b"</svg>",
        b"<base href='ftp://h/'>",
        b"<plaintext>",
        b"<textarea>",
        b"</textarea>",
    ),
]


@settings(max_examples=500)
@given(
    st.lists(st.sampled_from(PIECES), max_size=12), st.integers(1, 400), st.sampled_from([1, 20])
)
def test_whatever_is_worth_a_look_is_looked_at(pieces: list[bytes], size: int, times: int) -> None:
    document = b" " * PRESCAN + b"".join(pieces) * times  # in many places each link is looked at
    slowly, by_chunks = rewriter(count=True), rewriter()
    expected = slowly.feed(document) + slowly.close()
    assert rewriter().whole(document) == expected
    chunks = (document[at : at + size] for at in range(0, len(document), size))
    assert b"".join(map(by_chunks.feed, chunks)) + by_chunks.close() == expected


@pytest.mark.parametrize("worth_it", WORTH)
@pytest.mark.parametrize("before", [b"", codecs.BOM_UTF8], ids=["", "marked"])
def test_places_are_found_in_a_whole_document(worth_it: bytes, before: bytes) -> None:
    pieces = [b"<p><!-- <a href='|'> -->", b"<svg><style>p { fill: url(|) }</style></svg>"]
    for order in permutations([worth_it, *pieces]):
        document = before + b"".join(order) + b"<p id=a>"
        slowly = rewriter(count=True)
        assert rewriter().whole(document) == slowly.feed(document) + slowly.close()


@pytest.mark.parametrize(
    "space", [b" " * count for count in range(20)] + [b"\t\r\n", b"\f\f\f\f\f\f"]
)
@pytest.mark.parametrize(
    "name", [b"href", b"HREF", b"hReF", b"hreF", b"SRC", b"xlink:href", b"DefinitionURL"]
)
def test_a_name_is_found_over_white_space(name: bytes, space: bytes) -> None:
    clean, dirty = (b"<a class=c " + name + space + b"= " + value + b">" for value in (b"b", b"|"))
    assert not nothing_worth(worth(canonical_ascii("uri")), dirty)
    assert nothing_worth(worth(canonical_ascii("uri")), clean) or len(space) > 1


@pytest.mark.parametrize("text", [b"title", b"xhref", b"h:ref", b"ref", b"noun"])
def test_other_names_are_passed_over(text: bytes) -> None:
    for space in (b"", b" ", b"  "):
        assert nothing_worth(worth(canonical_ascii("uri")), b"<p " + text + space + b'="a b">')


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
