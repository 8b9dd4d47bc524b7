"""The invariants I1 to I5 and I8 (docs/decisions.md) on generated documents and on real ones."""

from __future__ import annotations

import json
import re
from typing import Literal

import pytest
from conformance_data import conformance
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invariants import PRESCAN, check, rewritten
from tiers import examples

from linkfix.charset import declared_charset, lookup, names
from linkfix.errors import LinkfixError, NotWellFormedError

TO: list[Literal["uri", "iri"]] = ["uri", "iri"]

#: Every encoding of the Encoding Standard, and for XML some of each other kind.
HTML_CHARSETS = names(xml=False)
XML_CHARSETS = [*HTML_CHARSETS, "UTF-32LE", "UTF-32BE", "IBM037", "IBM273", "IBM1047", "IBM855"]


WORDS = st.sampled_from(
    ["a", "é", "я", "ソ", "表", "空", "中", "가", "ﬁ", "😀", "\u202e", "\ufffd", "\ue000", "\u0301",
     " ", "\t", "\n", "\\", "/", "//", "?", "#", "&", "&amp;", "&copy=", "&#233;", "&#x5909", "&lt;", "%", "%41", "%e4%bd%a0",
     "%C3%A9", "%E9", "%2F", "%u1234", ":", "@", "[", "]", "{", "|", "^", "`", "'", "=", ";", ",", ".", "..", "%2e",
     "http:", "https://", "HTTP://", "//", "mailto:", "data:,", "javascript:", "foo:", "ftp://", "file:///", "C|", "ws://",
     "example.com", "bücher.example", "xn--bcher-kva.example", "例え.jp", "1.2.3", ":80", "user@", "\0", "\x0b", "\x7f"]
)  # fmt: skip
VALUES = st.lists(WORDS, max_size=8).map("".join)


def encode(text: str, charset: str) -> bytes:
    """Text in a charset; missing characters become character references."""
    encoding = lookup(charset, xml=True)
    written = "".join(c if encoding.encodable(c) else f"&#{ord(c)};" for c in text)
    return encoding.encode(written)


#: Scripts with a string of JSON.
JSON = (
    '<script type=importmap>{{"imports": {{{}: "./ü |"}}, "integrity": {{"/ü |": "x"}}}}</script>',
    '<script type=importmap>{{"scopes": {{{}: {{"./ü |": null}}}}}}</script>',
    '<script type=speculationrules>{{"prefetch": [{{"urls": [{}]}}]}}</script>',
    '<script type="application/ld+json">{{"@id": "/ü |", "url": {}}}</script>',
)


@st.composite
def html_documents(draw: st.DrawFn, charset: str) -> bytes:
    pieces = [encode(f'<meta charset="{charset}">' + " " * PRESCAN, charset)]
    for _ in range(draw(st.integers(1, 4))):
        value = draw(VALUES)
        quote = draw(st.sampled_from(['"', "'", ""]))
        if quote:
            value = value.replace(quote, "")
        else:
            value = "".join(c for c in value if c not in "\t\n\x0b\r >\"'") or "x"
        tag = draw(
            st.sampled_from(
                ["<a href={}>", "<IMG title='>' SRC={} src=/dup>", "<svg><a xlink:href={}></a></svg>",
                 "<form action={}>", "<p style={}>", "<style>a{{b:url({}) url(/ü)}}</style>", "<iframe srcdoc='<p style=&quot;b:url(/ü \\ü)&quot;>'>",
                 "<object archive={}>", "<iframe srcdoc='<a href={}>&lt;img src=&quot;/ü&quot;>'>", "<img srcset={}>", "<a ping={}>", "<p {}>", "<script>x={}</script>",
                 "<!-- <a href={}> -->", "<meta http-equiv=refresh content={}>",
                 "<noscript><a href={}>x</a></noscript>", "<noframes><body><img src={}></body></noframes>", "<noembed><p {}></noembed>",
                 "<iframe src=x><a href={}>x</a></iframe>", "<!--[if IE]><a href={}>x</a><![endif]-->",
                 "<object data=x><a href={}>x</a></object>", "<template><img src={}></template>",
                 "<b><template shadowrootmode=open><a ping={}>x</a></template></b>", "<svg><style>a{{b:url({0})}}</style><image href={0}></image></svg>",
                 "<math><annotation-xml encoding=text/html><img src={0}></annotation-xml><mi href={0}></mi></math>",
                 "<noscript><style>a{{b:url({})}}</style></noscript>", "<noframes><a href={}><noembed>",
                 "<meta property=og:url content={}>", "<img data-src={}>", "<source data-srcset={}>", "<amp-img srcset={}></amp-img>", "<b hx-get={}>x</b>",
                 "<!--[if mso]><v:rect href={}><v:fill src='/ü b'/></v:rect><![endif]-->", *JSON]
            )
        )  # fmt: skip
        value = json.dumps(value, ensure_ascii=False) if tag in JSON else quote + value + quote
        pieces.append(encode(tag.format(value), charset))
        if lookup(charset).unit == 1:
            pieces.append(draw(st.sampled_from([b"", b"", b"\x81", b"\xff\xfe", b"\xe3\x81"])))
        pieces.append(encode(draw(st.sampled_from(["", "", "\n", "空", "\r\né😀"])), charset))
    return b"".join(pieces)


@settings(
    max_examples=examples(50, quick=3), suppress_health_check=[HealthCheck.too_slow], deadline=None
)
@given(st.data())
@pytest.mark.parametrize("charset", HTML_CHARSETS)
def test_html(charset: str, data: st.DataObject) -> None:
    source = data.draw(html_documents(charset))
    cut = sorted(data.draw(st.lists(st.integers(PRESCAN, len(source)), max_size=3)))
    bytewise = list(range(PRESCAN, len(source)))
    for to in TO:
        check(source, to, type="html", charset=charset, cuts=(cut, bytewise))


#: What ISO-2022-JP writes in each of its states, the escape sequence first.
RUNS = st.one_of(
    st.tuples(st.just(b"\x1b(B"), st.sampled_from([b"a", b"/", b"?q=", b"#", b"%41", b"x y", b"\\", b"~"])),
    st.tuples(st.just(b"\x1b(J"), st.sampled_from([b"b", b"/", b"?", b"\\", b"~", b"~/\\"])),
    st.tuples(st.just(b"\x1b(I"), st.sampled_from([b"1", b"'", b"1^"])),
    st.tuples(st.sampled_from([b"\x1b$B", b"\x1b$@"]), st.sampled_from([b"F|", b"F|K\\", b"$\"", b'"%'])),
)  # fmt: skip


@settings(max_examples=examples(400), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(st.lists(RUNS, min_size=1, max_size=4), min_size=1, max_size=4),
    st.sampled_from([b"\x1b(B", b"\x1b(J"]),
    st.data(),
)
def test_iso_2022_jp(
    values: list[list[tuple[bytes, bytes]]], end: bytes, data: st.DataObject
) -> None:
    """Values may end in any state before a quote, and text continues in that state."""
    pieces = [b"<meta charset=iso-2022-jp>" + b" " * PRESCAN]
    for runs in values:
        # One escape sequence straight after another is malformed.
        value = b"".join(escape + text for escape, text in runs) + end
        before, after = data.draw(
            st.sampled_from(
                [(b'<a href="', b'">'), (b"<a href='/", b"'>"), (b"<a href=", b">"),
                 (b'<img srcset="x,', b' 2x">'), (b"<p style=\"a:url('", b"')\">")]
            )
        )  # fmt: skip
        if before.endswith(b"'"):
            value = value.replace(b"(I'", b"(I1").replace(b"1^", b"1")
        if before.endswith((b"=", b",")):
            value = value.replace(b"x y", b"x")
        pieces.append(before + value + after + b"\\~F|\x1b$BF|\x1b(B~")
    source = b"".join(pieces)
    cut = sorted(data.draw(st.lists(st.integers(PRESCAN, len(source)), max_size=3)))
    for to in TO:
        check(source, to, type="html", cuts=(cut,))
    _, outcomes = rewritten(source, "uri", type="html")
    no_way = [
        o.link.raw for o in outcomes if o.kept == "there is no way to write the new value there"
    ]
    assert not no_way


@settings(max_examples=examples(400), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(VALUES, VALUES, st.sampled_from(XML_CHARSETS), st.data())
def test_xml(first: str, second: str, charset: str, data: st.DataObject) -> None:
    safe = [
        "".join(
            c for c in value.replace("&copy=", "").replace("&#x5909", "") if c not in "\0\x0b<'"
        )
        for value in (first, second)
    ]
    safe = [
        value.replace("&amp;", "&").replace("&lt;", "").replace("&#233;", "é").replace("&", "&amp;")
        for value in safe
    ]
    label = re.sub("^(UTF-(?:16|32))[BL]E$", r"\1", charset)
    text = (
        f"<?xml version='1.0' encoding='{label}'?><rss xmlns:x='http://www.w3.org/1999/xlink'"
        f" xmlns:h='http://www.w3.org/1999/xhtml'><link>{safe[0]}</link>"
        f"<item x:href='{safe[1]}'><h:a href='{safe[0]}'/><link><![CDATA[{second.replace(']]>', '')}]]></link></item></rss>"
    )
    text = text.replace("\0", "").replace("\x0b", "")
    source = (encode("\ufeff", charset) if label != charset else b"") + encode(text, charset)
    cut = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=3)))
    for to in TO:
        try:
            check(source, to, type="xml", cuts=(cut,))
        except NotWellFormedError:
            # U+FFFE and its like are no XML characters; the scanner's own tests look at errors.
            assert any(ord(c) < 32 or ord(c) > 0xD7FF for c in text)


#: Bytes that are characters in many charsets, and bytes that are none.
OCTETS = st.one_of(
    st.binary(max_size=4),
    st.sampled_from(["é", "ж", "日本", "ソ", "가", "ü", "Ж"]).flatmap(
        lambda text: st.sampled_from(["utf-8", "shift_jis", "koi8-r", "gb18030", "euc-kr", "windows-1252"]).map(
            lambda charset: text.encode(charset, "ignore")
        )
    ),
    st.sampled_from([b"/", b"?", b"?q=", b"#", b"%C3%A9", b"&eacute;", b"&#x65E5;", b" ", b"a", b"http://a.example/", b"ws:", b"mailto:"]),
)  # fmt: skip


@st.composite
def undeclared_documents(draw: st.DrawFn) -> bytes:
    pieces = [
        draw(
            st.sampled_from(
                [
                    b"",
                    b"<title>\x93\xfa\x96{</title>",
                    "<p>日本語の本".encode(),
                    b"<p>caf\xe9",
                    b" " * PRESCAN,
                ]
            )
        )
    ]
    for _ in range(draw(st.integers(1, 5))):
        value = b"".join(draw(st.lists(OCTETS, max_size=5))).replace(b"'", b"")
        tag = draw(
            st.sampled_from(
                [b"<a href='%b'>", b"<img srcset='%b 2x'>", b"<form action='%b'>", b"<p style='a:url(%b)'>", b"<p>%b</p>",
                 b"<iframe srcdoc='<a href=\"%b\">'></iframe>", b"<base href='%b'>", b"<style>a{b:url(\"%b\")}</style>",
                 b"<noscript><a href='%b'></noscript>", b"<noframes><form action='%b'>", b"<!--[if IE]><img src='%b'><![endif]-->"]
            )
        )  # fmt: skip
        pieces.append(tag % value)
    return b"".join(pieces)


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(undeclared_documents(), st.data())
def test_undeclared_charsets(source: bytes, data: st.DataObject) -> None:
    """A rewritten link has the same target in every guess, and a second rewrite changes nothing."""
    cut = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=3)))
    for to in TO:
        check(source, to, type="html", cuts=(cut,))


@st.composite
def documents_with_a_declaration_near_the_border(draw: st.DrawFn) -> bytes:
    links = draw(
        st.lists(
            st.sampled_from(
                [b"<a href='/a b c d'>", b"<a href='/%D0%96%D0%96%D0%96'>", b"<a href=x|y|z>", b"<p style='a:url(/a[])'>", b"<a href='/%41 b'>",
                 b"<style>a{b:url('x<meta charset=koi8-r>')}</style>", b"<style>a{b:url('x|')}</style>", b"<img srcset='a| 1x, b| 2x'>",
                 b"<object archive='x|y z|' codebase='k|/'></object>", b"<link rel=icon href='/f f'>", b"<!-- <a href='x y'> -->"]
            ),
            min_size=1,
            max_size=6,
        )
    )  # fmt: skip
    start = draw(
        st.sampled_from(
            [
                b"",
                b"<p>",
                b"<head>",
                b"<?xml version='1.0' encoding='koi8-u'?>",
                b"<!doctype html><body>",
            ]
        )
    )
    declarations = [b"<meta charset=windows-1251>", b"<meta http-equiv=content-type content='text/html; charset=shift_jis'>",
                    b"<meta charset=nonsense>", b"<!-- <meta charset=big5> -->", b""]  # fmt: skip
    before = b"".join(links)
    first = draw(st.sampled_from(declarations))
    second = draw(st.sampled_from(declarations))
    room = PRESCAN - len(start) - len(before) - len(first) + draw(st.integers(-40, 40))
    filler = draw(st.sampled_from([b" ", b"y"])) * max(room, 0)
    tail = b"<a href='/x y?q=&#1046;\xd6'>\xd6</a>" + b" " * draw(st.integers(0, 40))
    parts = draw(st.permutations([before, filler]))
    return start + b"".join(parts) + first + tail + second + tail


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    documents_with_a_declaration_near_the_border(),
    st.sampled_from([None, "windows-1252"]),
    st.data(),
)
def test_declarations_near_the_border(
    source: bytes, label: str | None, data: st.DataObject
) -> None:
    """The sniffed charset stays the same, and chunks do not change the links that are left."""
    cut = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=3)))
    for to in TO:
        check(source, to, type="html", charset=label, cuts=(cut,))
        new, _ = rewritten(source, to, type="html", charset=label)
        early = declared_charset(source[:PRESCAN])
        assert early is None or declared_charset(new) is declared_charset(source)


@pytest.mark.nightly
@pytest.mark.conformance
def test_every_real_document() -> None:
    folder = conformance("documents")
    figures = dict.fromkeys(("documents", "not well-formed", "links rewritten"), 0)
    for line in folder.joinpath("index.tsv").read_text("utf-8").splitlines()[1:]:
        path, label = line.split("\t")[0], line.split("\t")[2] or None
        source = folder.joinpath(path).read_bytes()
        figures["documents"] += 1
        for to in TO:
            try:
                cuts = [list(range(1000, len(source), 1000)), list(range(7, len(source), 4093))]
                figures["links rewritten"] += check(
                    source, to, charset=label, name=path, cuts=tuple(cuts)
                )
            except NotWellFormedError:
                figures["not well-formed"] += to == "uri"
            except LinkfixError as error:
                raise AssertionError(f"{path}: {error}") from error
    print("real documents, to uri and to iri:", figures)
    assert figures["documents"] == 180
    assert figures["links rewritten"] > 0
