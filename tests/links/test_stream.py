"""The stream of links: what is found in HTML and XML, and where."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import pytest
from invariants import PRESCAN

import linkfix
from linkfix.charset import lookup
from linkfix.errors import LimitExceededError, NotWellFormedError, UnknownCharsetError
from linkfix.links import Kind, Link, LinkStream
from linkfix.markup.layers import HTML_DOUBLE, HTML_SINGLE, HTML_UNQUOTED

if TYPE_CHECKING:
    from linkfix.markup.detect import DocumentType


def links(
    source: bytes, *, type: DocumentType | None = None, charset: str | None = None, name: str = ""
) -> list[Link]:
    stream = LinkStream(type=type, charset=charset, name=name)
    return stream.feed(source) + stream.close()


def found(source: bytes, *, type: DocumentType | None = None) -> list[tuple[str, str, str]]:
    for link in (listed := links(source, type=type)):
        assert source[link.start : link.end] == link.raw
    return [(link.element, link.attribute, link.value) for link in listed]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"<a href=x>", [("a", "href", "x")]),
        (b"<A HREF='a&amp;b&copy=1'>", [("a", "href", "a&b&copy=1")]),
        (b"<a title=x><b href=x>", []),
        (b"<a href>", [("a", "href", "")]),
        (b"<a href=1 HREF=2>", [("a", "href", "1")]),
        (b"<a ping=' a  b\n'>", [("a", "ping", "a"), ("a", "ping", "b")]),
        (b"<img srcset='a 1x, b,c 2x,,d'>", [("img", "srcset", v) for v in ("a", "b,c", "d")]),
        (b"<img srcset='data:,x 1x, b (x,y) z, c'>", [("img", "srcset", v) for v in ("data:,x", "b", "c")]),
        (b"<meta http-equiv=REFRESH content='3;url=x'>", [("meta", "content", "x")]),
        (b"<meta http-equiv=refresh content='3; URL = \"x y\" z'>", [("meta", "content", "x y")]),
        (b"<meta http-equiv=refresh content='180'><meta name=a content='3;url=x'>", []),
        (b"<meta http-equiv=refresh content='0, urlx'>", [("meta", "content", "urlx")]),
        (b"<param valuetype=REF value=x><param value=y>", [("param", "value", "x")]),
        (b"<svg><a xlink:href=x href=y></svg><a xlink:href=z>", [("a", "xlink:href", "x"), ("a", "href", "y")]),
        (b"<math><mrow href=x><csymbol definitionurl=y>", [("mrow", "href", "x"), ("csymbol", "definitionurl", "y")]),
        (b"<math><mi style='background:url(x)'></mi></math><col background=y>", [("mi", "style", "x"), ("col", "background", "y")]),
        (b"<image srcset='a 1x, b' longdesc=c>", [("image", "srcset", "a"), ("image", "srcset", "b"), ("image", "longdesc", "c")]),
        (b"<p style='background:url(a&amp;b) url(&quot;c&quot;)'>", [("p", "style", "a&b"), ("p", "style", "c")]),
        (b"<style>a{b:url(x)}</style><style type=text/x>url(y)</style><style>@import 'z", [("style", "", "x"), ("style", "", "z")]),
        (b"<svg><rect fill='url(#x)' title='url(y)'>", [("rect", "fill", "#x")]),
        (b"<meta property=OG:image content=x><meta name=description content=y>", [("meta", "content", "x")]),
        (b"<applet archive='a.jar, b.jar'>", [("applet", "archive", "a.jar"), ("applet", "archive", "b.jar")]),
        (b"<iframe srcdoc='<a href=&quot;x&amp;amp;y&quot;><img src=z>'>", [("a", "href", "x&y"), ("img", "src", "z")]),
        (b"<p itemtype='a b' itemid=c>", [("p", "itemtype", "a b"), ("p", "itemid", "c")]),
        (b"<script src=x><a href=y></script><textarea><a href=z>", [("script", "src", "x")]),
    ],
)  # fmt: skip
def test_html(source: bytes, expected: list[tuple[str, str, str]]) -> None:
    assert found(source, type="html") == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"<rss><link> http://a/ </link><item link='x'><enclosure url='b'/></item></rss>", [("link", "", "http://a/"), ("enclosure", "url", "b")]),
        (b"<x><link>http://a/</link></x>", []),
        (b"<rss><link><![CDATA[ a&b ]]></link></rss>", [("link", "", "a&b")]),
        (b"<rss><guid>x</guid></rss>", [("guid", "", "x")]),
        (b"<f:feed xmlns:f='http://www.w3.org/2005/Atom'><f:link href='a'/><f:icon>b</f:icon></f:feed>", [("f:link", "href", "a"), ("f:icon", "", "b")]),
        (b"<s xmlns='http://www.w3.org/2000/svg' xmlns:q='http://www.w3.org/1999/xlink'><a q:href='a' xlink='no'/><textPath href='b'/></s>", [("a", "q:href", "a"), ("textPath", "href", "b")]),
        (b"<html xmlns='http://www.w3.org/1999/xhtml'><img src='a' srcset='b 1x, c'/></html>", [("img", "src", "a"), ("img", "srcset", "b"), ("img", "srcset", "c")]),
        (b"<a xml:base='x'/>", [("a", "xml:base", "x")]),
        (b"<a href='x'/>", []),
    ],
)  # fmt: skip
def test_xml(source: bytes, expected: list[tuple[str, str, str]]) -> None:
    assert found(source, type="xml") == expected


def test_kinds_and_layers() -> None:
    source = b"<a href=\"1\"><a href='2'><a href=3><map usemap=x><img usemap=#m><p itemid=u>"
    assert [(link.kind, link.layers) for link in links(source)] == [
        (Kind.SINGLE, (HTML_DOUBLE,)),
        (Kind.SINGLE, (HTML_SINGLE,)),
        (Kind.SINGLE, (HTML_UNQUOTED,)),
        (Kind.HASH_NAME, (HTML_UNQUOTED,)),
        (Kind.IDENTITY, (HTML_UNQUOTED,)),
    ]


@pytest.mark.parametrize("charset", ["utf-8", "shift_jis", "utf-16le"])
@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_lines_and_columns(charset: str, line_end: str) -> None:
    text = line_end.join([" " * PRESCAN, "ソ<a href=1>", "", "表表 <a href=2><a", "href='3'>"])
    source = text.encode(charset)
    for stream_chunks in ([source], [source[i : i + 1] for i in range(len(source))]):
        stream = LinkStream(type="html", charset=charset)
        listed = [link for chunk in stream_chunks for link in stream.feed(chunk)] + stream.close()
        assert [(link.value, link.line, link.column) for link in listed] == [
            ("1", 2, 10),
            ("2", 4, 12),
            ("3", 5, 7),
        ]


@pytest.mark.parametrize(
    "charset", ["utf-8", "utf-16le", "utf-16be", "gb18030", "shift_jis", "iso-2022-jp"]
)
def test_columns_where_a_chunk_ends_in_the_midst_of_a_character(charset: str) -> None:
    char = next(char for char in "😀表" if lookup(charset).encodable(char))
    page = f"<p>{' ' * PRESCAN}<script>{char * 40}</script>{char * 9}"
    source = lookup(charset).encode(f"{page}<a href=x>")
    for size in (1, 2, 3, 5, 7, 8, 1124, 1130):
        stream = LinkStream(type="html", charset=charset)
        given = [link for at in range(0, len(source), size) for link in stream.feed(source[at : at + size])]  # fmt: skip
        (link,) = given + stream.close()
        assert (link.line, link.column) == (1, len(f"{page}<a href=") + 1)


def test_what_is_not_the_links_own_is_marked() -> None:
    source = (
        b"<!DOCTYPE rss [<!ENTITY e 'x'><!ATTLIST enclosure url CDATA 'default'>]>"
        b"<rss><link>&e;y</link><enclosure/><link>a<!-- -->b</link><link>a</link></rss>"
    )
    assert [(link.value, bool(link.fixed)) for link in links(source, type="xml")] == [
        ("xy", True),
        ("default", True),
        ("ab", True),
        ("a", False),
    ]


def test_malformed_bytes_are_marked() -> None:
    source = b'<meta charset=utf-8><a href="/\xe9"><a href="/\xef\xbf\xbd"><a href="\xe3\x81">'
    assert [(link.value, link.malformed) for link in links(source)] == [
        ("/\ufffd", True),
        ("/\ufffd", False),
        ("\ufffd", True),
    ]


def test_the_last_character_of_a_value_may_be_that_which_stands_for_malformed_bytes() -> None:
    source = '<a href="/\ufffd">'.encode("utf-16be")
    (link,) = links(source, charset="utf-16be")
    assert (link.value, link.malformed, link.fixed) == ("/\ufffd", False, "")


def test_an_unfinished_character_spoils_no_link_before_it() -> None:
    source = (
        b'<p style="color: red\x81\x30"><p style="fill: url(\'a b\')\x81\x30">'
        b'<a href="a b\x81\x30">'
    )
    found = [(link.value, link.fixed) for link in links(source, charset="gb18030")]
    assert found == [("a b", ""), ("a b\ufffd", "its last bytes are malformed")]
    rewriter = linkfix.Rewriter(source=linkfix.Source(type="html", charset="gb18030"))
    assert rewriter.whole(source) == source.replace(b"'a b'", b"'a%20b'")
    assert (rewriter.report.changed, rewriter.report.kept) == (1, 1)


def test_xml_base_is_inherited() -> None:
    source = b"<r xml:base='a/' xmlns:x='http://www.w3.org/1999/xlink'><i xml:base='b/' x:href='1'/><j x:href='2'/></r>"
    assert [(link.value, link.bases) for link in links(source, type="xml")] == [
        ("a/", ()),
        ("b/", ("a/",)),
        ("1", ("a/", "b/")),
        ("2", ("a/",)),
    ]


def test_byte_order_mark_counts_in_offsets() -> None:
    for mark, charset in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16be")):
        for markup in ("<a href=x>", "<?xml version='1.0'?><rss><link>x</link></rss>"):
            source = mark + markup.encode(charset)
            (link,) = links(source)
            assert source[link.start : link.end] == "x".encode(charset)


@pytest.mark.parametrize(
    ("instruction", "found"),
    [
        (b"href='a'", ["a"]),
        (b"type='text/css'\nhref\n=\n\"a\" ", ["a"]),
        (b"type='text/css'href='a'", []),
        (b"hr'href='a'", []),
        (b"title='<' href='a'", []),
        (b"href='a' x", []),
        (b"xhref='a'", []),
    ],
)
def test_a_style_sheet_is_named_as_browsers_read_it(instruction: bytes, found: list[str]) -> None:
    source = b"<?xml-stylesheet " + instruction + b"?><a/>"
    assert [link.value for link in links(source, type="xml")] == found


def test_errors_name_the_place() -> None:
    with pytest.raises(NotWellFormedError) as caught:
        links("<?xml version='1.0'?>\n<r>é\n <a></r>".encode(), name="f.xml")
    error = caught.value
    assert (error.file, error.line, error.column) == ("f.xml", 3, 7)
    assert str(error).startswith("f.xml:3:7: not well-formed XML: mismatched tag (byte offset 34)")


def test_an_unknown_transport_charset_is_refused() -> None:
    with pytest.raises(UnknownCharsetError):
        links(b"<a href=x>", charset="klingon")


def nested(depth: int) -> bytes:
    """A document in an attribute of one in an attribute, and so on, with a link in the innermost."""
    ends = (b"&" + b"amp;" * (n - 1) + b"gt;" for n in range(depth, 0, -1))
    return b"<p>" + b"<iframe/srcdoc=" * depth + b"<a/href=/|x" + b"".join(ends) + b">"


def test_documents_in_one_another() -> None:
    (link,) = links(nested(32), type="html")
    assert (link.element, link.value, len(link.layers)) == ("a", "/|x", 33)


def test_too_many_documents_in_one_another_are_refused_with_their_place() -> None:
    rewriter = linkfix.Rewriter(source=linkfix.Source(type="html", charset="utf-8"))
    source = b"<base href='/x y'>" + nested(400)
    with pytest.raises(LimitExceededError) as caught:
        rewriter.whole(source)
    assert caught.value.offset == source.index(b"<iframe/srcdoc=<iframe") + len(b"<iframe/srcdoc=")
    assert rewriter.rest() == source
