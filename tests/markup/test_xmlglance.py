"""What a glance at XML passes over is what the ordinary way leaves as it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance_data import conformance
from hypothesis import given, settings
from hypothesis import strategies as st

import linkfix
from linkfix.errors import LinkfixError
from linkfix.links import LinkStream
from linkfix.links.settings import XMLSettings
from linkfix.markup.xmlevents import Limits
from linkfix.policy import Policy

DOCUMENTS = sorted((Path(__file__).parents[1] / "links" / "data").glob("*.xml"))
#: Vocabularies of which the document has what no rewrite makes clean, as templates and other schemes
#: are, or what a glance does not judge: image candidates, strings in quotes, url() with a path.
HARD = {"dash", "kml", "opensearch", "smil", "svg", "tei", "x3d", "xhtml", "xlink", "xslfo", "xslt"}  # fmt: skip

DEFAULT = XMLSettings()
CLEAN = [
    b"<a b='|' href2='a|b' title='href=x'/>",
    b'<a xml:base="http://h.example/" src="a|b"/>',
    b'<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "a|b">\n<!-- href="a|b" --><a>x = y, href  =b, x = "a b"</a>',
    b"<?xml-stylesheet href='a?b&amp;c'?><a/>",
    b"<?xml-stylesheet href='a'?><!-- b --><!DOCTYPE a SYSTEM 'b'><a/>",
    b"<rss><link>http://h.example/?a&amp;b</link><a:link xmlns:a='http://www.w3.org/2005/Atom' href='a'/></rss>",
    b"<rss><link>\n<![CDATA[http://h.example/?a&b]]></link><guid>a b</guid><link/></rss>",
    b"<rss><description>&lt;a href=\"x?a&amp;amp;b\" title=&quot;a|b&quot;&gt; \xc3\xa9 &#8217;</description></rss>",
    b"<rss><description><![CDATA[<a href='x?a&amp;b'>]]></description></rss>",
    b"<svg xmlns='http://www.w3.org/2000/svg'><a style='fill:url(#a);color:rgb(1,2,3)' href='#b'/></svg>",
    b"<svg xmlns='http://www.w3.org/2000/svg'><style><![CDATA[@media x { a { b: 'c' } }]]></style></svg>",
    b"<TEI xmlns='http://www.tei-c.org/ns/1.0'><ref target='#a\n#b'/></TEI>",
    b"<html xmlns='http://www.w3.org/1999/xhtml'><meta name='description' content='a|b'/></html>",
]  # fmt: skip
WORTH = [
    b"<a xml:base='a|b'/>",
    b"<a xml:base='mailto:a'/>",
    b"<?xml-stylesheet href='a|b'?><a/>",
    b"<?xml-stylesheet type='text/css' href =\n'a|b'?><a/>",
    b"<?xml-stylesheet href=\"a\" title='b' href='a|b'?><a/>",
    b"<rss><link>a|b</link></rss>",
    b"<x:rss><link>a|b</link></x:rss>",
    b"<rss><x:link a='>' >\na|b\n</x:link></rss>",
    b"<rss><link>a<!-- -->b</link></rss>",
    b"<rss><link><![CDATA[a|b]]></link></rss>",
    b"<rss><enclosure url='a|b'/></rss>",
    b"<rss><enclosure x:url='a|b'/></rss>",
    b"<rss><enclosure url = 'a|b'/></rss>",
    b"<rss><enclosure url \n ='a|b'/></rss>",
    b"<rss><enclosure x:url\n='a|b'/></rss>",
    b"<rss><enclosure title='url=\"' url='a|b'/></rss>",
    b"<rss xmlns:x='http://www.w3.org/1999/xlink'><b y:href='a' x:href='a|b'/></rss>",
    b"<rss><description>&lt;a href='a|b'&gt;</description></rss>",
    b"<rss><description>&lt;a href=&apos;a|b&apos;&gt;</description></rss>",
    b"<rss><description>&#60;a href='a|b'&gt;</description></rss>",
    b"<rss><description>&#x3c;a href='a|b'&gt;</description></rss>",
    b"<rss><description>&lt;a hre&#102;='a|b'&gt;</description></rss>",
    b"<rss><description>&lt;a href='a&amp;quot;b'&gt;</description></rss>",
    b"<rss><description>&lt;style&gt;@import 'a|b';</description></rss>",
    b"<rss><description><![CDATA[<a href='a&quot;b'>]]></description></rss>",
    b"<rss><description><![CDATA[<a href=]]>'a|b'></description></rss>",
    b"<rss><description><![CDATA[<a href=]]><![CDATA['a|b'>]]></description></rss>",
    b"<rss><description>&lt;a href=<!-- -->'a|b'></description></rss>",
    b"<rss><description>&lt;a href=<?x y/>?>'a|b'></description></rss>",
    b"<svg xmlns='http://www.w3.org/2000/svg'><a fill='url(a|b)'/></svg>",
    b"<svg xmlns='http://www.w3.org/2000/svg'><a fill='url(#a|b)'/></svg>",
    b"<svg xmlns='http://www.w3.org/2000/svg'><style>a{b:url(a|b)}</style></svg>",
    b"<svg xmlns='http://www.w3.org/2000/svg'><style>@import 'a|b'</style></svg>",
    b"<svg xmlns='http://www.w3.org/2000/sv&#103;'><a href='a|b'/></svg>",
    b"<a title='xmlns:b=\"' xmlns:b=\"http://www.w3.org/1999/xlink\" b:href='a|b'/>",
    b"<TEI xmlns='http://www.tei-c.org/ns/1.0'><ref target='#a #b|c'/></TEI>",
    b"<fo:a xmlns:fo='http://www.w3.org/1999/XSL/Format' background-image='url(//h%41.example/)'/>",
    b"<html xmlns='http://www.w3.org/1999/xhtml'><meta http-equiv='refresh' content='0;url=a|b'/></html>",
    b"<html xmlns='http://www.w3.org/1999/xhtml'><meta http-equiv='&#82;efresh' content='0;url=a|b'/></html>",
    b"<a xmlns='http://www.w3.org/2000/09/xmldsig#'/>",
    b"<a xmlns='http://www.w3.org/2000/09/xmldsi&#103;#'/>",
    b"<!DOCTYPE a [<!ATTLIST a xmlns CDATA 'http://www.w3.org/2000/svg'>]><a><style>a{b:url(a|b)}</style></a>",
    b"<a><b></a>",
    b"<a href='\xff'/>",
    b"<a>\xef\xbf\xbf</a>",
    b"<a/>\x00",
]  # fmt: skip


def run(document: bytes, *, glance: bool, xml: XMLSettings = DEFAULT) -> tuple[object, ...]:
    """Give what becomes of a document, and what is said of it; where links are counted there is no glance."""
    rewriter = linkfix.Rewriter(
        policy=Policy(xml=xml), type="xml", charset="utf-8", count=not glance
    )
    try:
        new = rewriter.whole(document)
        rewriter.report.links = None
        return new, rewriter.report
    except LinkfixError as error:
        return type(error), str(error), error.offset, error.line, error.column


def is_nothing(document: bytes, xml: XMLSettings = DEFAULT) -> bool:
    stream = Policy(xml=xml).stream(type="xml", charset="utf-8", clean=True)
    return stream.has_nothing(document)


@pytest.mark.parametrize("document", CLEAN)
def test_nothing_is_told_at_a_glance(document: bytes) -> None:
    assert is_nothing(document)
    assert run(document, glance=True) == run(document, glance=False)


@pytest.mark.parametrize("document", WORTH)
def test_each_is_worth_a_look(document: bytes) -> None:
    assert not is_nothing(document)
    assert run(document, glance=True) == run(document, glance=False)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_link_of_every_vocabulary_is_worth_a_look(path: Path) -> None:
    xml = XMLSettings(signed=True)
    sloppy = linkfix.Rewriter(policy=Policy(disputed="chromium", xml=xml), type="xml")
    cleaned = sloppy.feed(path.read_bytes()) + sloppy.close()
    assert is_nothing(cleaned, xml) == (path.stem not in HARD)
    for link in LinkStream(type="xml", charset="utf-8").feed(cleaned):
        if link.kind not in {"identity", "hash-name"}:
            middle = (link.start + link.end) // 2
            document = cleaned[:middle] + b"|" + cleaned[middle:]
            assert run(document, glance=True) == run(document, glance=False)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_spoiled_documents_are_looked_at(data: st.DataObject) -> None:
    document = data.draw(st.sampled_from([*CLEAN, *WORTH]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(document)))
        pieces = [b"|", b"'", b'"', b"=", b"<", b">", b"/", b"&", b";", b" ", b"&lt;", b"<![CDATA[", b"]]>", b"href=", b"-->", b"<!--"]  # fmt: skip
        document = (
            document[:at] + data.draw(st.sampled_from(pieces)) + document[at + data.draw(st.integers(0, 2)) :]
        )  # fmt: skip
    assert run(document, glance=True) == run(document, glance=False)


@pytest.mark.conformance
def test_every_real_document() -> None:
    told = 0
    for path in sorted(conformance("documents").rglob("*.xml")):
        document = path.read_bytes()
        glanced = linkfix.Rewriter(type="xml", count=False)
        try:
            new = glanced.whole(document)
        except LinkfixError:
            continue
        fed = linkfix.Rewriter(type="xml", count=False)
        assert new == fed.feed(document) + fed.close()
        assert glanced.report == fed.report
        told += new is document
    assert told


@pytest.mark.parametrize(
    ("limits", "document"),
    [
        (Limits(depth=20), b"<a>" * 21 + b"</a>" * 21),
        (Limits(depth=20), b"<a>" + b"<a><!--</a>--><b x='/>'/>" * 20 + b"</a>" * 21),
        (Limits(attributes=2), b"<a b='' c='' d=''/>"),
        (Limits(name=8), b"<abcdefghi/>"),
        (Limits(token=8), b"<a bcdefgh=''/>"),
    ],
)
def test_limits_are_kept(limits: Limits, document: bytes) -> None:
    xml = XMLSettings(limits=limits)
    assert run(document, glance=True, xml=xml) == run(document, glance=False, xml=xml)


def test_depth_is_told_from_length() -> None:
    flat = b"<a>" + b"<b><c/><!-- </b> --></b>" * 1000 + b"</a>"
    assert is_nothing(flat, XMLSettings(limits=Limits(depth=3500)))
    deep = b"<a>" * 40 + b"</a>" * 40
    assert not is_nothing(deep, XMLSettings(limits=Limits(depth=30)))


@pytest.mark.parametrize(
    "xml", [XMLSettings(dtd=True), XMLSettings(limits=Limits(token=2))], ids=["dtd", "token"]
)
def test_settings_that_ask_for_more(xml: XMLSettings) -> None:
    assert not is_nothing(b"<a/>", xml)


@pytest.mark.parametrize("piece", [b"<", b"<!--", b"<![CDATA[", b"=", b"= ", b"<a:", b'style="', b"href='", b"</"])  # fmt: skip
def test_long_runs_of_what_may_begin_something(piece: bytes) -> None:
    whole = b"<rss><description><![CDATA[" + piece * 200_000 + b"]]></description></rss>"
    assert run(whole, glance=True) == run(whole, glance=False)
    assert not is_nothing(b"<rss>" + piece * 200_000)
