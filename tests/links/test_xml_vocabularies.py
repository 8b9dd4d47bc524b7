"""Each vocabulary on a document written from its specification, and against lxml's XPath."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from importlib import resources
from pathlib import Path

import pytest
from invariants import check
from lxml import etree

import linkfix
from linkfix.links import LinkStream
from linkfix.links.table import xml_table

DATA = Path(__file__).parent / "data"
DOCUMENTS = sorted(DATA.glob("*.xml"))
#: Kinds whose value is the whole of an attribute or of an element's text.
WHOLE = {"single", "identity", "template", "external", "member"}


def expected() -> dict[str, list[list[str]]]:
    rows: dict[str, list[list[str]]] = defaultdict(list)
    for line in DATA.joinpath("expected.tsv").read_text("utf-8").splitlines()[1:]:
        document, *row = line.split("\t")
        rows[document].append(row)
    return rows


def links_of(source: bytes) -> list[linkfix.Link]:
    stream = LinkStream(type="xml")
    return stream.feed(source) + stream.close()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_links(document: Path) -> None:
    source = document.read_bytes()
    links = links_of(source)
    found = [
        [
            link.element,
            link.attribute,
            str(link.kind),
            link.value,
            "no" if link.fixed or link.kind == "identity" else "yes",
        ]
        for link in links
    ]
    assert found == expected()[document.stem]
    assert all(source[link.start : link.end] == link.raw for link in links)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_invariants(document: Path) -> None:
    source = document.read_bytes()
    cuts = (list(range(1, len(source))), list(range(0, len(source), 7)))
    changed = [check(source, to, type="xml", cuts=cuts) for to in ("uri", "iri")]
    wanted = [row for row in expected()[document.stem] if row[-1] == "yes"]
    assert any(changed) or all(row[3].isascii() and " " not in row[3] for row in wanted)


#: lxml knows the entities of XHTML only with the DTD at hand.
WITHOUT_DTD = [document for document in DOCUMENTS if document.stem != "xhtml"]


@pytest.mark.parametrize("document", WITHOUT_DTD, ids=lambda path: path.stem)
def test_lxml_finds_the_same(document: Path) -> None:
    """Every (element, attribute, value) equals what XPath gives for that element and attribute."""
    source = document.read_bytes()
    tree = etree.fromstring(source)
    places: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for link in links_of(source):
        if link.markup == "xml" and link.kind in WHOLE and not link.element.startswith("?"):
            places[link.element, link.attribute][link.value] += 1
    for (element, attribute), values in places.items():
        elements = f"//*[name()='{element}']"
        path = f"{elements}/@*[name()='{attribute}']" if attribute else f"{elements}/text()"
        values_of = tree.xpath(path)
        assert isinstance(values_of, list)
        theirs = Counter(str(value).strip(" \t\r\n") for value in values_of)
        if attribute == "xsi:schemaLocation":  # every other item is a namespace name
            theirs = Counter(" ".join(theirs).split()[::2])
        assert values == theirs, (element, attribute)


def test_every_file_of_the_tables_has_a_document() -> None:
    known: set[str] = {"*"}
    for document in DOCUMENTS:
        root = etree.fromstring(document.read_bytes(), etree.XMLParser(recover=True))
        known.add(f"/{root.tag}")
        names = [etree.QName(e) for e in root.iter("*")]
        known |= {name.namespace or "" for name in names}
    for file in sorted((resources.files("linkfix.links") / "tables").iterdir(), key=str):
        if not file.name.endswith(".toml"):
            continue
        data = tomllib.loads(file.read_text("utf-8")).values()
        roots = {f"/{root}" for vocabulary in data for root in vocabulary.get("roots", ())}
        spaces = [vocabulary.get("namespace", []) for vocabulary in data]
        wanted = roots.union(*([s] if isinstance(s, str) else s for s in spaces))
        assert wanted & known, file.name


def test_every_row_names_its_source() -> None:
    table = xml_table()
    entries = [
        entry
        for rows in table.attributes.values()
        for entries in rows.values()
        for entry in entries
    ] + list(table.contents.values())
    assert all(entry.source for entry in entries)


def test_attributes_decide_whether_a_text_is_a_link() -> None:
    source = (
        "<component><icon type='stock'>a b</icon><icon type='remote'>a</icon>"
        "<launchable type='desktop-id'>a b</launchable><launchable type='url'>b</launchable></component>"
    )
    assert [link.value for link in links_of(source.encode())] == ["a", "b"]


def test_an_animation_of_another_attribute_is_no_link() -> None:
    source = (
        "<svg xmlns='http://www.w3.org/2000/svg'><set attributeName='fill' to='url(#a)'/><animate attributeName='x' from='1' "
        "values='1;2'/><animate to='a' values='b'/><animate attributeName='href' values=' a ;;b;'/></svg>"
    )
    assert [link.value for link in links_of(source.encode())] == ["a", "b"]


def test_html_needs_no_xml_table() -> None:
    xml_table.cache_clear()
    list(linkfix.extract(b"<a href=x>", type="html"))
    assert xml_table.cache_info().currsize == 0
