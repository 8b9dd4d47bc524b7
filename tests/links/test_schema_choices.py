"""A value that one branch of a schema calls a URI and another one other text is listed and left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

import linkfix
from linkfix.links import LinkStream
from linkfix.links.schemas import load
from linkfix.links.schemas.model import TEXT as TEXT_USE
from linkfix.links.settings import XMLSettings
from linkfix.links.xml.finder import DocumentTypes
from linkfix.markup.xml.events import XMLElement

if TYPE_CHECKING:
    from linkfix.links.schemas import Schema

RNG = (
    "<grammar xmlns='http://relaxng.org/ns/structure/1.0' xmlns:x='urn:x' "
    "datatypeLibrary='http://www.w3.org/2001/XMLSchema-datatypes'><start>{}</start>{}</grammar>"
)
XSD = "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:vc='http://www.w3.org/2007/XMLSchema-versioning' vc:minVersion='1.1'>{}</xs:schema>"
URI, TEXT = "<data type='anyURI'/>", "<text/>"
REASON = "the schema allows other text than a URI in its place as well"


def schema(folder: Path, text: str) -> Schema:
    path = folder / "schema.xml"
    path.write_text(text)
    return load(str(path))


def relaxng(folder: Path, start: str, more: str = "") -> Schema:
    return schema(folder, RNG.format(start, more))


def found(source: str, compiled: Schema) -> list[tuple[str, str]]:
    """The links of a document: each value, with the reason why it is left."""
    stream = LinkStream(type="xml", xml=XMLSettings(schema=compiled))
    return [(link.value, link.fixed) for link in stream.whole(source.encode())]


def attribute(name: str, *contents: str) -> str:
    inner = contents[0] if len(contents) == 1 else f"<choice>{''.join(contents)}</choice>"
    return f"<attribute name='{name}'>{inner}</attribute>"


def element(name: str, *contents: str) -> str:
    return f"<element name='{name}'>{''.join(contents) or '<empty/>'}</element>"


def choice(*patterns: str) -> str:
    return f"<choice>{''.join(f'<group>{pattern}</group>' for pattern in patterns)}</choice>"


U, S = attribute("t", "<value>u</value>"), attribute("t", "<value>s</value>")


def test_a_value_of_one_branch_only_is_left(tmp_path: Path) -> None:
    compiled = relaxng(
        tmp_path, element("v", choice(U + attribute("h", URI), S + attribute("h", TEXT)))
    )
    for kind in "us":
        source = f"<v t='{kind}' h='just é text'/>"
        assert found(source, compiled) == [("just é text", REASON)]
        rewriter = linkfix.Rewriter(
            policy=linkfix.Policy(xml=XMLSettings(schema=compiled)),
            source=linkfix.Source(type="xml"),
        )
        assert rewriter.whole(source.encode()) == source.encode()
        assert rewriter.report.kept == 1


@pytest.mark.parametrize(
    ("pattern", "source", "expected"),
    [
        # Every branch that has the attribute agrees.
        (choice(U + attribute("h", URI), S), "<v t='u' h='a'/>", [("a", "")]),
        (choice(U + attribute("h", URI), S + attribute("h", URI)), "<v t='s' h='a'/>", [("a", "")]),
        (choice(U + attribute("h", TEXT), S + attribute("h", TEXT)), "<v t='s' h='a'/>", []),
        (attribute("xml:base", URI), "<v base='a' xml:base='b'/>", [("b", "")]),
        # Two attributes with the same definition.
        (attribute("g", "<ref name='u'/>") + attribute("h", "<ref name='u'/>"), "<v g='a' h='b'/>", [("a", ""), ("b", "")]),
        # Values that are named are no URIs, and all others are.
        (attribute("h", URI, "<value>none</value>"), "<v h='a'/>", [("a", "")]),
        (attribute("h", URI, "<value>none</value>"), "<v h=' none '/>", [(" none ", REASON)]),
        (attribute("h", "<value>x</value>", "<value>y</value>"), "<v h='x'/>", []),
        (attribute("h", URI, "<data type='NCName'/>"), "<v h='a'/>", [("a", REASON)]),
        (attribute("h", URI, "<empty/>"), "<v h='a'/>", [("a", "")]),
        # Texts of elements.
        (choice(U + URI, S + TEXT), "<v t='u'>a</v>", [("a", REASON)]),
        (choice(U + URI, S + element("w")), "<v t='u'>a</v>", [("a", "")]),
        (choice(URI, "<mixed>" + element("w") + "</mixed>"), "<v>a</v>", [("a", REASON)]),
        # Lists.
        (attribute("h", "<list><oneOrMore><data type='anyURI'/></oneOrMore></list>"), "<v h='a b'/>", [("a", ""), ("b", "")]),
        (attribute("h", "<list><data type='anyURI'/><data type='token'/></list>"), "<v h='a b'/>", [("a b", REASON)]),
        (attribute("h", "<list><oneOrMore><data type='token'/></oneOrMore></list>"), "<v h='a b'/>", []),
        # Elements of the same name with other content.
        (choice(element("w", U, attribute("h", URI)), element("w", S, attribute("h", TEXT))), "<v><w t='u' h='a'/></v>", [("a", REASON)]),
        # Classes of names.
        ("<zeroOrMore><attribute><anyName/><data type='anyURI'/></attribute></zeroOrMore>", "<v h='a' xmlns:p='urn:p' p:i='b'/>", [("a", ""), ("b", "")]),
        ("<zeroOrMore><attribute><nsName ns='urn:x'/><data type='anyURI'/></attribute></zeroOrMore>", "<v h='a' xmlns:p='urn:x' p:i='b'/>", [("b", "")]),
        ("<zeroOrMore><attribute><anyName><except><name>h</name><nsName ns='urn:x'/></except></anyName><data type='anyURI'/></attribute></zeroOrMore>", "<v h='a' g='c' xmlns:p='urn:x' p:i='b'/>", [("c", "")]),
        ("<attribute><choice><name>g</name><name ns='urn:x'>i</name></choice><data type='anyURI'/></attribute>", "<v g='a' xmlns:p='urn:x' p:i='b' h='c'/>", [("a", ""), ("b", "")]),
        ("<attribute><choice><name>g</name><nsName ns='urn:x'/></choice><data type='anyURI'/></attribute>", "<v g='a' xmlns:p='urn:x' p:i='b' h='c'/>", [("a", ""), ("b", "")]),
        (choice(attribute("h", URI), "<zeroOrMore><attribute><anyName/><text/></attribute></zeroOrMore>"), "<v h='a'/>", [("a", REASON)]),
        (choice(attribute("h", URI), "<zeroOrMore><attribute><anyName><except><name>h</name></except></anyName><text/></attribute></zeroOrMore>"), "<v h='a'/>", [("a", "")]),
    ],
)  # fmt: skip
def test_relax_ng(pattern: str, source: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:  # fmt: skip
    compiled = relaxng(tmp_path, element("v", pattern), f"<define name='u'>{URI}</define>")
    assert found(source, compiled) == expected


CONTENTS = st.sampled_from([URI, TEXT, "<value>a</value>", "<value>b</value>", "<empty/>", "<data type='token'/>"])  # fmt: skip
NAMES = st.sampled_from(["<name>h</name>", "<name>g</name>", "<anyName/>", "<nsName ns=''/>", "<anyName><except><name>h</name></except></anyName>"])  # fmt: skip


@given(st.lists(st.tuples(NAMES, CONTENTS), min_size=1, max_size=4), st.sampled_from("gh"), st.sampled_from(["a", "c"]))  # fmt: skip
def test_a_value_is_a_link_only_if_no_other_type_accepts_it(
    tmp_path_factory: pytest.TempPathFactory,
    branches: list[tuple[str, str]],
    name: str,
    value: str,
) -> None:
    """libxml2 judges each branch by itself: the types that accept the value decide what it is."""
    folder = tmp_path_factory.mktemp("schema")
    patterns = [
        f"<oneOrMore><attribute>{names}{content}</attribute></oneOrMore>"
        for names, content in branches
    ]
    source = f"<v {name}='{value}'/>"
    kinds: set[str] = set()
    for (_, content), pattern in zip(branches, patterns, strict=True):
        one = etree.RelaxNG(etree.fromstring(RNG.format(element("v", pattern), "")))
        if one.validate(etree.ElementTree(etree.fromstring(source))):
            kinds.add("uri" if content == URI else "text")
    expected = {"uri": [(value, "")], "text": []}
    wanted = expected.get(*kinds) if len(kinds) == 1 else [(value, REASON)] if kinds else []
    compiled = relaxng(folder, element("v", f"<choice>{''.join(patterns)}</choice>"))
    assert found(source, compiled) == wanted


BASE = "<xs:complexType name='base'><xs:attribute name='kind'/><xs:anyAttribute processContents='lax'/></xs:complexType>"


def alternatives(*types: str, default: str = "") -> str:
    """An element whose type depends on its attribute ``kind``."""
    tests = "".join(f"<xs:alternative test=\"@kind='{t}'\" type='{t}'/>" for t in types)
    last = f"<xs:alternative type='{default}'/>" if default else ""
    return f"<xs:element name='v' type='base'>{tests}{last}</xs:element>"


def derived(name: str, *attributes: str, content: str = "") -> str:
    inner = "".join(attributes)
    return (
        f"<xs:complexType name='{name}'><xs:complexContent><xs:extension base='base'>{content}"
        f"{inner}</xs:extension></xs:complexContent></xs:complexType>"
    )


HREF, NAME = "<xs:attribute name='h' type='xs:anyURI'/>", "<xs:attribute name='h' type='xs:string'/>"  # fmt: skip
NO = "<xs:complexType name='none'><xs:attribute name='kind'/></xs:complexType>"


def content(type: str) -> str:
    return f"<xs:sequence><xs:element name='w' type='xs:{type}'/></xs:sequence>"


@pytest.mark.parametrize(
    ("parts", "source", "expected"),
    [
        ([alternatives("u", default="u"), derived("u", HREF)], "<v kind='u' h='a b'/>", [("a b", "")]),
        ([alternatives("u", "s", default="xs:error"), derived("u", HREF), derived("s", HREF)], "<v kind='s' h='a'/>", [("a", "")]),
        ([alternatives("u", "s", default="xs:error"), derived("u", HREF), derived("s", NAME)], "<v kind='s' h='just é text'/>", [("just é text", REASON)]),
        ([alternatives("s", default="s"), derived("s", NAME)], "<v kind='s' h='a'/>", []),
        # The type without a test accepts any attribute.
        ([alternatives("u"), derived("u", HREF)], "<v kind='u' h='a'/>", [("a", REASON)]),
        # Children.
        ([alternatives("u", default="s"), derived("u", content=content("anyURI")), derived("s", content=content("string"))], "<v kind='u'><w>a b</w></v>", [("a b", REASON)]),
        ([alternatives("u", default="s"), derived("u", content=content("anyURI")), derived("s", content=content("anyURI"))], "<v kind='u'><w>a</w></v>", [("a", "")]),
    ],
)  # fmt: skip
def test_type_alternatives(
    parts: list[str], source: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    compiled = schema(tmp_path, XSD.format(BASE + "".join(parts)))
    assert found(source, compiled) == expected


def test_declarations_of_namespaces_have_no_type(tmp_path: Path) -> None:
    pattern = "<zeroOrMore><attribute><anyName/><data type='anyURI'/></attribute></zeroOrMore>"
    compiled = relaxng(tmp_path, element("v", pattern))
    source = "<v xmlns:p='urn:p é' h='a'/>"
    assert found(source, compiled) == [("a", "")]
    settings: dict[str, Any] = {"xml": XMLSettings(schema=compiled)}
    listed = linkfix.extract(source.encode(), policy=linkfix.Policy(**settings))
    assert [(link.value, str(link.kind)) for link in listed] == [("urn:p é", "identity"), ("a", "single")]  # fmt: skip


SCHEMATRON = "http://purl.oclc.org/dsdl/schematron"


def test_a_real_schema_has_the_places_that_its_text_names() -> None:
    """ISO Schematron, as lxml brings it: definitions that are used twice, and classes of names."""
    path = (
        Path(etree.__file__).parent / "isoschematron" / "resources" / "rng" / "iso-schematron.rng"
    )
    types, found = DocumentTypes(XMLSettings(schema=load(str(path)))), set()
    for depth, name in enumerate(("schema", "pattern", "rule", "report")):
        kind = types.type_of(XMLElement(name, SCHEMATRON, name, (), depth, 0))
        assert kind is not None
        found |= {(name, each[1]) for each, use in kind.attributes.items() if use.entries("a")}
        assert kind.attribute(("urn:x", "href")) == TEXT_USE
        assert kind.attribute(("", "href")) is None
    assert found == {
        *((name, attribute) for name in ("pattern", "rule", "report") for attribute in ("icon", "see")),
        ("schema", "icon"),
        ("schema", "see"),
    }  # fmt: skip


ITEM = "<xs:simpleType name='item'><xs:union memberTypes='xs:boolean xs:anyURI'/></xs:simpleType>"
LISTS = (
    "<xs:simpleType name='urls'><xs:list itemType='xs:anyURI'/></xs:simpleType>"
    "<xs:simpleType name='some'><xs:list itemType='item'/></xs:simpleType>"
    "<xs:complexType name='with'><xs:simpleContent><xs:extension base='urls'><xs:attribute name='a'/></xs:extension></xs:simpleContent></xs:complexType>"
    "<xs:complexType name='few'><xs:simpleContent><xs:restriction base='with'><xs:maxLength value='2'/></xs:restriction></xs:simpleContent></xs:complexType>"
)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("urls", [("a", ""), ("true", "")]),
        ("few", [("a", ""), ("true", "")]),
        ("some", [("a true", REASON)]),
    ],
)
def test_lists(kind: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    element = f"<xs:element name='v' type='{kind}'/>"
    compiled = schema(tmp_path, XSD.format(ITEM + LISTS + element))
    assert found("<v>a true</v>", compiled) == expected
