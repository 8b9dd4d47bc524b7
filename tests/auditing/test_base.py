"""The targets of ordinary values under a base URL, and whether they are in normal form."""

from __future__ import annotations

import pytest

from linkfix.auditing.base import is_normal
from linkfix.iri import normalize
from linkfix.iri.quick import ORDINARY, not_ordinary
from linkfix.iri.resolution import base_url
from linkfix.iri.url import parse_url

NORMAL_PLACES = [
    "https://www.example.org/",
    "https://www.example.org/a/b/c.html",
    "http://x.example/Docs/v1.2/index.html?q#f",
    "file:///page.html",
    "file:///usr/share/doc/a+b/index.html",
    "http://localhost:8080/a/b.html",
    "file:///caf%C3%A9/a%20b/index.html",
]
OTHER_PLACES = [
    "http://localhost:80/a/b.html",
    "https://WWW.Example.ORG/a/%7Eb/c.html",
    "file:///caf%C3%A9/%41/index.html",
    "file:///caf%c3%a9/index.html",
    "file:///a/%2E%2e/b/index.html",
    "file:///C:/a/b.html",
    "https://example.org",
    "urn:isbn:1",
    "",
]
VALUES = [
    "b.html",
    "sub/b.html#part",
    ".hidden",
    "./b.html",
    "./",
    "../",
    "../b.html?q=1",
    "../../../../b.html",
    "./../b.html",
    "/",
    "/a/b.html",
    "?q=1",
    "#part",
    "httpd.html",
    "a%20b/c%5Bd%5D.html#%3Ce%3E",
    "../%28a%29?b=%26",
    "http://y.example/a",
    "https://y.example/?q#f",
]


@pytest.mark.parametrize("uri", [*NORMAL_PLACES, *OTHER_PLACES])
@pytest.mark.parametrize("value", VALUES)
def test_an_ordinary_value_leads_where_it_is_resolved_to(uri: str, value: str) -> None:
    assert ORDINARY.fullmatch(value)
    url = parse_url(value, uri or None)
    target = base_url(uri).target(value)
    assert (target and parse_url(target)) == url


def test_values_that_are_not_ordinary_are_found_among_many() -> None:
    others = ["", "a b", "..", "a/../b", "a%41", "http://X.example/", "http://x.example", "é", "."]
    assert not any(ORDINARY.fullmatch(value) for value in others)
    assert not_ordinary([*VALUES, *others, *VALUES]) == {*others}
    assert not_ordinary(VALUES) == not_ordinary([]) == set()
    for value in others:
        assert not_ordinary([value]) == not_ordinary([value, "a", value]) == {value}


@pytest.mark.parametrize("uri", NORMAL_PLACES)
@pytest.mark.parametrize("value", VALUES)
def test_from_a_normal_place_it_leads_to_a_target_in_normal_form(uri: str, value: str) -> None:
    place = base_url(uri)
    target = place.target(value)
    assert is_normal(place)
    assert target is not None
    assert normalize(target, "scheme", to="uri") == target


@pytest.mark.parametrize("uri", OTHER_PLACES)
def test_what_is_put_before_a_value_may_be_spelled_otherwise(uri: str) -> None:
    assert not is_normal(base_url(uri))
