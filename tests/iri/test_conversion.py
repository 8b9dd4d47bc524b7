"""What holds of every conversion, and what single values become."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import pytest
import rfc3986
import rfc3987
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.iri import (
    QueryEncoder,
    convert,
    disputes,
    parse,
    violations,
)
from linkfix.iri.components import Job
from linkfix.iri.conversion import _run
from linkfix.iri.model import apply
from linkfix.iri.quick import plain_uris
from linkfix.iri.steps import iri_to_uri, uri_to_iri
from linkfix.iri.unicode.ucd import nfc_edits
from linkfix.iri.url import known_base

from .browser import aligned, destination
from .strategies import UNKNOWN, bases, encoders, links, many, syntaxes, targets

To: TypeAlias = Literal["uri", "iri"]
Syntax: TypeAlias = Literal["web", "leiri", "iri"]

URI = rfc3987.get_compiled_pattern("^%(URI_reference)s$")
IRI = rfc3987.get_compiled_pattern("^%(IRI_reference)s$")

HOSTS = st.builds(
    lambda *pieces: "".join(pieces),
    st.sampled_from(("http://", "foo://", "file://")),
    st.lists(st.sampled_from(("a", "é", "xn--9ca", "xn--a-hzl", "\u1c8a", "\u1e9e", ".", "!", "*", '"', "{", "%22", "%C3%A9", "~"))).map("".join),
    st.sampled_from(("", "/", "/a|b", "?'")),
)  # fmt: skip


VALIDATOR = rfc3986.validators.Validator().check_validity_of(
    "scheme", "userinfo", "host", "port", "path", "query", "fragment"
)


def is_uri(text: str) -> bool:
    """The judgement of two other people's grammars, which must agree."""
    try:
        VALIDATOR.validate(rfc3986.uri_reference(text))
    except rfc3986.exceptions.RFC3986Exception:
        # The package wants a host, and digits behind a colon; RFC 3986, 3.2 lets them be empty.
        reference = parse(text)
        return "" in (reference.userinfo, reference.host, reference.port) and bool(
            URI.fullmatch(text)
        )
    return URI.fullmatch(text) is not None


def is_iri(text: str) -> bool:
    return IRI.fullmatch(text) is not None


@many
@given(links, bases, targets)
def test_no_conversion_moves_a_link(text: str, base: str | None, to: To) -> None:
    found = convert(text, to=to, base=base)
    for known in (base,) if base else UNKNOWN:
        if found.ok:
            assert destination(found.text, known) == destination(text, known) is not None


@many
@given(links, bases)
def test_what_a_browser_cannot_parse_is_a_finding(text: str, base: str | None) -> None:
    if any(destination(text, known) is None for known in ((base,) if base else UNKNOWN)):
        assert not convert(text, to="uri", base=base).ok


@many
@given(links, bases, targets, syntaxes, encoders)
def test_every_result_is_valid(
    text: str, base: str | None, to: To, syntax: Syntax, encoder: QueryEncoder | None
) -> None:
    found = convert(text, to=to, base=base, syntax=syntax, query_encoder=encoder)
    if found.ok:
        assert is_uri(found.text) if to == "uri" else is_iri(found.text)
        assert not violations(found.text, syntax=to)


@many
@given(links, st.sampled_from([None, *UNKNOWN]), syntaxes)
def test_what_is_plain_becomes_what_it_is_converted_to(
    text: str, base: str | None, syntax: Syntax
) -> None:
    if "\0" in text:
        return
    [found] = plain_uris([text], web=syntax == "web")
    if found is not None:
        long_way = _run(
            text, Job(to_iri=False, web=syntax == "web", base=known_base(base) if base else None)
        )
        assert convert(text, to="uri", base=base, syntax=syntax).text == found == long_way.text


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("a b/é?c|d#e^", "a%20b/%C3%A9?c%7Cd#e%5E"),
        ("http://h.example/%41[ü]", "http://h.example/%41%5B%C3%BC%5D"),
        ("a\\b?c\\d#e\\", "a/b?c%5Cd#e%5C"),
        ("\\a \\[", "/a%20/%5B"),
        ("\\\\a", None),
        ("/\\a", None),
        ("C:\\a", None),
        ("http:\\\\h.example/", None),
        ("100%#%_%41", "100%25#%25_%41"),
        ("http://é.example/", None),
        (" a", None),
        ("a#b#c", None),
        ("x:é", None),
    ],
)
def test_which_values_are_plain(text: str, uri: str | None) -> None:
    assert plain_uris(["", text, "a b"], web=True) == ["", uri, "a%20b"]


def test_a_backslash_is_plain_where_it_is_no_delimiter() -> None:
    assert plain_uris(["a\\b c"], web=False) == ["a%5Cb%20c"]


@many
@given(links, bases, targets, syntaxes, encoders)
def test_edits_say_what_changed(
    text: str, base: str | None, to: To, syntax: Syntax, encoder: QueryEncoder | None
) -> None:
    found = convert(text, to=to, base=base, syntax=syntax, query_encoder=encoder)
    assert apply(text, found.edits) == found.text
    end = 0
    for edit in found.edits:
        assert end <= edit.start <= edit.end <= len(text)
        old = text[edit.start : edit.end]
        assert old != edit.text
        stray = not old.strip("%")  # each of these becomes %25
        assert not (old and edit.text) or old[0] != edit.text[0] or len(old) == 1 or stray
        end = edit.end
    if not found.ok:
        assert (found.text, found.edits) == (text, ())
        assert found.problems
    for problem in found.problems:
        assert 0 <= problem.start <= problem.end <= len(text)


@many
@given(links, bases, targets, syntaxes, encoders)
def test_conversion_is_idempotent(
    text: str, base: str | None, to: To, syntax: Syntax, encoder: QueryEncoder | None
) -> None:
    once = convert(text, to=to, base=base, syntax=syntax, query_encoder=encoder)
    if once.ok:
        twice = convert(once.text, to=to, base=base, syntax=syntax, query_encoder=encoder)
        assert (twice.text, twice.edits, twice.ok) == (once.text, (), True)


@many
@given(links | HOSTS, bases, targets, st.sampled_from(("none", "scheme")))
@example("http://xn--9ca.x!/", None, "iri", "none")
@example("http://5~%2exn--9ca/", None, "iri", "none")
@example("http://xn--a-hzl.example/", None, "iri", "scheme")
@example('foo://a.example"', None, "uri", "none")
def test_a_conversion_makes_no_dispute(
    text: str, base: str | None, to: To, normalize: Literal["none", "scheme"]
) -> None:
    found = convert(text, to=to, base=base, normalize=normalize)
    if found.ok:
        before, after = ({x.rule for x in disputes(each, base=base)} for each in (text, found.text))
        assert after <= before


@many
@given(links, bases, syntaxes, encoders)
def test_the_way_over_the_iri_gives_the_same_uri(
    text: str, base: str | None, syntax: Syntax, encoder: QueryEncoder | None
) -> None:
    direct = convert(text, to="uri", base=base, syntax=syntax, query_encoder=encoder)
    readable = convert(text, to="iri", base=base, syntax=syntax, query_encoder=encoder)
    if direct.ok and readable.ok:
        detour = convert(readable.text, to="uri", base=base, syntax=syntax, query_encoder=encoder)
        assert detour.ok
        one, other = parse(direct.text), parse(detour.text)
        for name in ("scheme", "userinfo", "port", "path", "query", "fragment"):
            assert aligned(getattr(one, name) or "") == aligned(getattr(other, name) or "")
        # A host that the URI leaves as it was spelled is written by ToASCII on the detour.
        assert aligned(one.host or "").lower() == aligned(other.host or "").lower()


@many
@given(links)
def test_a_valid_value_that_parses_is_left_as_it_is(text: str) -> None:
    found = convert(text, to="uri")
    if not violations(text, syntax="uri") and found.ok and "%" not in text:
        assert found.edits == ()


@many
@given(links)
def test_uri_to_iri_and_back_is_the_uri(text: str) -> None:
    uri = iri_to_uri(text)
    if uri.ok:
        assert is_uri(uri.text)
        there = uri_to_iri(uri.text)
        if there.ok:
            assert is_iri(there.text)
            back = iri_to_uri(there.text)
            assert back.ok
            assert aligned(back.text).lower() == aligned(uri.text).lower()


@many
@given(links, targets, st.sampled_from((None, *UNKNOWN)))
def test_the_quick_ways_end_where_the_long_way_does(text: str, to: To, base: str | None) -> None:
    known = None if base is None else known_base(base)
    job = Job(to_iri=to == "iri", web=True, base=known, decode="runs", ulabels=True)
    assert convert(text, to=to, base=base) == _run(text, job)


def test_what_is_remembered_depends_on_every_setting() -> None:
    text = "HTTP:caf\u00e9?q=e\u0301"
    ways: list[dict[str, Any]] = [
        {},
        {"base": "http://a/"},
        {"base": "https://a/"},
        {"base": "http://a/", "query_encoder": lambda text: text.encode("latin-1", "replace")},
        {"base": "http://a/", "query_encoder": lambda text: text.encode("utf-16-be")},
        {"base": "http://a/", "nfc": True},
        {"base": "http://a/", "normalize": "syntax"},
    ]
    found = [convert(text, to="uri", **own) for own in ways]
    assert len(set(found)) == len(ways)
    assert [convert(text, to="uri", **own) for own in reversed(ways)] == found[::-1]


def test_long_values_are_not_remembered() -> None:
    short, long = "/\u00e9", "/\u00e9" + "a" * 1000
    assert convert(short, to="uri") is convert(short, to="uri")
    assert convert(long, to="uri") is not convert(long, to="uri")


@many
@given(links, targets, syntaxes)
def test_text_put_in_nfc_stays_there(text: str, to: To, syntax: Syntax) -> None:
    once = convert(text, to=to, syntax=syntax, nfc=True)
    assert apply(text, once.edits) == once.text
    if once.ok:
        assert not nfc_edits(once.text)
        assert convert(once.text, to=to, syntax=syntax, nfc=True).edits == ()


@settings(max_examples=examples(300), deadline=None)
@given(links, bases, targets, st.sampled_from(("syntax", "scheme")))
def test_normalization_moves_no_link(
    text: str, base: str | None, to: To, level: Literal["syntax", "scheme"]
) -> None:
    found = convert(text, to=to, base=base, normalize=level)
    assert apply(text, found.edits) == found.text
    for known in (base,) if base else UNKNOWN:
        if found.ok:
            assert destination(found.text, known) == destination(text, known)
            assert is_uri(found.text) if to == "uri" else is_iri(found.text)
    if found.ok:
        assert convert(found.text, to=to, base=base, normalize=level).text == found.text
