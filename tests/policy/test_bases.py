"""The base URLs of links for reading and for writing."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import html

import linkfix
from linkfix import trees
from linkfix.iri import quick
from linkfix.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable

BASE = "http://e.example/d/p"


def resolved(source: bytes, **settings: Any) -> list[str | None]:
    links = linkfix.extract(source, base=BASE, **settings)
    return [link.resolved for link in links if not link.attribute.startswith("xmlns")]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"<a href=x><a href=?q><a href=//h/x>", ["http://e.example/d/x", "http://e.example/d/p?q", "http://h/x"]),
        (b"<base href=/b/><base href=/c/><a href=x>", ["http://e.example/b/", "http://e.example/c/", "http://e.example/b/x"]),
        (b"<base target=x><base href=/b/><a href=x>", ["http://e.example/b/", "http://e.example/b/x"]),
        (b"<base href='data:,x'><a href=x>", ["data:,x", "http://e.example/d/x"]),
        (b"<a href='http:x'><a href='http://a b/'>", ["http://e.example/d/x", None]),
        (b"<applet codebase=/j/ archive='a.jar,b.jar'>", ["http://e.example/j/", "http://e.example/j/a.jar", "http://e.example/j/b.jar"]),
        (b"<base href=/b/><svg><use href='#x'/><use href='y#x'/><a href='#x'/>", ["http://e.example/b/", "http://e.example/d/p#x", "http://e.example/b/y#x", "http://e.example/b/#x"]),
        (b"<base href=/b/><p style='filter: url(#x)'><style>p {fill: url(#y)}</style>", ["http://e.example/b/", "http://e.example/d/p#x", "http://e.example/d/p#y"]),
        (b"<object codebase=/j/ data=x>", ["http://e.example/j/", "http://e.example/d/x"]),
    ],
)  # fmt: skip
def test_html(source: bytes, expected: list[str | None]) -> None:
    assert resolved(source, type="html", charset="utf-8") == expected


STEPS = st.lists(
    st.sampled_from(
        ["<a>", "<a xml:base='b/'>", "<a xml:base='/c/'>", "<a xml:base='../'>", "</a>"]
    )
)


@given(STEPS)
def test_bases_in_one_another(steps: list[str]) -> None:
    """A link is resolved against the bases around it, whatever those of the links before it were."""
    link, pieces, expected = "<i x:href='l'/>", [], []
    bases = [BASE]
    for step in steps:
        if step != "</a>":
            inner = step.partition("'")[2].partition("'")[0]
            bases.append(urljoin(bases[-1], inner))
            pieces += [step, link]
        elif len(bases) > 1:
            bases.pop()
            pieces += [step, link]
        else:
            continue
        expected.append(urljoin(bases[-1], "l"))
    head = "<r xmlns:x='http://www.w3.org/1999/xlink'>"
    source = head + "".join(pieces) + "</a>" * (len(bases) - 1) + "</r>"
    links = linkfix.extract(source.encode(), type="xml", base=BASE)
    assert [each.resolved for each in links if each.attribute == "x:href"] == expected


def test_xml_base_counts_for_leiris_and_not_for_web_addresses() -> None:
    source = (
        b"<r xml:base='/b/' xmlns:x='http://www.w3.org/1999/xlink' xmlns:h='http://www.w3.org/1999/xhtml'>"
        b"<i xml:base='c/' x:href='1'/><h:a href='2'/></r>"
    )
    assert resolved(source, type="xml") == [
        "http://e.example/b/",
        "http://e.example/b/c/",
        "http://e.example/b/c/1",
        "http://e.example/d/2",
    ]


def test_without_a_base_only_absolute_links_resolve() -> None:
    links = linkfix.extract(b"<a href=x><a href=http://h/\xc3\xa9>", type="html", charset="utf-8")
    assert [link.resolved for link in links] == [None, "http://h/%C3%A9"]


@pytest.mark.parametrize(
    ("value", "policy", "expected"),
    [
        ("?q=é", linkfix.Policy(), "?q=%E9"),
        ("?q=é", linkfix.Policy(query_charset="utf-8"), "?q=%C3%A9"),
        ("?q=é", linkfix.Policy(query_charset="koi8-r"), "?q=%26%23233%3B"),
        (" /x ", linkfix.Policy(syntax="leiri"), "%20/x%20"),
        ("HTTP://E.example:80/%7ea/../b", linkfix.Policy(normalize="scheme"), "http://e.example/b"),
        ("http://faß.example/", linkfix.Policy(idna="2003"), "http://fass.example/"),
    ],
)
def test_settings(value: str, policy: linkfix.Policy, expected: str) -> None:
    page = f'<a href="{value}">'.encode("windows-1252")
    rewriter = linkfix.Rewriter(
        policy=policy, source=linkfix.Source(type="html", charset="windows-1252")
    )
    assert rewriter.feed(page) + rewriter.close() == f'<a href="{expected}">'.encode()


def test_the_default_charset_is_that_of_documents_that_show_none() -> None:
    page = b"<a href='?&#233;'>"
    for label, expected in (
        ("windows-1252", "?%E9"),
        ("utf-8", "?%C3%A9"),
        ("big5", "?%26%23233%3B"),
    ):
        rewriter = linkfix.Rewriter(
            policy=linkfix.Policy(default_charset=label), source=linkfix.Source(type="html")
        )
        assert rewriter.feed(page) + rewriter.close() == f"<a href='{expected}'>".encode()


PARTS = st.lists(
    st.sampled_from(
        ["http:", "HTTPS:", "mailto:", "urn:", "x", "//", "h.example", ":8", "/", ".", "..", "%2e", "%41", "%", "?", "#", "é", " ", "&amp;", "|", "@", "[::1]"]
    ),
    max_size=8,
).map("".join)  # fmt: skip


@example(
    "mailto:%2e", "utf-8", linkfix.Policy("iri", normalize="scheme", syntax="leiri")
)  # the dots of an opaque path are no segments
@given(
    PARTS,
    st.sampled_from(["utf-8", "windows-1252"]),
    st.sampled_from([linkfix.Policy(), linkfix.Policy("iri", normalize="scheme", nfc=True, syntax="leiri", query_charset="shift_jis")]),
)  # fmt: skip
def test_canonical_links_without_a_base_are_resolved_as_others(
    value: str, charset: str, policy: linkfix.Policy
) -> None:
    source = f"<a href='{value}'><link rel=stylesheet href='{value}'>".encode(charset)

    def found() -> list[str | None]:
        links = linkfix.extract(source, type="html", charset=charset, policy=policy)
        return [link.resolved for link in links]

    quickly = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick, "canonical", lambda _: lambda _value: None)
        assert found() == quickly


@pytest.mark.parametrize("base", ["relative", "", "//x/", "example.org/x", "http://["])
@pytest.mark.parametrize(
    "function",
    [
        lambda base: [*linkfix.extract(b"<a href=x>", base=base)],
        lambda base: [*linkfix.audit(b"<a href=x>", base=base)],
        lambda base: linkfix.rewrite(b"<a href=x>", io.BytesIO(), base=base),
        lambda base: linkfix.rewrite(b"<a href=x>", io.BytesIO(), moved_to=base),
        lambda base: linkfix.transcode(b"<a href=x>", io.BytesIO(), base=base),
        lambda base: [*trees.iter_links(html.document_fromstring("<a href=x>"), base=base)],
        lambda base: trees.rewrite_links(html.document_fromstring("<a href=x>"), base=base),
    ],
)
def test_a_base_that_is_not_absolute_is_refused(
    function: Callable[[str], object], base: str
) -> None:
    with pytest.raises(linkfix.LinkfixError, match="is no absolute IRI"):
        function(base)


@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "DATA:,x", "view-source:http://x/", "", "new/page", "//h/x", "a b:c"],
)
def test_a_function_is_held_to_what_a_map_is(target: str) -> None:
    page = b"<meta charset=utf-8>\n<a href='http://e.example/a'>"
    policy = Policy(target=lambda _: target)
    out = io.BytesIO()
    with pytest.raises(linkfix.LinkfixError) as caught:
        linkfix.rewrite(page, out, policy=policy)
    assert (caught.value.line, caught.value.column, caught.value.offset) == (2, 10, 30)
    assert target.encode() not in out.getvalue() or not target
    with pytest.raises(linkfix.LinkfixError):
        policy.places("http://e.example/")
