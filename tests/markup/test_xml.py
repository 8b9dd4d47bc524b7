"""The XML scanner: names with namespaces, exact spans, errors with their place."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkfix
from linkfix.charset import lookup
from linkfix.errors import LimitExceededError, NotWellFormedError
from linkfix.links.settings import XMLSettings
from linkfix.markup.xml.elements import Interest
from linkfix.markup.xml.events import XMLContent, XMLElement, XMLEvent
from linkfix.markup.xml.limits import Limits
from linkfix.markup.xml.scanner import XMLScanner


@dataclass(frozen=True)
class TextOf(Interest):
    """Every element that has attributes, and those with a certain name for their text."""

    name: str = ""

    def of_element(self, _: str, local: str) -> tuple[bool, None]:
        return local == self.name, None


def scan(
    source: bytes, charset: str = "utf-8", *, text: str = "link", cuts: list[int] | None = None
) -> list[XMLEvent]:
    encoding = lookup(charset, xml=True)
    view = encoding.view()
    scanner = XMLScanner(encoding, TextOf(name=text))
    events: list[XMLEvent] = []
    edges = [0, *(cuts or []), len(source)]
    for start, end in pairwise(edges):
        chunk = source[start:end]
        events += scanner.feed(chunk, view.feed(chunk))
    return events + scanner.feed(b"", b"", final=True)


def values(events: list[XMLEvent], source: bytes, unit: int = 1) -> list[tuple[str, bytes]]:
    return [
        (a.name, source[a.start * unit : a.end * unit])
        for event in events
        if isinstance(event, XMLElement)
        for a in event.attributes
        if a.start is not None and a.end is not None
    ]


def test_namespaces_and_spans() -> None:
    source = b"""<r xmlns='urn:r' xmlns:x="urn:x"><x:a  x:b = '1' c="a&amp;b>"/><x:d xmlns:x='urn:y'/><e xmlns=''/></r>"""
    events = scan(source)
    assert [(e.namespace, e.local, e.depth) for e in events if isinstance(e, XMLElement)] == [
        ("urn:r", "r", 0),
        ("urn:x", "a", 1),
        ("urn:y", "d", 1),
        ("", "e", 1),
    ]
    a = events[1]
    assert isinstance(a, XMLElement)
    assert [(x.namespace, x.local, x.quote, x.value) for x in a.attributes] == [
        ("urn:x", "b", "'", "1"),
        ("", "c", '"', "a&b>"),
    ]
    assert values([a], source) == [("x:b", b"1"), ("c", b"a&amp;b>")]


def test_text_of_elements_that_were_asked_for() -> None:
    source = b"<r><link> a&amp;b </link><link>y<i/>x</link><link/><link><![CDATA[c]]></link></r>"
    contents = [e for e in scan(source) if isinstance(e, XMLContent)]
    assert [(c.value, source[c.start : c.end], c.literal, c.is_whole) for c in contents] == [
        (" a&b ", b" a&amp;b ", True, True),
        ("y", b"y", True, False),
        ("", b"", False, True),
        ("c", b"<![CDATA[c]]>", True, True),
    ]


def test_what_a_dtd_brings_has_no_span() -> None:
    source = (
        b"<!DOCTYPE r [<!ATTLIST a href CDATA 'def'><!ENTITY e '<a/>'>]><r><a/><a b='1'/>&e;</r>"
    )
    found = [a for e in scan(source) if isinstance(e, XMLElement) for a in e.attributes]
    assert [(a.name, a.value, a.start is not None) for a in found] == [
        ("href", "def", False),
        ("b", "1", True),
        ("href", "def", False),
        ("href", "def", False),
    ]


@pytest.mark.parametrize(
    "charset",
    ["utf-8", "utf-16le", "utf-16be", "utf-32le", "shift_jis", "euc-jp", "iso-2022-jp", "big5", "gbk", "gb18030", "euc-kr", "windows-1251"],
)  # fmt: skip
def test_names_and_offsets_in_every_kind_of_charset(charset: str) -> None:
    encoding = lookup(charset, xml=True)
    # The second octet of the first three is ASCII punctuation in Shift_JIS, Big5 and GBK.
    letters = [c for c in "ゾ表功兤中가бaé" if encoding.encodable(c)]
    names = "".join(f" {c}x='{c}]'" for c in letters)
    text = f"<?xml version='1.0'?><r><!-- {letters[0]}- --><a{names} c='a'/><link><![CDATA[{letters[0]}]>]]></link></r>"
    source = encoding.encode(text)
    for cuts in ([], list(range(1, len(source)))):
        events = scan(source, charset, cuts=cuts)
        found = [v for _, v in values(events, source, encoding.unit)]
        assert found == [encoding.encode(f"{c}]") for c in letters] + [encoding.encode("a")]
        if encoding.unit < 4 and charset != "iso-2022-jp":  # their views mask names
            a = events[1]
            assert isinstance(a, XMLElement)
            assert [x.name for x in a.attributes] == [f"{c}x" for c in letters] + ["c"]
        content = events[-1]
        assert isinstance(content, XMLContent)
        raw = source[content.start * encoding.unit : content.end * encoding.unit]
        assert encoding.decode(raw) == f"<![CDATA[{letters[0]}]>]]>"


@pytest.mark.parametrize(
    ("charset", "source", "bad"),
    [
        ("shift_jis", "<a>表\x80\x81</a>", b"\x81<"),
        ("euc-jp", "<a>表</a>", b"\xa4 "),
        ("gb18030", "<a>\ufffd</a>", b"\xff"),
        ("gbk", "<a>中 </a>", b"\x81\x30 "),
        ("euc-kr", "<a>가 </a>", b"\xff"),
        ("iso-2022-jp", "<a>表 </a>", b"\x0e"),
        ("windows-1253", "<a>α</a>", b"\xaa"),
        ("utf-8", "<a>\ufffd</a>", "\uffff".encode()),
        ("utf-8", "<a>é</a>", b"\xe3\x81"),
        ("utf-8", "<a>é</a>", b"\xed\xa0\x80"),
        ("utf-16le", "<a>é</a>", b"\x00\xd8"),
        ("utf-32be", "<a>é</a>", b"\x00\x11\x00\x00"),
    ],
)  # fmt: skip
def test_malformed_bytes_are_refused_where_they_are(charset: str, source: str, bad: bytes) -> None:
    encoding = lookup(charset, xml=True)
    good = encoding.encode(source.replace("\x80\x81", ""))
    end = encoding.encode("</a>")
    assert scan(good, charset)
    at = len(good) - len(end)
    broken = good[:at] + bad + (end[1:] if bad.endswith(b"<") else end)
    for cuts in ([], list(range(1, len(broken)))):
        with pytest.raises(NotWellFormedError) as caught:
            scan(broken, charset, cuts=cuts)
        assert caught.value.offset == at


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252", "utf-16le"])
def test_what_is_no_name_is_refused(charset: str) -> None:
    for text in ("<a×/>", "<a b×='1'/>", "<?p× ?><a/>"):
        with pytest.raises(NotWellFormedError):
            scan(text.encode(charset), charset)


@pytest.mark.parametrize(
    ("source", "offset"),
    [
        (b"<a><b></a>", 8),
        (b"<a b='1' b='2'/>", 9),
        (b"<a>&nosuch;</a>", 3),
        (b"<a>\x01</a>", 3),
        (b"<a>\xff</a>", 3),
        (b"<a/><b/>", 4),
        (b"", 0),
        (b"<a>", 3),
    ],
)  # fmt: skip
def test_not_well_formed(source: bytes, offset: int) -> None:
    with pytest.raises(NotWellFormedError) as caught:
        scan(source)
    assert caught.value.offset == offset


def test_a_billion_laughs_are_refused() -> None:
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    source = f'<!DOCTYPE r [<!ENTITY e0 "ha{"ha" * 100}">{entities}]><r>&e11;</r>'
    with pytest.raises(NotWellFormedError, match="amplification"):
        scan(source.encode())


def test_an_endless_token_is_refused() -> None:
    scanner = XMLScanner(lookup("utf-8"), limits=Limits(token=1000))
    chunk = b"<a><!--" + b"x" * 5000
    with pytest.raises(LimitExceededError):
        scanner.feed(chunk, chunk)


@settings(deadline=None)
@given(st.data())
def test_chunks_make_no_difference(data: st.DataObject) -> None:
    source = "<?xml version='1.0'?><!-- é --><r xmlns:x='u'><x:é a='ü&#x20;' b=\"2\"/><link>é <!-- x --></link><y z=''>t</y></r>"
    charset = data.draw(st.sampled_from(["utf-8", "utf-16le", "windows-1252"]))
    octets = lookup(charset).encode(source)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(octets)), max_size=8)))
    whole = scan(octets, charset)
    assert scan(octets, charset, cuts=cuts) == whole
    assert scan(octets, charset, cuts=list(range(1, len(octets)))) == whole


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_an_octet_beyond_us_ascii_is_refused(step: int) -> None:
    source = b"<?xml version='1.0' encoding='us-ascii'?>\n<rss><channel><link>http://e.example/\xe9"
    source += b"</link></channel></rss>"
    rewriter = linkfix.Rewriter("uri", source=linkfix.Source(type="xml", name="a.xml"))
    with pytest.raises(NotWellFormedError, match="--charset") as caught:
        for start in range(0, len(source), step):
            rewriter.feed(source[start : start + step])
        rewriter.close()
    assert caught.value.offset == source.index(b"\xe9")
    assert (caught.value.line, caught.value.column) == (2, 38)
    lenient = linkfix.Policy("uri", xml=XMLSettings(recover=True))
    assert (
        linkfix.Rewriter(policy=lenient, source=linkfix.Source(type="xml")).whole(source) == source
    )
    told = linkfix.Rewriter("uri", source=linkfix.Source(type="xml", charset="iso-8859-1")).whole(
        source
    )
    assert b"http://e.example/%C3%A9<" in told


@pytest.mark.parametrize(
    ("charset", "name"),
    [("utf-8", "회사"), ("euc-kr", "회사"), ("shift_jis", "会社"), ("utf-16le", "회사")],
)
def test_names_are_read_as_they_are_where_expat_reports_the_tags(charset: str, name: str) -> None:
    """Some letters for octets, by which expat reads, are common in Korean."""
    dtd = "<!DOCTYPE r [<!ENTITY e 'x'><!ATTLIST r b CDATA 'x'>]>"
    source = f"{dtd}<r><{name} {name}='{name}' c='d'/></r>"
    tag = next(
        e for e in scan(source.encode(charset), charset) if isinstance(e, XMLElement) and e.depth
    )
    assert (tag.name, [(a.name, a.value) for a in tag.attributes]) == (
        name,
        [(name, name), ("c", "d")],
    )
