"""The user's own choice of what counts as a link."""

from __future__ import annotations

from typing import Any

import pytest
from invariants import PRESCAN

import linkfix
from linkfix.links import Addition, Kind, LinkStream, Pattern, Scope

PAGE = (
    b"<meta charset=utf-8><a href=1 rel=next><a href=2><img src=3 data-src=4 DATA-SRCSET='5 1x, 6 2x'>"
    b"<x-card data-url=7 data-kind=a></x-card><x-card data-url=8><noscript><a href=9></noscript>"
)


def values(source: bytes = PAGE, **settings: Any) -> list[str]:
    stream = LinkStream(type=None, scope=Scope(**settings))
    return [link.value for link in stream.feed(source) + stream.close()]


def test_without_a_choice() -> None:
    assert values() == ["1", "2", "3", "9"]


@pytest.mark.parametrize(
    ("additions", "expected"),
    [
        (["x-card@data-url"], ["1", "2", "3", "7", "8", "9"]),
        (["x-card[data-kind=A i]@data-url"], ["1", "2", "3", "7", "9"]),
        (["x-card[data-kind=A]@data-url"], ["1", "2", "3", "9"]),
        (["x-card[data-kind]@data-url"], ["1", "2", "3", "7", "9"]),
        (["*@data-src", "img@data-srcset=srcset"], ["1", "2", "3", "4", "5", "6", "9"]),
    ],
)
def test_additions(additions: list[str], expected: list[str]) -> None:
    assert values(add=tuple(map(Addition.parse, additions))) == expected


@pytest.mark.parametrize(
    ("skip", "select", "expected"),
    [
        (["img@src"], [], ["1", "2", "9"]),
        (["a[rel='next']"], [], ["2", "3", "9"]),
        (["*@href"], [], ["3"]),
        ([], ["a"], ["1", "2", "9"]),
        ([], ["[rel=NEXT]"], ["1"]),
        (["a[rel=next]"], ["a@href", "img"], ["2", "3", "9"]),
    ],
)
def test_skip_and_select(skip: list[str], select: list[str], expected: list[str]) -> None:
    chosen: dict[str, Any] = {
        "skip": tuple(map(Pattern.parse, skip)),
        "select": tuple(map(Pattern.parse, select)),
    }
    assert values(**chosen) == expected


DATA = b"""<meta charset=utf-8>
<script type="application/ld+json">{"@id": "i", "url": "a", "x": {"image": ["b\\u00e9", "c"], "name": "n"}}</script>
<script type=importmap>{"imports": {"m": "./d", "n": "bare"}, "scopes": {"s": {"m": "/e"}}}</script>
<script type=speculationrules>{"prefetch": [{"urls": ["f"]}]}</script>
<script>var x = {"url": "no"}</script><a href=z>"""


def test_data_blocks() -> None:
    off = ("import-map", "off"), ("json-ld", "off"), ("speculation-rules", "off")
    assert values(DATA, embedded=off) == ["z"]
    assert values(DATA, embedded=off[1:]) == ["./d", "s", "/e", "z"]
    assert values(DATA) == ["i", "a", "b\xe9", "c", "./d", "s", "/e", "f", "z"]


def test_texts_come_whole_however_they_are_cut() -> None:
    data = DATA.replace(b"\n", b" " * PRESCAN, 1)
    whole = values(data)
    for size in (1, 7, 50):
        stream = LinkStream(type="html", scope=Scope())
        chunks = (data[at : at + size] for at in range(0, len(data), size))
        links = [link for chunk in chunks for link in stream.feed(chunk)] + stream.close()
        assert [link.value for link in links] == whole


def test_data_blocks_are_rewritten_in_their_own_spelling() -> None:
    policy = linkfix.Policy(scope=Scope(embedded=(("json-ld", "on"),)))
    rewriter = linkfix.Rewriter(policy=policy, source=linkfix.Source(type="html"))
    new = rewriter.feed(DATA.replace(b'"c"', b'"c\\"d\\u0020"')) + rewriter.close()
    assert b'["b%C3%A9", "c%22d"]' in new


def test_xml() -> None:
    source = b"<?xml version='1.0'?><r xmlns:x='http://www.w3.org/1999/xlink'><a x:href='1' u='2'/><b x:href='3'/></r>"
    assert values(source) == ["1", "3"]
    assert values(source, add=(Addition.parse("a@u"),)) == ["1", "2", "3"]
    assert values(source, skip=(Pattern.parse("b"),)) == ["1"]
    assert values(source, select=(Pattern.parse("*@x:href"),)) == ["1", "3"]


@pytest.mark.parametrize("text", ["", "a b", "a@", "@@x", "a[x", "a=b"])
def test_what_is_no_pattern(text: str) -> None:
    with pytest.raises(ValueError, match="is no pattern"):
        Pattern.parse(text)


def test_what_is_no_addition() -> None:
    with pytest.raises(ValueError, match="names no attribute"):
        Addition.parse("x-card")
    with pytest.raises(ValueError, match="no kind of value"):
        Addition.parse("x-card@a=nonsense")
    assert Addition.parse("a@b=css").kind is Kind.CSS
