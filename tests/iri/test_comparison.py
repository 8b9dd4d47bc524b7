"""Normal forms, and the ladder that climbs over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkfix.charset import lookup
from linkfix.iri import convert, equivalent, normalize, parse, violations
from linkfix.iri.layout import SPECIAL

from .strategies import links

if TYPE_CHECKING:
    from linkfix.iri.comparison import Rung
    from linkfix.iri.normalization import Level

levels = st.sampled_from(("syntax", "scheme"))
rungs = st.sampled_from(("simple", "syntax", "scheme", "protocol"))
valid = links.map(lambda text: convert(text, to="iri", syntax="iri")).filter(lambda found: found.ok)


@settings(max_examples=400, deadline=None)
@given(valid, levels, st.sampled_from(("uri", "iri")))
def test_a_normal_form_is_its_own(link: object, level: Level, to: str) -> None:
    text = getattr(link, "text", "")
    once = normalize(text, level, to="uri" if to == "uri" else "iri")
    assert normalize(once, level, to="uri" if to == "uri" else "iri") == once
    if to == "iri":
        assert not violations(once)


@settings(max_examples=200, deadline=None)
@given(valid, valid, rungs)
def test_comparison_is_symmetric_and_reflexive(one: object, other: object, level: Rung) -> None:
    first, second = getattr(one, "text", ""), getattr(other, "text", "")
    assert equivalent(first, first, level=level).outcome == "equivalent"
    there, back = equivalent(first, second, level=level), equivalent(second, first, level=level)
    assert (there.outcome, there.rung) == (back.outcome, back.rung)


@settings(max_examples=200, deadline=None)
@given(valid)
def test_a_uri_and_its_iri_are_equivalent(link: object) -> None:
    text = getattr(link, "text", "")
    uri = convert(text, to="uri", syntax="iri")
    # That a host is a domain name is known of some schemes only.
    known = parse(text).scheme in SPECIAL or (parse(text).host or "").isascii()
    if uri.ok and known:
        assert equivalent(text, uri.text).outcome == "equivalent"


@pytest.mark.parametrize(
    ("text", "level", "expected"),
    [
        ("HTTP://EXAMPLE.com/%7e%2f%e9", "syntax", "http://example.com/~%2F%E9"),
        ("http://h/a/../b/./c", "syntax", "http://h/b/c"),
        ("../a/./b", "syntax", "../a/./b"),
        ("/a/..//b", "syntax", "/.//b"),
        ("file:///C:/../x", "syntax", "file:///C:/../x"),
        ("file://C:/x", "scheme", "file://C:/x"),
        ("foo://HOST/", "syntax", "foo://host/"),
        ("http://h:/", "scheme", "http://h/"),
        ("https://h:0443", "scheme", "https://h/"),
        ("ws://h:80/?", "scheme", "ws://h/?"),
        ("ftp://h:21", "scheme", "ftp://h/"),
        ("http://h:443/", "scheme", "http://h:443/"),
        ("http://[::A]:80/", "scheme", "http://[::a]/"),
        ("http://Bücher.de", "scheme", "http://bücher.de/"),
        ("http://xn--bcher-kva.de", "scheme", "http://bücher.de/"),
        ("file://localhost/x", "scheme", "file:///x"),
        ("mailto:Joe@Example.COM,a@B?SUBJECT=X", "scheme", "mailto:Joe@example.com,a@b?subject=X"),
        ("mailto:u@xn--bcher-kva.de", "scheme", "mailto:u@bücher.de"),
        (
            "mailto:u@b%c3%bccher.de,v@%FF,w@[1.2.3.4]",
            "scheme",
            "mailto:u@bücher.de,v@%FF,w@[1.2.3.4]",
        ),
        ("URN:ISBN:0-X?=q#F", "scheme", "urn:isbn:0-X?=q#F"),
        ("tel:+1-(816)-555.1212;EXT=5", "scheme", "tel:+18165551212;ext=5"),
        ("data:,x", "scheme", "data:text/plain;charset=US-ASCII,x"),
        (
            "data:TEXT/HTML;Charset=UTF-8;BASE64,QQ==",
            "scheme",
            "data:text/html;charset=UTF-8;base64,QQ==",
        ),
        ("data:x", "scheme", "data:x"),
        ("foo:A", "scheme", "foo:A"),
    ],
)
def test_normal_forms(text: str, level: Level, expected: str) -> None:
    assert normalize(text, level) == expected


def test_the_normal_form_of_a_uri_is_ascii() -> None:
    assert normalize("http://B%C3%BCcher.de/%C3%bc", to="uri") == "http://b%c3%bccher.de/%C3%BC"
    assert normalize("http://xn--bcher-kva.de/", "scheme", to="uri") == "http://xn--bcher-kva.de/"
    assert normalize("mailto:u@Bücher.de", "scheme", to="uri") == "mailto:u@xn--bcher-kva.de"


def test_a_normal_form_decodes_octets_as_a_conversion_does() -> None:
    assert normalize("a%CC%81/%a4%ca%a4") == "a%CC%81/%A4%CA%A4"


def test_normalization_leaves_the_octets_of_a_legacy_query() -> None:
    encoder = lookup("windows-1252").encode
    found = convert("/%7E?q=%C3%A9", to="iri", normalize="syntax", query_encoder=encoder)
    assert found.text == "/~?q=%C3%A9"


@pytest.mark.parametrize(
    ("one", "other", "level", "outcome", "rung"),
    [
        ("http://h/%7E", "http://h/~", "simple", "different", "simple"),
        ("http://h/%7E", "http://h/~", "scheme", "equivalent", "syntax"),
        ("a/%7E", "a/~", "scheme", "equivalent", "syntax"),
        ("a", "b", "scheme", "unknown", "syntax"),
        ("http://h/a", "http://h/A", "syntax", "different", "syntax"),
        ("http://h/a", "http://h/A", "scheme", "different", "scheme"),
        ("http://h/a", "http://h/A", "protocol", "unknown", "protocol"),
        ("foo://h/a", "foo://h/A", "scheme", "unknown", "scheme"),
        ("http://\u0378/", "http://h/", "scheme", "unknown", "scheme"),
        ("http://h", "http://h:80/", "scheme", "equivalent", "scheme"),
        ("urn:x:a", "URN:X:a?+r#f", "scheme", "equivalent", "scheme"),
        ("urn:x:a", "urn:x:A", "scheme", "different", "scheme"),
        ("urn:x:%61", "urn:x:a", "scheme", "different", "scheme"),
        ("tel:+1-2", "tel:+12", "scheme", "equivalent", "scheme"),
    ],
)
def test_rungs(one: str, other: str, level: Rung, outcome: str, rung: str) -> None:
    found = equivalent(one, other, level=level)
    assert (found.outcome, found.rung) == (outcome, rung)


def test_fragments_can_be_left_out() -> None:
    assert equivalent("http://h/#a", "http://h/#b").outcome == "different"
    assert equivalent("http://h/#a", "http://h/#b", fragments=False).outcome == "equivalent"


def test_redirects_are_followed_in_their_normal_form_and_in_circles() -> None:
    circle = {"http://H/a": "http://h/b", "http://h:80/b": "http://h/a"}
    found = equivalent("http://h/a", "http://h/c", level="protocol", redirects=circle)
    assert (found.outcome, found.rung) == ("unknown", "protocol")
    chain = {"http://H/x": "http://h/y", "http://h:80/y": "http://h/z"}
    found = equivalent("http://h/x", "http://h/z", level="protocol", redirects=chain)
    assert (found.outcome, found.rung) == ("equivalent", "protocol")
