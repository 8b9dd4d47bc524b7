"""The tests of the Web Platform: where links go, hosts, and queries in a charset."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from conformance_data import conformance
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.charset import lookup
from linkfix.iri import convert, resolve
from linkfix.iri.compare.classes_data import CLASSES
from linkfix.iri.host import HostError, convert_domain
from linkfix.iri.steps import iri_to_uri, web_address_to_iri
from linkfix.iri.unicode import ucd, uts46

from .browser import aligned, destination, parse

#: Links that are left as they are although a browser follows them: input, and why.
LEFT = {
    "http://!\"$&'()*+,-.;=_`{}~/": "a URI could hold this host percent-encoded only (3.4)",
    "wss://!\"$&'()*+,-.;=_`{}~/": "a URI could hold this host percent-encoded only (3.4)",
    "data:text/plain,test#\0\1\t\n\r\x1f !\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~\x7f\x80\x81Éé": (
        "browsers and the standard disagree on tabs and line ends in data:"
    ),
}
#: The same for readable IRIs: no IRI holds these hosts, whose octets are no characters for it.
LEFT_FOR_IRI = LEFT | dict.fromkeys(
    (
        "sc://%/",
        "asdf://%43%7C/",
        "foo://!\"$%&'()*+,-.;=_`{}~/",
        "sc://"
        + "".join(map(chr, [*range(1, 9), 11, 12, *range(14, 32), 127]))
        + "!\"$%&'()*+,-.;=_`{}~/",
    ),
    "an IRI holds no percent-encoded host (2.2)",
)


def cases(name: str) -> list[dict[str, Any]]:
    data = json.loads(conformance("url", f"{name}.json").read_text("utf-8"))
    return [case for case in data if isinstance(case, dict)]


def followed(to: str, case: dict[str, Any]) -> str:
    """What becomes of one case of urltestdata.json: ``same``, ``found``, ``disputed``, ``left`` or a fault."""
    text, base = case["input"], case["base"]
    # Without a base nothing relative can be parsed.
    found = convert(text, to="uri" if to == "uri" else "iri", base="" if base is None else base)
    if case.get("failure"):
        assert parse(text, base) is None
        return "missed" if found.ok else "found"
    assert destination(text, base) == destination(case["href"], None)
    if not found.ok:
        return "disputed" if found.problems[0].rule in CLASSES else "left"
    return "same" if destination(found.text, base) == destination(text, base) else "different"


@pytest.mark.conformance
@pytest.mark.parametrize(("to", "left"), [("uri", LEFT), ("iri", LEFT_FOR_IRI)])
@pytest.mark.parametrize("name", ["urltestdata", "urltestdata-javascript-only"])
def test_links_lead_where_they_led(name: str, to: str, left: dict[str, str]) -> None:
    outcomes = Counter[str]()
    faults = []
    for case in cases(name):
        outcome = followed(to, case)
        outcomes[outcome] += 1
        if outcome in {"missed", "different"} or (outcome == "left") != (case["input"] in left):
            faults.append((outcome, case["input"], case["base"]))
    print(name, to, dict(outcomes))
    assert not faults


@pytest.mark.conformance
def test_the_long_way_over_iri_and_resolution_leads_there_too() -> None:
    """Web Address, to IRI, to URI, resolved by RFC 3986: every step a function of its own."""
    outcomes = Counter[str]()
    for case in cases("urltestdata"):
        text, base = case["input"], case["base"]
        if case.get("failure") or base is None or destination(base, None) is None:
            continue
        address = web_address_to_iri(text, base=base)
        if not address.ok:
            outcomes["left"] += 1
            assert text in LEFT_FOR_IRI
            continue
        uri = iri_to_uri(address.text)
        assert uri.ok, (text, uri.problems)
        target = resolve(parse(base, None) or "", uri.text)
        same = destination(target, None) == destination(text, base)
        outcomes["same" if same else "different"] += 1
        if not same:
            assert (text, base) in NO_DRIVE_LETTERS, (uri.text, target)
    print("web_address_to_iri, iri_to_uri, resolve:", dict(outcomes))


#: RFC 3986 knows no drive letter that stays when everything else goes.
NO_DRIVE_LETTERS = (
    ("..", "file:///C:/"),
    ("/", "file:///C:/a/b"),
    ("/", "file://h/C:/a/b"),
    ("..", "file://x/C:/"),
    ("//d:/..", "file:///C:/a/b"),
)


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["toascii", "IdnaTestV2", "IdnaTestV2-removed"])
def test_hosts_become_ascii(name: str) -> None:
    younger = []
    total = 0
    for case in cases(name):
        domain, expected = case["input"], case["output"]
        if not domain:
            continue  # an empty host is the URL parser's business
        total += 1
        try:
            found = uts46.to_ascii(domain)
            convert_domain(found or "/", to_iri=False, ulabels=False, profile="uts46")
        except (uts46.IDNAError, HostError) as error:
            # A URI cannot hold some characters that a browser's host may.
            unwritable = getattr(error, "rule", "") == "host-forbidden-character"
            assert expected is None or (unwritable and set(expected) & set('"`{}')), case
            continue
        if found != expected:
            younger.append(case)
    print(f"{name}: {total - len(younger)} of {total}")
    # The tables may know characters that the test data does not know yet.
    for case in younger:
        unassigned = [c for c in case["input"] if ucd.category(c) == "Cn"]
        assert case["output"] is None, case
        assert unassigned, case


@pytest.mark.conformance
@pytest.mark.parametrize("syntax", ["web", "leiri"])
def test_queries_are_percent_encoded_in_the_charset(syntax: str) -> None:
    for case in cases("percent-encoding"):
        for label, expected in case["output"].items():
            charset = lookup(label)
            text = f"https://h/?{case['input']}#{case['input']}"
            found = convert(
                text,
                to="uri",
                syntax="web" if syntax == "web" else "leiri",
                query_encoder=None if label == "utf-8" else charset.encode,
            )
            query, _, fragment = found.text.partition("?")[2].partition("#")
            utf_8 = destination(f"https://h/#{case['output']['utf-8']}", None) or ""
            assert aligned(fragment) == utf_8.partition("#")[2]
            if syntax == "leiri" and "%26%23" in expected:
                assert query == fragment
                assert [problem.rule for problem in found.problems] == ["query-unencodable"]
            else:
                canonical = destination(f"https://h/?{expected}", None) or ""
                assert aligned(query) == canonical.partition("?")[2], (case, label)


CHARSETS = ("shift_jis", "euc-jp", "gbk", "gb18030", "big5", "euc-kr", "windows-1251", "iso-8859-2")
TEXTS = st.text(
    st.one_of(
        st.sampled_from("aé日本語ソ表ー—ж€\u00a5\u203e\u2212&=%+#\\[~ \U0001f600\ufffd"),
        st.characters(exclude_categories=["Cs"]),
    )
)


@settings(max_examples=examples(500), deadline=None)
@given(TEXTS, st.sampled_from(CHARSETS))
def test_a_query_is_what_the_url_standard_sends(text: str, label: str) -> None:
    charset = lookup(label)
    text = text.translate(dict.fromkeys(map(ord, "\t\n\r#")))
    text = text.strip("".join(map(chr, range(33))))
    expected = ""
    for character in text:
        try:
            octets = charset.encode(character)
        except UnicodeEncodeError:
            expected += f"%26%23{ord(character)}%3B"
        else:
            expected += "".join(
                chr(octet) if 0x21 <= octet < 0x7F else f"%{octet:02X}" for octet in octets
            )
    sent = destination(f"http://h/?{expected.replace('#', '%23')}", None)
    for to in ("uri", "iri"):
        found = convert(
            f"http://h/?{text}", to="uri" if to == "uri" else "iri", query_encoder=charset.encode
        )
        again = convert(found.text, to="uri", query_encoder=charset.encode)
        assert destination(again.text, None) == sent


@settings(max_examples=examples(300), deadline=None)
@given(st.text(st.sampled_from("a日本語ソ\u00a5\u203e~\\&= ")))
def test_a_charset_with_states_is_encoded_as_a_whole(text: str) -> None:
    charset = lookup("iso-2022-jp")
    found = convert(f"/?{text}x", to="uri", query_encoder=charset.encode)
    assert unquote_to_bytes(found.text[2:]) == charset.encode(f"{text}x")


@pytest.mark.parametrize(
    ("text", "base", "charset", "expected"),
    [
        ("/?ソ", None, "shift_jis", "/?%83%5C"),
        ("/?表a", None, "shift_jis", "/?%95%5Ca"),
        ("/?ー", None, "shift_jis", "/?%81%5B"),
        ("/?é&q=100%", None, "windows-1252", "/?%E9&q=100%25"),
        ("/é?é#é", None, "windows-1252", "/%C3%A9?%E9#%C3%A9"),
        ("/?é日", None, "windows-1252", "/?%E9%26%2326085%3B"),
        ("/?\ud800", None, "windows-1252", "/?%26%2365533%3B"),
        ("?é", "mailto:x", "windows-1252", None),
        ("?é", "foo://h/", "windows-1252", None),
        ("ws://h/?é", None, "windows-1252", None),
        ("foo://h/?é", None, "windows-1252", None),
        ("foo:x?é", None, "windows-1252", "foo:x?%C3%A9"),
        ("mailto:x?subject=é", None, "windows-1252", "mailto:x?subject=%C3%A9"),
        ("ftp://h/?é", None, "windows-1252", "ftp://h/?%E9"),
    ],
)
def test_which_queries_take_the_charset(
    text: str, base: str | None, charset: str, expected: str | None
) -> None:
    encoder = lookup(charset).encode
    found = convert(text, to="uri", base=base, query_encoder=encoder)
    assert (found.text if found.ok else None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://h/?é", "http://h/?%E9"),
        ("ftp://h/?é", "ftp://h/?%C3%A9"),
        ("/?é", "/?%E9"),
        ("/?é日", "/?%C3%A9%E6%97%A5"),
    ],
)
def test_which_queries_of_an_iri_take_the_charset(text: str, expected: str) -> None:
    encoder = lookup("windows-1252").encode
    assert convert(text, to="uri", syntax="iri", query_encoder=encoder).text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/?é%C3%A9%41", "/?é%C3%A9A"),
        ("/?\u200e", "/?%FD"),
        ("/?\x85", "/?%26%23133%3B"),
        ("/%C3%A9?x", "/é?x"),
    ],
)
def test_an_iri_keeps_the_characters_of_a_query_in_a_charset(text: str, expected: str) -> None:
    encoder = lookup("windows-1255").encode
    assert convert(text.replace("é", "\u05d0"), to="iri", query_encoder=encoder).text == (
        expected.replace("é", "\u05d0") if "?x" not in text else expected
    )
