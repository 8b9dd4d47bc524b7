"""What processors of XML open they still open after a rewrite to IRIs: libxml2 is the processor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lxml import etree

import linkfix
from linkfix.links.settings import XMLSettings

if TYPE_CHECKING:
    from pathlib import Path

XSL = 'xmlns:xsl="http://www.w3.org/1999/XSL/Transform"'
XI = 'xmlns:xi="http://www.w3.org/2001/XInclude"'
RNG = 'xmlns="http://relaxng.org/ns/structure/1.0"'
XS = 'xmlns:xs="http://www.w3.org/2001/XMLSchema"'
#: Of each processor a document that names another one, and that one.
DOCUMENTS = {
    "xinclude": (f'<r {XI}><xi:include href="NAME"/></r>', "<r/>"),
    "xml:base": (f'<r xml:base="NAME/" {XI}><xi:include href="../NAME"/></r>', "<r/>"),
    "xslt": (f'<xsl:stylesheet version="1.0" {XSL}><xsl:import href="NAME"/></xsl:stylesheet>', f'<xsl:stylesheet version="1.0" {XSL}/>'),
    "schema": (f'<xs:schema {XS}><xs:include schemaLocation="NAME"/></xs:schema>', f"<xs:schema {XS}/>"),
    "relaxng": (f'<grammar {RNG}><include href="NAME"/></grammar>', f'<grammar {RNG}><start><element name="r"><empty/></element></start></grammar>'),
    "dtd": ('<!DOCTYPE r SYSTEM "NAME"><r/>', '<!ATTLIST r given CDATA "x">'),
    "instruction": ('<?xml-stylesheet type="text/xsl" href="NAME"?><r/>', f'<xsl:stylesheet version="1.0" {XSL}/>'),
}  # fmt: skip


def process(kind: str, path: str) -> None:
    """Do what a processor does with a document; raise an error where it cannot open the other one."""
    tree = etree.parse(path, etree.XMLParser(load_dtd=kind == "dtd", attribute_defaults=True))
    root = tree.getroot()
    match kind:
        case "xinclude" | "xml:base":
            tree.xinclude()
        case "xslt":
            etree.XSLT(tree)
        case "schema":
            etree.XMLSchema(tree)
        case "relaxng":
            etree.RelaxNG(tree)
        case "dtd":
            assert root.get("given") == "x"
        case _:
            root.getprevious().parseXSL()  # type: ignore[union-attr]


@pytest.mark.parametrize("to", ["uri", "iri"])
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_the_target_is_opened_as_before(tmp_path: Path, kind: str, to: str) -> None:
    source, other = DOCUMENTS[kind]
    (tmp_path / "é").write_text(other)
    path = tmp_path / "d.xml"
    policy = linkfix.Policy(to=to, xml=XMLSettings(dtd=True))  # type: ignore[arg-type]
    for name in ("%C3%A9", "é"):
        document = source.replace("NAME", name).encode()
        path.write_bytes(linkfix.rewrite(document, type="xml", policy=policy))
        process(kind, str(path))


def test_other_vocabularies_have_readable_iris() -> None:
    page = b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><ref target="%C3%A9.xml"/></TEI>'
    assert "é.xml".encode() in linkfix.rewrite(page, to="iri")
