"""Values that look like links in attributes of no table: listed on request, each once in an audit, never rewritten."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import processes
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkfix
from linkfix.links import Kind, LinkStream
from linkfix.links.parts import UNKNOWN
from linkfix.links.schemas import load
from linkfix.links.settings import XMLSettings
from linkfix.markup.xml import names as xmlnames

if TYPE_CHECKING:
    import subprocess

pytestmark = pytest.mark.system

SETTINGS = XMLSettings(unknown=True)
LINKS = ["http://e.example/a", "https://e.example/?a&amp;b", "ftp://e.example", "mailto:a@e.example", "www.e.example/x", "http://a.example/ http://b.example/"]  # fmt: skip
OTHERS = ["", "a.html", "12:30", "text: www", "urn:x", "mailto:", "http:", "http://", "www.", "see http://e.example/", "http://e.example/ is", "http://e.example/&lt;a&gt;"]  # fmt: skip


def listed(source: str, **settings: object) -> list[tuple[str, str, str]]:
    """The unknown values: element, attribute and spelling."""
    stream = LinkStream(type="xml", xml=XMLSettings(unknown=True, **settings))  # type: ignore[arg-type]
    found = stream.whole(source.encode())
    assert all(source.encode()[link.start : link.end] == link.raw for link in found)
    return [(link.element, link.attribute, link.raw.decode()) for link in found if link.kind is Kind.UNKNOWN]  # fmt: skip


@pytest.mark.parametrize("value", LINKS)
def test_what_looks_like_links(value: str) -> None:
    assert listed(f"<r><a b='{value}'/></r>") == [("a", "b", value)]


@pytest.mark.parametrize("value", OTHERS)
def test_what_does_not(value: str) -> None:
    assert listed(f"<r><a b='{value}'/></r>") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<rss><link x='http://a.example/'>http://b.example/</link></rss>", ["link@x"]),
        ("<rss><enclosure url='http://a.example/'/><image url='http://b.example/'/></rss>", ["image@url"]),
        ("<r xmlns='http://a.example/' xmlns:x='http://b.example/' x:y='http://c.example/'/>", ["r@x:y"]),
        ("<r xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='http://a.example/' href='http://b.example/'/>", ["r@href"]),
        ("<!DOCTYPE r [<!ENTITY e 'x'>]><r a='http://a.example/'><s b='rel'/></r>", ["r@a"]),
        ("<!DOCTYPE r [<!ATTLIST r a CDATA 'http://a.example/'>]><r b='http://b.example/'/>", ["r@b"]),
        (("<s xmlns='http://www.w3.org/2001/XMLSchema' xpathDefaultNamespace='http://a.example/'><any namespace='http://a.example/ http://b.example/' notNamespace='http://c.example/'/>"
         "<anyAttribute namespace='http://a.example/'/><element default='http://a.example/' fixed='http://b.example/'/><enumeration value='http://a.example/'/>"
         "<pattern value='http://.*'/><length value='http://a.example/'/></s>"), ["length@value"]),
        ("<s xmlns='http://www.w3.org/1999/XSL/Transform' default-collation='http://a.example/'><t xpath-default-namespace='http://a.example/'/><output x='http://b.example/'/></s>", ["output@x"]),
        ("<a xmlns='http://www.w3.org/1999/xhtml' href='http://a.example/' data-x='http://b.example/'/>", ["a@data-x"]),
    ],
)  # fmt: skip
def test_names(source: str, expected: list[str]) -> None:
    assert [f"{element}@{attribute}" for element, attribute, _ in listed(source)] == expected


def test_what_a_schema_knows_as_text_is_known(tmp_path: Path) -> None:
    path = tmp_path / "schema.rng"
    path.write_text(
        "<element name='r' xmlns='http://relaxng.org/ns/structure/1.0'><attribute name='a'/>"
        "<zeroOrMore><attribute><nsName ns='urn:x'/></attribute></zeroOrMore></element>"
    )
    source = (
        "<r xmlns:x='urn:x' a='http://a.example/' x:b='http://b.example/' c='http://c.example/'/>"
    )
    assert listed(source, schema=load(str(path))) == [("r", "c", "http://c.example/")]


NAMES = st.sampled_from(["href", "a", "src", "b", "url", "id"])
PLACES = st.lists(st.tuples(st.sampled_from("rstu"), st.dictionaries(NAMES, st.sampled_from([*LINKS, *OTHERS]), max_size=3)), max_size=12)  # fmt: skip


@given(PLACES, st.sampled_from(["utf-8", "utf-16"]), st.integers(1, 40))
def test_the_skip_finds_what_is_read_tag_by_tag(
    places: list[tuple[str, dict[str, str]]], charset: str, size: int
) -> None:
    """Every pattern, chunk and charset lists what was put in, but for an ``id``."""
    tags = [
        f"<{name}" + "".join(f" {key}='{value}'" for key, value in attributes.items()) + "/>"
        for name, attributes in places
    ]
    source = f"<r>{'<t/>' * 3}{'x'.join(tags)}</r>"
    expected = [
        (name, key, value)
        for name, attributes in places
        for key, value in attributes.items()
        if value in LINKS and key != "id"
    ]
    octets = source.encode(charset)
    before = xmlnames._PATIENCE
    for patience in (0, before):
        xmlnames._PATIENCE = patience
        xmlnames.finder_of.cache_clear()
        try:
            stream = LinkStream(type="xml", charset=charset, xml=SETTINGS)
            found = [
                link
                for start in range(0, len(octets), size)
                for link in stream.feed(octets[start : start + size])
            ]
            found += stream.close()
        finally:
            xmlnames._PATIENCE = before
            xmlnames.finder_of.cache_clear()
        assert [(link.element, link.attribute, link.raw.decode(link.charset.name)) for link in found] == expected  # fmt: skip


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p data-x='@'>", ["p@data-x"]),
        ("<P DATA-X=@ Id='@' xmlns:y='@'><meta name=z content='@'><a href='@' ping='@' y='@'>", ["p@data-x", "meta@content", "a@y"]),
        ("<img data-src='@' data-id='@'><input value='@'><meta name=thumbnail content='@'>", ["img@data-src", "img@data-id", "input@value"]),
        ("<svg><a xlink:href='@' href='@' q:href='@'/></svg>", ["a@q:href"]),
        ("<noscript><p x='@'></noscript><!--[if IE]><p y='@'><![endif]--><iframe srcdoc=\"<p z='@'>\"></iframe><!-- <p a='@'> -->", ["p@x", "p@y", "p@z"]),
        ("<script>'<p x=@>'</script><textarea><p x='@'></textarea><style>p{background:url(@)}</style>", []),
        ("<p x='text @'><p x='rel'><p @='y'>", []),
    ],
)  # fmt: skip
def test_html(page: str, expected: list[str]) -> None:
    """In HTML too, in every document inside it: of an attribute whose rows do not apply, and never of one that is a link."""
    source = (
        "<!doctype html><meta charset=utf-8>" + page.replace("@", "http://e.example/a")
    ).encode()
    found = [*linkfix.extract(source, type="html", unknown=True)]
    assert [f"{link.element}@{link.attribute}" for link in found] == expected
    assert {(link.kind, link.raw) for link in found} <= {(Kind.UNKNOWN, b"http://e.example/a")}
    known = {link.start for link in linkfix.extract(source, type="html")}
    assert not known & {link.start for link in found}
    feed = f"<rss version='2.0'><channel><item><description><![CDATA[{page}]]></description></item></channel></rss>"
    inside = linkfix.extract(feed.replace("@", "http://e.example/a").encode(), unknown=True)
    assert [f"{link.element}@{link.attribute}" for link in inside] == expected


@given(PLACES, st.sampled_from(["utf-8", "utf-16"]), st.integers(1, 40))
def test_html_in_pieces(places: list[tuple[str, dict[str, str]]], charset: str, size: int) -> None:
    """Every split and charset lists what was put in, but for an ``id``."""
    tags = [f"<x-{n}{''.join(f' {k}={v!r}' for k, v in a.items())}>" for n, a in places]
    octets = ("<!doctype html>" + "x".join(tags)).encode(charset)
    source = linkfix.Source(type="html", charset=charset)
    extractor = linkfix.Extractor(source=source, unknown=True)
    found = [y for x in range(0, len(octets), size) for y in extractor.feed(octets[x : x + size])]
    found += extractor.close()
    assert [
        (link.element, link.attribute, link.raw.decode(link.charset.name)) for link in found
    ] == [
        (f"x-{name}", key, value)
        for name, attributes in places
        for key, value in attributes.items()
        if value in LINKS and key != "id"
    ]


def test_nothing_else_changes() -> None:
    """Without the setting there is no such link, and a rewrite leaves the value."""
    source = b"<r a='http://e.example/\xc3\xa9'><xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='a b'/></r>"
    assert [link.value for link in linkfix.extract(source, type="xml") if link.attribute == "a"] == []  # fmt: skip
    rewriter = linkfix.Rewriter(
        policy=linkfix.Policy(xml=SETTINGS), source=linkfix.Source(type="xml")
    )
    assert rewriter.whole(source) == source.replace(b"a b", b"a%20b")
    assert UNKNOWN.kind is Kind.UNKNOWN


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return processes.text(processes.run(*arguments, cwd=folder))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for number in range(3):
        (tmp_path / f"{number}.xml").write_text(
            f"<r>\n<a page='http://e.example/{number}' more='x'/>\n<a page='http://e.example/z'/></r>"
        )
    return tmp_path


def test_extract_lists_them(site: Path) -> None:
    text = run("extract", "--unknown", "0.xml", folder=site)
    assert (text.returncode, text.stdout) == (
        0,
        "0.xml:2:10: a@page  http://e.example/0\n0.xml:3:10: a@page  http://e.example/z\n",
    )
    lines = run("extract", "--unknown", "--format", "jsonl", "0.xml", folder=site).stdout.splitlines()  # fmt: skip
    first = json.loads(lines[0])
    assert (first["start"], first["end"], first["kind"]) == (13, 31, "unknown")
    (site / "p.html").write_text("<!doctype html><meta charset=utf-8>\n<p x='http://e.example/'>")
    text = run("extract", "--unknown", "p.html", folder=site)
    assert (text.returncode, text.stdout) == (0, "p.html:2:7: p@x  http://e.example/\n")
    table = run("extract", "--unknown", "--format", "csv", "0.xml", folder=site).stdout
    assert "0.xml,2,10,13,31,a,,page,unknown,http://e.example/0,http://e.example/0,UTF-8" in table


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_audit_reports_each_name_once_in_a_run(site: Path, jobs: str) -> None:
    done = run("audit", "-j", jobs, "--select", "SIT006", "--format", "jsonl", ".", folder=site)
    (only,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (Path(only["file"]).name, only["line"], only["rule"]) == ("0.xml", 2, "SIT006")
