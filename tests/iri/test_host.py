from __future__ import annotations

import ipaddress
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.iri import convert
from linkfix.iri.host import HostError, convert_domain, ipv4, ipv6_literal
from linkfix.iri.unicode.uts46 import IDNAError, Profile, to_ascii, to_unicode

from .browser import destination, parse

ipv6_like = st.lists(
    st.sampled_from(
        (":", "::", "0", "1", "ff", "ffff", "10000", "1.2.3.4", "256.0.0.1", "01.2.3.4")
    ),
    max_size=16,
).map("".join)
ipv4_like = st.lists(
    st.sampled_from(("0", "1", "255", "256", "0x", "0xff", "08", "010", "4294967296", "", "a")),
    min_size=1,
    max_size=5,
).map(".".join)


@settings(max_examples=examples(500))
@given(ipv6_like)
def test_ipv6_addresses_are_those_of_browsers(text: str) -> None:
    href = parse(f"http://[{text}]/", None)
    literal = ipv6_literal(f"[{text}]")
    assert literal == (None if href is None else href.removeprefix("http://").removesuffix("/"))


@settings(max_examples=examples(500))
@given(ipv4_like)
def test_ipv4_addresses_are_those_of_browsers(text: str) -> None:
    href = parse(f"http://{text}/", None)
    try:
        number = ipv4(text)
    except HostError as error:
        assert (error.rule, href) == ("ipv4-invalid", None)  # noqa: PT017
        return
    if number is not None:
        assert href == f"http://{ipaddress.IPv4Address(number)}/"


@pytest.mark.parametrize(
    ("host", "uri", "iri"),
    [
        ("EXAMPLE.com", "EXAMPLE.com", "EXAMPLE.com"),
        ("ex%41mple", "example", "example"),
        ("Faß.de", "xn--fa-hia.de", "Faß.de"),
        ("xn--fa-hia.de", "xn--fa-hia.de", "faß.de"),
        ("a.xn--fa-hia.DE", "a.xn--fa-hia.DE", "a.faß.DE"),
        ("xn--a.ü", None, None),
        ("xn--1ug.x", "xn--1ug.x", "xn--1ug.x"),  # decodes to a joiner out of context
        ("日本。jp", "xn--wgv71a.jp", "日本。jp"),
        ("[::1]", "[::1]", "[::1]"),
        ("[v1.a]", None, None),
        ("a%25b", None, None),
        ('a"b', None, None),
        ("\U000e0100a", "a", "a"),
    ],
)
def test_domains(host: str, uri: str | None, iri: str | None) -> None:
    for to_iri, expected in ((False, uri), (True, iri)):
        try:
            found = convert_domain(host, to_iri=to_iri, ulabels=to_iri, profile="uts46")
        except HostError:
            assert expected is None
        else:
            assert found == expected


@pytest.mark.parametrize(
    ("domain", "uts46", "idna2008", "idna2003"),
    [
        ("faß.de", "xn--fa-hia.de", "xn--fa-hia.de", "fass.de"),
        ("BÜCHER.de", "xn--bcher-kva.de", "xn--bcher-kva.de", "xn--bcher-kva.de"),
        ("☃.net", "xn--n3h.net", None, "xn--n3h.net"),
        ("a\u200db", None, None, "ab"),
        ("नी\u200cम", None, None, "xn--l2bm7c"),
        ("क्\u200dष", "xn--11b2ezcw70k", "xn--11b2ezcw70k", "xn--11b2ezc"),
        ("אa.com", None, None, None),
        ("xn--a", "xn--a", None, "xn--a"),
    ],
)
def test_profiles(
    domain: str, uts46: str | None, idna2008: str | None, idna2003: str | None
) -> None:
    for profile, expected in (("uts46", uts46), ("2008", idna2008), ("2003", idna2003)):
        try:
            found = to_ascii(domain, profile)  # type: ignore[arg-type]
        except IDNAError:
            assert expected is None, profile
        else:
            assert found == expected, profile


def test_u_labels_lead_back() -> None:
    for domain in ("bücher.de", "日本.jp", "faß.de", "ex.com"):
        assert to_unicode(to_ascii(domain)) == domain


def test_an_endless_domain_is_refused_in_no_time() -> None:
    with pytest.raises(IDNAError, match="longer than"):
        to_ascii("é" * 1_000_000)
    with pytest.raises(IDNAError, match="longer than"):
        to_ascii(".".join("é" * 500))  # short enough itself, but too long in ASCII


@pytest.mark.parametrize(
    ("domain", "profile"),
    [
        ("ä" * 60, "2008"),
        ("a" * 64 + ".example", "2008"),
        ("a" * 64 + ".example", "2003"),
        ("a..b", "2008"),
        ("\u2c65.example", "2003"),
    ],
)
def test_labels_have_at_most_63_octets_and_assigned_characters(
    domain: str, profile: Profile
) -> None:
    """3987bis, 3.4: ToASCII verifies the length, and AllowUnassigned is false."""
    with pytest.raises(IDNAError):
        to_ascii(domain, profile)
    if "\u2c65" not in domain:
        assert to_ascii(domain, "uts46")
    assert to_ascii("a" * 63 + ".example.", profile)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://servé/é", "http://servé/%C3%A9"),
        ("http://SERVÉ:80/a b", "http://SERVÉ:80/a%20b"),
        ("http://serv%C3%A9/", "http://servé/"),
        ("http://dåtor.local/", "http://dåtor.local/"),
        ("http://local/", "http://local/"),
        ("http://å.example/", "http://xn--5ca.example/"),
        ("http://xn--serv-epa/", "http://xn--serv-epa/"),
        ("http://servé.example/", "http://xn--serv-epa.example/"),
    ],
)
def test_hosts_without_dns_stay_in_unicode(text: str, expected: str) -> None:
    names = ["Servé", ".local"]
    converted = convert(text, to="uri", local_names=names)
    assert converted.text == expected
    assert convert(expected, to="uri", local_names=names).edits == ()
    assert destination(converted.text, None) == destination(text, None)
    normal = convert(text, to="uri", local_names=names, normalize="scheme").text
    assert destination(normal, None) == destination(text, None)
    assert normal.isascii() == expected.isascii()


def test_a_host_without_dns_is_valid_too() -> None:
    assert not convert("http://servé%2F/", to="uri", local_names=["servé/"]).ok


@pytest.mark.parametrize("idna", ["2003", "2008"])
def test_a_conversion_checks_the_length_of_labels(idna: Literal["2003", "2008"]) -> None:
    long = f"http://{'b' * 64}.x/"
    assert convert(long, to="uri").ok
    for to in ("uri", "iri"):
        assert convert(long, to=to, idna=idna).problems[0].rule == "idna-invalid"
        assert convert(f"http://{'b' * 63}.x/{'a' * 64}", to=to, idna=idna).ok
