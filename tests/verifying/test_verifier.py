"""A verification passes every rewrite, and finds every planted fault."""

from __future__ import annotations

import io
import random
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

import pytest
from sources import with_source

import linkfix
from linkfix import verifying
from linkfix.charset import lookup
from linkfix.policy import Policy
from linkfix.verifying import Difference, Settings, is_available

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(
    not is_available(), reason="the extra verify (ada-url, selectolax) is not installed"
)

POLICY = Policy()
#: A page with a link in every syntax and in every kind of embedded documents, text and raw text that look like links, and foreign content.
PAGE = """<!DOCTYPE html><html lang=ja><head><meta charset="{charset}"><title>本 href='a b'</title>
<base href="/d/é/"><link rel=stylesheet href="s t.css"><style>p{{background:url( "a é.png" )}}</style>
<script>var t = "<a href='x y'>" + '本';</script>
<meta http-equiv=refresh content="300; url=next é.html"></head>
<body background='b é.png'><p id=one class="c">本 text &amp; <a href="/検 索?q=空#é" title="t é">a</a>
<a href=http://例え.jp/100%>b</a> <a href='?a=é&amp;b=&#31354;'>c</a><!-- <a href="c d"> -->
<img src="i é.png" srcset="i é.png 1x, j{{2}}.png 2x" alt="é">
<iframe srcdoc="<a href='/in é' title='t é'>x</a><p>text </p>"></iframe><iframe>text <a href="/if é" class="c">z</a></iframe>
<noscript><p class="c">text </p><a href="/no é?q=空">z</a><img src=n|.png alt="é"><style>p{{background:url("n é")}}</style></noscript>
<noembed><a href='/ne |' title="c">z</a>text </noembed><noframes><b>é</b><a href="/nf é" id="f">z</a>text </noframes>
<!--[if IE]><a href="/cc é" class="c">z</a>text <![endif]-->
<svg><style>a{{fill:url(#é)}}</style><a xlink:href="k é"><text>t</text></a></svg>
<template><a href="in t">z</a><b>é</b></template><textarea><a href="t t"></textarea>
<form action="/f é" accept-charset=utf-8><input name=q value="é"></form></body></html>
"""
FEED = """<?xml version="1.0" encoding="{charset}"?><?xml-stylesheet href="a é.css"?>
<rss version="2.0" xmlns:x="urn:x"><channel><title>é &amp; ж</title><link>http://h.example/é ж</link>
<item x:k="é"><link>/é?q=ж</link><description>&lt;a href="a é"&gt;ж&lt;/a&gt;</description>
<!-- é --><enclosure url="m é.mp3" length="1"/></item></channel></rss>
"""


def verify(old: bytes, new: bytes, **settings: Any) -> Difference | None:
    return verifying.verify(old, new, Settings(**with_source(settings)))


def rewritten(data: bytes, to: Literal["uri", "iri"] = "uri") -> bytes:
    out = io.BytesIO()
    linkfix.rewrite(data, out, to=to)
    return out.getvalue()


def encoded(text: str, charset: str) -> bytes:
    return text.format(charset=charset).encode(charset, "xmlcharrefreplace")


DOCUMENTS = [
    encoded(text, charset)
    for text, charsets in (
        (PAGE, ("utf-8", "shift_jis", "euc-jp", "windows-1251", "gb18030")),
        (FEED, ("utf-8", "windows-1251", "koi8-r")),
    )
    for charset in charsets
]


@pytest.mark.parametrize(
    "public", ["-//W3C//DTD XHTML 1.0 Strict//EN", "-//W3C//DTD XHTML 1.1//EN"]
)
def test_the_entities_of_xhtml_are_known(public: str) -> None:
    page = (
        f'<!DOCTYPE html PUBLIC "{public}" "x.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><body>'
        '<p title="&lt;&eacute;">&eacute;&NotEqualTilde;</p><a href="caf&eacute; &AMP;&lt;">x</a></body></html>'
    ).encode()
    new = page.replace(b"caf&eacute; &AMP;&lt;", b"caf%C3%A9%20&AMP;%3C")
    assert rewritten(page) == new
    assert verify(page, new, policy=POLICY) is None
    assert verify(page, new.replace(b"%A9", b"%A8"), policy=POLICY) is not None
    assert (
        verify(
            page, new.replace(b'<p title="&lt;&eacute;', b'<p title="&lt;&egrave;'), policy=POLICY
        )
        is not None
    )
    assert verify(page, new.replace(b">&eacute;", b">&egrave;"), policy=POLICY) is not None


@pytest.mark.parametrize("data", DOCUMENTS)
@pytest.mark.parametrize("to", ["uri", "iri"])
def test_a_rewrite_passes(data: bytes, to: Literal["uri", "iri"]) -> None:
    new = rewritten(data, to)
    assert new != data or to == "iri"
    assert verify(data, new, policy=POLICY) is None


@pytest.mark.parametrize("data", DOCUMENTS)
@pytest.mark.parametrize("to", ["uri", "iri", None])
def test_a_transcoded_document_passes(data: bytes, to: Literal["uri", "iri"] | None) -> None:
    out = io.BytesIO()
    report = linkfix.transcode(data, out, to=to)
    left = {outcome.link.start for outcome in report.unpinned}
    new = out.getvalue()
    assert verify(data, new, policy=POLICY, transcoded=True, left=left) is None


@pytest.mark.parametrize(
    ("charset", "octets"),
    [("big5", b"\xa1\xe3\xa2G"), ("shift_jis", b"\x81\x60"), ("euc-jp", b"\xa1\xc1"), ("gb2312", b"\xa1\xaa")],
)  # fmt: skip
def test_octets_that_libxml2_reads_by_another_table(charset: str, octets: bytes) -> None:
    feed = f'<?xml version="1.0" encoding="{charset}"?><rss><title>TEXT</title></rss>'.encode()
    data, out = feed.replace(b"TEXT", octets), io.BytesIO()
    linkfix.transcode(data, out)
    assert verify(data, out.getvalue(), policy=POLICY, transcoded=True) is None
    wrong = out.getvalue().replace(b"</title>", b"x</title>")
    assert verify(data, wrong, policy=POLICY, transcoded=True) is not None


@pytest.mark.parametrize(
    ("charset", "octets", "own"),
    [
        ("iso-8859-1", b"It\x92s", "It\x92s"),
        ("shift_jis", b"\x81\x60\x87\x40", "〜①"),
        ("koi8-u", b"\xae", "╝"),
    ],
)
def test_transcoded_xml_is_what_its_readers_decoded(charset: str, octets: bytes, own: str) -> None:
    feed = FEED.format(charset=charset).replace("é", "e").replace("ж", "OCTETS").encode("ascii")
    source = feed.replace(b"OCTETS", octets)
    out = io.BytesIO()
    report = linkfix.transcode(source, out, type="xml")
    assert own in out.getvalue().decode()
    assert report.disputed
    assert verify(source, out.getvalue(), type="xml", transcoded=True, policy=POLICY) is None
    other = out.getvalue().replace(own.encode(), lookup(charset).decode(octets).encode(), 1)
    assert verify(source, other, type="xml", transcoded=True, policy=POLICY)
    web = io.BytesIO()
    page = (
        f"<?xml version='1.0' encoding='{charset}'?><html xmlns='http://www.w3.org/1999/xhtml'><p>"
    )
    source = page.encode() + octets + b"</p></html>"
    linkfix.transcode(source, web, type="xhtml")
    assert lookup(charset).decode(octets) in web.getvalue().decode()
    assert verify(source, web.getvalue(), type="xhtml", transcoded=True, policy=POLICY) is None


def test_html_may_begin_with_an_xml_declaration() -> None:
    """DocBook writes such pages; the declaration is a comment in HTML."""
    page = (
        "<?xml version='1.0' encoding='ISO-8859-2' standalone='no'?>\n<!DOCTYPE html>"
        "<meta charset=iso-8859-2><p>č"
    )
    data, out = page.encode("iso8859-2"), io.BytesIO()
    linkfix.transcode(data, out, type="html")
    new = out.getvalue()
    assert b"encoding='UTF-8'" in new
    assert verify(data, new, policy=POLICY, type="html", transcoded=True) is None
    faults = [(b"'no'", b"'yes'"), (b"<!", b"<?xml encoding='x'?><!"), (b"'UTF-8'", b"'koi8-r'")]
    for old_text, new_text in faults:
        found = verify(
            data, new.replace(old_text, new_text), policy=POLICY, type="html", transcoded=True
        )
        assert found is not None
        assert found.what == "tree"


def test_a_declaration_may_be_new_where_server_code_ends_the_head() -> None:
    """A start tag in which a comment has quotes ends at the comment, so that what follows is text."""
    page = b'<html lang="<!--#echo var="LANG" -->" title="x">\n<head>\n<title>A</title>\n<p>caf\xe9'
    out = io.BytesIO()
    linkfix.transcode(page, out, charset="windows-1252", type="html")
    new = out.getvalue()
    assert b'<meta charset="utf-8">' in new
    assert verify(page, new, charset="windows-1252", policy=POLICY, transcoded=True) is None
    for old_text, new_text in [(b"head>", b"head> "), (b"title=", b"titel="), (b"\n<title", b"\n\n<title")]:  # fmt: skip
        changed = new.replace(old_text, new_text, 1)
        assert verify(page, changed, charset="windows-1252", policy=POLICY, transcoded=True)


def test_a_link_that_moves_with_the_charset_is_found() -> None:
    page = '<meta charset="shift_jis"><a href="/?q=空">空</a>'
    new = page.replace("shift_jis", "utf-8").encode()
    found = verify(page.encode("shift_jis"), new, policy=POLICY, transcoded=True)
    assert found == Difference("link", "a@href", "/?q=空", "/?q=空", 1, 36, 35)


def test_links_are_compared_where_the_map_leads_them() -> None:
    page = b'<meta charset=utf-8><a href="a.html#f">a</a><a href="b.html">b</a>'
    moves = {"http://h.example/a.html": "http://n.example/A.html"}

    def target(url: str) -> str | None:
        before, mark, fragment = url.partition("#")
        moved = moves.get(before)
        return None if moved is None else moved + mark + fragment

    policy = Policy(target=target)
    base = "http://h.example/"
    new = page.replace(b"a.html", b"http://n.example/A.html")
    assert verify(page, new, policy=policy, base=base) is None
    found = verify(page, page, policy=policy, base=base)
    assert found is not None
    assert found.what == "link"


@pytest.mark.parametrize(
    ("base", "folder"), [("/d/", "/d/"), ("/é/?q=é", "/%C3%A9/"), ("data:text/html,x", "/")]
)
def test_links_are_compared_where_the_base_element_leads_them(base: str, folder: str) -> None:
    """HTML Standard, 2.4.3 and 4.2.3: a base with the scheme data is ignored."""
    page = f'<meta charset="windows-1252"><base href="{base}"><a href="a.html">a</a>'
    old = page.encode("windows-1252")
    moved = {f"http://h.example{folder}a.html": f"http://h.example{folder}b.html"}
    policy = Policy(target=moved.get)
    new = old.replace(b"a.html", b"b.html")
    assert verify(old, new, policy=policy, base="http://h.example/") is None
    for wrong in (old, old.replace(b"a.html", b"/e/b.html")):
        found = verify(old, wrong, policy=policy, base="http://h.example/")
        assert found is not None
        assert (found.what, found.place) == ("link", "a@href")


def test_a_base_element_is_compared_where_the_document_leads_it() -> None:
    page = b'<meta charset="utf-8"><base href="d/"><a href="a.html">a</a>'
    moved = {
        "http://h.example/d/": "http://h.example/e/",
        "http://h.example/d/a.html": "http://h.example/e/a.html",
    }
    policy = Policy(target=moved.get)
    assert verify(page, page.replace(b"d/", b"e/"), policy=policy, base="http://h.example/") is None
    found = verify(page, page, policy=policy, base="http://h.example/")
    assert found is not None
    assert found.place == "base@href"


def test_what_no_policy_changes_stays() -> None:
    page = b'<feed xmlns="http://www.w3.org/2005/Atom"><id>http://h.example/a</id><link href="http://h.example/a"/></feed>'
    policy = Policy(target={"http://h.example/a": "http://h.example/b"}.get)
    new = page.replace(b'"http://h.example/a"', b'"http://h.example/b"')
    assert verify(page, new, policy=policy) is None
    assert verify(page, new.replace(b"a</id>", b"b</id>"), policy=policy) is not None


def test_a_link_that_readers_read_in_two_charsets_is_compared_in_both() -> None:
    page = '<?xml version="1.0" encoding="{}"?><?xml-stylesheet href="a?{}"?><x/>'
    old = page.format("windows-1251", "ж").encode("windows-1251")
    for query in ("%E6", "%D0%B6"):
        new = page.format("windows-1251", query).encode()
        found = verify(old, new, policy=POLICY)
        assert found is not None
        assert found.what == "link"


def links(data: bytes) -> list[linkfix.Link]:
    return list(linkfix.extract(data))


def move_link(data: bytes, choice: random.Random) -> bytes:
    link = choice.choice([each for each in links(data) if each.raw])
    at = choice.choice((link.start, link.end))
    return data[:at] + b"x" + data[at:]


def change_text(data: bytes, choice: random.Random) -> bytes:
    places = [match.end() for match in re.finditer(rb"(?:text |var t = |a> |title>|<b>)", data)]
    at = choice.choice(places)
    return data[:at] + b"zz" + data[at:]


def change_charset(data: bytes, choice: random.Random) -> bytes:
    label = choice.choice([b"iso-8859-7", b"koi8-u", b"windows-1255", b"big5"])
    return re.sub(rb'(charset=|encoding=)"[^"]+"', rb'\1"%b"' % label, data, count=1)


def lose_attribute(data: bytes, choice: random.Random) -> bytes:
    match = choice.choice(list(re.finditer(rb""" [\w:-]+=(?:"[^"]*"|[^\s"'<>]+)(?=[ />])""", data)))
    return data[: match.start()] + data[match.end() :]


def lose_tag(data: bytes, choice: random.Random) -> bytes:
    tags = (
        rb"<(?:p|a|svg|script|style|form|template|item|link|textarea)\b[^>]*>|</(?:script|style)>"
    )
    match = choice.choice(list(re.finditer(tags, data)))
    return data[: match.start()] + data[match.end() :]


FAULTS: list[Callable[[bytes, random.Random], bytes]] = [
    move_link,
    change_text,
    change_charset,
    lose_attribute,
    lose_tag,
]


@pytest.mark.nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_every_planted_fault_is_found(fault: Callable[[bytes, random.Random], bytes]) -> None:
    passed = []
    for seed in range(200):
        choice = random.Random(seed)
        data = choice.choice(DOCUMENTS)
        new = fault(rewritten(data), choice)
        try:
            found = verify(data, new, policy=POLICY)
        except linkfix.LinkfixError:
            continue
        if found is None:
            passed.append((seed, new))
    assert not passed, f"{len(passed)} of 200, first {passed[0]}"


def test_a_guess_that_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document without a declaration is compared in the guessed charset of the old one."""
    monkeypatch.setattr(
        import_module("linkfix.charset.sniff"),
        "detect",
        lambda data, **_: lookup("windows-1250" if b"/a b" in data else "windows-1252"),
    )
    old = b"<title>\x9c</title><a href='/a b'>\x9c</a>"
    new = rewritten(old)
    assert new == old.replace(b"/a b", b"/a%20b")
    assert verify(old, new, policy=POLICY) is None
    declared = b"<meta charset=windows-1252>" + new
    assert str(verify(old, declared, policy=POLICY)).startswith("charset: document: ")


def test_a_transcoded_link_that_readers_disagree_on_leads_where_chromium_went() -> None:
    data, out = '@charset "koi8-r";\na{background:url(я?я)}'.encode("koi8-r"), io.BytesIO()
    linkfix.transcode(data, out, policy=POLICY, type="css")
    assert out.getvalue().endswith(b"url(%D1%8F?%D1)}")
    options: dict[str, Any] = {"policy": POLICY, "type": "css", "transcoded": True}
    assert verify(data, out.getvalue(), **options) is None
    for other in (b"?%D1%8F", b"?%D2"):
        assert verify(data, out.getvalue().replace(b"?%D1", other), **options) is not None


@pytest.mark.parametrize(
    ("source", "type"),
    [
        (("<rss version='2.0' xmlns:c='http://purl.org/rss/1.0/modules/content/'><channel><item><c:encoded>"
         "<![CDATA[<p>See {0}</p><a href='{0}'>{0}</a>]]></c:encoded></item></channel></rss>"), "xml"),
        (("<rss version='2.0'><channel><item><description>&lt;!-- wp:button {0} --&gt;&lt;a href='{0}'&gt;{0}"
         "</description></item></channel></rss>"), "xml"),
        ("<!doctype html><iframe srcdoc='{0} <!-- {0} --> <a href={0}>{0}</a> <a href={0}/b>'></iframe>", "html"),
        ("<!doctype html><style>/* {0} */ a{{background:url({0})}} /* url({0}/b) */</style>", "html"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("charset", ["utf-8", "shift_jis"])
def test_an_address_may_also_stand_in_text_before_its_link(
    source: str, type: Literal["xml", "html"], charset: str
) -> None:
    old_address, new_address = "http://old.example/x", "https://new.example/x"
    policy = Policy(target=lambda uri: uri.replace("http://old.", "https://new."))
    declaration = "<?xml version='1.0' encoding='shift_jis'?>" if type == "xml" else ""
    old = (declaration * (charset != "utf-8") + source.format(old_address)).encode(charset)
    out = io.BytesIO()
    report = linkfix.rewrite(old, out, to="uri", policy=policy, type=type, charset=charset)
    new = out.getvalue()
    assert report.changed
    settings: dict[str, Any] = {"policy": policy, "type": type, "charset": charset}
    assert verify(old, new, **settings) is None
    text = new.decode(charset)
    for place in re.finditer(re.escape(old_address), text):
        other = text[: place.start()] + new_address + text[place.end() :]
        assert verify(old, other.encode(charset), **settings) is not None, other


@pytest.mark.parametrize(
    ("data", "changes", "base"),
    [
        ('<feed {atom}><link href="/~u/a b"/></feed>', {}, None),
        ('<html {xhtml}><a href="/~u/a b"/></html>', {}, None),
        ('<feed {atom}><link href="mailto:a@B.C"/><link href="tel:+1-2"/></feed>', {"normalize": "scheme"}, None),
        ('<feed {atom} xml:base="data:,x"><link href="a b"/></feed>', {"style": "absolute"}, "http://h.example/d/"),
        (r'<?xml version="1.0"?><feed {atom} xml:base="\d\e"><link href="a b"/></feed>', {"style": "absolute"}, "http://h.example/d/"),
        ('<p><a href="a\\b c">', {"syntax": "iri"}, "http://h.example/d/"),
        ('<p><object codebase="?&#233;" data="a b">', {"syntax": "leiri"}, "http://h.example/d/"),
    ],
)  # fmt: skip
def test_a_rewrite_with_settings_passes(
    data: str, changes: dict[str, Any], base: str | None
) -> None:
    head = (
        '<?xml version="1.0" encoding="shift_jis"?>'
        if "{" in data
        else '<meta charset="shift_jis">'
    )
    if data.startswith("<?xml"):
        head = ""
    names = {
        "atom": 'xmlns="http://www.w3.org/2005/Atom"',
        "xhtml": 'xmlns="http://www.w3.org/1999/xhtml"',
    }
    old, out = (head + data.format(**names)).encode("ascii"), io.BytesIO()
    policy = Policy(**changes)
    linkfix.rewrite(old, out, base=base, policy=policy)
    assert out.getvalue() != old
    assert verify(old, out.getvalue(), policy=policy, base=base) is None


def test_links_are_compared_where_each_of_the_policy_leads_them() -> None:
    """A function that keeps a link, or says nothing of it, leaves it to the other settings."""

    def each(link: linkfix.Link) -> str | type[linkfix.Keep] | None:
        known: dict[str, str | type[linkfix.Keep]] = {
            "/a": "http://n.example/a",
            "/b": linkfix.Keep,
        }
        return known.get(link.value)

    policy = Policy(each=each, target={"http://h.example/b": "http://n.example/b"}.get)
    page = b"<meta charset=utf-8><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>"
    new = linkfix.rewrite(page, base="http://h.example/", policy=policy)
    assert b"n.example/a" in new
    assert b"n.example/b" not in new
    assert linkfix.verify(page, new, base="http://h.example/", policy=policy) is None
    wrong = linkfix.verify(page, page, base="http://h.example/", policy=policy)
    assert wrong is not None
    assert wrong.old == "/a"
