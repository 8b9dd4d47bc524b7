"""Properties of the rules for any value."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st
from ordinary_values import VALUES
from tiers import examples

from linkfix.auditing import Auditor, rules, select
from linkfix.auditing.catalogue import meets
from linkfix.auditing.needs import parts, unless_ordinary
from linkfix.auditing.rule import Hit, Subject
from linkfix.auditing.verdict import _worst
from linkfix.iri.unicode.uts46 import bidi_class
from linkfix.links import LinkStream
from linkfix.policy import Policy, Source

if TYPE_CHECKING:
    from linkfix.auditing import Finding
    from linkfix.links import Link

#: Text like links, with many characters that rules report.
LINKS = st.lists(
    st.sampled_from(
        ["http:", "//", "/", "..", ".", "example.org", "xn--a", "%", "%41", "%C3%A9", "%e9", "%25", "?",
         "#", "&", "=", ":", "80", "@", "[", "]", "::1", "\\", " ", "\t", "<", "|", "é", "e\u0301", "\u200b",
         "\u202e", "א", "1", "٣", "\ue000", "\U000e0041", "\ufffe", "www.", "javascript:", "file:", "Ã©", "ß"]
    ),
    max_size=8,
).map("".join)  # fmt: skip


def link_of(value: str, attribute: str = "href") -> Link:
    stream = LinkStream(type="html", charset="utf-8")
    found = stream.feed(f'<a {attribute}="{html.escape(value)}">'.encode("utf-8", "surrogatepass"))
    (link,) = found + stream.close()
    return link


def hits(subject: Subject) -> list[tuple[str, Hit]]:
    return [(r.code, hit) for r in rules() if r.check is not None for hit in r.check(subject)]


@given(st.one_of(LINKS, st.text(max_size=40)))
@settings(max_examples=examples(150), deadline=None)
def test_every_rule_accepts_every_value_and_returns_spans_in_it(value: str) -> None:
    link = link_of(value)
    for base in (None, "https://e.example/a/b", "mailto:a@e.example"):
        for code, hit in hits(Subject(link, Policy(), base)):
            assert 0 <= hit.first <= hit.last <= len(link.value), code


@given(st.one_of(LINKS, VALUES, st.text(max_size=40)))
@settings(max_examples=examples(300), deadline=None)
def test_a_rule_finds_nothing_in_a_value_that_it_does_not_need(value: str) -> None:
    for base in (None, "https://e.example/a/b"):
        link = link_of(value)
        found = {code for code, _ in hits(Subject(link, Policy(), base))}
        assert not {rule.code for rule in rules() if not meets(rule, link.value)} & found


def test_characters_from_right_to_left_are_those_that_rules_need() -> None:
    rule = select(["BID002"])[0]
    letters = [char for char in map(chr, range(0x110000)) if bidi_class(char) in {"R", "AL"}]
    assert len(letters) > 3000
    assert all(meets(rule, char) for char in letters)


@given(VALUES)
@settings(max_examples=examples(300), deadline=None)
def test_ordinary_values_have_no_findings_of_other_rules(value: str) -> None:
    passed_over = {
        rule.code
        for rule in rules()
        if rule.needs is unless_ordinary or (isinstance(rule.needs, str) and parts(rule.needs)[0])
    }
    assert not {code for code, _ in hits(Subject(link_of(value), Policy(), None))} & passed_over


@given(LINKS)
@settings(max_examples=examples(100), deadline=None)
def test_the_worst_finding_about_the_same_characters_is_kept(value: str) -> None:
    subject = Subject(link_of(value), Policy(), None)
    every = [(r, hit) for r in rules() if r.check is not None for hit in r.check(subject)]
    kept = _worst(every)
    for rule, hit in every:
        over = [(other, there) for other, there in kept if other != rule and _overlap(hit, there)]
        same = [other for other, _ in over if other.fatal or other.code[:3] == rule.code[:3]]
        if (rule, hit) in kept:
            assert rule.fatal or not same
        else:
            assert any(other.severity.at_least(rule.severity) for other, _ in over)
            covered = {n for _, there in over for n in range(there.first, there.last)}
            assert same or covered >= {*range(hit.first, hit.last)}


def _overlap(one: Hit, other: Hit) -> bool:
    if one.first == one.last or other.first == other.last:
        return (one.first, one.last) == (other.first, other.last)
    return one.first < other.last and other.first < one.last


@given(LINKS)
@settings(max_examples=examples(100), deadline=None)
def test_suggestions_are_final(value: str) -> None:
    """What is suggested is not rewritten again, and its rule has nothing more to say."""

    def audited(text: str) -> list[Finding]:
        auditor = Auditor(source=Source(type="html", charset="utf-8"))
        found = auditor.feed(f'<a href="{html.escape(text)}">'.encode())
        return found + auditor.close()

    for finding in audited(value):
        if finding.suggestion is not None:
            assert not Policy().convert(link_of(finding.suggestion)).edits
            assert finding.code not in {after.code for after in audited(finding.suggestion)}
