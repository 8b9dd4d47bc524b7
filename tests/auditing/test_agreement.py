"""What the audit calls broken, others call broken too: two grammars, and the URL Standard's parser."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from conformance_data import conformance
from oracles import is_iri_reference
from rfc3986 import abnf_regexp, misc

from linkfix.auditing import Severity, rule, rules
from linkfix.auditing.rule import Subject
from linkfix.iri import resolve
from linkfix.iri.quick import ORDINARY
from linkfix.iri.resolution import base_url
from linkfix.links import LinkStream
from linkfix.markup.layers import Spelled
from linkfix.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.links import Link

pytestmark = pytest.mark.conformance

#: The rules about the grammar of a reference.
GRAMMAR = frozenset(
    [
        "SYN001",
        "SYN002",
        "SYN003",
        "SYN004",
        "SYN005",
        "SYN006",
        "ENC001",
        "ENC005",
        "DEL001",
        "DEL002",
        "DEL003",
        "UNI001",
        "UNI004",
        "UNI006",
        "UNI007",
        "UNI008",
        "BID001",
    ]
)
#: Why a value is broken to the audit although it matches the grammar of RFC 3987.
STRICTER = {
    "DEL002": ("[\xa0\u3000]", "white space that RFC 3987 lets in and 3987bis, 7.3 warns of"),
    "BID001": ("[\u200e\u202a-\u202e]", "RFC 3987, 4.1 forbids it in prose, its grammar does not"),
}
_TAIL = f"(?:{abnf_regexp.PCHAR}|[/?])*"
_URI = re.compile(
    rf"(?:{abnf_regexp.SCHEME_RE}:(?:{abnf_regexp.HIER_PART_RE}|)|{abnf_regexp.RELATIVE_PART_RE}|)"
    rf"(?:\?{_TAIL})?(?:#{_TAIL})?"
)
#: Where the package rfc3986 is wrong by RFC 3986: a userinfo may be empty (3.2.1), a port have any
#: number of digits (3.2.3), and an address has no zone (3.2.2; RFC 6874 adds one, but not this).
PACKAGE_IS_WRONG = re.compile(r"[a-z-]+://(?:@(?!:|[^/?#]*@)|[a-z]+:[0-9]{6,}|\[::%31\])")


def is_uri_reference(text: str) -> bool:
    """Whether a text is a URI-reference to the package rfc3986."""
    if _URI.fullmatch(text) is None:
        return False
    authority = re.match("(?:[^:/?#]+:)?//([^/?#]*)", text)
    return authority is None or misc.SUBAUTHORITY_MATCHER.fullmatch(authority[1]) is not None


@cache
def _link() -> Link:
    stream = LinkStream(type="html")
    stream.feed(b"<meta charset=utf-8><a href=x>")
    (link,) = stream.close()
    return link


def found(value: str, base: str | None = None) -> set[str]:
    """The codes of all rules about a link by itself that find something in a value."""
    link = _link()._replace(value=value, spelling=Spelled(value, value))
    subject = Subject(link, Policy(), base)
    return {r.code for r in rules() if r.check is not None and any(True for _ in r.check(subject))}


def _strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for item in data.values() if isinstance(data, dict) else data:
            yield from _strings(item)


def url_tests() -> list[dict[str, Any]]:
    cases = json.loads(conformance("url", "urltestdata.json").read_text("utf-8"))
    return [case for case in cases if isinstance(case, dict)]


def values() -> list[str]:
    """The inputs of the URL tests and every string in the examples of the URI documents."""
    texts = {case["input"] for case in url_tests()}
    for path in sorted(conformance("rfc").glob("*.json")):
        texts |= set(_strings(json.loads(path.read_text("utf-8"))))
    return sorted(texts)


def test_the_grammar_of_iris() -> None:
    checked = 0
    for value in values():
        broken = found(value) & GRAMMAR
        checked += 1
        if is_iri_reference(value):
            for code in broken:
                pattern, _ = STRICTER[code]
                assert re.search(pattern, value), (value, code)
        else:
            assert broken, value
    print(f"{checked} values, compared with rfc3987")
    assert checked > 1500


def test_the_grammar_of_uris() -> None:
    checked = 0
    for value in filter(str.isascii, values()):
        checked += 1
        agreed = is_uri_reference(value) != bool(found(value) & GRAMMAR)
        assert agreed != bool(PACKAGE_IS_WRONG.match(value)), value
    print(f"{checked} values, compared with rfc3986")
    assert checked > 1400


def test_what_a_browser_cannot_parse_is_an_error() -> None:
    """Every failure of the URL tests, but for good references to which only the base does not fit."""
    errors = {r.code for r in rules() if r.severity is Severity.ERROR}
    checked = 0
    for case in url_tests():
        if case.get("failure"):
            checked += 1
            value = case["input"]
            if not found(value, case["base"]) & errors:
                assert is_iri_reference(value), value
                assert not re.match("[A-Za-z][A-Za-z0-9+.-]*:|//", value), value
    print(f"{checked} failures")
    assert checked > 200


def test_ordinary_values_have_no_findings() -> None:
    """No rule would have found something in a plain value."""
    plain = [value for value in values() if ORDINARY.fullmatch(value)]
    assert len(plain) > 100
    for value in plain:
        assert not found(value), value


def test_ordinary_values_with_octets_have_no_findings() -> None:
    forms = ("%s", "a%sb", "./%s", "/a/%s/b", "http://e.example/%s?%s#%s", "?a=%s", "#%s")
    plain = 0
    for number in range(256):
        for form in forms:
            value = form.replace("%s", f"%{number:02X}")
            if ORDINARY.fullmatch(value):
                plain += 1
                assert not found(value), value
    assert plain == len(forms) * 26


def _of(code: str) -> Any:
    return rule(code)


def test_what_a_rule_needs_is_there_where_it_finds_something() -> None:
    """No rule would find anything in a value without the pattern that it needs."""
    checked = 0
    for value in values():
        for code in found(value):
            needs = _of(code).needs
            assert callable(needs) or re.search(needs, value, re.DOTALL), (value, code)
            checked += not callable(needs)
    print(f"{checked} findings")
    assert checked > 1000


@pytest.mark.parametrize(
    "place",
    ["http://h.example/a/b/c", "http://h.example/", "file:///a/b", "http://h.example/a?q/r"],
)
def test_ordinary_links_resolve_as_references_do(place: str) -> None:
    """Fast resolution has the same result as general resolution (RFC 3986, 5.2)."""
    plain = [value for value in values() if ORDINARY.fullmatch(value)]
    plain += [
        "./",
        "./x",
        "./../x",
        "../../../x",
        "./#f",
        "?q",
        "httpd.html",
        "https.html",
        "x?/../y",
    ]
    for value in plain:
        assert ORDINARY.fullmatch(value), value
        assert base_url(place).target(value) == resolve(place, value, strict=False), value
