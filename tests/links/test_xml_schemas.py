"""Schemas: every value of type anyURI is found, as the schema processors themselves see it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import xmlschema
from invariants import rewritten
from lxml import etree

import linkfix
from linkfix.errors import UnreadableError
from linkfix.links import LinkStream
from linkfix.links.schemas import Catalog, load
from linkfix.links.settings import XMLSettings
from linkfix.policy import Policy

DATA = Path(__file__).parent / "data" / "schemas"
XSD, RNG = str(DATA / "types.xsd"), str(DATA / "types.rng")


def links(source: bytes, **settings: Any) -> list[linkfix.Link]:
    stream = LinkStream(type="xml", xml=XMLSettings(**settings))
    return stream.feed(source) + stream.close()


def values(source: bytes, **settings: Any) -> list[str]:
    return [link.value for link in links(source, **settings)]


def decoded(path: Path) -> Counter[str]:
    """Every value of type anyURI, as the xmlschema package decodes the document."""
    found: Counter[str] = Counter()

    def is_uri(xsd_type: Any) -> bool:
        simple = xsd_type if xsd_type.is_simple() else xsd_type.simple_type
        primitive = getattr(simple, "primitive_type", None)
        return primitive is not None and primitive.local_name == "anyURI"

    def hook(value: Any, xsd_type: Any) -> Any:
        if xsd_type.is_list():
            found.update(value if is_uri(xsd_type.item_type) else [])
        elif xsd_type.is_union():  # the member that the value was decoded by tells by its type
            first = next(m for m in xsd_type.member_types if m.is_valid(str(value)))
            found.update([str(value)] if is_uri(first) else [])
        elif is_uri(xsd_type):
            found[value] += 1
        return value

    xmlschema.XMLSchema(XSD).decode(str(path), value_hook=hook)
    return found


def test_xsd_finds_what_the_decoder_decodes() -> None:
    document = DATA / "types.xml"
    found = values(document.read_bytes(), schema=load(XSD))
    assert Counter(found) == decoded(document)
    assert len(found) > 15
    assert "no" not in found


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<t:left><t:value>l</t:value></t:left><t:right><t:value>no</t:value></t:right>", ["l"]),
        ("<t:either>17</t:either><t:either>a</t:either>", ["a"]),
        ("<t:or>17</t:or>", ["17"]),
        ("<t:special href='a' cite='b'/>", ["a", "b"]),
        ("<t:item xsi:type='t:extended' cite='b'/>", ["b"]),
        ("<t:open><t:special cite='a'/><u><t:item href='b'/></u></t:open>", ["a", "b"]),
        ("<t:closed><t:item href='no'/></t:closed>", []),
        ("<t:unknown><t:item href='no'/></t:unknown>", []),
        ("<t:restricted href='no'/>", []),
        ("<t:texted> a </t:texted>", ["a"]),
        ("<t:texted><![CDATA[a]]></t:texted>", ["a"]),
    ],
)
def test_xsd(inner: str, expected: list[str]) -> None:
    source = f"<t:root xmlns:t='urn:t' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'>{inner}</t:root>"
    assert values(source.encode(), schema=load(XSD)) == expected


def test_fixed_and_enumerated_values_are_identity_tokens() -> None:
    source = (DATA / "types.xml").read_bytes()
    kinds = {
        link.value: str(link.kind)
        for link in links(source, schema=load(XSD))
        if link.value.startswith("urn:")
    }
    assert kinds == {"urn:a": "identity", "urn:fixed": "identity"}


def test_a_value_found_by_schema_is_rewritten() -> None:
    source = "<t:root xmlns:t='urn:t' all='ä &#xF6;'><t:item href='/ü'/></t:root>".encode()
    rewriter = linkfix.Rewriter(
        policy=Policy(xml=XMLSettings(schema=load(XSD))), source=linkfix.Source(type="xml")
    )
    assert rewriter.feed(source) + rewriter.close() == (
        b"<t:root xmlns:t='urn:t' all='%C3%A4 %C3%B6'><t:item href='/%C3%BC'/></t:root>"
    )
    assert rewritten(source, "uri", type="xml")[0] == source


def test_relax_ng() -> None:
    document = DATA / "grammar.xml"
    tree = etree.parse(str(document))
    assert etree.RelaxNG(etree.parse(RNG)).validate(tree)
    found = values(document.read_bytes(), schema=load(RNG))
    theirs = [str(v) for v in (*_xpath(tree, "//@href | //@all"), *_xpath(tree, "//*/text()"))]
    words = {word for value in theirs for word in value.split()}
    assert sorted(found) == sorted(words - {"no"})


def _xpath(tree: etree._ElementTree, path: str) -> list[Any]:
    found = tree.xpath(path)
    assert isinstance(found, list)
    return found


def test_a_catalog_finds_the_schema_of_a_document(tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.xml"
    catalog.write_text(
        "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>"
        f"<group xml:base='{DATA.as_uri()}/'><uri name='http://example.org/t.xsd' uri='types.xsd'/></group>"
        "<nextCatalog catalog='next.xml'/></catalog>"
    )
    (tmp_path / "next.xml").write_text(
        "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>"
        f"<rewriteURI uriStartString='urn:t' rewritePrefix='{XSD}'/>"
        "<uri name='http://example.org/net.xsd' uri='http://example.com/net.xsd'/></catalog>"
    )
    known = Catalog(str(catalog))
    for location, found in (
        ("http://example.org/t.xsd", ["urn:t", "http://example.org/t.xsd", "a"]),
        ("elsewhere.xsd", ["urn:t", "elsewhere.xsd", "a"]),
    ):
        source = (
            "<t:root xmlns:t='urn:t' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
            f"xsi:schemaLocation='urn:t {location}'><t:item href='a'/></t:root>"
        )
        assert values(source.encode(), catalog=known) == found
    assert known.resolve("http://example.org/net.xsd") is None  # nothing comes from a network
    assert values(b"<root><item href='a'/></root>", catalog=known) == []


@pytest.mark.parametrize("text", ["", "<a/>", "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element/></xs:schema>",
                                  "<grammar xmlns='http://relaxng.org/ns/structure/1.0'/>"])  # fmt: skip
def test_what_is_no_schema_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "schema"
    path.write_text(text)
    with pytest.raises(UnreadableError):
        load(str(path))


def test_a_missing_schema_or_catalog_is_refused(tmp_path: Path) -> None:
    for read in (load, Catalog):
        with pytest.raises(UnreadableError):
            read(str(tmp_path / "missing"))


def test_a_schema_with_a_network_import_needs_no_network(tmp_path: Path) -> None:
    path = tmp_path / "s.xsd"
    path.write_text(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>"
        "<xs:import namespace='urn:x' schemaLocation='http://192.0.2.1/x.xsd'/>"
        "<xs:element name='a' type='xs:anyURI'/></xs:schema>"
    )
    assert values(b"<a>x</a>", schema=load(str(path))) == ["x"]
