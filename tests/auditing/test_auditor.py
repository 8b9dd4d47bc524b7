"""The auditor over whole documents: chunks, charsets, documents of one site, and suggestions."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest
from conformance_data import conformance
from hypothesis import given
from hypothesis import strategies as st
from invariants import PRESCAN
from sources import with_source

import linkfix
from linkfix.auditing import Auditor, Finding, Site, select
from linkfix.auditing.baseline import Baseline, fingerprint
from linkfix.errors import LinkfixError
from linkfix.policy import Policy, Source

PAGE = (
    f"<!doctype html>{' ' * PRESCAN}<title>Prüfung</title><base href='/b/'><a href='/a b'><a href='#here'>"
    "<img srcset='/x|y 2x, /%e4%b8 3x'><a href='http://EXAMPLE.org:80/../'><script>'<a href=\"|\">'"
    "</script><a href='?q=ü&#1103;'><a href='javascript:a b'><p id=here>"
)


def audited(source: bytes, cuts: list[int] | None = None, **told: Any) -> list[Finding]:
    auditor = Auditor(**with_source(told))
    edges = [0, *sorted(cuts or []), len(source)]
    found = []
    for start, end in pairwise(edges):
        found += auditor.feed(source[start:end])
    return found + auditor.close()


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "utf-16le", "gb18030"])
@given(data=st.data())
def test_chunks_make_no_difference(charset: str, data: st.DataObject) -> None:
    source = PAGE.encode(charset, "xmlcharrefreplace")
    cuts = data.draw(st.lists(st.integers(PRESCAN, len(source)), max_size=6))
    whole = [tuple(finding)[:9] for finding in audited(source, charset=charset)]
    assert whole
    assert [tuple(finding)[:9] for finding in audited(source, cuts, charset=charset)] == whole


def test_findings_say_where_in_bytes_and_lines() -> None:
    source = "<meta charset=utf-8>\r\né<a href='/é b'>".encode()
    (finding,) = audited(source)
    assert (finding.line, finding.column) == (2, 11)
    assert source[finding.start : finding.end] == "/é b".encode()
    assert finding.link is not None
    assert finding.link.value[finding.first : finding.last] == " "


def test_a_suggestion_removes_the_finding() -> None:
    found = {
        finding.code: finding
        for finding in audited(b"<meta charset=utf-8><a href='/a b%c3%a9/%FF'>")
    }
    assert found["DEL002"].suggestion == "/a%20b%c3%a9/%FF"
    assert found["ENC002"].suggestion is None
    assert found["ENC008"].suggestion is None
    normalized = audited(
        b"<meta charset=utf-8><a href='/%c3%a9'>", policy=Policy(normalize="syntax")
    )
    assert [finding.suggestion for finding in normalized] == ["/%C3%A9"]


def test_suggestions_are_what_a_rewrite_writes() -> None:
    for finding in audited(PAGE.encode("utf-8"), charset="utf-8"):
        if finding.suggestion is not None:
            assert finding.link is not None
            assert Policy().convert(finding.link).text == finding.suggestion


def test_a_rule_reports_a_link_once() -> None:
    first, second = audited(b"<meta charset=utf-8><a href='/a b c|d e'>")
    assert (first.code, first.first, second.code) == ("DEL002", 2, "SYN005")
    assert first.message.endswith("(2 more in this link)")


@pytest.mark.parametrize(
    ("first", "repeated"),
    [("data:text/html,", "<b> %%zz%c3["), ("", "\\"), ("//é%:", "\\"), ("é", "?"), ("é", "\\a:")],
)
def test_work_grows_with_the_length_of_a_link_and_no_faster(first: str, repeated: str) -> None:
    value = first + repeated * (60_000 // len(repeated))
    source = f"<meta charset=utf-8><a href='{value}'>".encode()
    started = time.process_time()
    assert len(audited(source)) < 10
    assert time.process_time() - started < 20


def test_the_library_accepts_chosen_rules() -> None:
    source = b"<meta charset=utf-8><a href='/a b%zz'>"
    assert [f.code for f in linkfix.audit(source, rules=select(["ENC"]))] == ["ENC001"]
    assert [f.code for f in linkfix.audit(source)] == ["DEL002", "ENC001"]


def test_identifiers_get_no_advice() -> None:
    item = "<meta charset=utf-8><p itemscope itemtype='{0}'><a href='{0}'>"
    found = audited(item.format("HTTP://example.org/%7Ea").encode())
    assert {finding.link.attribute for finding in found if finding.link} == {"href"}
    found = audited(item.format("http://example.org/a b").encode())
    assert [finding.link.attribute for finding in found if finding.link] == ["itemtype", "href"]


def test_links_are_compared_across_the_documents_of_a_site() -> None:
    rules = select(["SIT"])
    site = Site(rules)

    def audit(name: str, text: str) -> list[str]:
        auditor = Auditor(
            rules=rules, site=site, source=Source(name=name, type="html", charset="utf-8")
        )
        found = auditor.feed(text.encode()) + auditor.close()
        return [f"{finding.code} {finding.message}" for finding in found]

    assert audit("a/one.html", "<a href='x%7Ey'><a href='http://example.org'>") == []
    (alias,) = audit("a/two.html", "<a href='x~y'><a href='x~y'><a href='x%7Ey'>")
    assert alias.startswith("SIT001 another spelling of ")
    assert alias.endswith(" (syntax-based normalization)")
    assert audit("b/three.html", "<a href='x~y'>") == []
    assert len(audit("b/four.html", "<a href='../b/x~y'><a href='https://example.org'>")) == 1


def test_public_documents_can_be_audited() -> None:
    paths = sorted(path for path in conformance("documents").rglob("*") if path.is_file())
    findings = 0
    for path in paths[::6]:
        source = path.read_bytes()
        try:
            findings += sum(1 for _ in linkfix.audit(source))
        except LinkfixError:
            continue
    assert findings > 50


def test_a_baseline_counts_how_often_a_finding_is_known() -> None:
    one, two, three = audited(
        b"<meta charset=utf-8><a href='/a b'><a href='/a b'>\n<a href='/c d'>"
    )
    assert fingerprint("f", one) == fingerprint("f", two) != fingerprint("f", three)
    assert fingerprint("f", one) != fingerprint("g", one)
    first = Baseline()
    assert not first.is_known("f", one)
    first.add([fingerprint("f", one)])
    known = Baseline.read(first.text())
    assert [known.is_known("f", finding) for finding in (one, two, three)] == [True, False, False]
