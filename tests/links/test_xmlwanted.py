"""Under every combination of the tables' namespaces the patterns are short, and find every link."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from tiers import examples

import linkfix
from linkfix.links import Link, LinkStream
from linkfix.links.settings import XMLSettings
from linkfix.links.table import xml_table
from linkfix.links.xml import wanted as module
from linkfix.markup.xml import names as xmlnames
from linkfix.markup.xml.limits import Limits
from linkfix.markup.xml.names import EVERY_START, Finder, Wanted, odd_tags, pattern_of

if TYPE_CHECKING:
    from collections.abc import Iterator

XML = "http://www.w3.org/XML/1998/namespace"
SIGNED = linkfix.Policy(xml=XMLSettings(signed=True))
#: Declared entities make expat name every element; the other subset is of the same length.
PLAIN, TOLD = "<!DOCTYPE r [<!--TITY e ''-->]>", "<!DOCTYPE r [<!ENTITY e 'xx'>]>"
#: Of prefixes that begin alike one alternative is made, of others several.
PREFIXES, PREFIXES_ALIKE = tuple("lxabcdefgh"), tuple(f"l{letter}" for letter in "xabcdefghi")

Bindings = frozenset[tuple[str, str]]


def combined() -> Iterator[tuple[Bindings, str]]:
    """Each vocabulary with and without a prefix, with no other, with each other and with all; and the name of a root."""
    known = sorted(set().union(*module._vocabularies()) - {"*"})
    roots = [name for name in known if name.startswith("/")]
    named = [name for name in known if not name.startswith("/")]
    extra = sorted(bound_by_attributes())
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


def bound_by_attributes() -> set[str]:
    """The namespaces that attributes of links are in."""
    rows = (row for each in module._vocabularies()[0].values() for row in each)
    return {name[0] for _, name, _ in rows if not isinstance(name, str)}


def wanted(bindings: Bindings, root: str) -> Wanted:
    return module._wanted.__wrapped__(bindings, root, False, True, links=True)


def document(bindings: Bindings, root: str, found: Wanted, rng: Random) -> str:
    """Elements and attributes that are links under some namespaces, and others."""
    of_rows = {
        f"{prefix}:{element}" if prefix else element
        for prefix, namespace in bindings
        for known, element in xml_table().attributes
        if known == (namespace or root) and element != "*"
    }
    elements = sorted({"z", *found.texts, *of_rows})
    attributes = sorted({"zz", *found.attributes})
    values = ["a b", "/c", "?d&amp;e", "http://h.example/%zz", "f:", "color: red", "url(g h)"]
    texts = [
        "",
        "a b",
        "/c",
        "a &amp; b",
        "<![CDATA[a b]]>",
        "&lt;a href='a b'&gt;",
        "<!--x-->",
        "<z/>",
    ]
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
    name = next((name for name, key in xml_table().roots.items() if key == root), "root")
    return f"<{name}{declared}>{''.join(pieces)}</{name}>"


def links(source: str) -> list[Link]:
    stream = LinkStream(type="xml")
    found = stream.feed(source.encode()) + stream.close()
    return [link._replace(spelling=link.spelled) for link in found]


def rewritten(source: str) -> tuple[bytes, linkfix.Report]:
    rewriter = linkfix.Rewriter(policy=SIGNED, source=linkfix.Source(type="xml"))
    changed = rewriter.feed(source.encode()) + rewriter.close()
    return changed.partition(b"]>")[2], rewriter.report


@pytest.mark.property
def test_patterns_read_what_is_read_tag_by_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xmlnames, "_PATIENCE", 0)
    step = 600 // examples(100)
    for number, (bindings, root) in enumerate([*combined()][::step]):
        body = document(bindings, root, wanted(bindings, root), Random(number))
        assert links(PLAIN + body) == links(TOLD + body), body
        assert rewritten(PLAIN + body) == rewritten(TOLD + body), body


@pytest.mark.nightly
def test_a_pattern_is_made_for_every_combination() -> None:
    for bindings, root in combined():
        assert re.compile(pattern_of(wanted(bindings, root))).search(b"") is None


def test_under_all_vocabularies_at_once_there_is_one_pattern(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xmlnames, "_PATIENCE", 0)
    names = sorted(name for name in set().union(*module._vocabularies()) if name[0] not in "*/")
    bindings = frozenset((f"p{number}", name) for number, name in enumerate(names))
    assert Finder(wanted(bindings, "")).pattern is not EVERY_START
    assert Finder(None).pattern is EVERY_START


ANY, SOME = None, frozenset({"x", "doc", "p:y"})


Found = tuple[str, str, str] | str


@pytest.mark.parametrize(
    ("source", "elements", "expected"),
    [
        ("<z a='b'/>c<y>d</y>", ANY, []),
        ("<!--e--><?f?>", ANY, ["<!--e--><?f?>"]),
        ("a<?f?>", ANY, ["<?f?>"]),
        ("<x a='b' href='c' d=\"e\" /><y/>", ANY, [("x", "href='", "c")]),
        ("<x a='b' href='c' d=\"e\" /><y href='c'/>", SOME, [("x", "href='", "c")]),
        ("<x\nhref = \"c\"/>", SOME, [("x", "href = \"", "c")]),
        ("<p:y href='c'/><q:x href='d'/><p:x href='e'/>", SOME, [("p:y", "href='", "c"), "<q:x href='d'/><p:x href='e'/>"]),
        ("<x q:href='c'/>", SOME, [("x", "q:href='", "c")]),
        ("<x href='\"' /><x href=\"'\"/>", SOME, [("x", "href='", "\""), ("x", "href=\"", "'")]),
        ("<x href='c' src='d'/>", SOME, ["<x href='c' src='d'/>"]),
        ("<x q:a='b' href='c'/>", SOME, ["<x q:a='b' href='c'/>"]),
        ("<x é='b' href='c'/>", SOME, [("x", "href='", "c")]),
        ("<z style='a:b'/><z style='a:url(b)'/>", ANY, [("z", "style='", "a:url(b)")]),
        ("<z hrefs='a'/><links/>t<p:link/><xx href='a'/>", SOME, []),
        ("<link a='b'>c</link>", SOME, [("link a='b'>", "", "c")]),
        ("<link>d href='c'</link><link> href='c'/></link>", SOME, [("link>", "", "d href='c'"), ("link>", "", " href='c'/>")]),
        ("<q:link>c</q:link>", SOME, ["<q:link>c</q:link>"]),
        ("<link>\n<![CDATA[c]]>\n</link>", SOME, [("link>", "\n<![CDATA[", "c")]),
        ("<link>\n<![CDATA[c]]> d</link>", SOME, ["<link>\n<![CDATA[c]]> d</link>"]),
        ("<link a='b' />c", SOME, ["<link a='b' />c"]),
        ("<link href='b'>c</link>", SOME, ["<link href='b'>c</link>"]),
        ("<link>a<b/></link>", SOME, ["<link>a<b/></link>"]),
        ("<doc a='>'>b &amp; c</doc><y/>", SOME, []),
        ("<doc href='b'/><y/>", SOME, [("doc", "href='", "b")]),
        ("<doc href='b'>c</doc>", SOME, [("doc", "href='", "b")]),
        ("<doc>a &lt; b</doc>", SOME, [("doc>", "", "a &lt; b")]),
        ("<doc>&#60;</doc>", SOME, [("doc>", "", "&#60;")]),
        ("<doc href='b'>&lt;</doc>", SOME, ["<doc href='b'>&lt;</doc>"]),
        ("<doc>a<y/></doc>", SOME, ["<doc>a<y/></doc>"]),
        ("<docs>&lt;</docs>", SOME, []),
    ],
)  # fmt: skip
def test_what_the_pattern_finds(
    source: str, elements: frozenset[str] | None, expected: list[Found]
) -> None:
    attributes, styles = frozenset({"href", "src", "style"}), frozenset({"style"})
    texts, documents = frozenset({"link", "doc"}), frozenset({"doc"})
    names = Wanted(frozenset({"p"}), texts, attributes, elements, documents, styles, is_bare=True)
    found = [
        match[0].decode() if match["value"] is None else tuple(map(bytes.decode, match.group("name", "mark", "value")))
        for match in re.finditer(pattern_of(names), source.encode())
    ]  # fmt: skip
    assert found == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<a/><b xmlns:c='d'/><h/>", ["<b "]),
        ("<a/><e xml:base='f' xmlns='g'/><h/>", ["<e "]),
        ("<a b='http://c'/><a/>", []),
        ("<a/>b<c/>", []),
        ("<a>é</a><a b='é'/>", []),
        ("<a/><é/>", ["<é"]),
        ("<a/><a b='c' é='b'/><!-- <é> -->", ["<a b", "<é"]),
        (f"<a/><bb{'b' * 60}/><c/>", ["<bb"]),
        ("<a/><d b='' c='' d='' e='' f='' g='' h='' i='' j='' k='' l='' m='' n=''/><c/>", ["<d "]),
    ],
)
def test_tags_that_are_read_by_themselves(source: str, expected: list[str]) -> None:
    octets = source.encode()
    found = odd_tags(octets, 0, len(octets), Limits(name=60, attributes=12))
    tags = [octets.index(each.encode()) for each in dict.fromkeys(expected)]
    assert sorted({*found}) == tags
