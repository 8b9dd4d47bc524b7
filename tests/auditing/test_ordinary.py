"""No rule finds anything in the links that an audit treats as ordinary."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import corpus
import pytest
from conformance_data import conformance
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.auditing import Auditor, Site, rules, select
from linkfix.errors import LinkfixError
from linkfix.policy import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from linkfix.auditing import Finding, Rule

SAMPLES = Path(__file__).parents[2] / "samples"
BASES = (None, "https://www.example.org/a/b.html", "file:///a/b.html")


def audited(
    pages: Iterable[tuple[str, bytes]], chosen: list[Rule], base: str | None, size: int
) -> tuple[list[Finding | int | str], int]:
    """All findings about documents, and the number of ordinary links."""
    site = Site(chosen)
    said: list[Finding | int | str] = []
    ordinary = 0
    for name, data in pages:
        auditor = Auditor(rules=chosen, site=site, source=Source(name=name, base=base))
        try:
            for at in range(0, len(data), size):
                said += auditor.feed(data[at : at + size])
            said += auditor.close()
        except LinkfixError as error:
            said.append(str(error))
        said.append(auditor.links)
        ordinary += auditor.ordinary
    return said, ordinary


def compare(pages: list[tuple[str, bytes]], size: int = 1 << 16) -> tuple[int, int]:
    """Compare with an audit in which every rule checks every link; return the counts of `audited`."""
    every = [replace(rule, needs="") for rule in rules()]
    findings = ordinary = 0
    for base in BASES:
        quick, number = audited(pages, rules(), base, size)
        thorough, none = audited(pages, every, base, size)
        assert [_comparable(one) for one in quick] == [_comparable(one) for one in thorough]
        assert none == 0
        ordinary += number
        findings += len(quick) - len(pages)
    return findings, ordinary


def _comparable(said: Finding | int | str) -> object:
    return said if isinstance(said, int | str) else said._replace(link=None)


#: Values that are equal under one of the site's comparisons, or that some rule has a finding for.
VALUES = [
    *(b"a", b"A", b"b.html", b"./a", b"../d1/a", b"/d1/a", b"%61", b"a%20b", b"a b", b"#x", b"#y", b"#", b""),
    *(b"http://x.example/a", b"https://x.example/a", b"http://x.example/A", b"http://X.example:80/a"),
    *(b"http://x.example", b"http://x.example/?a&amp;b", b"?q", b"mailto:a@x.example", b"javascript:a"),
    *(b"?a=1&b=2", b"?a&sect", b"a&lt", b"&#97;", b"?a&amp;sect=1&copy", b"&amp;eacute;", b"&eacute;"),
]  # fmt: skip
TAGS = [
    *(b"<a href='%b'>.</a>", b'<a class=c href="%b">', b"<img src='%b'>", b"<a href=%b >", b"<a id='%b' href=a>"),
    *(b"<p id='%b'>", b"<a name='%b'>", b"<!-- <a href='%b'> -->", b"<p itemscope itemtype='%b'>"),
    *(b"<a ping='a' href='%b'>", b"<q cite='%b'>", b"<base href='/d1/?%b'>", b"<base href='mailto:%b'>", b"<base href='https://x.example/#%b'>", b"<!-- linkfix: ignore SIT --><a href='%b'>"),
]  # fmt: skip
PAGES = st.lists(
    st.builds(bytes.__mod__, st.sampled_from(TAGS * 2 + TAGS[:5] * 8), st.sampled_from(VALUES)),
    max_size=12,
).map(b"".join)


@given(
    st.lists(
        st.tuples(st.sampled_from(["d1/one.html", "d2/two.html", "d1/three.html"]), PAGES),
        max_size=4,
    )
)
@settings(max_examples=examples(200), deadline=None)
def test_any_sites(pages: list[tuple[str, bytes]]) -> None:
    compare(pages)


@pytest.mark.nightly
@pytest.mark.parametrize("mix", corpus.MIXES)
@pytest.mark.parametrize("size", [1000, 1 << 16])
def test_generated_sites(mix: str, size: int) -> None:
    findings, ordinary = compare(list(corpus.documents(mix, 200_000)), size)
    assert findings > 0
    assert ordinary > 100


def test_feeds() -> None:
    _, ordinary = compare(list(corpus.feeds(60_000, corpus.Variant(each=20_000))))
    assert ordinary > 100


def test_the_samples() -> None:
    pages = [(str(path), path.read_bytes()) for path in sorted(SAMPLES.rglob("*.*ml"))]
    findings, _ = compare(pages)
    assert findings > 100


@pytest.mark.nightly
@pytest.mark.conformance
def test_documents_from_the_web() -> None:
    paths = sorted(path for path in conformance("documents").rglob("*.*ml") if path.is_file())
    findings, ordinary = compare([(str(path), path.read_bytes()) for path in paths])
    print(f"{len(paths)} documents, {findings} findings, {ordinary} ordinary links")
    assert findings > 100
    assert ordinary > 100


def names(page: bytes, site: Site | None = None, name: str = "") -> list[str]:
    auditor = Auditor(site=site, source=Source(name=name))
    return [found.name for found in [*auditor.feed(page), *auditor.close()]]


def test_a_base_applies_to_the_links_after_it() -> None:
    head = b"<meta charset=utf-8>"
    base = b"<base href=https://x.example/a/>"
    assert names(head + base + b"<img src=http://y.example/b>") == ["mixed-content"]
    assert names(head + b"<img src=http://y.example/b>") == []
    assert names(head + b"<a href=x>.</a>" + base + b"<a href=x>.</a>") == ["late-base"]


def test_a_page_whose_name_begins_like_a_scheme_is_a_relative_link() -> None:
    site = Site()
    assert names(b"<meta charset=utf-8><a href=httpd.html>.</a>", site, "a/one.html") == []
    page = b"<meta charset=utf-8><a href=../HTTPD.html>.</a>"
    assert names(page, site, "a/b/two.html") == ["case-variants"]


def test_an_identifier_is_compared_though_a_link_was_spelled_like_it() -> None:
    page = (
        b"<meta charset=utf-8><a href=http://x.example/a>.</a><p itemscope itemtype=http://x.example/a>"
        b"<p itemscope itemtype=http://x.example:80/a>"
    )
    assert names(page).count("identity-variants") == 1


def test_a_fragment_is_looked_for_in_each_document() -> None:
    site, head = Site(), b"<meta charset=utf-8><a href='#x'>.</a>"
    assert names(head + b"<p id=x>", site, "a/one.html") == []
    assert names(head, site, "a/two.html") == ["missing-target"]
    assert names(b"<p id=x>" + head, site, "a/three.html") == []


def test_verdicts_are_remembered_by_context_and_base() -> None:
    site, head = Site(), b"<meta charset=utf-8>"
    assert names(head + b"<a href=''>.</a>", site) == []
    assert names(head + b"<img src=''>", site) == ["empty-link"]
    assert names(head + b"<a href=''>.</a><img src=''>", site) == ["empty-link"]
    page = head + b"<img src='http://x.example/%41'>"
    assert names(page, site) == ["needless-percent"]
    secure = head + b"<base href='https://y.example/'>" + page
    assert names(secure, site) == ["mixed-content", "needless-percent"]
    assert names(page, site) == ["needless-percent"]


def test_verdicts_are_remembered_by_the_rules_in_force() -> None:
    site, page = Site(), b"<meta charset=utf-8><a href='/a b'>"
    for chosen, expected in (([], []), (select(["DEL"]), ["DEL002"]), ([], [])):
        auditor = Auditor(rules=chosen, site=site)
        assert [each.code for each in auditor.feed(page) + auditor.close()] == expected


@pytest.mark.nightly
def test_links_beyond_the_memory_are_judged_alike() -> None:
    site = Site()
    for number in range(5000):
        names(b"<meta charset=utf-8><a href='http://x.example/%%zz%d'>" % number, site)
    assert names(b"<meta charset=utf-8><a href='http://x.example/%zz4999'>", site) == [
        "stray-percent"
    ]
