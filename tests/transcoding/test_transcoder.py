"""A document in UTF-8 instead of another charset."""

from __future__ import annotations

import io
import re
from itertools import combinations
from typing import Any

import pytest
from invariants import PRESCAN
from transcodings import transcoded

import linkfix
from linkfix.charset import lookup, names
from linkfix.errors import LossError
from linkfix.transcoding import Declared, TranscodingReport
from linkfix.transcoding.transcoder import UTF8Decoder


def text_of(source: str, charset: str = "shift_jis", **settings: Any) -> str:
    """The new beginning of a page in a charset, without the additions."""
    page = f'<meta charset="{charset}">{source}'
    done, _ = transcoded(lookup(charset).encode(page), type="html", **settings)
    assert done.startswith(b'<meta charset="utf-8">')
    return done.decode().removeprefix('<meta charset="utf-8">')


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<a href="/検索?q=空">', '<a href="/%E6%A4%9C%E7%B4%A2?q=%8B%F3">'),
        ('<a href="/検索#空">', '<a href="/検索#空">'),
        ('<a href="a|b?x">', '<a href="a|b?x">'),
        ("<a href='mailto:a?subject=空'>", "<a href='mailto:a?subject=空'>"),
        ("<a href='ws://h/?空'>", "<a href='ws://h/?%8B%F3'>"),
        ("<a href='foo://h/?空'>", "<a href='foo://h/?%8B%F3'>"),
        ("<a href='?&#19970;'>", "<a href='?%26%2319970%3B'>"),
        ("<a href='http:?q=空'>", "<a href='http:?q=%8B%F3'>"),
        ("<a href='HTTPS:?q=空#あ'>", "<a href='HTTPS:?q=%8B%F3#%E3%81%82'>"),
        ("<a href='http:a?q=空'>", "<a href='http:a?q=%8B%F3'>"),
        ("<base href='/?空'>", "<base href='/?空'>"),
        ("<p style='b:url(?空)'>", "<p style='b:url(?空)'>"),
        ("<style>@import '?空';p{b:url(?空)}</style>", "<style>@import '?空';p{b:url(?%8B%F3)}</style>"),
        ("<iframe srcdoc='<a href=?空>'>", "<iframe srcdoc='<a href=?空>'>"),
    ],
)  # fmt: skip
def test_links_that_depend_on_the_charset(source: str, expected: str) -> None:
    assert text_of(source) == expected


@pytest.mark.parametrize(
    "value",
    [
        "http:空?q=空",
        "http://a b/?q=空",
        "//a b/?空",
        "wss:?☎",
        "file://h:80/?☎",
        "ftp://:/?空",
        "http://a b/?q=İ",
        "//a b/?ſ",
        "http://a b/?\u212a",
    ],
)
def test_links_that_some_browsers_follow_are_reported_where_they_are_not_pinned(value: str) -> None:
    source = f"<meta charset=shift_jis><a href='{value}'>".encode("shift_jis", "xmlcharrefreplace")
    done, report = transcoded(source, type="html")
    assert done == source.decode("shift_jis").replace("shift_jis", "utf-8").encode()
    assert [(outcome.link.value, bool(outcome.kept)) for outcome in report.unpinned] == [
        (value, True)
    ]


@pytest.mark.parametrize("value", ["/x?日本", "?q=ア", "?¥", "?日¥", "?日☎", "?ｱ", "?¥☎¥"])
def test_links_that_end_in_another_state_of_iso_2022_jp(value: str) -> None:
    octets = lookup("iso-2022-jp").encode(value, missing=lambda char: f"&#{ord(char)};".encode())
    source = b"<meta charset=iso-2022-jp><a href='" + octets + b"'>"
    done, report = transcoded(source, type="html")
    assert done.isascii()
    assert (report.pinned, report.unpinned) == (1, [])


def test_links_after_foreign_content_that_another_end_tag_closes() -> None:
    source = "<span><svg></span><form action='/s?q=Ж'></form><script src='/j?Ж'></script>"
    assert text_of(source, "windows-1251", forms="leave") == (
        "<span><svg></span><form action='/s?q=%C6'></form>"
        "<script charset=\"windows-1251\" src='/j?%C6'></script>"
    )
    source = "<svg></div><style><a xlink:href='?Ж'/></style></svg>"
    assert text_of(source, "windows-1251").endswith("<a xlink:href='?%C6'/></style></svg>")


def test_every_link_where_it_is_asked_for() -> None:
    source = '<a href="/検索?q=空"><a href="a|b#空">'
    assert text_of(source, to="uri") == (
        '<a href="/%E6%A4%9C%E7%B4%A2?q=%8B%F3"><a href="a%7Cb#%E7%A9%BA">'
    )
    assert text_of(source, to="iri") == '<a href="/検索?q=%8B%F3"><a href="a%7Cb#空">'


def test_malformed_bytes_are_what_browsers_show() -> None:
    done, report = transcoded(
        b"<meta charset=shift_jis><a href='?\x81'>\x81<p>", type="html", forms="leave"
    )
    assert done.decode() == "<meta charset=utf-8><a href='?%26%2365533%3B'>\ufffd<p>"
    assert report.replaced == 1


@pytest.mark.parametrize("step", [1, 7, 1000])
@pytest.mark.parametrize(
    ("head", "settings", "declared"),
    [
        (b"<meta charset=shift_jis>", {"type": "html"}, True),
        (b"", {"type": "html", "charset": "shift_jis"}, True),
        (b"", {"type": "css", "environment": "shift_jis"}, False),
        (b"", {"type": "text", "environment": "shift_jis"}, False),
    ],
)
def test_malformed_bytes_are_an_error_unless_accepted(
    head: bytes, settings: dict[str, Any], declared: bool, step: int
) -> None:
    link = "<a href='?空|'>空<a href=?空>".encode("shift_jis")
    source = head + link * 3 + b"\x81<p>" + link
    cuts = range(step, len(source), step)
    with pytest.raises(LossError, match="octets 81 are malformed in Shift_JIS") as failed:
        transcoded(source, cuts, accept_losses=False, name="a.html", **settings)
    assert failed.value.offset == source.index(b"\x81<")
    assert (failed.value.file, failed.value.declared) == ("a.html", declared)


@pytest.mark.parametrize(
    ("before", "label", "after"),
    [
        (b"<meta http-equiv=content-type content='\xe9 \xff; charset=", b"koi8-r", b"; \xe7'>"),
        (b"<meta http-equiv=content-type content='\xc3\xa9 charset=", b"\xff\xfe", b"'>"),
        (b"<meta charset='", b"x\xff\xc3\xa9y", b"'>"),
        (b"<a href=x charset=", b"\xff", b">"),
    ],
)
def test_malformed_bytes_around_a_label(before: bytes, label: bytes, after: bytes) -> None:
    head = b"<meta charset=utf-8>"
    done, _ = transcoded(head + before + label + after, transcoded=lambda _: True)
    assert done == head + before + b"utf-8" + after


def test_what_is_reported() -> None:
    source = "<meta charset=shift_jis><meta property=og:url content='?空'><a href='?空'><form>"
    _, report = transcoded(source.encode("shift_jis"), type="html")
    assert (report.charset, report.to_utf8, report.links, report.changed) == ("Shift_JIS", True, 2, 1)  # fmt: skip
    assert (report.pinned, report.forms, report.replaced) == (1, 1, 0)
    assert [outcome.link.element for outcome in report.unpinned] == ["meta"]
    assert report.unpinned[0].kept
    assert report.declarations == [
        Declared("meta", "shift_jis", "utf-8"),
        Declared("form@accept-charset", "", "Shift_JIS"),
    ]


def test_a_link_that_cannot_be_rewritten_is_reported() -> None:
    text = (
        "<?xml version='1.0' encoding='euc-jp'?><!DOCTYPE a [<!ENTITY e 'x'>]>"
        "<a xmlns='http://www.w3.org/1999/xhtml' href='?空&e;'/>"
    )
    done, report = transcoded(text.encode("euc-jp"), type="xhtml")
    assert "href='?空&e;'" in done.decode()
    assert [outcome.kept for outcome in report.unpinned] == ["an entity reference is part of it"]
    assert report.pinned == 0


def test_utf8_passes_byte_for_byte() -> None:
    source = "<!doctype html><meta charset=UTF8><a href='/é?é'>é<form>".encode() + b"\xff&eacute;"
    assert transcoded(source)[0] == source
    assert not transcoded(source)[1].to_utf8


@pytest.mark.nightly
@pytest.mark.parametrize("charset", [name for name in names(xml=False) if name != "UTF-8"])
def test_chunks_make_no_difference_and_twice_is_once(charset: str) -> None:
    label = lookup(charset)
    words = "aä空я表가中é€ｱ\u00a5\\~ﾊﾟ\u00b7"
    text = (
        f"<!doctype html><html>\n <head>\n  <title>{words}</title><meta charset={charset}>"
        f"<script src=x></script></head>{' ' * PRESCAN}<a href='/{words}?{words}'>{words * 3}\n&eacute;<form>"
    )
    source = label.encode(text, missing=lambda char: b"&#%d;" % ord(char))
    if label.unit == 1 and charset != "ISO-2022-JP":
        source += b"\x81\x30\x81<p>\x81\x30&eacute;\x8f\xa1<p>\xff\x81"
    more: dict[str, Any]
    for more in ({}, {"to": "iri", "unescape": True}):
        settings: dict[str, Any] = {"type": "html", "charset": charset, **more}
        whole, _ = transcoded(source, **settings)
        for step in (1, 2, 3, 7, 64):
            assert transcoded(source, range(step, len(source), step), **settings)[0] == whole
        again = {**settings, "charset": None}
        assert transcoded(whole, **again)[0] == whole
        bare = {**settings, "forms": "leave", "to": None, "transcoded": lambda _: True, "unescape": False}  # fmt: skip
        plain, report = transcoded(source, **bare)
        old = label.decode(source)
        assert plain.decode().count("\ufffd") == old.count("\ufffd") == report.replaced


@pytest.mark.parametrize(
    "charset", ["gb18030", "EUC-JP", "Shift_JIS", "Big5", "EUC-KR", "UTF-16LE"]
)
def test_any_two_cuts_make_no_difference_to_decoding(charset: str) -> None:
    label = lookup(charset)
    source = (
        b"x\x81\x30\x81<p>\x81\x30&eacute;\x8f\xa1\xfe\x8f<p>\xff\x81\x30\x81\x30\x8f\xa1\xa1\x80"
    )
    whole = label.decode(source)
    for one, two in combinations(range(1, len(source)), 2):
        decoder = UTF8Decoder(label, TranscodingReport(), passes=False, accept_losses=True)
        pieces = (source[:one], source[one:two], source[two:])
        done = b"".join(decoder(piece, False) for piece in pieces) + decoder(b"", True)
        assert done.decode() == whole, (one, two)


def test_style_sheets() -> None:
    source = "@import 'a?空';p{b:url(c?空)}".encode("shift_jis")
    rule = b'@charset "shift_jis";'
    done = "@import 'a?空';p{b:url(c?%8B%F3)}"
    assert transcoded(rule + source, type="css")[0].decode() == '@charset "utf-8";' + done
    new, report = transcoded(source, type="css", environment="shift_jis")
    assert new.decode() == '@charset "utf-8";\n' + done
    assert report.declarations == [Declared("@charset", "", "utf-8")]
    assert transcoded(b"a{b:url(c)}", type="css", charset="shift_jis")[0] == b"a{b:url(c)}"
    assert (
        transcoded(b"\xef\xbb\xbfa{b:'\xc3\xa9'}", type="css")[0] == b"\xef\xbb\xbfa{b:'\xc3\xa9'}"
    )


def test_text_has_no_links_and_no_declarations() -> None:
    source = "// <meta charset=x> @charset '/?空'".encode("shift_jis")
    done, report = transcoded(source, type="text", environment="shift_jis")
    assert done.decode("utf-8").encode("shift_jis") == source
    assert (report.charset, report.declarations, report.links) == ("Shift_JIS", [], 0)
    assert transcoded("\ufeff空".encode("utf-16-le"), type="text")[0] == "空".encode()


def test_xml() -> None:
    source = "<?xml version='1.0' encoding='EUC-JP'?>\n<r><link>/?é</link></r>".encode("euc-jp")
    done, _ = transcoded(source, type="xml")
    assert done.startswith(b"<?xml version='1.0' encoding='UTF-8'?>")
    wide = "\ufeff<r>空</r>".encode("utf-16-be")
    assert transcoded(wide, type="xml")[0] == "<r>空</r>".encode()
    assert transcoded(wide, type="xml")[1].declarations == [Declared("bom", "UTF-16BE", "")]


def test_a_form_in_an_entity_gets_no_charset() -> None:
    xhtml = """<!DOCTYPE html [<!ENTITY f "<form/>">]><html xmlns="http://www.w3.org/1999/xhtml">&f; a %s</html>"""
    source = "<?xml version='1.0' encoding='EUC-JP'?>" + xhtml
    done, _ = transcoded((source % "<form/>").encode("euc-jp"), type="xhtml")
    assert done.decode().endswith(xhtml % '<form accept-charset="EUC-JP"/>')


def test_the_library() -> None:
    sink = io.BytesIO()
    report = linkfix.transcode("<p>空".encode("shift_jis"), sink, charset="shift_jis", type="html")
    assert sink.getvalue() == '<meta charset="utf-8"><p>空'.encode()
    assert report.declarations == [Declared("meta", "", "utf-8")]


def test_errors_are_those_of_the_rewriter() -> None:
    with pytest.raises(linkfix.NotWellFormedError):
        transcoded(b"<r><s></r>", type="xml")
    with pytest.raises(linkfix.UnknownCharsetError):
        transcoded(b"", type="text", charset="nonsense")


def of_tag(tag: str, charset: str = "shift_jis", **settings: Any) -> str:
    return text_of(tag, charset, **settings)


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<script src=x></script>", '<script charset="Shift_JIS" src=x></script>'),
        ("<SCRIPT type='TEXT/JavaScript' src=x>", "<SCRIPT charset=\"Shift_JIS\" type='TEXT/JavaScript' src=x>"),
        ("<script src=x charset=koi8-r>", "<script src=x charset=koi8-r>"),
        ("<script type=module src=x>", "<script type=module src=x>"),
        ("<script type=text/plain src=x>", "<script type=text/plain src=x>"),
        ("<script>x", "<script>x"),
        ("<link rel='a StyleSheet' href=x>", "<link charset=\"Shift_JIS\" rel='a StyleSheet' href=x>"),
        ("<link rel=next href=x>", "<link rel=next href=x>"),
        ("<a href=x charset=koi8-r>", "<a href=x charset=koi8-r>"),
        ("<form accept-charset=koi8-r>", "<form accept-charset=koi8-r>"),
        ("<form action=x>", '<form accept-charset="Shift_JIS" action=x>'),
        ("<svg><form></svg>", "<svg><form></svg>"),
        ("<svg><script src=x /></svg>", "<svg><script src=x /></svg>"),
        ("<title><form></title><style><form></style><xmp><form>",) * 2,
        ("<noscript><form></noscript>", '<noscript><form accept-charset="Shift_JIS"></noscript>'),
        ("<noframes><script src=x></script>", '<noframes><script charset="Shift_JIS" src=x></script>'),
        ("<!--[if IE]><form><![endif]-->x", '<!--[if IE]><form accept-charset="Shift_JIS"><![endif]-->x'),
        ("<noembed><form><p title='</noembed><iframe srcdoc='<form>'>",) * 2,
        ("<script><form></script><textarea><form></textarea><!-- <form> --><xmp><form>",) * 2,
    ],
)  # fmt: skip
def test_files_that_are_not_transcoded(tag: str, expected: str) -> None:
    assert of_tag(tag) == expected


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<script src=x></script>", "<script src=x></script>"),
        ("<script src=x charset=koi8-r>", "<script src=x charset=utf-8>"),
        ("<script src=x charset='&#107;oi8-r'>", "<script src=x charset='utf-8'>"),
        ("<script src=x charset=UTF8>", "<script src=x charset=UTF8>"),
        ("<script src=x charset>", '<script src=x charset="utf-8">'),
        ("<script src=x charset=>", "<script src=x charset=utf-8>"),
        ("<link rel=next charset=nonsense href=x>", "<link rel=next charset=utf-8 href=x>"),
        ('<a href=x charset="koi8-r">', '<a href=x charset="utf-8">'),
        ("<a name=x charset=koi8-r>", "<a name=x charset=koi8-r>"),
    ],
)
def test_files_that_are_transcoded_too(tag: str, expected: str) -> None:
    assert of_tag(tag, transcoded=lambda _: True) == expected


@pytest.mark.parametrize("place", ["http://h.example/x.html", "http://h.example/x.txt"])
def test_the_encoding_of_a_file_that_xml_includes_as_text(place: str) -> None:
    feed = """<?xml version="1.0" encoding="%s"?><a xmlns:i="http://www.w3.org/2001/XInclude">
<i:include href="/x.html" parse="text" encoding="%s"/><include href="/x.html" encoding="koi8-r"/> é</a>"""
    done, _ = transcoded(
        (feed % ("windows-1252", "koi8-r")).encode("latin-1"),
        type="xml",
        base="http://h.example/a.xml",
        transcoded=lambda uri: uri == place,
    )
    assert done.decode() == feed % ("UTF-8", "utf-8" if "html" in place else "koi8-r")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (" href='x.css'", " charset=\"windows-1252\" href='x.css'"),
        (" \r\ntype='text/css' href='x.css'", " charset=\"windows-1252\" \r\ntype='text/css' href='x.css'"),
        (" href='x.xsl' type='text/xsl'", ""),
        (" title='é' href='x.css' charset='koi8-r'", ""),
        (" title='é' charset='koi8-r' href=\"ours.css\"", " title='é' charset='utf-8' href=\"ours.css\""),
        (" title='é' charset='koi8&#45;r' href='ours.css'", " title='é' charset='utf-8' href='ours.css'"),
        (" href='ours.css'", ""),
        (" href='x.css' and more", ""),
    ],
)  # fmt: skip
def test_the_charset_of_a_sheet_that_an_instruction_names(data: str, expected: str) -> None:
    feed = '<?xml version="1.0" encoding="{}"?>\n<?xml-stylesheet{}?><?other href="x.css"?><a>é</a>'
    done, report = transcoded(
        feed.format("windows-1252", data).encode("latin-1"),
        cuts=[40, 70],
        type="xml",
        base="http://h.example/a.xml",
        transcoded=lambda uri: uri == "http://h.example/ours.css",
    )
    assert done.decode() == feed.format("UTF-8", expected or data)
    places = [each.place for each in report.declarations]
    assert ("?xml-stylesheet@charset" in places) == bool(expected)


def test_which_file_is_asked_for() -> None:
    asked: list[str] = []

    def is_ours(uri: str) -> bool:
        asked.append(uri)
        return "/dir/" in uri

    source = (
        "<base href=/dir/><script src='空?空'></script><link rel=stylesheet href='//b.example/x'>"
    )
    done = of_tag(source, transcoded=is_ours, base="http://a.example/")
    assert asked == ["http://a.example/dir/%E7%A9%BA?%8B%F3", "http://b.example/x"]
    assert "<script src='%E7%A9%BA?%8B%F3'>" in done
    assert '<link charset="Shift_JIS" rel=stylesheet' in done


def test_utf16_reads_its_files_in_it_and_submits_in_utf8() -> None:
    source = "\ufeff<script src=x></script><form>".encode("utf-16-le")
    done, _ = transcoded(source, type="html")
    assert b'<script charset="UTF-16LE" src=x>' in done
    assert b"<form>" in done


META = '<meta charset="utf-8">'


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<html><head><title>é", f"<html><head>{META}<title>é"),
        ("<x:a>\n<html>\n<head>\n <title>é", f"{META}<x:a>\n<html>\n<head>\n <title>é"),
        ("<html>\n<x:a>\n<head>\n <title>é", f"<html>\n{META}\n<x:a>\n<head>\n <title>é"),
        ("é\n<head>\n <title>", f"{META}é\n<head>\n <title>"),
        ("<html>\n<head>\n  <title>é", f"<html>\n<head>\n  {META}\n  <title>é"),
        ("<html>\r\n\t<head>\r\n\t\t<title>é", f"<html>\r\n\t<head>\r\n\t\t{META}\r\n\t\t<title>é"),
        ("<!doctype html>\n<!-- x -->\n<title>é", f"<!doctype html>\n<!-- x -->\n{META}\n<title>é"),
        ("<html>\n<body>é", f"<html>\n{META}\n<body>é"),
        ("é", f"{META}é"),
        ("<?xml version='1.0'?><html><head>é", f"<?xml version='1.0'?><html><head>{META[:-1]}/>é"),
        ("<meta http-equiv=content-type content='text/html'>é", "<meta http-equiv=content-type content='text/html; charset=utf-8'>é"),
        ("<meta http-equiv=content-type content='text/html;'>é", "<meta http-equiv=content-type content='text/html; charset=utf-8;'>é"),
        ("<meta http-equiv=content-type content='text/html; charset=latin1'>é", "<meta http-equiv=content-type content='text/html; charset=utf-8'>é"),
        ("<meta http-equiv=content-type content='text/html; charset=&quot;latin1&quot;'>é", "<meta http-equiv=content-type content='text/html; charset=\"utf-8\"'>é"),
        ("<?xml version='1.0' encoding='latin1'?><meta charset=latin1>é", "<?xml version='1.0' encoding='UTF-8'?><meta charset=utf-8>é"),
        ("<body><meta charset=latin1>é", "<body><meta charset=utf-8>é"),
        (f"<title>{'x' * 2000}</title><meta charset=latin1>é", f"\ufeff<title>{'x' * 2000}</title><meta charset=utf-8>é"),
        (f"<!--{'x' * 2000}--><title>é", f"\ufeff<!--{'x' * 2000}--><title>é"),
        (f"<head><!--{'x' * 2000}--><title>é", f"<head>{META}<!--{'x' * 2000}--><title>é"),
        (f"<body>{'x' * 2000}<meta charset=latin1>é", f"{META}<body>{'x' * 2000}<meta charset=utf-8>é"),
        (f"<!--{'x' * 70000}", f"{META}<!--{'x' * 70000}"),
    ],
)  # fmt: skip
def test_every_page_says_that_it_is_in_utf8(source: str, expected: str) -> None:
    page = source.encode("latin-1")
    settings: dict[str, Any] = {"type": "html", "charset": "windows-1252"}
    done, _ = transcoded(page, **settings)
    assert done.decode() == expected
    for step in (1, 1000):
        assert transcoded(page, range(step, len(page), step), **settings)[0] == done
    assert transcoded(done, type="html")[0] == done


def test_a_byte_order_mark_declares_utf8() -> None:
    source = "\ufeff<title>é".encode()
    assert transcoded(source, type="html")[0] == source


@pytest.mark.parametrize("end", ["&#31354;", "&#31354", "<b>&#x7a7a;", "<p title=&#31354;>"])
def test_references_in_embedded_documents_become_characters(end: str) -> None:
    for page in (
        "<noscript>@</noscript>",
        "<!--[if IE]>@<![endif]-->",
        "<noframes><noembed>@</noembed></noframes>",
    ):
        new = text_of(page.replace("@", end), "shift_jis", unescape=True)
        assert new == page.replace("@", re.sub("&#[0-9a-fx]+;?", "空", end))
