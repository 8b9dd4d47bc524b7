"""Normal forms, and the ladder that climbs over them."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.charset import lookup
from linkfix.iri import comparison_form, convert, disputes, equivalent, normalize, parse, violations
from linkfix.iri.layout import SPECIAL
from linkfix.iri.url import parse_url

from .strategies import links

if TYPE_CHECKING:
    from linkfix.iri.compare.comparison import Reader, Rung
    from linkfix.iri.compare.normalization import Level

ROOT = Path(__file__).parents[2]

levels = st.sampled_from(("syntax", "scheme"))
rungs = st.sampled_from(("simple", "syntax", "scheme", "protocol"))
valid = links.map(lambda text: convert(text, to="iri", syntax="iri")).filter(lambda found: found.ok)


@settings(max_examples=examples(400), deadline=None)
@given(valid, levels, st.sampled_from(("uri", "iri")))
def test_a_normal_form_is_its_own(link: object, level: Level, to: str) -> None:
    text = getattr(link, "text", "")
    once = normalize(text, level, to="uri" if to == "uri" else "iri")
    assert normalize(once, level, to="uri" if to == "uri" else "iri") == once
    if to == "iri":
        assert not violations(once)


@settings(max_examples=examples(200), deadline=None)
@given(valid, valid, rungs)
def test_comparison_is_symmetric_and_reflexive(one: object, other: object, level: Rung) -> None:
    first, second = getattr(one, "text", ""), getattr(other, "text", "")
    assert equivalent(first, first, level=level).outcome == "equivalent"
    there, back = equivalent(first, second, level=level), equivalent(second, first, level=level)
    assert (there.outcome, there.rung) == (back.outcome, back.rung)


@settings(max_examples=examples(200), deadline=None)
@given(valid)
def test_a_uri_and_its_iri_are_equivalent(link: object) -> None:
    text = getattr(link, "text", "")
    uri = convert(text, to="uri", syntax="iri")
    # That a host is a domain name is known of some schemes only.
    known = parse(text).scheme in SPECIAL or (parse(text).host or "").isascii()
    if uri.ok and known:
        refused = parse(text).scheme in SPECIAL and parse_url(text) is None
        # Relative to a web address, browsers read a host where the grammar has none.
        refused |= parse(text).scheme is None and parse_url(text, "http://h/") is None
        is_unknown = text != uri.text and (disputes(text) or refused)
        assert equivalent(text, uri.text).outcome == ("unknown" if is_unknown else "equivalent")


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
        ("http://xn--0x7f/", "scheme", "http://xn--0x7f/"),
        ("file://localhost/x", "scheme", "file://localhost/x"),  # Chromium keeps the host
        ("mailto:Joe@Example.COM,a@B?SUBJECT=X", "scheme", "mailto:Joe@example.com,a@b?subject=X"),
        ("mailto:u@xn--bcher-kva.de", "scheme", "mailto:u@bücher.de"),
        (
            "mailto:u@b%c3%bccher.de,v@%FF,w@[1.2.3.4]",
            "scheme",
            "mailto:u@bücher.de,v@%FF,w@%5B1.2.3.4%5D",
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
    assert normalize("http://B%C3%BCcher.de/%C3%bc", to="uri") == "http://xn--bcher-kva.de/%C3%BC"
    assert normalize("http://xn--bcher-kva.de/", "scheme", to="uri") == "http://xn--bcher-kva.de/"
    assert normalize("mailto:u@Bücher.de", "scheme", to="uri") == "mailto:u@xn--bcher-kva.de"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("java%73cript:alert(1)", "./javascript:alert(1)"),
        ("%68ttp://evil.example/", "./http://evil.example/"),
        ("./%68ttp://evil.example/", "./http://evil.example/"),
        ("/a/%%32e%%32e/b", "/a/%252e%252e/b"),
        ("/%%34a", "/%254a"),
        ("http://h/%%325?%%34a#%%34a", "http://h/%2525?%254a#%254a"),
    ],
)
def test_a_normal_form_decodes_once_and_makes_no_scheme(text: str, expected: str) -> None:
    for to in ("uri", "iri"):
        for level in ("syntax", "scheme"):
            assert normalize(text, level, to=to) == expected
    assert convert(text, to="uri", normalize="syntax").text == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://h/%25", "http://h/%%325"),
        ("http://h/a%2Fb", "http://h/a%%32Fb"),
        ("javascript:alert(1)", "java%73cript:alert(1)"),
    ],
)
def test_what_only_a_second_decoding_makes_alike_is_not_equivalent(one: str, other: str) -> None:
    for level in ("syntax", "scheme", "url"):
        assert equivalent(one, other, level=level).outcome != "equivalent"
        assert comparison_form(one, level) != comparison_form(other, level)


STRAYS = st.lists(
    st.sampled_from(
        ["http:", "%68ttp:", "java%73cript:", "//", "h", "/", ".", "%", "%2e", "%32", "%34", "e", "a", "5", "F", ":", "%3A", "?", "#"]
    ),
    max_size=9,
).map("".join)  # fmt: skip


@given(STRAYS, levels, st.sampled_from(("uri", "iri")))
def test_a_stray_percent_sign_is_one_whatever_stands_behind_it(
    text: str, level: Level, to: Literal["uri", "iri"]
) -> None:
    encoded = re.sub("%(?![0-9A-Fa-f]{2})", "%25", text)
    form = normalize(text, level, to=to)
    assert form == normalize(encoded, level, to=to) == normalize(form, level, to=to)
    assert parse(form).scheme == parse(text).scheme


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
        ("urn:x:a", "urn:x:A", "scheme", "unknown", "scheme"),
        ("urn:x:%61", "urn:x:a", "scheme", "unknown", "scheme"),
        ("tel:+1-2", "tel:+12", "scheme", "equivalent", "scheme"),
    ],
)
def test_rungs(one: str, other: str, level: Rung, outcome: str, rung: str) -> None:
    found = equivalent(one, other, level=level)
    assert (found.outcome, found.rung) == (outcome, rung)


#: Two IRIs of one scheme, and what is known of them.
PAIRS = (
    # domain names and addresses, however they are written (3987bis, 5.3.2.3; RFC 3986, 6.2.2.2)
    ("http://ex%61mple.com/", "http://example.com", "equivalent"),
    ("http://r%C3%A9sum%C3%A9.example.org", "http://résumé.example.org", "equivalent"),
    ("http://[::0:1]/", "http://[::1]/", "equivalent"),
    ("http://127.1/", "http://127.0.0.1/", "equivalent"),
    (" http:\\\\h\\a", "http://h/a", "equivalent"),
    ("http://h/|", "http://h/%7C", "equivalent"),
    ("http://h/100%", "http://h/100%25", "equivalent"),
    ("http://h./", "http://h/", "unknown"),
    ("http://5~%2exn--9ca/", "http://5~.xn--9ca/", "equivalent"),
    ("http://faß.de/", "http://fass.de/", "unknown"),
    ("http://a\u1e9e.com/", "http://ass.com/", "unknown"),
    ("http://@h/", "http://h/", "unknown"),
    ("http://[x/", "http://h/", "unknown"),
    ("http://h/a%2Fb", "http://h/a/b", "different"),
    # file (RFC 8089, 2)
    ("file:/x", "file:///x", "equivalent"),
    ("file://localhost/x", "file:///x", "unknown"),
    ("file://éx:", "file://xn--x-9fa:", "unknown"),
    ("file://éx:", "file://y:", "unknown"),
    ("file://h/x", "file:///x", "unknown"),
    ("file:///C:/X", "file:///c:/x", "unknown"),
    ("file:///a", "file:///b", "different"),
    ("ftp://h/a", "ftp://anonymous@h/a;type=i", "unknown"),
    # mailto (RFC 6068, 2 and 6)
    ("mailto:u@bücher.example", "mailto:u@xn--bcher-kva.example", "equivalent"),
    (
        "mailto:user@%E7%B4%8D%E8%B1%86.example.org",
        "mailto:user@xn--99zt52a.example.org",
        "equivalent",
    ),
    ("mailto:a@x", "mailto:?to=a@x", "equivalent"),
    ("mailto:a@x,b@x", "mailto:a@x?to=b@x", "equivalent"),
    ("mailto:A@x", "mailto:a@x", "unknown"),
    ("mailto:a@x?a=1&b=2", "mailto:a@x?b=2&a=1", "unknown"),
    ("mailto:a@x", "mailto:b@x", "different"),
    # tel (RFC 3966, 4)
    ("tel:+1-2;ext=1-2;a=b", "tel:+12;A=b;ext=12", "equivalent"),
    ("tel:1;phone-context=+1-2", "tel:1;phone-context=+12", "equivalent"),
    ("tel:1;phone-context=a.b", "tel:1;phone-context=ab", "different"),
    ("tel:+1", "tel:+2", "different"),
    # urn (RFC 8141, 3) and namespaces with rules of their own
    ("urn:isbn:0-395-36341-1", "URN:ISBN:0395363411", "equivalent"),
    ("urn:isbn:1", "urn:isbn:2", "unknown"),
    ("urn:uuid:F81d", "urn:uuid:f81D", "equivalent"),
    ("urn:uuid:1", "urn:uuid:2", "different"),
    # geo (RFC 5870, 3.4.4)
    ("geo:90,-22.43;crs=WGS84", "geo:90,46", "equivalent"),
    ("geo:22.300,-118.44", "geo:22.3,-118.4400", "equivalent"),
    ("geo:66,30;u=6.500;FOo=this%2dthat", "geo:66.0,30;u=6.5;foo=this-that", "equivalent"),
    ("geo:0,-180", "geo:0,180", "equivalent"),
    ("geo:1,2", "geo:1,3", "different"),
    ("geo:1,2;crs=x", "geo:1,3;crs=x", "unknown"),
    # sip (the examples of RFC 3261, 19.1.4)
    (
        "sip:%61lice@atlanta.com;transport=TCP",
        "sip:alice@AtlanTa.CoM;Transport=tcp",
        "equivalent",
    ),
    ("sip:carol@chicago.com", "sip:carol@chicago.com;newparam=5", "equivalent"),
    ("sip:carol@chicago.com;security=on", "sip:carol@chicago.com", "equivalent"),
    (
        "sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com",
        "sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com",
        "equivalent",
    ),
    (
        "sip:alice@atlanta.com?subject=project%20x&priority=urgent",
        "sip:alice@atlanta.com?priority=urgent&subject=project%20x",
        "equivalent",
    ),
    ("SIP:ALICE@AtLanTa.CoM;Transport=udp", "sip:alice@AtLanTa.CoM;Transport=UDP", "different"),
    ("sip:bob@biloxi.com", "sip:bob@biloxi.com:5060", "different"),
    ("sip:bob@biloxi.com", "sip:bob@biloxi.com;transport=udp", "different"),
    ("sip:bob@biloxi.com", "sip:bob@biloxi.com:6000;transport=tcp", "different"),
    ("sip:carol@chicago.com", "sip:carol@chicago.com?Subject=next%20meeting", "different"),
    ("sip:bob@phone21.boxesbybob.com", "sip:bob@192.0.2.4", "different"),
    ("sip:carol@chicago.com;security=on", "sip:carol@chicago.com;security=off", "different"),
    # xmpp (RFC 5122, 2.3)
    ("xmpp:Node@Example.com", "xmpp:node@example.com", "equivalent"),
    ("xmpp:a@x/R", "xmpp:a@x/r", "unknown"),
    ("xmpp:a@x", "xmpp:b@x", "different"),
    # data (RFC 2397), javascript, news (RFC 5538), cid and mid (RFC 2392)
    ("data:,A", "data:;base64,QQ==", "unknown"),
    ("data:,A", "data:,B", "different"),
    ("javascript:a%28)", "javascript:a()", "equivalent"),
    ("javascript:a()", "javascript:b()", "unknown"),
    ("javascript://A", "javascript://a", "unknown"),
    ("news:a.b", "news:A.b", "unknown"),
    ("news:a", "news:b", "different"),
    ("cid:f%6fo@x", "cid:foo@x", "equivalent"),
    ("cid:foo4%25foo1@bar.net", "cid:foo4*foo1@bar.net", "different"),
    ("cid:a@x", "mid:a@x", "unknown"),
    # schemes of which the host, the default port and the root are known
    ("coap://h%2Exn--a/", "coap://H.XN--A/", "equivalent"),
    ("ldap://H:389", "ldap://h/", "equivalent"),
    ("coap://Bücher.example:5683/a", "coap://xn--bcher-kva.example/a", "equivalent"),
    ("imap://[::0]:143/", "imap://[::]", "equivalent"),
    ("ldap://h/a", "ldap://h/b", "unknown"),
    # other schemes
    ("http://h/", "https://h/", "different"),
    ("http://h/", "mailto:a@h", "different"),
    ("foo:a", "bar:a", "unknown"),
    ("mailto:a@h", "foo:a", "unknown"),
    # domains in every address field; what the documents do not say is unknown
    (
        "mailto:a@x.org?cc=u@bücher.example",
        "mailto:a@x.org?cc=u@xn--bcher-kva.example",
        "equivalent",
    ),
    ("mailto:?to=u@bücher.example", "mailto:?to=u@xn--bcher-kva.example", "equivalent"),
    ("mailto:?to=a@x.org%2Cb@x.org", "mailto:a@x.org,b@x.org", "unknown"),
    ("mailto:?cc=b@x&cc=c@x", "mailto:?cc=b@x,c@x", "unknown"),
    ("mailto:?cc=b@x", "mailto:?bcc=b@x", "different"),
    ("mailto:u@x.org.", "mailto:u@x.org", "unknown"),
    ('data:text/plain;charset="utf-8",a', "data:text/plain;charset=utf-8,a", "unknown"),
    ("sip:bob@[::1]", "sip:bob@[0:0::1]", "equivalent"),
    ("sip:a@bücher.example", "sip:a@xn--bcher-kva.example", "equivalent"),
    ("sip:a@h:05060", "sip:a@h:5060", "unknown"),
    ("sip:a@h:05060;x=1", "sip:a@h:5060", "unknown"),
    ("sip:a@h:05061", "sip:a@h:5060", "different"),
    ("sip:a@h", "sips:a@h", "different"),
    ("sip:a@h", "tel:+1", "unknown"),
    ("xmpp:b.", "xmpp:b", "equivalent"),
    ("data:;charset=utf-8,", "data:;charset=UTF-8,", "unknown"),
    ("data:,A", "data:,%41", "unknown"),
    # fragments
    ("http://h/a#%41", "http://h/a#A", "equivalent"),
    ("http://h/a#%28", "http://h/a#(", "unknown"),
    ("http://h/a#", "http://h/a", "different"),
)


@pytest.mark.parametrize(("one", "other", "outcome"), PAIRS)
def test_the_rules_of_schemes(one: str, other: str, outcome: str) -> None:
    assert equivalent(one, other).outcome == outcome
    assert equivalent(other, one).outcome == outcome
    if outcome == "equivalent" and not one.startswith("sip"):
        assert comparison_form(one) == comparison_form(other)


def test_what_browsers_serialize_alike_is_never_different() -> None:
    """The tool compares as many pairs as one likes; see its beginning."""
    tool = runpy.run_path(str(ROOT / "tools" / "differential" / "comparison.py"))
    outcomes = Counter[str]()
    assert [*tool["faults"](2000, 5, outcomes)] == []
    assert outcomes["alike"] > 100
    # What browsers do not agree on is unknown, unless WebKit's reading is asked for.
    assert outcomes["url: equivalent"] + outcomes["url: unknown"] == outcomes["alike"]
    assert 100 < outcomes["url: equivalent"] < outcomes["url: equivalent for WebKit"]


def test_no_pair_of_a_scheme_is_asserted_wrongly() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "differential" / "comparison.py"))
    outcomes = Counter[str]()
    assert [*tool["faults_of_schemes"](1500, 5, outcomes)] == []
    assert outcomes["the same: equivalent"] > 800
    assert outcomes["not the same: different"] > 200


def test_the_table_of_schemes_is_the_one_that_its_tool_writes() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "iri" / "make_schemes.py"))
    assert tool["TARGET"].read_text("utf-8") == tool["module"]()


def test_relative_references_are_compared_below_a_base() -> None:
    base = "http://h/a/b"
    assert equivalent("../x", "http://H/x", base=base).outcome == "equivalent"
    assert equivalent("http:x", "/a/x", base=base).outcome == "equivalent"
    assert equivalent("x", "y", base=base).outcome == "different"
    assert equivalent("x", "y", base="data:,a").outcome == "unknown"
    assert equivalent("#a", "#b", base=base).resource == "equivalent"


def test_the_outcome_for_the_fragments_stands_apart() -> None:
    found = equivalent("http://h/%61#x", "http://h/a#y")
    assert (found.outcome, found.resource, found.fragment) == (
        "different",
        "equivalent",
        "different",
    )
    found = equivalent("http://h/a#x", "http://h/b#x")
    assert (found.outcome, found.resource, found.fragment) == (
        "different",
        "different",
        "equivalent",
    )
    found = equivalent("foo:a#x", "foo:b#y")
    assert (found.outcome, found.resource, found.fragment) == ("unknown", "unknown", "different")


def test_a_level_of_its_own_is_what_browsers_serialize() -> None:
    assert equivalent("http://h/%7E", "http://h/~", level="url").outcome == "different"
    assert equivalent("http://h/%7E", "http://h/~").outcome == "equivalent"
    assert equivalent("http://h/é", "HTTP:\\\\h/%C3%A9", level="url").rung == "url"
    assert equivalent("foo:a", "foo:b", level="url").outcome == "unknown"
    assert equivalent("a", "b", level="url").outcome == "unknown"
    found = equivalent("http://h/#a", "http://h:80#b", level="url", fragments=False)
    assert (found.outcome, found.fragment) == ("equivalent", "different")


def test_only_the_same_characters_are_the_same_on_the_lowest_rung() -> None:
    assert equivalent("http:\\\\h\\", "http://h/").rung == "syntax"
    assert equivalent("http://h/", "http://h/").rung == "simple"


def test_a_comparison_is_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"\.outcome"):
        bool(equivalent("http://h/", "http://h/"))


@pytest.mark.parametrize(
    ("one", "other", "outcomes"),
    [
        # the outcomes for all browsers, Chromium, Firefox, WebKit and RFC 3986
        ("http://a\u1e9e.com/", "http://xn--a-qfa.com/", "unknown equivalent equivalent unknown equivalent"),
        ("file:///C|/x", "file:///C:/x", "unknown unknown equivalent equivalent unknown"),
        ("file://localhost/x", "file:///x", "unknown unknown unknown equivalent equivalent"),
        ("http:\\\\h\\a", "http://h/a", "equivalent equivalent equivalent equivalent unknown"),
        ("http://xn--a/", "http://XN--A/", "unknown equivalent unknown unknown equivalent"),
        ("http://h/a#b\x1f", "http://h/a#b", "unknown equivalent unknown equivalent unknown"),
        ("ws:///[::FFF%46:1.2.3.4]", "ws:///[::FFFF:1.2.3.4]", "unknown unknown unknown unknown unknown"),
        ("coap://é.example/", "coap://xn--9ca.example/", "equivalent equivalent equivalent equivalent equivalent"),
    ],
)  # fmt: skip
def test_a_comparison_by_reader(one: str, other: str, outcomes: str) -> None:
    readers: tuple[Reader | None, ...] = (None, "chromium", "firefox", "webkit", "rfc")
    found = [equivalent(one, other, reader=reader).outcome for reader in readers]
    assert found == outcomes.split()


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


def test_the_schemes_that_are_compared_are_known_to_the_audit() -> None:
    from linkfix.auditing.schemes import registered
    from linkfix.iri.schemes.scheme_data import HIERARCHICAL
    from linkfix.iri.schemes.scheme_rules import RULES

    assert {*HIERARCHICAL, *RULES} <= registered()
