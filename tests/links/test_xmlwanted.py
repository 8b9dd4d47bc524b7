"""Under every combination of the tables' namespaces the patterns are short, and skip no link."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

import linkfix
from linkfix.links import Link, LinkStream
from linkfix.links.settings import XMLSettings
from linkfix.links.table import xml_table
from linkfix.links.xml import wanted as module
from linkfix.markup.xml import skip as xmlskip
from linkfix.markup.xml.skip import Skip, Wanted, pattern_of
from linkfix.markup.xml.tags import END_TAGS

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
    known = sorted(module._vocabularies().keys() - {"*"})
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
    rows = (row for each in module._vocabularies().values() for row in each.attributes)
    return {name[0] for name, _ in rows if not isinstance(name, str)}


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
    elements = sorted({"z", *found.texts, *found.documents, *of_rows})
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


def test_patterns_read_what_is_read_tag_by_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xmlskip, "_PATIENCE", 0)
    for number, (bindings, root) in enumerate([*combined()][::6]):
        body = document(bindings, root, wanted(bindings, root), Random(number))
        assert links(PLAIN + body) == links(TOLD + body), body
        assert rewritten(PLAIN + body) == rewritten(TOLD + body), body


@pytest.mark.nightly
def test_every_pattern_is_short_enough_to_be_used() -> None:
    """But for more vocabularies at once than any document has, which is then read tag by tag."""
    for bindings, root in combined():
        pattern = pattern_of(wanted(bindings, root), 256, 256)
        assert len(pattern) <= xmlskip._LONGEST_PATTERN == 6000
        assert re.compile(pattern).match(b"")


def test_under_all_vocabularies_at_once_every_tag_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xmlskip, "_PATIENCE", 0)
    names = sorted(name for name in module._vocabularies() if name[0] not in "*/")
    bindings = frozenset((f"p{number}", name) for number, name in enumerate(names))
    assert len(pattern_of(wanted(bindings, ""), 256, 256)) > xmlskip._LONGEST_PATTERN
    assert Skip(wanted(bindings, ""), 256, 256).pattern is END_TAGS


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"<x a='b'/>c<y>d</y><!--e-->", (b"<x a='b'/>c<y>d</y>", {})),
        (b"<x a='b' href='c' d=\"e\" /><y/>", (b"<x a='b' href='c' d=\"e\" />", {"name": b"x", "attribute": b"href", "value": b"'c'"})),
        (b"<x href='c' src='d'/>", (b"", {})),
        (b"<x xmlns:a='b'/>", (b"", {})),
        (b"<x xml:base='b'/>", (b"", {})),
        (b"<x style='a:b'/><x style='a:url(b)'/>", (b"<x style='a:b'/><x style='a:url(b)'/>", {"name": b"x", "attribute": b"style", "value": b"'a:url(b)'"})),
        (b"<x hrefs='a'/><links/>t<p:link/>", (b"<x hrefs='a'/><links/>t<p:link/>", {})),
        (b"<link a='b'>c</link>", (b"<link a='b'>c", {"tag": b"link a='b'", "text": b"c"})),
        (b"<link>\n<![CDATA[c]]>\n</link>", (b"<link>\n<![CDATA[c]]>\n", {"tag": b"link", "section": b"c"})),
        (b"<link a='b' />c", (b"", {})),
        (b"<link href='b'>c</link>", (b"", {})),
        (b"<link href='b'/>", (b"", {})),
        (b"<link>a<b/></link>", (b"", {})),
        (b"<link>a</lin", (b"", {})),
        ("<é/>".encode(), (b"", {})),
        (b"<abcdefghi/>", (b"", {})),
        (b"<p:a/><q:a/>", (b"<p:a/>", {})),
        (b"<doc a='>'>b &amp; c</doc><y/>", (b"<doc a='>'>b &amp; c</doc><y/>", {})),
        (b"<doc href='b'/><y/>", (b"<doc href='b'/>", {"name": b"doc", "attribute": b"href", "value": b"'b'"})),
        (b"<doc href='b'>c</doc>", (b"<doc href='b'>", {"name": b"doc", "attribute": b"href", "value": b"'b'"})),
        (b"<doc>a &lt; b</doc>", (b"<doc>a &lt; b", {"tag": b"doc", "text": b"a &lt; b"})),
        (b"<doc>&#60;</doc>", (b"<doc>&#60;", {"tag": b"doc", "text": b"&#60;"})),
        (b"<doc href='b'>&lt;</doc>", (b"", {})),
        (b"<doc>a<y/></doc>", (b"", {})),
        (b"<doc href='b'>a", (b"", {})),
        (b"<docs>&lt;</docs>", (b"<docs>&lt;</docs>", {})),
        (b"<x a='' b='' c='' d='' e=''/>", (b"", {})),
    ],
)  # fmt: skip
def test_a_step_of_the_pattern(source: bytes, expected: tuple[bytes, dict[str, bytes]]) -> None:
    attributes, styles = frozenset({"href", "src", "style"}), frozenset({"style"})
    names = Wanted(frozenset({"p"}), frozenset({"link"}), attributes, frozenset({"doc"}), styles)
    found = re.match(pattern_of(names, 10, 4), source)
    assert found is not None
    groups = {name: value for name, value in found.groupdict().items() if value is not None}
    groups.pop("link", None)
    groups.pop("content", None)
    assert (found[0], groups) == expected
