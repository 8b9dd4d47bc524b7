"""Tags found by pattern are those that expat tells of, and what is passed over holds no links."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import examples

import linkfix
from linkfix.charset import lookup
from linkfix.errors import LimitExceededError, LinkfixError, NotWellFormedError
from linkfix.links import Link, LinkStream
from linkfix.links.builder import Builder
from linkfix.links.scope import EVERYTHING, Scope
from linkfix.links.selectors import Pattern
from linkfix.links.settings import XMLSettings
from linkfix.links.xml.finder import XMLFinder
from linkfix.markup.xml import names as xmlnames
from linkfix.markup.xml.elements import Interest
from linkfix.markup.xml.events import XMLContent, XMLElement, XMLEvent, XMLValues
from linkfix.markup.xml.limits import Limits
from linkfix.markup.xml.scanner import XMLScanner

#: Of the same length; in the second a DTD declares an entity, so that expat tells of every element.
PLAIN, TOLD = "<!DOCTYPE r [<!--TITY e ''-->]>", "<!DOCTYPE r [<!ENTITY e 'xx'>]>"

NAMES = ["r", "rss", "link", "guid", "description", "item", "a:link", "a:content", "a:x", "h:a", "h:p", "s:use", "no:link", "é", "long" * 80]  # fmt: skip
ATTRIBUTES = [
    'url="http://a.example/b"', "href='/c'", 'href=" /d e "', 'x:href="f?g&amp;h#i"', 'x:href="é"', 'a:href="j"', "id='k'", "title='m'", 'xml:id = "l"',
    'style="color:red"', 'style="fill: url(#m)"', "type='html'", 'src="n>o"', 'u="/>"', "v='\"'", 'w="p\nq"', 'no:href="r"', 'é="s"', "src='&#x74;'",
    'xmlns=""', "xmlns='http://www.w3.org/2005/Atom'", 'xmlns="http://www.w3.org/1999/xhtml"', 'xmlns:a="http://www.w3.org/2005/Atom"',
    "xmlns:a='urn:u'", 'xmlns:x="http://www.w3.org/1999/xlink"', 'xml:base="http://b.example/"', 'xml:base="urn:v"', "xml:base='w/'",
]  # fmt: skip
TEXTS = ["", "x", " http://c.example/ ", "y z", "é", "&lt;a href='b'&gt;", "&amp;", ">", "/>", "]] ", "<!-- <link>no</link> -->", "<![CDATA[<link>no</link>]]>", "<![CDATA[<a href='s t'>]]>", "\n<![CDATA[ http://u.example/ ]]>", "&lt;a href=&quot;v&amp;amp;w&quot;&gt;", "&lt;i&gt;&#233;", "<![CDATA[]]]]>", "<?p <link>?>", "\r\n"]  # fmt: skip


@st.composite
def elements(draw: st.DrawFn, depth: int = 0) -> str:
    name = draw(st.sampled_from(NAMES))
    chosen = draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=3))
    attributes = {a.split("=")[0].strip(): a for a in chosen}
    tag = " ".join([name, *attributes.values()])
    children = "".join(
        draw(
            st.lists(
                st.sampled_from(TEXTS)
                if depth > 3
                else st.sampled_from(TEXTS) | elements(depth + 1),
                max_size=4,
            )
        )
    )
    return f"<{tag}>{children}</{name}>" if children or draw(st.booleans()) else f"<{tag} />"


@st.composite
def documents(draw: st.DrawFn) -> str:
    root = draw(st.sampled_from(["r", "rss", "feed xmlns='http://www.w3.org/2005/Atom'"]))
    bound = 'xmlns:h="http://www.w3.org/1999/xhtml" xmlns:s="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"'
    inner = "".join(draw(st.lists(elements(), min_size=1, max_size=5)))
    return f"<{root} {bound}>{inner}</{root.split()[0]}>"


@pytest.fixture(autouse=True)
def patterns_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make patterns for the first tag already, as for long documents."""
    monkeypatch.setattr(xmlnames, "_PATIENCE", 0)


def links(source: bytes, cuts: list[int], scope: Scope = EVERYTHING) -> tuple[list[Link], set[str]]:
    places: set[str] = set()
    stream = LinkStream(type="xml", names=places, scope=scope)
    ends = pairwise([0, *cuts, len(source)])
    parts = [source[a:b] for a, b in ends] if cuts else []
    found = [link for part in parts for link in stream.feed(part)]
    found += stream.close() if parts else stream.whole(source)
    # How a link is spelled may be left out where it is as itself.
    return [link._replace(spelling=link.spelled) for link in found], places


def octets(text: str, charset: str) -> bytes:
    return f'<?xml version="1.0" encoding="{charset}"?>{text}'.encode(charset, "xmlcharrefreplace")


@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    documents(),
    st.sampled_from(["utf-8", "windows-1252", "utf-16", "shift_jis", "iso-2022-jp", "cp037"]),
    st.sampled_from(
        [EVERYTHING, Scope(select=(Pattern.parse("*[title]@href"), Pattern.parse("link")))]
    ),
    st.data(),
)
def test_links_are_those_that_expat_tells_of(
    document: str, charset: str, scope: Scope, data: st.DataObject
) -> None:
    if charset in {"shift_jis", "iso-2022-jp", "cp037"}:
        # expat, which does not read these, cannot tell of names beyond ASCII.
        document = document.replace('"é"', '"ア"').replace("é", "e")
    read, told = octets(PLAIN + document, charset), octets(TOLD + document, charset)
    expected = links(told, [], scope)
    cuts = data.draw(st.lists(st.integers(0, len(read)), max_size=4).map(sorted))
    assert links(read, [], scope) == expected
    assert links(read, cuts, scope) == expected


def events(source: bytes, limits: Limits | None = None, *, whole: bool = False) -> list[object]:
    """All elements and the text of some, or where the error is."""
    charset = lookup("utf-8", xml=True)
    interest = Interest(everything=True)
    scanner = XMLScanner(charset, interest, limits=limits)
    found: list[object] = []
    try:
        given = scanner.feed(source, source, final=whole)
        for event in given if whole else given + scanner.feed(b"", b"", final=True):
            if isinstance(event, XMLElement):
                attributes = [
                    (a.name, a.namespace, a.start, a.end, a.quote, a.value)
                    for a in event.attributes
                ]
                found.append(
                    (event.name, event.namespace, event.depth, event.start, event.bases, attributes)
                )
            elif isinstance(event, XMLContent):
                found.append((event.start, event.end, event.literal, event.value))
    except LinkfixError as error:
        return [type(error), error.offset]
    return found


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(documents(), st.integers(1, 5))
def test_elements_and_depths_are_those_that_expat_tells_of(document: str, depth: int) -> None:
    read, told = (PLAIN + document).encode(), (TOLD + document).encode()
    for limits in (None, Limits(depth=depth)):
        expected = events(told, limits)
        assert events(read, limits) == events(read, limits, whole=True) == expected


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(documents(), st.sampled_from(["uri", "iri"]))
def test_the_report_counts_every_link(document: str, to: Literal["uri", "iri"]) -> None:
    outcomes: list[linkfix.Outcome] = []
    careful = linkfix.Rewriter(to, source=linkfix.Source(type="xml"), on_outcome=outcomes.append)
    quick = linkfix.Rewriter(to, source=linkfix.Source(type="xml"))
    source = document.encode()
    assert quick.feed(source) + quick.close() == careful.feed(source) + careful.close()
    assert quick.report == careful.report
    assert quick.report.links == len(outcomes)


@pytest.mark.parametrize(
    "source",
    [
        "<r xmlns:\u1200='http://www.w3.org/1999/xlink'><\u1200 \u1200:href='a b'/></r>",
        "<rss><\u1200 url='a b'/><enclosure \u1200='c' url='d e'/><link \u1200='f'>g h</link></rss>",
        "<s:r xmlns:s='http://www.w3.org/2000/svg' xmlns:é='http://www.w3.org/1999/xlink'><é style='fill: url(a b)'/><s:a é:href='c d'/><ü:z href='e f'/></s:r>",
        "<rss><link>a b</link><\xd7/></rss>",
        "\ufeff\ufeff<rss><link>a b</link></rss>",
        "\n<rss><link>a b</link></rss>",
        "<\0r/>",
        "<rss><link>a b</link>\ufffe</rss>",
        "<rss><link>a b</link></rsx>",
    ],
)
@pytest.mark.parametrize("recover", [False, True])
def test_a_whole_document_is_read_as_its_chunks_are(source: str, recover: bool) -> None:
    """Names of the fifth edition, and what expat would take for another encoding."""

    def found(*parts: bytes) -> list[object]:
        stream = LinkStream(type="xml", charset="utf-8", xml=XMLSettings(recover=recover))
        links: list[object] = []
        try:
            if len(parts) == 1:
                return [link._replace(spelling=None) for link in stream.whole(*parts)]
            for part in parts:
                links += [link._replace(spelling=None) for link in stream.feed(part)]
            links += [link._replace(spelling=None) for link in stream.close()]
        except LinkfixError as error:
            return [(type(error), error.message, error.offset, error.line, error.column)]
        return links

    octets = source.encode()
    whole = found(octets)
    assert all(found(octets[:at], octets[at:]) == whole for at in range(len(octets)))


ITEM = "<item n='1'><link>http://a.example/b</link><guid>c</guid><enclosure url='/d'/><x:y xmlns:x='urn:x'><x:z/></x:y><description>e &amp; f</description><description>g &lt;b&gt;</description></item>"


def seen(source: bytes) -> list[XMLEvent]:
    """What is given of a document to someone who asks for all links."""
    charset = lookup("utf-8", xml=True)
    finder = XMLFinder(Builder(charset, charset.view(), 0))
    scanner = XMLScanner(charset, finder.interest)
    return scanner.feed(source, source) + scanner.feed(b"", b"", final=True)


def test_what_holds_nothing_is_not_given() -> None:
    """Of a hundred items, each with a namespace of its own, nothing is returned but values."""
    root, *values = seen(f"<rss>{ITEM * 100}</rss>".encode())
    assert isinstance(root, XMLElement)
    contexts = [
        context.element.local
        for each in values
        if isinstance(each, XMLValues)
        for context in each.contexts
    ]
    assert contexts == ["link", "guid", "enclosure", "description"] * 100
    assert all(isinstance(each, XMLValues) for each in values)


def test_simple_values_are_given_without_their_elements() -> None:
    """Values whose tags are written alike share a context."""
    items = (
        "<enclosure url='/a'/><enclosure length='1' url='b c' />",
        "<link>d</link><link>\n<![CDATA[<e>]]></link>",
        "<guid isPermaLink='false'>f</guid><guid isPermaLink='true'>g</guid>",
    )
    source = f"<rss>{''.join(items)}</rss>".encode()
    root, run = seen(source)
    assert isinstance(root, XMLElement)
    assert isinstance(run, XMLValues)
    rows = zip(run.contexts, run.starts(range(len(run.views))), run.views, strict=True)
    found = [
        (context.attribute, context.quote, source[start : start + len(view)])
        for context, start, view in rows
    ]
    assert found == [("url", "'", b"/a"), ("url", "'", b"b c"), ("", "", b"d"), ("", "[", b"<e>"), ("", "", b"f"), ("", "", b"g")]  # fmt: skip
    assert run.contexts[0] is run.contexts[1]
    assert [[(a.name, a.value) for a in context.element.attributes] for context in run.contexts[4:]] == [[("isPermaLink", "false")], [("isPermaLink", "true")]]  # fmt: skip


@pytest.mark.parametrize(
    "element",
    [
        "<enclosure url='a' xml:base='b'/>",
        "<enclosure url='a' xmlns='urn:u'/>",
        "<link>a<!-- b --></link>",
        "<link><b/></link>",
        "<link><![CDATA[a]]><![CDATA[b]]></link>",
        "<link xml:base='a'>b</link>",
        "<link/>",
        "<é url='a'/>",
    ],
)
def test_what_is_not_simple_is_given_whole(element: str) -> None:
    assert not any(isinstance(event, XMLValues) for event in seen(f"<rss>{element}</rss>".encode()))


@pytest.mark.parametrize("before", [PLAIN, TOLD])
def test_no_document_is_in_an_element_without_content(before: str) -> None:
    source = f"{before}<rss><description/><item><description href='a'/></item></rss>"
    assert list(linkfix.extract(source.encode(), type="xml")) == []


def test_many_ways_to_write_a_tag_are_not_remembered() -> None:
    items = "".join(f"<link n='{number}'>{number}</link>" for number in range(3000))
    extracted = list(linkfix.extract(f"<rss>{items}</rss>".encode(), type="xml"))
    assert [link.value for link in extracted] == [str(number) for number in range(3000)]


def test_a_depth_beyond_the_limit_is_found_wherever_the_tags_are_passed_over() -> None:
    flat, deep = "<a><b/>/><c d='/>'/></a>" * 5000, "<a>" * 21 + "</a>" * 21
    limits = Limits(depth=20)
    assert (
        len(events(f"<r>{flat}</r>".encode(), limits)) == 1 + 5 * 5000
    )  # with the texts of b and c
    for interest in (Interest(), Interest(everything=True)):
        source = f"<r>{flat}{deep}{flat}</r>".encode()
        for whole in (False, True):
            scanner = XMLScanner(lookup("utf-8", xml=True), interest, limits=limits)
            with pytest.raises(LimitExceededError) as caught:
                scanner.feed(source, source, final=whole)
            assert caught.value.offset == len(f"<r>{flat}") + 3 * 19


@pytest.mark.parametrize(
    ("before", "after", "offset"),
    [("<item><![CDATA[ <link>no</link> ", "\x00 <link>no</link> ]]></item>", 0), ("<item/>", "</x>", 2)],
)  # fmt: skip
def test_what_is_read_leniently_begins_where_the_error_is(
    before: str, after: str, offset: int
) -> None:
    source = f"<rss>{'<link>a</link>' * 50}{before}{after}<link>b</link></rss>".encode()
    with pytest.raises(NotWellFormedError) as caught:
        list(linkfix.extract(source, type="xml"))
    assert caught.value.offset == source.index(after.encode()) + offset
    policy = linkfix.Policy(xml=XMLSettings(recover=True))
    for size in (len(source), 1):
        extractor = linkfix.Extractor(policy, source=linkfix.Source(type="xml"))
        found = [
            link
            for at in range(0, len(source), size)
            for link in extractor.feed(source[at : at + size])
        ]
        assert [link.value for link in found + extractor.close()] == ["a"] * 50 + ["b"]


@pytest.mark.parametrize("broken", ["</>", "</></>", "<r></></>", "<r></r></>"])
def test_an_end_tag_without_a_name_closes_nothing(broken: str) -> None:
    source = f'{broken}<a xmlns="http://www.w3.org/1999/xhtml" href="a b"/>'.encode()
    policy = linkfix.Policy(xml=XMLSettings(recover=True))
    *_, link = linkfix.extract(source, policy=policy, type="xml")
    assert link.value == "a b"
