"""The URL parser agrees with the Web Platform Tests and with ada-url, part by part."""

from __future__ import annotations

import json
from typing import Any

import ada_url
import pytest
from conformance_data import conformance
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.iri import URL, resolve
from linkfix.iri.unicode import uts46
from linkfix.iri.url import parse_url

from .strategies import BASES, links

PARTS = ("href", "origin", "protocol", "username", "password", "host", "pathname", "search", "hash")
bases = st.sampled_from(
    (
        *BASES,
        *("file://h/C:/a/b", "foo://h", "foo:", "foo:///", "http://u:p@h:81/a/../b/..?q#f"),
        *("blob:http://a/b", "file:///C:/", "https://h"),
    )
)


def parts(url: Any) -> dict[str, str] | None:
    return None if url is None else {name: getattr(url, name) for name in PARTS}


def by_ada(text: str, base: str | None) -> ada_url.URL | None:
    scalar = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    try:
        return ada_url.URL(scalar, base) if base else ada_url.URL(scalar)
    except ValueError:
        return None


def breaks_bidi_rule(url: ada_url.URL) -> bool:
    """ada-url lets labels of ASCII begin with anything beside labels written right to left."""
    try:
        uts46.to_ascii(uts46.to_unicode(url.hostname, "uts46"), "uts46")
    except uts46.IDNAError as error:
        return "Bidi rule" in str(error)
    return False


@settings(max_examples=examples(1500), deadline=None)
@given(links, bases)
def test_it_parses_as_ada_url_does(text: str, base: str | None) -> None:
    theirs, ours = by_ada(text, base), parse_url(text, base)
    if ours is None and theirs is not None and breaks_bidi_rule(theirs):
        return
    assert parts(ours) == parts(theirs)


@settings(max_examples=examples(300), deadline=None)
@given(links, bases)
def test_a_serialized_url_parses_to_itself(text: str, base: str | None) -> None:
    url = parse_url(text, base)
    if url is not None and not url.href.endswith(" "):
        assert parse_url(url.href) == url


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["urltestdata", "urltestdata-javascript-only"])
def test_the_web_platform_tests(name: str) -> None:
    cases = json.loads(conformance("url", f"{name}.json").read_text("utf-8"))
    wrong = []
    for case in cases:
        if isinstance(case, str):
            continue
        url = parse_url(case["input"], case.get("base"))
        wanted = {part: case[part] for part in PARTS if part in case}
        found = None if url is None else {part: getattr(url, part) for part in wanted}
        if found != (None if case.get("failure") else wanted):
            wrong.append((case["input"], case.get("base"), found))
    print(name, len(cases), "cases")
    assert not wrong


@pytest.mark.parametrize(
    ("reference", "base", "expected"),
    [
        ("///example.com/x", "http://h/a", "http://example.com/x"),
        ("https:example.org/y", "http://h/a", "https://example.org/y"),
        ("http:y", "http://h/a/b", "http://h/a/y"),
        ("about:x/../y", "http://h/a", "about:x/../y"),
        ("x", "http://h/a/..", "http://h/x"),
        ("%2E%2e/x", "http://h/a/b", "http://h/x"),
        ("/x", "file:///C:/a/b", "file:///C:/x"),
        ("../../x", "file:///C:/a/b", "file:///C:/x"),
        ("\\x", "HTTP://H:80/a", "http://h/x"),
        ("\\x", "foo://h/a", "foo://h/\\x"),
        ("#f", "data:,a", "data:,a#f"),
        ("?q", "http://h", "http://h/?q"),
    ],
)
def test_web_addresses_are_resolved_as_browsers_do(
    reference: str, base: str, expected: str
) -> None:
    assert resolve(base, reference, syntax="web") == expected


@pytest.mark.parametrize(
    ("reference", "base"), [("x", "data:,a"), ("http://[x/", "http://h/"), ("x", "http://[x/")]
)
def test_what_leads_nowhere_is_an_error(reference: str, base: str) -> None:
    with pytest.raises(ValueError, match="no browser can resolve"):
        resolve(base, reference, syntax="web")


def test_a_url_has_the_parts_that_scripts_ask_for() -> None:
    url = parse_url("../ä?#", "http://u:p@Bücher.example:8080/a/b/c")
    assert url == URL(
        *("http", "u", "p", "xn--bcher-kva.example", 8080, "/a/%C3%A4", "", ""), is_opaque=False
    )
    assert str(url) == "http://u:p@xn--bcher-kva.example:8080/a/%C3%A4?#"
    assert url is not None
    assert url.origin == "http://xn--bcher-kva.example:8080"
    assert url.host == "xn--bcher-kva.example:8080"
    assert (url.protocol, url.search, url.hash) == ("http:", "", "")


def test_parsing_takes_linear_time() -> None:
    url = parse_url("http://h/" + "a/../" * 200_000 + "%" * 200_000 + "é" * 100_000)
    assert url is not None
    assert len(url.pathname) == 800_001
