from __future__ import annotations

import pytest
import rfc3987
from hypothesis import given, settings
from tiers import examples

from linkfix.iri import parse, violations

from .strategies import links

URI = rfc3987.get_compiled_pattern("^%(URI_reference)s$")
IRI = rfc3987.get_compiled_pattern("^%(IRI_reference)s$")


@settings(max_examples=examples(800))
@given(links)
def test_a_uri_reference_is_what_has_no_violation(text: str) -> None:
    assert (URI.fullmatch(text) is not None) == (not violations(text, syntax="uri"))


@settings(max_examples=examples(800))
@given(links)
def test_an_iri_reference_is_what_has_no_violation(text: str) -> None:
    found = {violation.rule for violation in violations(text)}
    # 3987bis is stricter than RFC 3987 with hosts and bidi formatting, and knows tags.
    stricter = {"host-percent-encoded", "bidi-formatting"}
    if IRI.fullmatch(text):
        assert found <= stricter
    elif not found:
        assert any(
            "\U000e0000" <= character <= "\U000e0fff" for character in parse(text).query or ""
        )


@given(links)
def test_places_are_within_the_text_and_in_order(text: str) -> None:
    last = 0
    for violation in violations(text):
        assert last <= violation.start < violation.end <= len(text)
        last = violation.start


@pytest.mark.parametrize(
    ("text", "rule", "component", "start", "end"),
    [
        ("/%zz", "stray-percent", "path", 1, 2),
        ("/a b", "space", "path", 2, 3),
        ("/a\tb", "control-character", "path", 2, 3),
        ("?<>", "delimiter", "query", 1, 3),
        ("#|\\", "unwise-character", "fragment", 1, 3),
        ("/[]", "bracket", "path", 1, 3),
        ("#a#", "second-fragment", "fragment", 2, 3),
        ("http://a@b@c/", "misplaced-character", "host", 10, 11),
        ("/\ud800", "surrogate", "path", 1, 2),
        ("/\u202e", "bidi-formatting", "path", 1, 2),
        ("/\ue000", "private-use", "path", 1, 2),
        ("#\U000e0041", "tag", "fragment", 1, 2),
        ("/\ufffd", "special", "path", 1, 2),
        ("/\ufdd0", "non-character", "path", 1, 2),
        ("http://h:8o/", "port-invalid", "port", 9, 11),
        ("http://[::g]/", "ip-literal-invalid", "host", 7, 12),
        ("http://%C3%A9/", "host-percent-encoded", "host", 7, 13),
        ("a b:c", "colon-in-first-segment", "path", 3, 4),
    ],
)
def test_rules(text: str, rule: str, component: str, start: int, end: int) -> None:
    found = [(v.rule, v.component, v.start, v.end) for v in violations(text)]
    assert (rule, component, start, end) in found


def test_a_uri_is_ascii() -> None:
    (found,) = violations("/aé日", syntax="uri")
    assert (found.rule, found.start, found.end) == ("non-ascii", 2, 4)
    assert violations("/aé日") == ()


def test_ip_literals() -> None:
    for text in ("http://[::1]/", "http://[v1f.a:b]:8/", "http://[1:2::3:4.5.6.7]"):
        assert violations(text) == ()
