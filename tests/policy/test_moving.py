"""Mapped links and moved documents: judged by ada, a URL parser of somebody else."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from oracles import destination, is_iri_reference, is_uri_reference
from tiers import examples

import linkfix
from linkfix import Keep, LinkMap, Outcome, Policy
from linkfix.charset import lookup
from linkfix.iri.resolution import base_url
from linkfix.iri.steps import web_address_to_iri

Rules = list[tuple[str, str, str]]
Style = Literal["keep", "absolute", "relative", "root-relative"]
To = Literal["uri", "iri"]

STYLES: tuple[Style, ...] = ("keep", "absolute", "relative", "root-relative")
CODECS = {"utf-8": "utf-8", "shift_jis": "shift_jis", "windows-1251": "cp1251", "iso-8859-1": "cp1252"}  # fmt: skip
SEGMENTS = ("a", "b", "é", "c d", "~x", "%7Ex", "日本", "x.htm", "%2F", "д;p=1", "a:b")
DOTTED = (*SEGMENTS, ".", "..", "", "%2e%2E")
HOSTS = ("old.example", "OLD.example:80", "new.example", "other.example", "bücher.example")


def page(value: str, charset: str, base: str | None = None) -> bytes:
    """A page with one link, and a base element if there is a value for it."""
    element = "" if base is None else f"<base href='{html.escape(base)}'>"
    text = f"{element}<a href='{html.escape(value)}'>"
    return text.encode(CODECS[charset], "xmlcharrefreplace")


def rewritten(
    source: bytes, policy: Policy, charset: str, base: str, moved_to: str | None = None
) -> tuple[bytes, list[Outcome]]:
    outcomes: list[Outcome] = []
    rewriter = linkfix.Rewriter(
        policy=policy,
        source=linkfix.Source(type="html", charset=charset, base=base),
        moved_to=moved_to,
        on_outcome=outcomes.append,
    )
    return rewriter.feed(source) + rewriter.close(), outcomes


def values(source: bytes, charset: str) -> list[str]:
    return [link.value for link in linkfix.extract(source, type="html", charset=charset)]


def went(value: str, base: str, charset: str) -> str | None:
    coder = lookup(charset)
    return destination(value, base, None if coder.is_unicode else coder)


def mapped(uri: str, rules: Rules) -> str | None:
    """What rules make of a URI, found by trying all of them."""
    resource, hash_, fragment = uri.partition("#")
    path = resource.partition("?")[0]
    for kind, old, new in rules:
        if kind == "exact" and went(old, old, "utf-8") == resource:
            return (went(new, new, "utf-8") or "") + hash_ + fragment
    found = [
        (len(prefix), (went(new, new, "utf-8") or "") + uri[len(prefix) :])
        for kind, old, new in rules
        if kind == "prefix" and path.startswith(prefix := went(old, old, "utf-8") or "-")
    ]
    return max(found)[1] if found else None


paths = st.lists(st.sampled_from(SEGMENTS), max_size=3).map("/".join)
dotted = st.lists(st.sampled_from(DOTTED), max_size=4).map("/".join)
hosts = st.sampled_from(HOSTS)
schemes = st.sampled_from(["http", "https"])
absolute = st.builds("{}://{}/{}".format, schemes, hosts, paths)
tails = st.sampled_from(["", "", "?q=é", "?日&x", "#f", "?#é"])
references = st.builds(
    str.__add__,
    st.one_of(
        dotted,
        dotted.map("/{}".format),
        dotted.map("http:{}".format),
        st.builds("//{}/{}".format, hosts, dotted),
        absolute,
        st.sampled_from(["mailto:é@old.example", "javascript:x", "data:,x", ""]),
    ),
    tails,
)
rule = st.one_of(
    st.builds(lambda old, new: ("exact", old, new), absolute, absolute),
    st.builds(lambda old, new: ("prefix", f"{old}/", f"{new}/"), absolute, absolute),
    st.builds("http://{}/ https://{}/".format, hosts, hosts).map(lambda r: ("prefix", *r.split())),
)


def link_map(rules: Rules) -> LinkMap:
    lines = "".join(f"{old},{new},{kind}\n" for kind, old, new in rules)
    try:
        return LinkMap.parse(lines, format="csv")
    except linkfix.LinkMapError:  # two rules for one thing
        assume(False)
        raise


def in_style(value: str, style: str) -> bool:
    if style == "absolute":
        return re.match("[A-Za-z]+://", value) is not None
    if style == "root-relative":
        return re.match("/(?!/)", value) is not None
    return re.match("/|[A-Za-z]+://", value) is None


@settings(max_examples=examples(1500), deadline=None)
@given(
    value=references,
    base=absolute,
    moved_to=st.none() | absolute,
    element=st.none() | st.sampled_from(["/a/", "b/x", "//new.example/", "../é/", "http://old.example/b/"]),
    rules=st.lists(rule, max_size=4),
    style=st.sampled_from(STYLES),
    to=st.sampled_from(["uri", "iri"]),
    charset=st.sampled_from(sorted(CODECS)),
    keeps=st.booleans(),
)  # fmt: skip
@example("http:д;p=1", "https://old.example/", "http://old.example/", None, [], "keep", "iri", "iso-8859-1", False)  # fmt: skip
@example("http:д;p=1", "https://old.example/", "http://old.example/", None, [], "keep", "uri", "iso-8859-1", True)  # fmt: skip
@example("..", "http://old.example/a/a", "http://old.example/", None, [], "keep", "uri", "iso-8859-1", True)  # fmt: skip
@example("//old.example//a", "http://old.example/b", None, None, [("prefix", "http://old.example/", "https://new.example/")], "root-relative", "uri", "utf-8", False)  # fmt: skip
def test_a_link_leads_where_the_map_leads_what_it_led_to(
    value: str,
    base: str,
    moved_to: str | None,
    element: str | None,
    rules: Rules,
    style: Style,
    to: To,
    charset: str,
    keeps: bool,
) -> None:
    policy = Policy(to, target=link_map(rules).follow, style=style)
    if keeps:
        policy = replace(policy, keeps_spelling=True, disputed="chromium", trusts_guess=True)
    source = page(value, charset, element)
    result, outcomes = rewritten(source, policy, charset, base, moved_to)
    new = values(result, charset)
    document = went(base, base, "utf-8") or ""
    old_base = document if element is None else went(element, document, charset) or document
    place = went(moved_to, moved_to, "utf-8") if moved_to else mapped(document, rules)
    place = place or document
    new_base = place if element is None else went(new[0], place, charset) or place
    for outcome, now, before, after in zip(
        reversed(outcomes), reversed(new), (old_base, document), (new_base, place), strict=False
    ):
        was = went(outcome.link.value, before, charset)
        if outcome.kept or was is None:
            assert outcome.new is None
            continue
        wanted = mapped(was, rules)
        if wanted is None and was.partition("#")[0] == document:
            wanted = place + "".join(was.partition("#")[1:])
        wanted = wanted or was
        reference = outcome.conversion.text
        if not reference:
            continue
        assert went(now, after, charset) == wanted
        if outcome.new is None and keeps:
            continue
        assert (
            is_uri_reference(reference)
            if to == "uri" and not keeps
            else is_iri_reference(reference)
        )
        # A link that goes up beyond the root would go elsewhere once there are folders above it.
        overshoots = base_url(after).is_left_by(web_address_to_iri(outcome.link.value).text)
        arrives = went(outcome.link.value, after, charset) == wanted
        assert not (keeps and arrives and style == "keep") or overshoots
        inside = wanted.split("/")[:3] == after.split("/")[:3] and wanted.startswith("http")
        if style != "keep" and inside and not reference.startswith("#"):
            assert in_style(reference, style)


@settings(max_examples=examples(300), deadline=None)
@given(
    value=references,
    base=absolute,
    style=st.sampled_from(STYLES),
    to=st.sampled_from(["uri", "iri"]),
    charset=st.sampled_from(sorted(CODECS)),
)
def test_a_style_moves_no_link_and_is_idempotent(
    value: str, base: str, style: Style, to: To, charset: str
) -> None:
    policy = Policy(to, style=style)
    once, _ = rewritten(page(value, charset), policy, charset, base)
    assert rewritten(once, policy, charset, base)[0] == once
    (new,) = values(once, charset)
    assert went(new, base, charset) == went(value, base, charset)


MAP = LinkMap.parse(
    "http://old.example/,https://new.example/,prefix\n"
    "http://old.example/d/x,https://new.example/e/y\n"
    "http://old.example/d/p,https://new.example/f/p\n"
    "http://old.example/b/,https://b.example/,prefix\n",
    format="csv",
)
OLD = "http://old.example/d/p"


@pytest.mark.parametrize(
    ("source", "style", "expected"),
    [
        ("<a href='x'>", "keep", "<a href='../e/y'>"),
        ("<a href='/d/x#f'>", "keep", "<a href='/e/y#f'>"),
        ("<a href='//old.example/d/x'>", "keep", "<a href='//new.example/e/y'>"),
        ("<a href='HTTP://OLD.example/d/%78'>", "keep", "<a href='https://new.example/e/y'>"),
        ("<a href='#t'><a href=''><a href='p#t'><a href='/a'>", "keep", "<a href='#t'><a href=''><a href='p#t'><a href='/a'>"),
        ("<a href='mailto:a@b'><a href='https://other.example/'>", "relative", "<a href='mailto:a@b'><a href='https://other.example/'>"),
        ("<a href='//other.example/'><a href='#t'>", "keep", "<a href='http://other.example/'><a href='#t'>"),
        ("<a href='//other.example/'><a href='#t'>", "absolute", "<a href='http://other.example/'><a href='#t'>"),
        ("<a href='/d/x'><a href='?q'>", "relative", "<a href='../e/y'><a href='../d/p?q'>"),
        ("<a href='x'><a href='z'>", "root-relative", "<a href='/e/y'><a href='/d/z'>"),
        ("<base href='/b/'><a href='x'><a href='../d/x'>", "keep", "<base href='https://b.example/'><a href='x'><a href='https://new.example/e/y'>"),
        ("<img srcset='x 1x, http://old.example/d/x 2x'>", "keep", "<img srcset='../e/y 1x, https://new.example/e/y 2x'>"),
        ("<a href=x ping='x /d/x'>", "keep", "<a href=../e/y ping='../e/y /e/y'>"),
        ("<p style=\"b:url('x')\"><style>@import '/d/x'</style>", "keep", "<p style=\"b:url('../e/y')\"><style>@import '/e/y'</style>"),
        ("<meta http-equiv=refresh content='1;url=x'>", "keep", "<meta http-equiv=refresh content='1;url=../e/y'>"),
        ("<iframe srcdoc=\"<a href='x?a&amp;amp;b'>\">", "root-relative", "<iframe srcdoc=\"<a href='/d/x?a&amp;amp;b'>\">"),
        ("<applet archive='a.jar b.jar' codebase='/b/'>", "keep", "<applet archive='a.jar b.jar' codebase='https://b.example/'>"),
        ("<object classid='java:x' codebase='/b/' archive='a /d/x'>", "keep", "<object classid='java:x' codebase='https://b.example/' archive='a https://new.example/e/y'>"),
    ],
)  # fmt: skip
def test_references_in_every_place(source: str, style: Style, expected: str) -> None:
    policy = Policy(target=MAP.follow, style=style)
    assert rewritten(source.encode(), policy, "utf-8", OLD)[0].decode() == expected


def test_xml_base_is_a_link_that_rules_the_others() -> None:
    source = (
        b"<r xmlns:x='http://www.w3.org/1999/xlink' xml:base=' /b/ '><i x:href='x' xml:base='c/'/>"
        b"<i xml:base='/d/' x:href='x'/><i x:href='/d/x'/><i x:href='x'/></r>"
    )
    rewriter = linkfix.Rewriter(
        policy=Policy(target=MAP.follow), source=linkfix.Source(type="xml", base=OLD)
    )
    done = rewriter.feed(source) + rewriter.close()
    assert done == (
        b"<r xmlns:x='http://www.w3.org/1999/xlink' xml:base=' https://b.example/ '><i x:href='x' xml:base='c/'/>"
        b"<i xml:base='https://new.example/d/' x:href='/e/y'/><i x:href='https://new.example/e/y'/><i x:href='x'/></r>"
    ).replace(b"x:href='/e/y'", b"x:href='../e/y'")
    links = linkfix.extract(done, type="xml", base="https://new.example/f/p")
    assert [link.resolved for link in links if link.kind != "identity"] == [
        "https://b.example/",
        "https://b.example/c/x",
        "https://b.example/c/",
        "https://new.example/d/",
        "https://new.example/e/y",
        "https://new.example/e/y",
        "https://b.example/x",
    ]


parts = st.sampled_from(["x", "c/", "/b/", "../d/x", "/d/", "http://old.example/d/x", "#f", " /b/c ", "//h.example/é"])  # fmt: skip


@st.composite
def xml_elements(draw: st.DrawFn, depth: int = 3) -> str:
    attributes = {
        name: value
        for name in draw(st.permutations(["xml:base", "x:href"]))
        if (value := draw(st.none() | parts)) is not None
    }
    text = "".join(f" {name}='{value}'" for name, value in attributes.items())
    inner = draw(st.lists(xml_elements(depth - 1), max_size=3)) if depth else []
    return f"<i{text}>{''.join(inner)}</i>"


@settings(max_examples=examples(300), deadline=None)
@given(xml_elements(), st.sampled_from(STYLES), st.booleans())
def test_the_bases_of_xml_and_the_links_within_agree(
    tree: str, style: Style, selected: bool
) -> None:
    source = tree.replace("<i", "<i xmlns:x='http://www.w3.org/1999/xlink'", 1).encode()
    rewriter = linkfix.Rewriter(
        policy=Policy(
            target=MAP.follow,
            style=style,
            each=(lambda link: Keep if link.attribute == "xml:base" else None)
            if selected
            else None,
        ),
        source=linkfix.Source(type="xml", base=OLD),
    )
    done = rewriter.feed(source) + rewriter.close()
    before = linkfix.extract(source, type="xml", base=OLD)
    after = linkfix.extract(done, type="xml", base="https://new.example/f/p")
    for old, new in zip(before, after, strict=True):
        assert old.resolved is not None
        if selected and old.attribute == "xml:base":
            assert old.value == new.value
        else:
            assert new.resolved == (MAP.follow(old.resolved) or old.resolved)


def test_a_base_that_cannot_be_written_rules_as_it_is() -> None:
    source = b"<base href='http://old.example/b/\xff'><a href='x'><a href='/d/x'>"
    done, outcomes = rewritten(source, Policy(target=MAP.follow), "utf-8", OLD)
    assert outcomes[0].kept == "some of its bytes are malformed"
    assert done == (
        b"<base href='http://old.example/b/\xff'>"
        b"<a href='https://b.example/x'><a href='https://new.example/e/y'>"
    )


def test_without_a_base_only_absolute_links_are_mapped() -> None:
    rewriter = linkfix.Rewriter(
        policy=Policy(target=MAP.follow), source=linkfix.Source(type="html", charset="utf-8")
    )
    done = rewriter.feed(b"<a href='x'><a href='http://old.example/d/x'>") + rewriter.close()
    assert done == b"<a href='x'><a href='https://new.example/e/y'>"
    assert (rewriter.report.mapped, rewriter.report.unmatched) == (1, 1)


def test_identity_tokens_and_what_is_left_out_stay() -> None:
    source = b"<p itemtype='http://old.example/d/x' itemscope><a href='http://old.example/d/x'>"
    rewriter = linkfix.Rewriter(
        policy=Policy(target=MAP.follow, each=lambda link: Keep if link.element == "a" else None),
        source=linkfix.Source(type="html"),
    )
    assert rewriter.feed(source) + rewriter.close() == source


def test_queries_are_mapped_in_the_charset_of_their_document() -> None:
    rules = "http://old.example/s?q=%8B%F3,https://new.example/sky\n"
    target = LinkMap.parse(rules, format="csv").follow
    source = page("/s?q=空", "shift_jis")
    done, (outcome,) = rewritten(source, Policy("iri", target=target), "shift_jis", OLD)
    assert done == b"<a href='https://new.example/sky'>"
    assert outcome.resolved == "http://old.example/s?q=%8B%F3"
    assert outcome.target == "https://new.example/sky"


def test_what_did_not_change_keeps_its_spelling() -> None:
    source = b"<a href='http://old.example/a&#47;b?x&amp;y'>"
    done, _ = rewritten(source, Policy(target=MAP.follow), "utf-8", OLD)
    assert done == b"<a href='https://new.example/a&#47;b?x&amp;y'>"


def test_readable_references_stay_readable() -> None:
    rules = "http://old.example/,https://new.example/%E6%96%B0/,prefix\n"
    policy = Policy("iri", target=LinkMap.parse(rules, format="csv").follow)
    done, _ = rewritten("<a href='/検索'>".encode(), policy, "utf-8", "http://old.example/")
    assert done == "<a href='/新/検索'>".encode()


@pytest.mark.parametrize(
    ("value", "base"),
    [
        ("/", "file:///C:/a/b"),
        ("/x", "file://host/y"),
        ("\\x", "foo://h/a"),
        ("file://host/x", "http://old.example/"),
    ],
)
def test_a_link_that_readers_do_not_agree_on_is_led_nowhere(value: str, base: str) -> None:
    """An absolute reference would be right for one of them only."""
    policies = (Policy(style="absolute"), Policy(target=lambda _: "http://new.example/"))
    for policy in policies:
        source = page(value, "utf-8")
        out, outcomes = rewritten(source, policy, "utf-8", base, moved_to=base)
        assert out == source
        assert outcomes[0].kept or value.startswith("file:")


def test_data_below_a_codebase_is_left_where_readers_disagree() -> None:
    page = b"<meta charset=utf-8><object codebase='/k/' data='d e'><object codebase='/d/' data='d'><object data=e>"
    policy = Policy(style="absolute")
    outcomes: list[Outcome] = []
    rewriter = linkfix.Rewriter(
        policy=policy,
        source=linkfix.Source(base="http://a.example/d/p"),
        on_outcome=outcomes.append,
    )
    new = rewriter.feed(page) + rewriter.close()
    assert new == (
        b"<meta charset=utf-8><object codebase='http://a.example/k/' data='d e'>"
        b"<object codebase='http://a.example/d/' data='http://a.example/d/d'>"
        b"<object data=http://a.example/d/e>"
    )
    assert [outcome.link.value for outcome in outcomes if "Firefox" in outcome.kept] == ["d e"]
    plain = linkfix.Rewriter()
    assert b"data='d%20e'" in plain.feed(page) + plain.close()


def in_a_style(source: bytes, style: Style, base: str) -> bytes:
    rewriter = linkfix.Rewriter(policy=Policy(style=style), source=linkfix.Source(base=base))
    return rewriter.feed(source) + rewriter.close()


@pytest.mark.parametrize("value", ["http:a", "http:/a/b", "HTTPS:", "file:a"])
@pytest.mark.parametrize("base", ["http://h.example/d/x", "https://h.example/d/x"])
def test_xml_without_the_slashes_of_a_scheme_is_left(value: str, base: str) -> None:
    """RFC 3986 reads a path in it, browsers a host or a relative reference."""
    for inside in (
        f'<link href="{value}"/>',
        f'<entry xml:base="{value}"><link href="b"/></entry>',
    ):
        feed = f'<feed xmlns="http://www.w3.org/2005/Atom">{inside}</feed>'.encode()
        for style in STYLES:
            assert in_a_style(feed, style, base) == feed


@pytest.mark.parametrize("scheme", ["http", "HTTP"])
def test_the_case_of_a_scheme_does_not_matter_to_a_style(scheme: str) -> None:
    source = f'<base href="{scheme}://h.example"><a href="/p">'.encode()
    new = in_a_style(source, "absolute", "file:///a/b.html")
    assert new == source.replace(b"/p", f"{scheme}://h.example/p".encode())


@pytest.mark.parametrize("codebase", ["http://EX.com/f/", "HTTP://ex.com:80/x/", "//Ex.com/%7ef/"])
@pytest.mark.parametrize("style", ["absolute", "relative", "root-relative"])
def test_the_spelling_of_a_codebase_makes_no_difference(codebase: str, style: Style) -> None:
    """Where it makes one, a second rewrite, below a codebase that is spelled anew, changes the data."""
    source = f"<meta charset=utf-8><object codebase='{codebase}' data='/f/a'></object>".encode()
    once = in_a_style(source, style, "http://ex.com/f/p")
    assert in_a_style(once, style, "http://ex.com/f/p") == once
    audit = linkfix.audit(source, base="http://ex.com/f/p")
    assert not any(finding.code == "REF009" for finding in audit)
