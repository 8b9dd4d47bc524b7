"""Other programs that read XML: lxml's and expat's events, with and without reading the links.

Most write nothing and pass over HTML in texts, so they have less work than linkfix. They read what a program that
changes links needs. Those for feeds do the same work: they read the HTML as well, and write the document.
"""

from __future__ import annotations

import re
from html import escape, unescape
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from lxml import etree
from work import LINKS, Done, Fixer, Work

if TYPE_CHECKING:
    from collections.abc import Callable

_ATTRIBUTES = frozenset(LINKS["xml attributes"])
_ELEMENTS = frozenset(LINKS["xml elements"])
#: Elements whose text is HTML.
_HTML = frozenset(LINKS["xml html"])
_IN_HTML = re.compile(
    rf"""(\b(?:{"|".join(LINKS["html"])})\s*=\s*(["']))(.*?)\2""",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)


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


def lxml_html() -> Work:
    """HTML in texts by lxml.html; the tree is kept and written."""
    from lxml import html

    def rewrite(text: str, fixer: Fixer) -> str:
        root: Any = html.fragment_fromstring(text, create_parent="div")
        changed = fixer.changed
        root.rewrite_links(fixer.fix, resolve_base_href=False)
        if fixer.changed == changed:
            return text
        written = str(html.tostring(root, encoding="unicode"))
        return written.removeprefix("<div>").removesuffix("</div>")

    return _written(rewrite)


def lxml_pattern() -> Work:
    """HTML in texts by a regular expression, which comments and scripts mislead; the tree is kept and written."""

    def rewrite(text: str, fixer: Fixer) -> str:
        def one(found: re.Match[str]) -> str:
            old = unescape(found[3])
            new = fixer.fix(old)
            return found[0] if new == old else f"{found[1]}{escape(new)}{found[2]}"

        return _IN_HTML.sub(one, text)

    return _written(rewrite)


def _written(rewrite: Callable[[str, Fixer], str]) -> Work:
    """Rewrite attributes, texts and the HTML in texts, and write the document."""

    def work(document: bytes, _: str) -> Done:
        fixer = Fixer()
        events = etree.iterparse(BytesIO(document), resolve_entities=False, strip_cdata=False)
        for _, element in events:
            attributes = element.attrib
            for name in _ATTRIBUTES.intersection(attributes):
                old = str(attributes[name])
                new = fixer.fix(old)
                if new != old:
                    attributes[name] = new
            text = element.text
            if text and element.tag in _ELEMENTS:
                new = fixer.fix(text)
            elif text and element.tag in _HTML:
                new = rewrite(text, fixer)
            else:
                continue
            if new != text:
                element.text = new
        return fixer.done(etree.tostring(events.root, encoding="utf-8", xml_declaration=True))

    return work
