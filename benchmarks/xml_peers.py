"""Other programs that read XML: lxml's and expat's events, with and without reading the links.

They write nothing, so they have less work than linkfix. They read what a program that changes links needs.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any
from xml.parsers import expat

from lxml import etree
from work import LINKS, Done, Fixer, Work

_ATTRIBUTES = frozenset(LINKS["xml attributes"])
_ELEMENTS = frozenset(LINKS["xml elements"])


def _free(element: Any) -> None:
    """Free an element that has been processed, and those before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def lxml_links() -> Work:
    def work(document: bytes, _: str) -> Done:
        fixer = Fixer()
        for _, element in etree.iterparse(BytesIO(document), resolve_entities=False):
            attributes = element.attrib
            for name in _ATTRIBUTES.intersection(attributes):
                attributes[name] = fixer.fix(str(attributes[name]))
            if element.tag in _ELEMENTS and element.text:
                element.text = fixer.fix(element.text)
            _free(element)
        return fixer.done()

    return work


def lxml_bare() -> Work:
    def work(document: bytes, _: str) -> Done:
        for _, element in etree.iterparse(BytesIO(document), resolve_entities=False):
            _free(element)
        return Done(0)

    return work


def expat_links() -> Work:
    # What separates a namespace name from a local name: `{name}local` but for the first brace.
    attributes = frozenset(name.removeprefix("{") for name in _ATTRIBUTES)
    elements = frozenset(name.removeprefix("{") for name in _ELEMENTS)

    def work(document: bytes, _: str) -> Done:
        fixer = Fixer()
        text: list[str] = []

        def start(_: str, values: dict[str, str]) -> None:
            for name in attributes.intersection(values):
                fixer.fix(values[name])
            text.clear()

        def end(element: str) -> None:
            if element in elements and text:
                fixer.fix("".join(text))
            text.clear()

        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = text.append
        parser.Parse(document, True)
        return fixer.done()

    return work


def expat_bare() -> Work:
    def work(document: bytes, _: str) -> Done:
        expat.ParserCreate(namespace_separator="}").Parse(document, True)
        return Done(0)

    return work
