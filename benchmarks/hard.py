"""Documents made to be hard: each is one thing over and over, as long as is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from linkfix.links.settings import XMLSettings
from linkfix.markup.xml.limits import Limits
from linkfix.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from linkfix.markup.detect import DocumentType

__all__ = ["DOCUMENTS", "Document"]

Make: TypeAlias = "Callable[[int], bytes]"
DECLARED = b"<meta charset=utf-8>"
#: Foreign content that depends on all tags before, and a link.
BROKEN = b"<svg></x-y><a href='a b'>"
#: How many bytes the longer of two large documents has.
LARGE = 50_000_000
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Document:
    """A kind of document.

    Attributes:
        name: in the table.
        make: returns a document of about so many bytes.
        type: of the document.
        policy: how it is read.
        large: how long it can be told to be where there is time enough; 0 for no such length.
        units: what that many bytes are, if that is more to the point.
        is_token: whether it is a single token of XML. Given a megabyte at a time, as pyexpat does, expat before
            2.6 begins each time at the start of the token: up to the limit of 64 MB for a token,
            twice the length takes it up to four times the time.

    """

    name: str
    make: Make
    type: DocumentType = "html"
    policy: Policy = field(default_factory=Policy)
    large: int = 0
    units: str = ""
    is_token: bool = False


def filled(head: bytes, unit: bytes, tail: bytes = b"", declared: bytes = DECLARED) -> Make:
    """So many of one unit between a head and a tail."""
    return lambda size: declared + head + unit * (size // len(unit)) + tail


def numbered(head: bytes, unit: bytes, tail: bytes = b"", declared: bytes = DECLARED) -> Make:
    """The same, where each unit has a number of its own in the place of ``%07d``."""
    length = len(unit % 0)
    return lambda size: declared + head + b"".join(unit % n for n in range(size // length)) + tail


def between(*parts: tuple[bytes, int]) -> Make:
    """One sequence of so many of a unit after the other, each with its share of the whole."""
    shares = sum(share for _, share in parts)
    return lambda size: (
        DECLARED + b"".join(unit * (size * share // shares // len(unit)) for unit, share in parts)
    )


def nested_objects(size: int) -> bytes:
    """A data block of objects in one another, each with a link."""
    count = size // 40
    head = b'<script type="application/ld+json">'
    return DECLARED + head + b'{"url": "/a b", "creator": ' * count + b"1" + b"}" * count


def several(names: bytes, count: int) -> bytes:
    """So many attributes with names of their own."""
    return b" ".join(names % n + b"='1'" for n in range(count))


def legacy(label: bytes) -> bytes:
    return b"<meta charset=" + label + b">"


#: What the speed of linkfix is promised for: these are measured at their full length with --large.
LISTED = [
    Document("no <", filled(b"", b"x"), large=LARGE),
    Document("nothing but <", filled(b"", b"<"), large=LARGE),
    Document("one long attribute", filled(b"<a title='", b"x", b"' href='a b'>"), large=LARGE),
    Document("one long link", filled(b"<a href='/", b"x", b" y'>"), large=LARGE),
    Document("attributes on one tag", numbered(b"<a ", b"a%07d=1 ", b"href='a b'>"), large=11 * MILLION, units="a million"),
    Document("nested tags", filled(b"", b"<div>"), large=5 * MILLION, units="a million"),
    Document("nested templates", filled(b"", b"<template>"), large=10 * MILLION, units="a million"),
    Document("nested foreign tags", filled(b"<svg>", b"<g>"), large=3 * MILLION, units="a million"),
    Document("unclosed comment", filled(b"<!--", b"-x"), large=LARGE),
    Document("unclosed script", filled(b"<script>", b"a < b; "), large=LARGE),
    Document("unclosed script with comments", filled(b"<script>", b"<!-- "), large=LARGE),
    Document("unclosed style", filled(b"<style>", b"a{b:c}\n"), large=LARGE // 2),
    Document("unclosed quote", filled(b"<a href='", b"<a href=x>"), large=LARGE),
    Document("unclosed title", filled(b"<title>", b"</titl "), large=LARGE),
    Document("ampersands in text", filled(b"", b"&"), large=LARGE),
    Document("references in text", filled(b"", b"&amp"), large=LARGE),
    Document("ampersands in a link", filled(b"<a href='?", b"&", b" '>"), large=LARGE // 2),
    Document("references in a link", filled(b"<a href='?", b"&amp;", b" '>"), large=LARGE // 2),
]  # fmt: skip

MARKUP = [
    Document("attributes without values", filled(b"<a ", b"a ", b">")),
    Document("one attribute over and over", filled(b"<a ", b"href='/x y' ", b">")),
    Document("spaces in a tag", filled(b"<a href='/a b' id", b" ", b">")),
    Document("slashes in a tag", filled(b"<a href='/a b' id", b"/", b">")),
    Document("equals signs in a tag", filled(b"<a x", b" =", b">")),
    Document("names and equals signs", filled(b"<a ", b"href=", b">")),
    Document("conditions and equals signs", filled(b"<a ", b"rel=", b">")),
    Document("styles and equals signs", filled(b"<a ", b"style=", b">")),
    Document("end tags of nothing", filled(b"", b"</div>")),
    Document("end tags of nothing in SVG", between((b"<svg>" + b"<g>" * 9, 1), (b"</x>", 1))),
    Document("end tags of nothing in HTML in SVG", between((b"<svg><desc>", 1), (b"<b>", 50), (b"</i>", 50))),
    Document("paragraphs in HTML in SVG", filled(b"<svg><desc>", b"<div>")),
    Document("HTML in SVG in HTML", filled(b"", b"<svg><desc>")),
    Document("MathML that ends", filled(b"<math>", b"<font>")),
    Document("misnested tags before SVG", filled(b"", b"<b><div></b>", BROKEN)),
    Document("adopted tags before SVG", between((b"<b id=1><b id=2>", 1), (b"<div>", 50), (b"</b>", 50), (BROKEN, 1))),
    Document("fonts opened again before SVG", filled(b"<p>" + b"".join(b"<font id=a%d>" % n for n in range(20)), b"<p>x", BROKEN)),
    Document("SVG that is not closed", filled(b"", b"<span><svg></span>")),
    Document("comments", filled(b"", b"<!---->")),
    Document("scripts in scripts", filled(b"<script>", b"<!--<script>")),
    Document("unclosed textareas", filled(b"", b"<textarea>")),
    Document("conditional comments", filled(b"", b"<!--[if IE]>")),
    Document("unclosed noframes", filled(b"", b"<noframes><noembed>")),
    Document("data block of nested objects", nested_objects, policy=Policy()),
    Document("bases", filled(b"", b"<base href='/a b/'><a href='x y'>")),
    Document("objects with bases", filled(b"", b"<object codebase='/a b/' data='x y'>")),
    Document("names of elements", numbered(b"", b"<x%07d href='/a b'>")),
    Document("identifiers", numbered(b"", b"<p id=a%07d><a href='#a%07d'>".replace(b"'#a%07d'", b"'#b'"))),
    Document("links to nowhere", numbered(b"", b"<a href='#a%07d'>")),
    Document("links of their own", numbered(b"", b"<a href='/a b%07d'>")),
    Document("clean links of their own", numbered(b"", b"<a href='/a%07d'>")),
    Document("hosts", numbered(b"", b"<a href='http://h%07d.example/ '>")),
    Document("many links", filled(b"", b"<a href='/a b'>\n")),
    Document("one line of links", filled(b"", b"\xc3\xa9<a href=/x>")),
    Document("comments that suppress", filled(b"", b"<!-- linkfix: ignore --><a href='/a b'>")),
    Document("comments that switch off", filled(b"", b"<!-- linkfix: off ENC --><a href='/a b'>")),
]  # fmt: skip

VALUES = [
    Document("letters and spaces", filled(b"<a href='/", b" \xc3\xa9", b"'>")),
    Document("spaces", filled(b"<a href='x", b" ", b"x'>")),
    Document("spaces before a query", filled(b"<a href='", b" ", b"?\xc3\xa9'>")),
    Document("tabs", filled(b"<a href='/", b"a\t", b" '>")),
    Document("percent signs", filled(b"<a href='?", b"%", b" '>")),
    Document("octets", filled(b"<a href='/", b"%AA", b" '>")),
    Document("octets of letters", filled(b"<a href='/", b"%C3%A9", b" '>")),
    Document("octets of percent signs", filled(b"<a href='/", b"%25", b" '>")),
    Document("dot segments", filled(b"<a href='", b"../", b" '>")),
    Document("dots", filled(b"<a href='/", b".a", b" '>")),
    Document("slashes", filled(b"<a href='", b"/", b" '>")),
    Document("backslashes", filled(b"<a href='", b"\\", b" '>")),
    Document("number signs", filled(b"<a href='", b"#", b" '>")),
    Document("colons in a host", filled(b"<a href='//", b":", b" '>")),
    Document("brackets in a host", filled(b"<a href='//", b"[", b" '>")),
    Document("long host", filled(b"<a href='http://", b"a", b"/ '>")),
    Document("long host beyond ASCII", filled(b"<a href='http://", b"\xc3\xa9.", b"/ '>")),
    Document("drive letters", filled(b"<a href='file:", b"/c|", b" '>")),
    Document("marks", filled(b"<a href='/e", "\u0301\u0316".encode(), b"'>")),
    Document("right to left", filled(b"<a href='/", "\u05d0/a".encode(), b"'>")),
    Document("digits of a reference", filled(b"<a href='?&#", b"9", b"; '>")),
    Document("script", filled(b"<a href='javascript:", b" a", b"'>")),
    Document("data", filled(b"<a href='data:", b" a\n", b"'>")),
    Document("malformed bytes", filled(b"<a href='/", b"\xff", b" '>")),
    Document("links in one srcset", filled(b"<img srcset='", b"/a\xc3\xa9 1x, ", b"'>")),
    Document("commas in one srcset", filled(b"<img srcset='", b", ", b"'>")),
    Document("links in one ping", filled(b"<a ping='", b"/a\xc3\xa9 ", b"'>")),
    Document("links in one style", filled(b"<p style='", b"a:url(\xc3\xa9);", b"'>")),
    Document("functions in one style", filled(b"<style>", b"url(")),
    Document("strings in one style", filled(b"<style>", b"'\n")),
    Document("links in one refresh", filled(b"<meta http-equiv=refresh content='0;url=/", b"a ", b"'>")),
    Document("links in one srcdoc", filled(b"<iframe srcdoc='", b"<a href=/a\xc3\xa9>", b"'>")),
    Document("references in one srcdoc", filled(b"<iframe srcdoc='", b"<a href=/a\xc3\xa9?a&amp;amp;b>", b"'>")),
]  # fmt: skip

CHARSETS = [
    Document("Shift_JIS, many links", filled(b"", b"<a href='/\x82\xa0?\x82\xa0 x'>", declared=legacy(b"shift_jis"))),
    Document("Shift_JIS, one long link", filled(b"<a href='/", b"\x82\xa0", b" x'>", declared=legacy(b"shift_jis"))),
    Document("Shift_JIS, one style sheet", filled(b"<style>", b"a{b:url(\x82\xa0?\x82\xa0)}", declared=legacy(b"shift_jis"))),
    Document("ISO-2022-JP, many links", filled(b"", b"<a href='/\x1b$B$\"\x1b(B x'>", declared=legacy(b"iso-2022-jp"))),
    Document("ISO-2022-JP, escapes in a link", filled(b"<a href='/", b"\x1b$B$\"\x1b(B", b" x'>", declared=legacy(b"iso-2022-jp"))),
    Document("ISO-2022-JP, escapes in text", filled(b"", b"\x1b$B$\"\x1b(B", b"<a href='/x y'>", declared=legacy(b"iso-2022-jp"))),
    Document("UTF-16", lambda size: b"\xff\xfe" + ("<a href='/é x'>" * (size // 30)).encode("utf-16-le")),
    Document("one malformed byte in a style sheet", filled(b"<style>\xff", b"a{b:url(\xc3\xa9)}")),
]  # fmt: skip

#: Limits for well-formed documents that are deeper and wider than the defaults allow.
UNLIMITED = Policy(xml=XMLSettings(limits=Limits(depth=2 * MILLION, attributes=2 * MILLION)))
RECOVERED = Policy(xml=XMLSettings(recover=True))
ATTRIBUTES = several(b"a%d", 500)


def elements(head: bytes, unit: bytes, tail: bytes) -> Make:
    return filled(head, unit, tail, declared=b"")


def nested_elements(size: int) -> bytes:
    count = size // 7
    return b"<a>" * count + b"</a>" * count


def nested(tag: bytes, head: bytes = b"<r>") -> Make:
    """Elements inside one another, each with a number of its own."""

    def make(size: int) -> bytes:
        count = size // len(tag % 0 + b"</a>")
        return head + b"".join(tag % n for n in range(count)) + b"</a>" * count + b"</r>"

    return make


DEFAULTS = (
    b"<!DOCTYPE r [<!ATTLIST e" + b"".join(b" a%d CDATA ''" % n for n in range(20)) + b">]><r>"
)
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:xlink='http://www.w3.org/1999/xlink'>"

XML = [
    Document("XML, many elements", elements(b"<rss>", b"<link>http://a/b c</link>", b"</rss>"), "xml"),
    Document("XML, elements without attributes", elements(b"<r>", b"<a/>", b"</r>"), "xml"),
    Document("XML, one long text", elements(b"<rss><link>", b"x ", b"</link></rss>"), "xml"),
    Document("XML, nested elements", elements(b"<r>", b"<a>" * 500 + b"</a>" * 500, b"</r>"), "xml"),
    Document("XML, nested elements, no limit", nested_elements, "xml", UNLIMITED, 7 * MILLION, "a million"),
    Document("XML, attributes on one tag, no limit", numbered(b"<r ", b"a%07d='1' ", b"/>", b""), "xml", UNLIMITED, 13 * MILLION, "a million", is_token=True),
    Document("XML, attributes on each tag", elements(b"<r>", b"<a " + ATTRIBUTES + b"/>", b"</r>"), "xml"),
    Document("XML, one long attribute", elements(b"<rss><a url='", b"x", b"'/></rss>"), "xml", large=LARGE, is_token=True),
    Document("XML, one long comment", elements(b"<rss><!--", b"x ", b"--></rss>"), "xml", large=LARGE, is_token=True),
    Document("XML, no <", elements(b"<r>", b"x", b"</r>"), "xml", large=LARGE),
    Document("XML, references in a link", elements(b"<rss><link>?", b"&amp;", b" </link></rss>"), "xml"),
    Document("XML, references in text", elements(b"<r>", b"&amp;", b"</r>"), "xml", large=LARGE),
    Document("XML, broken, nested elements", elements(b"<r></x>", b"<a>", b"</r>"), "xml", RECOVERED),
    Document("XML, broken, comments", elements(b"<r></x>", b"<!-- ", b""), "xml", RECOVERED),
    Document("XML, broken, <", elements(b"<r></x>", b"<", b""), "xml", RECOVERED),
    Document("XML, namespaces", elements(b"<r>", b"<a xmlns:x='u' x:b='c'/>", b"</r>"), "xml"),
    Document("XML, namespaces of their own", numbered(b"<r>", b"<a xmlns:n%07d='u' b='c'/>", b"</r>", b""), "xml"),
    Document("XML, nested namespaces, no limit", nested(b"<a xmlns:n%07d='u'>"), "xml", UNLIMITED),
    Document("XML, nested namespaces, broken", nested(b"<a xmlns:n%07d='u'>", b"<r></x>"), "xml", RECOVERED),
    Document("XML, bases", elements(b"<r>", b"<a xml:base='b/'><c xml:base='d/'/></a>", b"</r>"), "xml"),
    Document("XML, bases in bases", elements(b"<r>" + b"<a xml:base='b/'>" * 99, b"<c xml:base='d/'/>", b"</a>" * 99 + b"</r>"), "xml"),
    Document("XML, default attributes", elements(DEFAULTS, b"<e>" + b"x" * 60 + b"</e>", b"</r>"), "xml"),
    Document("XML, links of SVG", elements(SVG, b"<a xlink:href='a b'/><g id='c'/>", b"</svg>"), "xml"),
    Document("XML, escaped HTML", elements(b"<rss><description>", b"&lt;a href='a b'&gt;", b"</description></rss>"), "xml"),
]  # fmt: skip

DOCUMENTS = [*LISTED, *MARKUP, *VALUES, *CHARSETS, *XML]
