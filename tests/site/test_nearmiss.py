"""Near misses: a search finds what a comparison with every name finds."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linkfix.server.listing import Entry, Listing
from linkfix.server.nearmiss import NearMisses, Similar, _key, _most, _rest

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Names that are often similar: few letters, some common parts.
NAMES = st.one_of(
    st.text("ab", max_size=9),
    st.lists(st.sampled_from(["chapter", "1", "2", "é", "E\u0301", "-"]), max_size=4).map("".join),
    st.text(max_size=6),
)


def by_definition(wanted: str, name: str) -> int | None:
    """The difference of two keys, step by step as its documentation says."""
    most = 0 if len(wanted) < 3 else 1 if len(wanted) < 6 else 2
    while wanted and name and wanted[0] == name[0]:
        wanted, name = wanted[1:], name[1:]
    while wanted and name and wanted[-1] == name[-1]:
        wanted, name = wanted[:-1], name[:-1]
    rest = max(len(wanted), len(name))
    return rest if rest <= most else None


def differs_in_numbers(*names: str) -> bool:
    """Whether the keys of two names have the same text between different numbers."""
    split = [re.split("([0-9]+)", _key(name)) for name in names]
    one, other = ([part if n % 2 == 0 else int(part) for n, part in enumerate(each)] for each in split)  # fmt: skip
    return one != other and one[::2] == other[::2]


def listing(*paths: str) -> Listing:
    return Listing("", {path: Entry("file") for path in paths})


def files(wanted: str, *paths: str) -> tuple[str, ...]:
    return NearMisses(listing(*paths)).files(wanted)


@given(NAMES, NAMES)
def test_the_difference_of_two_names(wanted: str, name: str) -> None:
    rest = _rest(wanted, name)
    assert (rest if rest <= _most(wanted) else None) == by_definition(wanted, name)


@given(st.lists(NAMES, max_size=60), NAMES)
@example(["chapter1", "chapter2", "chapter12"], "chapter3")
@example(["abab", "ab", "abbab"], "abab")
def test_a_search_finds_all_similar_names(names: Sequence[str], wanted: str) -> None:
    pairs = [(by_definition(_key(wanted), _key(name)), name) for name in names]
    numbered = {_key(name) for rest, name in pairs if rest and differs_in_numbers(wanted, name)}
    if len(numbered) > 1:
        pairs = [(rest, name) for rest, name in pairs if _key(name) not in numbered]
    found = [*Similar((name, name) for name in names).like(wanted)]
    similar = sorted((rest, name) for rest, name in pairs if rest is not None)
    assert sorted(found) == (similar if _key(wanted) else [])  # punctuation alone is like nothing
    order = [rest for rest, _ in found]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("wanted", "paths", "found"),
    [
        ("logo.png", ["a/logo.png", "b/Logo.PNG", "logs.png"], ["a/logo.png", "b/Logo.PNG", "logs.png"]),
        ("docs/instalation.html", ["docs/installation.html", "instalations.html"], ["docs/installation.html"]),
        ("my_page.htm", ["my-page.html", "my-page.htm", "mypages.htm"], ["my-page.htm", "mypages.htm", "my-page.html"]),
        ("recieve.html", ["receive.html", "received.html", "receiver.css"], ["receive.html"]),
        ("a.html", ["b.html", "c.html"], []),
        ("index.html", ["index.js", "x/other.html"], ["index.js"]),
        ("a/changes.html", ["a/changes.html.gz", "a/changes.css"], ["a/changes.html.gz", "a/changes.css"]),
        ("NOTICE", ["NOTICE.gz"], ["NOTICE.gz"]),
        ("about/", ["about.html"], []),  # the name is empty: the path of a folder has no slash at its end
        ("x", [], []),
        ("fig12.png", ["fig1.png", "fig11.png", "fig13.png", "fig12a.png", "figs12.png"], ["fig12a.png", "figs12.png"]),
        ("jquery-1.11.1.js", ["jquery-1.11.3.js"], ["jquery-1.11.3.js"]),
        ("page-2.html", ["page-02.html", "page-3.html", "page-12.html"], ["page-02.html"]),
        ("d/guide/index.html", [*(f"{n}/index.html" for n in range(9)), "old/guide/index.html"], ["old/guide/index.html"]),
        ("d/guide/index.html", [f"{n}/index.html" for n in range(9)], []),
        ("chaptr102450.html", [f"chapter{n}.html" for n in range(100_000, 102_500)], ["chapter102450.html"]),
    ],
)  # fmt: skip
def test_files(wanted: str, paths: list[str], found: list[str]) -> None:
    assert [*files(wanted, *paths)] == found


def test_names_in_another_charset_are_compared_as_text() -> None:
    tree = listing(os.fsdecode("表示説明資料.html".encode("cp932")))
    tree.text = lambda path: os.fsencode(path).decode("cp932")
    wanted = os.fsdecode("表示説明資材.html".encode("cp932"))
    assert NearMisses(tree).files(wanted) == (*tree.entries,)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("getting_started", ("getting-started", "getting-started-2")),
        ("Instal%C3%A9", ("instalé",)),
        ("nothing", ()),
        ("%3E%3E%3D", ()),
    ],
)
def test_fragments(wanted: str, found: tuple[str, ...]) -> None:
    names = frozenset({"getting-started", "getting-started-2", "instalé", "x", "", "&&"})
    assert NearMisses(listing()).fragments(wanted, names) == found


def test_at_most_three_are_named_and_always_the_same() -> None:
    names = [f"section-{n}" for n in range(1000)]
    found = {NearMisses(listing()).fragments("section-x", frozenset(order)) for order in (names, names[::-1])}  # fmt: skip
    assert found == {("section-0", "section-1", "section-2")}
