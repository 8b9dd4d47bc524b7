"""The W3C XML Conformance Test Suite: what is not well-formed is refused, what is passes whole.

Run are the tests for XML 1.0, fifth edition, that need no external entity.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from conformance_data import conformance
from invariants import check

import linkfix
from linkfix.charset import sniff
from linkfix.errors import LinkfixError
from linkfix.markup.xml.elements import Interest
from linkfix.markup.xml.events import XMLElement
from linkfix.markup.xml.scanner import XMLScanner

pytestmark = pytest.mark.conformance

_FOURTH = "a character reference in an entity gives a name that expat checks by the fourth edition"
#: Tests that come out otherwise, each with the reason.
EXCEPTIONS = {
    "invalid-sa-140": _FOURTH,
    "invalid-sa-141": _FOURTH,
}


def cases(*types: str) -> list[dict[str, Any]]:
    catalog = json.loads(conformance("xml", "catalog.json").read_text("utf-8"))
    return [
        case
        for case in catalog
        if case["version"] == "1.0"
        and case["entities"] == "none"
        and (not case["edition"] or "5" in case["edition"].split())
        and case["type"] in types
    ]


def source_of(case: dict[str, Any]) -> bytes:
    return conformance("xml", "xmlconf", case["uri"]).read_bytes()


def test_what_is_not_well_formed_is_refused() -> None:
    figures: Counter[str] = Counter()
    for case in cases("not-wf"):
        figures["tests"] += 1
        try:
            list(linkfix.extract(source_of(case), type="xml"))
        except LinkfixError as error:
            figures["refused"] += 1
            assert case["id"] not in EXCEPTIONS
            figures["refused with the place"] += error.offset is not None
        else:
            # Namespaces are read leniently: what XML 1.0 allows is no error.
            namespaces = case["recommendation"].startswith("NS")
            figures["refused by Namespaces in XML only"] += namespaces
            assert namespaces or case["id"] in EXCEPTIONS, case
    print("XML conformance, not well-formed:", dict(figures))
    assert figures["refused"] > 900


def test_what_is_well_formed_passes() -> None:
    figures: Counter[str] = Counter()
    for case in cases("valid", "invalid"):
        if case["id"] in EXCEPTIONS:
            continue
        source = source_of(case)
        middle = [len(source) // 3, len(source) // 2]
        for to in ("uri", "iri"):
            check(source, to, type="xml", cuts=(middle,))
        figures[case["type"]] += 1
    print("XML conformance, well-formed, with the invariants:", dict(figures))
    assert figures["valid"] > 600
    assert figures["invalid"] > 170


def names(source: bytes, step: int | None = None) -> list[str]:
    """The names of every element, with those of its attributes."""
    sniffed = sniff(source, type="xml", label=None, final=True)
    assert sniffed is not None
    source = source[sniffed.bom :]
    view = sniffed.charset.view()
    scanner = XMLScanner(sniffed.charset, Interest(everything=True))
    events = []
    for start, end in pairwise([*range(0, len(source), step or len(source)), len(source)]):
        chunk = source[start:end]
        events += scanner.feed(chunk, view.feed(chunk))
    events += scanner.feed(b"", b"", final=True)
    return [
        " ".join([event.name, *(attribute.name for attribute in event.attributes)])
        for event in events
        if isinstance(event, XMLElement)
    ]


def test_every_encoding() -> None:
    rows = conformance("encodings.tsv").read_text("utf-8").splitlines()[1:]
    figures: Counter[str] = Counter()
    for row in rows:
        path, mark, declared, type_ = row.split("\t")
        source = conformance("xml", "xmlconf", path).read_bytes()
        if type_ not in {"valid", "invalid"} or b'version="1.1"' in source[:100]:
            continue
        assert names(source) == names(source, 7), path
        figures[declared.lower() or mark] += 1
    print("XML conformance, documents by encoding:", dict(figures))
    assert figures


@pytest.mark.parametrize("document", ["pr-xml", "weekly"])
def test_one_document_in_many_encodings(document: str) -> None:
    folder = conformance("xml", "xmlconf", "japanese")
    found = {path.name: names(path.read_bytes()) for path in folder.glob(f"{document}-*.xml")}
    assert len(found) == 6
    expected = found[f"{document}-utf-8.xml"]
    assert len(expected) > 10
    for name, elements in found.items():
        if "iso-2022-jp" in name:  # the view masks what is not ASCII, so names are not told apart
            assert len(elements) == len(expected)
        else:
            assert elements == expected, name
