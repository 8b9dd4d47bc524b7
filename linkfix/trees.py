"""Links in trees that a program already has: lxml, ElementTree as html5lib builds it, BeautifulSoup.

The same table and the same engine as for documents. A tree has no bytes and no charset any more, so
the charset of the document that it was made from has to be said: queries are sent in it.

The functions are named after those of ``lxml.html``; no tree library is imported here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from linkfix.charset import lookup
from linkfix.links.builder import Builder
from linkfix.links.html import HTMLFinder, links_of_value
from linkfix.links.table import PREFIXES, html_table
from linkfix.links.value import Target
from linkfix.markup.feedback import HTML
from linkfix.markup.layers import RAW_TEXT
from linkfix.policy import Bases, Policy, move
from linkfix.rewriting.spelling import spell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from linkfix.links import Kind, Link
    from linkfix.links.table import Entry

__all__ = ["TreeLink", "iter_links", "rewrite_links"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_BACK = {uri: prefix for prefix, uri in PREFIXES.items()}


@dataclass(frozen=True, slots=True)
class TreeLink:
    """One link of a tree.

    Attributes:
        element: the element, of the tree library's own type.
        attribute: name of the attribute in that tree; "" for the text of the element.
        value: the link.
        kind: how the attribute's value holds it.
        start: code point of the attribute's value at which its spelling begins.
        end: just after the last one.
        resolved: the absolute URI that it leads to; None where that cannot be told.

    """

    element: Any
    attribute: str
    value: str
    kind: Kind
    start: int
    end: int
    resolved: str | None


@dataclass(frozen=True, slots=True)
class _Place:
    """A value in a tree that may hold links, and how to change it."""

    element: Any
    attribute: str
    target: Target
    entry: Entry
    text: str
    put: Callable[[str], None]


def iter_links(
    tree: Any, *, charset: str = "utf-8", base: str | None = None, policy: Policy | None = None
) -> Iterator[TreeLink]:
    """Give every link of a tree, in the order of the document.

    Args:
        tree: an element or a tree of lxml, of ElementTree, or of BeautifulSoup.
        charset: label of the charset of the document that the tree was made from.
        base: absolute URI of the document, None where it is not known.
        policy: how links are to be read; its `query_charset` is used instead of `charset` where
            it names one.

    Raises:
        UnknownCharsetError: `charset` is no label of any encoding.

    """
    settings = _settings(policy, "uri", charset)
    bases = _bases(tree, base)
    for place in _places(tree):
        for link in _links(place):
            resolved = bases.resolve(link, settings)
            start, end = (len(place.text.encode()[:at].decode()) for at in (link.start, link.end))
            yield TreeLink(
                place.element, place.attribute, link.value, link.kind, start, end, resolved
            )


def rewrite_links(
    tree: Any,
    *,
    to: Literal["uri", "iri"] = "uri",
    charset: str = "utf-8",
    base: str | None = None,
    moved_to: str | None = None,
    policy: Policy | None = None,
) -> int:
    """Rewrite the links of a tree, in place.

    Args:
        tree: an element or a tree of lxml, of ElementTree, or of BeautifulSoup.
        to: ``uri`` for canonical URIs, ``iri`` for readable IRIs.
        charset: label of the charset of the document that the tree was made from and, for readable
            IRIs, will be written in.
        base: absolute URI of the document, None where it is not known.
        moved_to: absolute URI of the document afterwards; None for where the policy leads `base`.
        policy: every other setting; its `to` is used instead of the argument.

    Returns:
        How many links were rewritten.

    Raises:
        UnknownCharsetError: `charset` is no label of any encoding.

    """
    settings = _settings(policy, to, charset)
    base, moved_to = settings.places(base, moved_to)
    moves = settings.moves or moved_to != base
    bases = _bases(tree, base, moved_to)
    changed = 0
    # What the base element becomes rules how the others are written.
    for place in sorted(_places(tree), key=lambda place: place.target.element != "base"):
        source = place.text.encode()
        pieces: list[bytes] = []
        position = 0
        for link in _links(place):
            if not settings.applies(link):
                continue
            if moves:
                conversion = move(settings, link, bases).conversion
            else:
                conversion = settings.convert(link, bases.of(link))
            new = spell(link, conversion) if conversion.ok and conversion.edits else None
            bases.note(link, link.value if new is None else conversion.text)
            if new is not None:
                pieces += (source[position : link.start], new)
                position = link.end
                changed += 1
        if pieces:
            place.put(b"".join([*pieces, source[position:]]).decode())
    return changed


def _settings(policy: Policy | None, to: Literal["uri", "iri"], charset: str) -> Policy:
    policy = policy or Policy(to)
    lookup(charset)
    return replace(policy, query_charset=charset) if policy.query_charset == "document" else policy


def _bases(tree: Any, base: str | None, moved_to: str | None = None) -> Bases:
    bases = Bases(base, moved_to)
    for place in _places(tree):
        if place.target.element == "base":
            for link in _links(place):
                bases.see(link)
    return bases


def _links(place: _Place) -> list[Link]:
    """Read a value as if it were a document of its own, in UTF-8 and without any escaping."""
    source = place.text.encode()
    charset = lookup("utf-8")
    builder = Builder(charset, charset.view(), 0)
    builder.add(source)
    value = builder.value(0, len(source), RAW_TEXT)
    finder = HTMLFinder(builder)
    return list(links_of_value(finder, value, value.slot, place.target, place.entry))


def _places(tree: Any) -> Iterator[_Place]:
    """Give the values of the tree that the table names."""
    if hasattr(tree, "find_all"):
        yield from _in_soup(tree)
        return
    root = tree.getroot() if hasattr(tree, "getroot") else tree
    for element in root.iter():
        if not isinstance(element.tag, str):  # a comment or a processing instruction
            continue
        namespace, _, name = element.tag.rpartition("}")
        namespace = namespace[1:] or HTML
        attributes = [(key, _plain(key), value) for key, value in element.attrib.items()]
        yield from _of_element(
            element, namespace, name, attributes, element.text, element.set, _set_text(element)
        )


def _set_text(element: Any) -> Callable[[str], None]:
    return lambda text: setattr(element, "text", text)


def _plain(key: str) -> str:
    """Write ``{namespace}local`` as ``prefix:local``."""
    uri, brace, local = key.rpartition("}")
    return f"{_BACK.get(uri[1:], '')}:{local}" if brace else key


def _in_soup(soup: Any) -> Iterator[_Place]:
    for tag in soup.find_all(True):
        attributes = [(k, k, v) for k, v in tag.attrs.items() if isinstance(v, str)]
        name = tag.name.rpartition(":")[2]
        text = tag.string if name == "style" else None
        yield from _of_element(
            tag, tag.namespace or HTML, name, attributes, text, tag.__setitem__, _set_string(tag)
        )


def _set_string(tag: Any) -> Callable[[str], None]:
    return lambda text: tag.string.replace_with(type(tag.string)(text))


def _of_element(
    element: Any,
    namespace: str,
    name: str,
    attributes: list[tuple[str, str, str]],
    text: str | None,
    put: Callable[[str, str], None],
    put_text: Callable[[str], None],
) -> Iterator[_Place]:
    name = name.lower()
    # Lone surrogates, which a script can put into a tree, are in no document.
    attributes = [item for item in attributes if not _SURROGATE.search(item[2])]
    rows = html_table().of_element(namespace, name)
    values = {plain.lower(): value for _, plain, value in attributes}
    for key, plain, value in attributes:
        for entry in rows.get(plain.lower(), ()):
            if all(values.get(other, "").lower() in wanted for other, wanted in entry.when):
                target = Target(name, namespace, plain.lower(), "html")
                yield _Place(element, key, target, entry, value, _putter(put, key))
                break
    content = html_table().contents.get((namespace, name))
    if content is not None and text and values.get("type", "text/css") in {"", "text/css"}:
        target = Target(name, namespace, "", "html")
        yield _Place(element, "", target, content, str(text), put_text)


def _putter(put: Callable[[str, str], None], key: str) -> Callable[[str], None]:
    return lambda text: put(key, text)
