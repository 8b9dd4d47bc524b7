"""Comments suppress findings in every charset and however the document is cut."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import PRESCAN
from sources import with_source

from linkfix.auditing import Auditor
from linkfix.policy import Source

BAD = "<a href='/a b'>"


def found(source: bytes, *, cuts: tuple[int, ...] = (), **told: Any) -> list[tuple[str, int]]:
    """Code and offset of each finding about a link, the document being cut at these offsets."""
    auditor = Auditor(**with_source({"type": "html", "charset": "utf-8"} | told))
    edges = [0, *sorted(cuts), len(source)]
    findings = []
    for start, end in pairwise(edges):
        findings += auditor.feed(source[start:end])
    findings += auditor.close()
    return [(finding.code, finding.start) for finding in findings if finding.link is not None]


@pytest.mark.parametrize(
    ("source", "left"),
    [
        (f"<!-- linkfix: ignore -->{BAD}{BAD}", 1),
        (f"<!-- linkfix: ignore DEL002 -->{BAD}", 0),
        (f"<!--linkfix:ignore inner-whitespace-->\n<p>{BAD}", 1),
        (f"<!-- LINKFIX: IGNORE del -->\n\n{BAD}", 0),
        (f"<!-- linkfix: ignore ENC001, DEL002 -->{BAD}", 0),
        (f"<!-- linkfix: ignore ENC -->{BAD}", 1),
        (f"<!-- linkfix: ignore --></p> x < y {BAD}", 0),
        (f"<!-- linkfix: ignore ENC --><!-- linkfix: ignore DEL -->{BAD}{BAD}", 1),
        (f"{BAD}<!-- linkfix: off -->{BAD}{BAD}<!-- linkfix: on -->{BAD}", 2),
        (
            f"<!-- linkfix: off DEL -->{BAD}<!-- linkfix: on ENC -->{BAD}<!-- linkfix: on -->{BAD}",
            1,
        ),
        (
            f"<!-- linkfix: off DEL --><!-- linkfix: off ENC -->{BAD}<!-- linkfix: on DEL -->{BAD}",
            1,
        ),
        (f"<!-- linkfix: off -->{BAD}", 0),
        (f"<!-- linkfix: offer -->{BAD}", 1),
        (f"<!-- about linkfix: ignore -->{BAD}", 1),
        (f"linkfix: ignore{BAD}", 1),
        ("<!-- linkfix: ignore --><a title='>' href='/a b' ping='/c| /d|'>", 0),
        (f"<!-- linkfix: ignore DEL -->{BAD}{BAD}<!-- linkfix: on -->", 1),
        (
            f"<!-- linkfix: off ENC -->{BAD}<!-- linkfix: ignore DEL -->{BAD}{BAD}<!-- linkfix: off DEL002 -->{BAD}",
            2,
        ),
        (
            f"<!-- linkfix: off DEL --><!-- linkfix: off DEL -->{BAD}<!-- linkfix: on DEL -->{BAD}",
            1,
        ),
        (
            f"<!-- linkfix: off DEL --><!-- linkfix: ignore -->{BAD}{BAD}<!-- linkfix: on DEL -->{BAD}",
            1,
        ),
    ],
)
def test_html(source: str, left: int) -> None:
    assert len(found(source.encode())) == left


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("<rss><!-- linkfix: ignore DEL002 --><link>/a b</link><link>/a b</link></rss>", 1),
        ("<rss><!-- linkfix: off --><link>/a b</link><!-- linkfix: on --></rss>", 0),
    ],
)
def test_xml(source: str, left: int) -> None:
    assert len(found(source.encode(), type="xml", charset=None)) == left


@pytest.mark.parametrize(
    "charset",
    [
        "utf-8",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "gb18030",
        "windows-1251",
        "utf-16le",
        "utf-16be",
    ],
)
def test_every_charset(charset: str) -> None:
    source = f"日本<!-- linkfix: ignore DEL002 -->語{BAD}ソ{BAD}".encode(
        charset, "xmlcharrefreplace"
    )
    (left,) = found(source, charset=charset)
    assert left == ("DEL002", source.rindex("/a b".encode(charset)))


SOURCE = (
    f"<meta charset=utf-8>{' ' * PRESCAN}{BAD}<!-- linkfix: off SYN -->{BAD}<p>é<!-- linkfix: ignore DEL002 -->\n"
    f"<img\nsrc='/x y'>{BAD}<!-- linkfix: on --><a href='/a|b'><!-- linkfix: ignore --><a href='|'>"
).encode()


@given(cuts=st.sets(st.integers(PRESCAN, len(SOURCE)), max_size=12))
def test_chunks_make_no_difference(cuts: set[int]) -> None:
    assert found(SOURCE, cuts=tuple(cuts)) == found(SOURCE)


def test_byte_by_byte() -> None:
    assert found(SOURCE, cuts=tuple(range(1, len(SOURCE)))) == found(SOURCE)


def test_they_are_counted() -> None:
    auditor = Auditor(source=Source(type="html", charset="utf-8"))
    auditor.feed(f"<!-- linkfix: off -->{BAD}{BAD}".encode())
    auditor.close()
    assert auditor.suppressed == 2


def test_an_endless_element_does_not_fill_the_memory() -> None:
    auditor = Auditor(source=Source(type="html", charset="utf-8"))
    auditor.feed(b"<!-- linkfix: ignore -->")
    for _ in range(200):
        auditor.feed(b"text " * 10_000)
    assert len(auditor._suppressions._kept) < 100_000
