"""Links in batches are the links that a stream returns one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import PRESCAN

from linkfix.links import Batch, LinkStream, flattened

if TYPE_CHECKING:
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


def compare(page: bytes, wanted: set[str], size: int = 1 << 16, together: int = 1) -> int:
    """Ask batches for some of their links, and compare with all of them; return how many are in batches.

    Args:
        page: the document.
        wanted: values as they are spelled.
        size: of a chunk.
        together: how many links are asked for at once.

    """
    names: set[str] = set()
    all_names: set[str] = set()
    stream = LinkStream(type="html", names=names)
    whole = LinkStream(type="html", names=all_names).whole(page)
    links: list[Link] = []
    unseen: list[bytes] = []
    for at in range(0, len(page) + 1, size):
        for found in stream.read(page[at : at + size], final=at + size > len(page)):
            if not isinstance(found, Batch):
                links.append(found)
                continue
            views = [view.decode("latin-1") for view in found.views]
            indices = [index for index, view in enumerate(views) if view in wanted]
            unseen += [view for view in found.views if view.decode("latin-1") not in wanted]
            for first in range(0, len(indices), together):
                links += found.links(indices[first : first + together])
    assert len(links) + len(unseen) == len(whole)
    rest = iter(whole)
    assert all(link in rest for link in links)  # as they are, in their order
    assert sorted(link.raw for link in whole if link not in links) == sorted(unseen)
    assert names == all_names
    return len(unseen)


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map(b"".join),
    st.sets(st.sampled_from(["x", "y/%41", "?a=1&b=2", "&amp;", "?a&b=&c=d", "", "z", "f", "s"])),
    st.integers(1, 200),
    st.sampled_from([1, 2, 100]),
)
def test_some_links_of_batches(page: bytes, wanted: set[str], size: int, together: int) -> None:
    compare(b"<meta charset=utf-8>" + b" " * PRESCAN + page, wanted, size, together)


def test_more_links_than_are_collected_at_once() -> None:
    page = b"".join(b"<a href=p%d>.</a><a id=n%d>" % (n, n) for n in range(10_000))
    assert compare(page, {"p0", "p4095", "p4096", "p9999"}) == 9_996


def test_utf_16() -> None:
    page = "<p id=n><a href='x&amp;y'><a href='é'><a href=z>".encode("utf-16le")
    names: set[str] = set()
    stream = LinkStream(type="html", charset="utf-16le", names=names)
    batches = [*stream.read(page, final=True)]
    assert [type(found) for found in batches] == [Batch]
    links = flattened(batches)
    assert [link.value for link in links] == ["x&y", "é", "z"]
    assert [page[link.start : link.end].decode("utf-16le") for link in links] == [
        "x&amp;y",
        "é",
        "z",
    ]
    assert names == {"n"}


@pytest.mark.parametrize(
    ("page", "place"),
    [
        (b"<a href=a>\n<a href=b>", (2, 9)),
        (b"<p>\n<iframe srcdoc='<a href=x><a href=y>'>", (2, 35)),
        (b"<p>\n<a ping=p>", (2, 9)),
    ],
)
def test_lines_are_counted_only_where_they_are_asked_for(
    page: bytes, place: tuple[int, int]
) -> None:
    for counts, expected in ((True, place), (False, (0, 0))):
        stream = LinkStream(type="html")
        stream.counts_lines = counts
        link = stream.whole(page)[-1]
        assert (link.line, link.column) == expected


def test_places_of_links_in_values_need_no_links() -> None:
    page = b"<p>\n<iframe srcdoc='<a href=x><a href=y>'>"
    (found,) = LinkStream(type="html").read(page, final=True)
    assert isinstance(found, Batch)
    assert found.places([0, 1]) == [link.place for link in found.links()]


@pytest.mark.parametrize("mix", corpus.MIXES)
def test_made_up_sites(mix: str) -> None:
    for _, page in corpus.documents(mix, 50_000):
        values = {link.raw.decode("latin-1") for link in LinkStream(type="html").feed(page)}
        assert compare(page, {*sorted(values)[::3]}, 5000) > 10
