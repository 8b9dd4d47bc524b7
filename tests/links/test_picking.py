"""What a run asks about many links together is what it gives where nobody is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import PRESCAN

from linkfix.links import LinkStream
from linkfix.markup.htmltokens import has_references, simple_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.links import Link

PIECES = [
    b"<a href=x>",
    b"<a class=c href='y/%41'>",
    b'<a href="?a=1&amp;b=2">',
    b"<a href='&amp;amp;'>",
    b"<a href='?a=1&b=2&amp=3&copy=4&amp;lt=5'>",
    b"<a href=?a&b=&c=d>",
    b"<a href='?a=1&copy&lt;2'>",
    b"<a href='&eacute;'>",
    b"<a href='&#97;'>",
    b"<a href=''>",
    b"<a id=n href=z>",
    b"<a href=z id=n>",
    b"<a name=n href=z>",
    b"<a id=m name=n>",
    b"<a class=c>",
    b"<title>t</title>",
    b"<textarea class=c>t</textarea>",
    b"<iframe></iframe>",
    b"<img src='i.png' longdesc=d>",
    b"<img srcset='a 1x, b 2x'>",
    b"<base href='/b/'>",
    b"<form action=f><input src=s>",
    b"<q cite=c>",
    b"<svg><a xlink:href=v></svg>",
    b"<!-- <a href=no> -->",
    b"<script src=s>'<a href=no>'</script>",
    b"<p title='<a href=no>'>",
    b"text\n",
    b"<a href='\xc3\xa9'>",
]


def given_and_picked(
    page: bytes, wanted: set[str], size: int, together: int
) -> tuple[list[Link], list[str], int, set[str]]:
    """The links that come if only some are wanted, those that were passed over, and the names."""
    links: list[Link] = []
    passed: list[str] = []
    names: set[str] = set()

    def pick(raw: list[bytes]) -> Iterator[list[int]]:
        values = simple_values(raw)
        indices = [
            index for index, one in enumerate(raw) if values[index] in wanted or has_references(one)
        ]
        passed.extend(value for index, value in enumerate(values) if index not in indices)
        for at in range(0, len(indices), together):
            some = indices[at : at + together]
            before = len(links)
            yield some
            assert len(links) - before == len(some)  # given at once

    stream = LinkStream(type="html", on_link=links.append, pick=pick, on_names=names.update)
    for at in range(0, len(page), size):
        assert stream.feed(page[at : at + size]) == []
    stream.close()
    return links, passed, stream.passed, names


def compare(page: bytes, wanted: set[str], size: int = 1 << 16, together: int = 1) -> int:
    """Compare with a stream that gives every link; give how many were passed over."""
    names: set[str] = set()
    stream = LinkStream(type="html", on_names=names.update)
    every = stream.feed(page) + stream.close()
    links, passed, count, named = given_and_picked(page, wanted, size, together)
    assert count == len(passed)
    assert len(links) + count == len(every)
    rest = iter(every)
    assert all(link in rest for link in links)  # as they are, in their order
    remaining = [link.value for link in every if link not in links]
    assert sorted(filter(str.isascii, remaining)) == sorted(filter(str.isascii, passed))
    assert names == named
    return count


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join),
    st.sets(st.sampled_from(["x", "y/%41", "?a=1&b=2", "&amp;", "?a&b=&c=d", "", "z", "f", "s"])),
    st.integers(1, 200),
    st.sampled_from([1, 2, 100]),
)
def test_what_is_not_picked_is_passed_over(
    page: bytes, wanted: set[str], size: int, together: int
) -> None:
    compare(b"<meta charset=utf-8>" + b" " * PRESCAN + page, wanted, size, together)


def test_more_links_than_are_looked_at_together() -> None:
    page = b"".join(b"<a href=p%d>.</a><a id=n%d>" % (n, n) for n in range(10_000))
    assert compare(page, {"p0", "p4095", "p4096", "p9999"}) == 9_996


def test_utf_16() -> None:
    page = "<p id=n><a href='x&amp;y'><a href='é'><a href=z>".encode("utf-16le")
    links: list[Link] = []
    names: set[str] = set()
    stream = LinkStream(
        type="html",
        charset="utf-16le",
        on_link=links.append,
        pick=lambda raw: [[*range(len(raw))]],
        on_names=names.update,
    )
    stream.feed(page)
    stream.close()
    assert [link.value for link in links] == ["x&y", "é", "z"]
    assert [page[link.start : link.end].decode("utf-16le") for link in links] == [
        "x&amp;y",
        "é",
        "z",
    ]
    assert names == {"n"}


@pytest.mark.parametrize("mix", corpus.MIXES)
def test_made_up_sites(mix: str) -> None:
    for _, page in corpus.documents(mix, 50_000):
        values = {link.value for link in LinkStream(type="html").feed(page)}
        assert compare(page, {*sorted(values)[::3]}, 5000) > 10


@pytest.mark.parametrize(
    ("raw", "values"),
    [
        ([], []),
        ([b'"a"'], ["a"]),
        ([b'""', b'"b&amp;c"', b'"d\'e"'], ["", "b&c", "d'e"]),
        ([b'"a"', b"'b\"'", b"c"], ["a", 'b"', "c"]),
        ([b"'a\"'", b"'\"b'"], ['a"', '"b']),
        ([b"a"], ["a"]),
        ([b"'a'", b'"b"'], ["a", "b"]),
    ],
)
def test_the_values_of_simple_links(raw: list[bytes], values: list[str]) -> None:
    assert simple_values(raw) == values


@pytest.mark.parametrize("raw", [b"a", b"&amp;lt;", b"'?a=1&b=2'", b'"&amp;amp;&lt="'])
def test_values_without_references(raw: bytes) -> None:
    assert not has_references(raw)


@pytest.mark.parametrize("raw", [b"&lt;", b"'&#97;'", b"'a&amp;b&copy'", b"&a-", b"&"])
def test_values_that_may_have_references(raw: bytes) -> None:
    assert has_references(raw)
