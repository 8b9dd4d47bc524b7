"""Under every combination of the tables' namespaces there are patterns, and they pass over no link."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

import linkfix
from linkfix.iri import canonical_ascii
from linkfix.links import Link, LinkStream
from linkfix.links import sought as module
from linkfix.links.settings import XMLSettings
from linkfix.links.sought import sought
from linkfix.markup import xmlskipping
from linkfix.markup.xmlskipping import Sought, skipping

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from linkfix.markup.xmlskipping import Clean

XML = "http://www.w3.org/XML/1998/namespace"
CLEAN = canonical_ascii("uri")
SIGNED = linkfix.Policy(xml=XMLSettings(signed=True))
#: Declared entities make expat name every element; the other subset is of the same length.
PLAIN, TOLD = "<!DOCTYPE r [<!--TITY e ''-->]>", "<!DOCTYPE r [<!ENTITY e 'xx'>]>"
#: Of prefixes that begin alike one alternative is made, of others several.
PREFIXES, PREFIXES_ALIKE = tuple("lxabcdefgh"), tuple(f"l{letter}" for letter in "xabcdefghi")

Bindings = frozenset[tuple[str, str]]


def combined() -> Iterator[tuple[Bindings, str]]:
    """Each vocabulary with and without a prefix, with no other, with each other and with all; and the name of a root."""
    known = sorted(module._vocabularies().keys() - {"*"})
    roots = [name for name in known if name.startswith("/")]
    named = [name for name in known if not name.startswith("/")]
    extra = sorted(module._of_attributes())
    sets = [(), *combinations(extra, 1), extra]
    for bound, prefixes in [*((bound, PREFIXES) for bound in sets), (extra, PREFIXES_ALIKE)]:
        others = zip(prefixes, bound, strict=False)
        own = {("xml", XML), ("", ""), *others}
        for root in roots:
            yield frozenset(own), root
        for namespace in named:
            yield frozenset(own - {("", "")} | {("", namespace)}), ""
    for one, two in pairwise(named):
        yield frozenset({("xml", XML), ("", one), ("l", two)}), ""


def letters(names: Collection[str]) -> int:
    """How many alternatives there are for names: one for each first letter, of which two are several."""
    return min(2, len({name[0] for name in names}))


def shape(found: Sought) -> tuple[object, ...]:
    """What patterns differ in, but for the names."""
    names = (
        found.texts,
        found.documents,
        found.attributes,
        found.styles,
        found.link_texts,
        found.links_anywhere,
    )
    links = {(letters(elements), letters(own)) for elements, own in found.links}
    return (*map(letters, names), *sorted(links))


@cache
def shapes(clean: Clean | None) -> list[tuple[Bindings, str, Sought]]:
    """One combination for each shape of a pattern, of all combinations."""
    of: dict[tuple[object, ...], tuple[Bindings, str, Sought]] = {}
    for bindings, root in combined():
        found = sought.__wrapped__(bindings, root, frozenset(), clean)
        of.setdefault(shape(found), (bindings, root, found))
    return list(of.values())


def document(bindings: Bindings, root: str, found: Sought, rng: Random) -> str:
    """Elements and attributes that are links under some namespaces, and others."""
    elements = sorted(
        {"z", *found.texts, *(name for own, _ in found.links for name in own)} - {"*"}
    )
    attributes = sorted({"zz", *found.attributes, *found.links_anywhere})
    values = ["a b", "/c", "?d&amp;e", "http://h.example/%zz", "f:", "color: red", "url(g h)"]
    texts = ["", "a b", "/c", "<![CDATA[a b]]>", "&lt;a href='a b'&gt;", "<!--x-->", "<z/>"]
    own = [name for name in elements if ":" not in name or name.split(":")[0] in dict(bindings)]
    pieces = []
    for _ in range(24):
        element = rng.choice(own)
        chosen = rng.sample(attributes, min(len(attributes), rng.randrange(3)))
        quoted = "".join(
            f" {name}={quote}{rng.choice(values)}{quote}"
            for name in chosen
            for quote in rng.choice("'\"")
        )
        pieces.append(f"<{element}{quoted}>{rng.choice(texts)}</{element}>")
    declared = "".join(
        f' xmlns{":" if prefix else ""}{prefix}="{name}"'
        for prefix, name in sorted(bindings)
        if prefix != "xml"
    )
    name = root[1:] or "root"
    return f"<{name}{declared}>{''.join(pieces)}</{name}>"


def links(source: str) -> list[Link]:
    stream = LinkStream(type="xml")
    found = stream.feed(source.encode()) + stream.close()
    return [link._replace(spelling=link.spelled) for link in found]


def rewritten(source: str) -> tuple[bytes, linkfix.Report]:
    rewriter = linkfix.Rewriter(policy=SIGNED, type="xml")
    changed = rewriter.feed(source.encode()) + rewriter.close()
    return changed.partition(b"]>")[2], rewriter.report


@pytest.mark.parametrize("clean", [None, CLEAN], ids=["every link", "dirty links"])
def test_there_is_a_pattern_for_every_combination_of_namespaces(clean: Clean | None) -> None:
    """The patterns of one shape differ in names alone."""
    for _, _, found in shapes(clean):
        assert skipping.__wrapped__(found, "", 256, 256).match(b"")
        assert skipping.__wrapped__(found, "a", 256, 0).match(b"")


def test_patterns_read_what_is_read_tag_by_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xmlskipping, "_PATIENCE", 0)
    for number, (bindings, root, found) in enumerate(shapes(None)[::3]):
        body = document(bindings, root, found, Random(number))
        assert links(PLAIN + body) == links(TOLD + body), body
        assert rewritten(PLAIN + body) == rewritten(TOLD + body), body
