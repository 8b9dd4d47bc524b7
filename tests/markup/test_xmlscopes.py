"""Many namespaces and bases in force cost what they are declared with, and no more."""

from __future__ import annotations

import tracemalloc
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

import linkfix
from linkfix.charset import lookup
from linkfix.errors import LimitExceededError
from linkfix.links.settings import XMLSettings
from linkfix.markup.xml.elements import MAX_BASES, XSI_NAMESPACE, Elements, Interest
from linkfix.markup.xml.events import XMLElement
from linkfix.markup.xml.scanner import XMLScanner

if TYPE_CHECKING:
    from collections.abc import Iterator

MEGABYTE = 1024 * 1024
RECOVER = linkfix.Policy(xml=XMLSettings(recover=True))


def nested(levels: int, attribute: str) -> bytes:
    """Elements inside one another, each with an attribute that has a number in it."""
    tags = "".join(f"<a {attribute.format(level)}>" for level in range(levels))
    return (tags + "</a>" * levels).encode()


def elements(source: bytes, *, recover: bool) -> list[XMLElement]:
    scanner = XMLScanner(lookup("utf-8", xml=True), Interest(everything=True), recover=recover)
    found = scanner.feed(source, source) + scanner.feed(b"", b"", final=True)
    return [event for event in found if isinstance(event, XMLElement)]


def tree(rng: Random, depth: int, prefixes: list[str]) -> str:
    """Elements that declare prefixes, some of them anew, and use others."""
    number = rng.randrange(150)
    own = {
        f"n{rng.randrange(150)}": f"urn:{rng.randrange(9)}" for _ in range(rng.choice([0, 1, 3]))
    }
    if rng.random() < 0.1:
        own[""] = rng.choice(["", "urn:d"])
    known = [*prefixes, *filter(None, own)]
    declared = "".join(
        f" xmlns{':' * bool(prefix)}{prefix}='{name}'" for prefix, name in own.items()
    )
    used = "".join(f" {prefix}:x='{number}'" for prefix in rng.sample(known, min(1, len(known))))
    name = rng.choice(["a", *(f"{prefix}:a" for prefix in known[-3:])])
    if rng.random() < 0.3:
        used += f" xsi:type='{rng.choice(['', ' ', *(f'{prefix}:' for prefix in known)])}t'"
    inner = "".join(
        tree(rng, depth - 1, known) for _ in range(rng.choice([0, 1, 1, 1, 2]) if depth else 0)
    )
    return f"<{name}{declared}{used}>{inner}</{name}>" if inner else f"<{name}{declared}{used}/>"


def expanded(element: etree._Element) -> tuple[str, str] | None:
    """The type that an element names (XML Schema Part 1, 2.6.1)."""
    value = element.get(f"{{{XSI_NAMESPACE}}}type")
    if value is None:
        return None
    prefix, _, local = value.strip().rpartition(":")
    return element.nsmap.get(prefix or None) or "", local


@pytest.mark.parametrize("seed", range(30))
def test_namespaces_are_those_that_a_parser_knows(seed: int) -> None:
    rng = Random(seed)
    outer = [f"n{number}" for number in range(rng.choice([0, 60, 70, 150]))]
    declared = " ".join(f"xmlns:{prefix}='urn:{prefix}'" for prefix in outer)
    declared += f" xmlns:xsi='{XSI_NAMESPACE}'"
    source = f"<r {declared}>{''.join(tree(rng, 12, outer) for _ in range(5))}".encode()
    whole = source + b"</r>"
    expected = [
        (each.tag, dict(each.attrib), expanded(each)) for each in etree.fromstring(whole).iter()
    ]
    for document, recover in ((whole, False), (whole, True), (b"<broken" + whole, True)):
        found = []
        for element in elements(document, recover=recover):
            attributes = {
                f"{{{a.namespace}}}{a.local}" if a.namespace else a.name: a.value
                for a in element.attributes
                if not a.name.startswith("xmlns")
            }
            name = f"{{{element.namespace}}}{element.local}" if element.namespace else element.name
            found.append((name, attributes, element.type))
        assert found[-len(expected) :] == expected


@pytest.mark.parametrize("before", [b"", b"<broken"], ids=["strict", "lenient"])
def test_memory_is_in_proportion_to_the_declarations(before: bytes) -> None:
    def peak(levels: int) -> int:
        source = before + nested(levels, 'xmlns:n{0}="urn:{0}"')
        tracemalloc.start()
        rewriter = linkfix.Rewriter(policy=RECOVER, source=linkfix.Source(type="xml"))
        assert rewriter.feed(source) + rewriter.close() == source
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(10)
    assert peak(4000) < 2.5 * peak(2000) < 40 * MEGABYTE


class Counted(dict[str, str]):
    """A dictionary that counts how many of its items are gone over."""

    passed = 0

    def items(self) -> Any:
        Counted.passed += len(self)
        return super().items()

    def values(self) -> Any:
        Counted.passed += len(self)
        return super().values()

    def __iter__(self) -> Iterator[str]:
        Counted.passed += len(self)
        return super().__iter__()


@pytest.mark.parametrize("before", [b"", b"<broken"], ids=["strict", "lenient"])
@pytest.mark.parametrize("make", [linkfix.Rewriter, linkfix.Extractor, linkfix.Auditor])
def test_namespaces_in_force_are_not_gone_over_where_they_are_many(
    make: Any, before: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = Elements.__init__

    def counted(self: Elements, *arguments: Any) -> None:
        begin(self, *arguments)
        self.bindings = Counted(self.bindings)

    monkeypatch.setattr(Elements, "__init__", counted)

    def passed(levels: int) -> int:
        Counted.passed = 0
        run = make(policy=RECOVER, source=linkfix.Source(type="xml"))
        run.feed(before + nested(levels, 'xmlns:n{0}="urn:{0}"'))
        run.close()
        return Counted.passed

    assert passed(900) == passed(300)


@pytest.mark.parametrize("recover", [False, True])
def test_too_many_bases_are_refused_where_they_begin(recover: bool) -> None:
    source = nested(MAX_BASES, "xml:base='{}/'")
    assert elements(source, recover=recover)[-1].bases[-1] == f"{MAX_BASES - 1}/"
    tags = nested(MAX_BASES, "xml:base='{}/'").partition(b"</a>")[0]
    with pytest.raises(LimitExceededError, match="100 elements with an xml:base") as caught:
        elements(tags + b"<a xml:base='x'>", recover=recover)
    assert caught.value.offset == len(tags)


def test_attributes_that_a_dtd_makes_without_end_are_refused() -> None:
    defaults = "".join(f" a{number} CDATA ''" for number in range(500))
    head = f"<!DOCTYPE r [<!ATTLIST e{defaults}>]><r>".encode()
    assert len(elements(head + b"<e/>" * 100 + b"</r>", recover=False)) == 101
    with pytest.raises(LimitExceededError, match="makes more attributes than") as caught:
        elements(head + b"<e/>" * 10_000 + b"</r>", recover=False)
    assert caught.value.offset is not None
    assert caught.value.offset < len(head) + 4 * 300


def test_a_scope_ends_with_its_element_wherever_its_name_is() -> None:
    """Names of the same kind inside, in comments and in sections, and far apart."""
    far = "<p/>" * 5000
    inner = f"<e/><!-- </e> --><![CDATA[</e>]]><e>{far}</e><e a='</e'/>".replace("'</e'", "'/e'")
    source = f"<feed xmlns='http://www.w3.org/2005/Atom'>{far}<e xml:base='http://b.example/'>{inner}<link href='in'/>{far}</e>{far}<link href='out'/></feed>"
    for size in (len(source), 1000):
        stream = linkfix.LinkStream(type="xml")
        octets = source.encode()
        found = [
            link
            for at in range(0, len(octets), size)
            for link in stream.feed(octets[at : at + size])
        ]
        links = [
            (link.value, link.bases) for link in found + stream.close() if link.attribute == "href"
        ]
        assert links == [("in", ("http://b.example/",)), ("out", ())]
