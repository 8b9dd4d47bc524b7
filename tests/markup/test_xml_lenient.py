"""XML that is not well-formed, read leniently; limits; what stands in the prolog."""

from __future__ import annotations

from itertools import pairwise
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

import linkfix
from linkfix.errors import LimitExceededError, LinkfixError, NotWellFormedError, SignedDocumentError
from linkfix.links.settings import XMLSettings
from linkfix.markup.xml import names as xmlnames
from linkfix.markup.xml.limits import Limits
from linkfix.policy import Policy


def rewrite(source: bytes, xml: XMLSettings, cuts: list[int] | None = None) -> bytes:
    rewriter = linkfix.Rewriter(policy=Policy(xml=xml), source=linkfix.Source(type="xml"))
    edges = [0, *(cuts or []), len(source)]
    pieces = [rewriter.feed(source[a:b]) for a, b in pairwise(edges)]
    return b"".join(pieces) + rewriter.close()


def values(source: bytes, xml: XMLSettings) -> list[str]:
    stream = linkfix.LinkStream(type="xml", xml=xml)
    return [link.value for link in stream.feed(source) + stream.close()]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<rss><link>http://a/?b&c=ü</link><link>d</link></rss>", ["http://a/?b&c=ü", "d"]),
        ("<rss><link>a</link><b><link>c</link></rss>", ["a", "c"]),
        ("<rss><enclosure url='a' url='b'/><enclosure url=c/><link>d</link></rss>", ["a", "b", "c/", "d"]),
        ("<rss><link>a</link><p>&nbsp;</p><link>b</link>", ["a", "b"]),
        ("<rss><x a='<'/><link>b</link></rss>", ["b"]),
        ("<rss><x a='b><link>c</link><enclosure url='d'/></rss>", ["c", "d"]),
        ("<rss><link>a</link></rss><rss/><link>b</link>", ["a", "b"]),
        ("<rss></x></rss><!-- <link>no</link> --><link>b</link><![CDATA[<link>no</link>]]>", ["b"]),
        ("<rss>&x;<f:f xmlns:f='http://www.w3.org/2005/Atom' xmlns:x='http://www.w3.org/1999/xlink'><f:link href='a'/><b x:href='c'/></f:f><link href='no'>d</link></rss>", ["a", "c", "d"]),
        ("<rss><![CDATA[<enclosure url='no'/>]]>&x;<enclosure url='a'/></rss>", ["a"]),
        ("<rss>< a <link>a</link><!-- never closed <link>b</link>", ["a", "b"]),
        ("<rss></x><!-- <?" + "<!-- <![CDATA[ " * 50_000 + "<link>b</link>", ["b"]),
        ("<rss>" + "<a>" * 50 + "</x>" * 50 + "<link>a</link>" + "</a>" * 60 + "<link>b</link>", ["a", "b"]),
        ("", []),
    ],
)  # fmt: skip
def test_lenient(source: str, expected: list[str]) -> None:
    said: list[LinkfixError] = []
    octets = source.encode()
    with pytest.raises(NotWellFormedError):
        values(octets, XMLSettings())
    assert values(octets, XMLSettings(recover=True, on_recover=said.append)) == expected
    assert len(said) == 1
    assert isinstance(said[0], NotWellFormedError)


def test_what_is_well_formed_is_not_said_to_be_broken() -> None:
    said: list[LinkfixError] = []
    values(b"<rss><link>a</link></rss>", XMLSettings(recover=True, on_recover=said.append))
    assert said == []


@pytest.mark.parametrize("text", ["http://a/", '"', "<![CDATA[b c]]>", "&lt;a href='b c'&gt;"])
@pytest.mark.parametrize("name", ["link", "description"])
def test_text_before_the_end_of_another_element_is_not_given(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xmlnames, "_PATIENCE", 0)  # as for long documents
    source = f"<rss><link>a</link><{name}>{text}</rss>".encode()
    assert values(source, XMLSettings(recover=True)) == ["a"]
    rewriter = linkfix.Rewriter(
        policy=Policy(xml=XMLSettings(recover=True)), source=linkfix.Source(type="xml")
    )
    assert rewriter.whole(source) == source
    assert rewriter.report.links == 1


BROKEN = st.lists(
    st.sampled_from(
        ["<rss>", "</rss>", "<link>", "</link>", "http://a/ü?&b", "<enclosure url='/é'/>", "<enclosure url=/é>",
         "<x a='", "'>", '"', "<", ">", "<!--", "-->", "<![CDATA[", "]]>", "<?p", "?>", "&", "&x;", "text ", "<!DOCTYPE a>"]
    ),
    max_size=12,
)  # fmt: skip


def plain(document: bytes) -> bytes:
    """The document with what a rewrite may write otherwise written one way."""
    document = unquote_to_bytes(document).replace(b"&amp;", b"&").replace(b"&gt;", b">")
    return document.replace(b"./", b"")  # before a path that could be read as a scheme


@settings(deadline=None, max_examples=examples(300))
@given(BROKEN, st.data())
def test_chunks_make_no_difference_and_nothing_else_changes(
    pieces: list[str], data: st.DataObject
) -> None:
    source = ("<rss>" + "".join(pieces)).encode()
    xml = XMLSettings(recover=True, limits=Limits(token=10_000))
    whole = rewrite(source, xml)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=4)))
    assert rewrite(source, xml, cuts) == whole
    assert rewrite(source, xml, list(range(1, len(source)))) == whole
    assert rewrite(whole, xml) == whole
    assert plain(whole) == plain(source)


@pytest.mark.parametrize(
    ("limits", "source", "option"),
    [
        (Limits(depth=3), "<a><b><c><d/></c></b></a>", "--max-depth"),
        (Limits(attributes=2), "<a b='' c='' d=''/>", "--max-attributes"),
        (Limits(name=4), "<a><abcde/></a>", "--max-name"),
        (Limits(name=4), "<a abcde=''/>", "--max-name"),
        (Limits(token=20), "<a b='" + "x" * 50 + "'/>", "--max-token"),
    ],
)
def test_limits(limits: Limits, source: str, option: str) -> None:
    for whole in (True, False):
        stream = linkfix.LinkStream(type="xml", xml=XMLSettings(limits=limits))
        octets = source.encode()
        with pytest.raises(LimitExceededError) as caught:
            for chunk in (
                [octets] if whole and option != "--max-token" else [octets[:40], octets[40:]]
            ):
                stream.feed(chunk)
                stream.feed(b" " * 1024)
            stream.close()
        assert option in caught.value.text
    roomy = Limits(token=10_000, depth=4, attributes=3, name=5)
    values(source.encode(), XMLSettings(limits=roomy))


@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "shift_jis"])
def test_doctype_and_instructions(charset: str) -> None:
    text = (
        f"<?xml version='1.0' encoding='{charset}'?><!-- <!DOCTYPE no SYSTEM 'no'> -->"
        "<?xml-stylesheet type='text/xsl' href='あ.xsl?a=1&amp;b=2'?><?other href='no'?>"
        '<!DOCTYPE r PUBLIC "-//A//B//EN" "い.dtd" [<!ELEMENT r ANY>]><r><?xml-stylesheet href=\'no\'?></r>'
    )
    source = text.encode(charset)
    assert values(source, XMLSettings()) == ["あ.xsl?a=1&b=2"]
    assert values(source, XMLSettings(dtd=True)) == ["あ.xsl?a=1&b=2", "い.dtd"]
    expected = text.replace("あ", "%E3%81%82").replace("い", "%E3%81%84").encode(charset)
    for cuts in ([], list(range(1, len(source)))):
        assert rewrite(source, XMLSettings(dtd=True), cuts) == expected


XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x.dtd"{}><html xmlns="http://www.w3.org/1999/xhtml">&nbsp;<a href="/&eacute;?a=1&amp;b=&uuml;"/></html>'


def test_entities_of_xhtml_are_known() -> None:
    source = XHTML.format("").encode()
    assert values(source, XMLSettings()) == ["/é?a=1&b=ü"]
    assert b'href="/%C3%A9?a=1&amp;b=%C3%BC"' in rewrite(source, XMLSettings())


def test_entities_that_a_document_declares_are_its_own() -> None:
    source = XHTML.format(' [<!ENTITY eacute "x"><!ENTITY uuml "y">]').encode()
    assert values(source, XMLSettings()) == ["/x?a=1&b=y"]
    assert rewrite(source, XMLSettings()) == source


def test_entities_without_the_dtd_are_refused() -> None:
    with pytest.raises(NotWellFormedError):
        values(b"<a>&nbsp;</a>", XMLSettings())


SIGNED = "<r xmlns:x='http://www.w3.org/1999/xlink' x:href='/ü'><Signature xmlns='http://www.w3.org/2000/09/xmldsig#'><SignedInfo/></Signature></r>"


def test_signed_documents_are_left_alone_unless_asked_for() -> None:
    with pytest.raises(SignedDocumentError) as caught:
        rewrite(SIGNED.encode(), XMLSettings())
    assert caught.value.offset == SIGNED.encode().index(b"<Signature")
    assert (caught.value.line, caught.value.column) == (1, SIGNED.index("<Signature") + 1)
    assert b"/%C3%BC" in rewrite(SIGNED.encode(), XMLSettings(signed=True))
    assert values(SIGNED.encode(), XMLSettings()) == ["/ü"]


@pytest.mark.parametrize(
    ("cut", "after"), [(len(SIGNED) - 4, ""), (-4, "</x>"), (-4, "<a b='1' b='2'/></r>"), (-4, "\0</r>")]
)  # fmt: skip
def test_what_is_wrong_first_is_what_a_document_is_refused_for(cut: int, after: str) -> None:
    """However it is cut, a signed document is refused as signed where it is also not well-formed further on."""
    signed, unsigned = SIGNED[:cut] + after, SIGNED.replace("xmldsig", "another")[:cut] + after
    for text, error in ((signed, SignedDocumentError), (unsigned, NotWellFormedError), (f"<!{signed}", NotWellFormedError)):  # fmt: skip
        source, offsets = text.encode(), set()
        for size in (len(source), 7, 1):
            rewriter = linkfix.Rewriter(source=linkfix.Source(type="xml"))
            with pytest.raises(error) as caught:
                for at in range(0, len(source), size):
                    rewriter.feed(source[at : at + size])
                rewriter.close()
            offsets.add((caught.value.offset, caught.value.line, caught.value.column))
        with pytest.raises(error) as caught:
            linkfix.Rewriter(source=linkfix.Source(type="xml")).whole(source)
        offsets.add((caught.value.offset, caught.value.line, caught.value.column))
        assert len(offsets) == 1


def test_what_an_element_declares_before_the_error_ends_with_it() -> None:
    policy = Policy(xml=XMLSettings(recover=True))
    source = b"""<feed xmlns='http://www.w3.org/2005/Atom'><entry xml:base='http://a.example/b/'>&x;<link href='c'/></entry>
        <entry><link href='d'/></entry><entry xml:base='e/'><link href='f'/></entry></feed>"""
    found = linkfix.extract(source, type="xml", policy=policy, base="http://g.example/")
    links = [link.resolved for link in found if link.attribute == "href"]
    assert links == ["http://a.example/b/c", "http://g.example/d", "http://g.example/e/f"]


def test_declarations_are_extracted_after_the_error_as_before() -> None:
    policy = Policy(xml=XMLSettings(recover=True))
    source = b"<r xmlns:a='urn:a'>&x;<s xmlns:b='urn:b'/></r>"
    found = linkfix.extract(source, type="xml", policy=policy)
    assert [(link.attribute, link.value) for link in found] == [
        ("xmlns:a", "urn:a"),
        ("xmlns:b", "urn:b"),
    ]
