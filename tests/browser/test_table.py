"""Every row of the table of links, in Chromium, in two legacy charsets.

A document for each row holds a reference with characters in its path, query and fragment that are
not ASCII, spaces and a stray ``%``. No rewrite moves it (I1, docs/decisions.md), and Chromium uses the charset for its
query that the row says. What Chromium uses is seen where it resolves the reference for its own ends:
in the property that reflects an attribute, in a computed style, in a request or a navigation.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from conformance_data import conformance

from linkfix.charset import lookup
from linkfix.links import Kind
from linkfix.links.table import Entry, html_table
from linkfix.markup.html.elements_data import HTML, MATHML, SVG

from .hard import HardDocument
from .harness import Page
from .judge import assert_moves_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .harness import Browser, Tree

pytestmark = pytest.mark.browser

#: Charsets, each with a character and its octets: in the charset, percent-encoded by Chromium.
CHARSETS = {"windows-1252": ("ä", "%E4"), "Shift_JIS": ("表", "%95\\")}
UNTOUCHED = {Kind.IDENTITY, Kind.HASH_NAME}
#: One element for those that the table gives as "*".
ANY = {HTML: "p", SVG: "rect", MATHML: "mi"}

#: Where a tag has to stand for the parser to keep it; {} is the tag.
AROUND = {
    "html": "{}<p>",
    "head": "{}",
    "body": "{}",
    "frame": "<frameset>{}",
    "base": "{}",
    "col": "<table>{}<tr><td>x",
    "colgroup": "<table>{}<tr><td>x",
    "tbody": "<table>{}",
    "thead": "<table>{}",
    "tfoot": "<table>{}",
    "tr": "<table>{}",
    "td": "<table><tr>{}",
    "th": "<table><tr>{}",
    "area": "<map name=m>{}</map><img usemap=#m>",
    "button": "<form>{}x</button></form>",
    "source/src": "<video>{}</video>",
    "source/srcset": "<picture>{}<img></picture>",
    "track": "<video>{}</video>",
    "param": "<object>{}</object>",
    "iframe": "{}</iframe>",
    "script": "{}</script>",
}
AROUND_SVG = {
    "script": "{}</script>",
    "filter": "<defs>{}</filter></defs>",
    "feimage": "<filter>{}</filter>",
    "mpath": "<animateMotion>{}</animateMotion>",
}
#: What an element needs besides for Chromium to use the attribute.
BESIDES: dict[tuple[str, str], Sequence[str]] = {
    ("a", "ping"): ("href=#",),
    ("area", "ping"): ("href=#",),
    ("input", "src"): ("type=image",),
    ("input", "formaction"): ("type=submit",),
    ("link", "href"): ("rel=stylesheet",),
    ("link", "imagesrcset"): ("rel=preload as=image",),
    ("track", "src"): ("default kind=captions",),
}
#: Rows of whose reference Chromium makes nothing that can be seen, by the reason.
UNSEEN = {
    "elements and attributes that browsers no longer know, or never did": (
        "applet/archive applet/codebase applet/src audio/poster bgsound/src command/icon "
        "embed/archive embed/pluginspage embed/pluginurl fig/src head/profile html/manifest "
        "ilayer/background ilayer/src image/dynsrc img/dynsrc input/dynsrc input/lowsrc isindex/action "
        "layer/background layer/src menuitem/icon object/archive overlay/src param/value portal/src "
        "video/dynsrc xml/src "
        "svg:altglyph/href svg:altglyph/xlink:href svg:color-profile/href "
        "svg:color-profile/xlink:href svg:cursor/href svg:cursor/xlink:href svg:font-face-uri/href "
        "svg:font-face-uri/xlink:href svg:glyphref/href svg:glyphref/xlink:href svg:tref/href "
        "svg:tref/xlink:href svg:*/color-profile"
    ),
    "references to elements of the same document only": (
        "svg:animate/href svg:animate/xlink:href svg:animatemotion/href "
        "svg:animatemotion/xlink:href svg:animatetransform/href svg:animatetransform/xlink:href "
        "svg:discard/href svg:discard/xlink:href svg:filter/href svg:filter/xlink:href "
        "svg:lineargradient/href svg:lineargradient/xlink:href svg:mpath/href svg:mpath/xlink:href "
        "svg:pattern/href svg:pattern/xlink:href svg:radialgradient/href "
        "svg:radialgradient/xlink:href svg:set/href svg:set/xlink:href svg:textpath/href "
        "svg:textpath/xlink:href"
    ),
    "a shorthand that is no presentation attribute in Chromium": "svg:*/marker",
    "MathML, of which Chromium follows no links": (
        "math:*/href math:*/xlink:href math:annotation-xml/definitionurl math:annotation-xml/src "
        "math:annotation/definitionurl math:annotation/src math:csymbol/definitionurl "
        "math:math/altimg math:mglyph/src math:semantics/definitionurl math:semantics/src"
    ),
    "for others than browsers": " ".join(f"meta/content/{number}" for number in range(1, 10)),
    "values that an animation sets while it runs": (
        "svg:animate/to svg:animate/from svg:animate/by svg:animate/values svg:set/to"
    ),
    "identity tokens and names": (
        "*/itemid */itemtype image/usemap img/usemap input/usemap object/usemap object/classid"
    ),
}
#: What standard, Chromium and Firefox are at odds about, and what Chromium does.
DISPUTED = {
    "base/href": "utf-8",
    "meta/content": "document",
    "style/text": "document",
    "svg:script/href": "document",
    "svg:script/xlink:href": "document",
    "svg:style/text": "document",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table for one element and one attribute; "" for the element's text."""

    namespace: str
    element: str
    attribute: str
    entry: Entry
    number: int

    def __str__(self) -> str:
        prefix = {HTML: "", SVG: "svg:", MATHML: "math:"}[self.namespace]
        name = f"{prefix}{self.element}/{self.attribute or 'text'}"
        return name + (f"/{self.number}" if self.number else "")


def rows() -> Iterator[Row]:
    table = html_table(())
    for (namespace, element), attributes in table.attributes.items():
        for attribute, entries in attributes.items():
            assert isinstance(attribute, str)
            for number, entry in enumerate(entries):
                yield Row(namespace, element, attribute, entry, number)
    for (namespace, element), entry in table.contents.items():
        yield Row(namespace, element, "", entry, 0)


ROWS = list(rows())


def value(kind: Kind, character: str, query: str) -> str:
    """Write a value of a kind around the reference that is looked for; double quotes stay free."""
    one = f"/path-{character} %zz?q={query} %zz#f-{character} %zz"
    tight = one.replace(" ", "|")
    match kind:
        case Kind.LIST | Kind.ARCHIVE:
            return f"{tight} {tight}"
        case Kind.SRCSET:
            return f"{tight} 1x, {tight}&second 2x"
        case Kind.REFRESH:
            return f"0; url={one}"
        case Kind.TEXT:
            return f"http://a.example/path-{character}?q={query}"
        case Kind.CSS:
            return f"url('{one}')"
        case Kind.DOCUMENT:
            return f"<a href='{one}'>x</a><img src='{one}'><p style=background-image:url({tight})>"
        case _:
            return one


def markup(row: Row, character: str, query: str) -> str:
    """Write the row's element with its attribute, where it has to stand."""
    text = value(row.entry.kind, character, query)
    name = ANY[row.namespace] if row.element == "*" else row.element
    if not row.attribute:
        style = f"<style>p, rect {{ background-image: {text}; fill: {text} }}</style>"
        return (
            f"{style}<p>x" if row.namespace == HTML else f"<svg xmlns='{SVG}'>{style}<rect/></svg>"
        )
    if row.attribute == "style":
        text = f"{'fill' if row.namespace == SVG else 'background-image'}: {text}"
    elif row.attribute == "cursor":
        text += ", auto"
    others = [f'{key}="{min(values)}"' for key, values in row.entry.when]
    tag = " ".join(
        [f"<{name}", *others, *BESIDES.get((name, row.attribute), ()), f'{row.attribute}="{text}">']
    )
    if row.namespace == HTML:
        return (AROUND.get(name) or AROUND.get(f"{name}/{row.attribute}", "{}x")).format(tag)
    root = "svg" if row.namespace == SVG else "math"
    if name == root:
        return tag
    return f"<{root}>{AROUND_SVG.get(name, '{}x').format(tag)}</{root}>"


def document(row: Row, label: str, query: str | None = None) -> HardDocument:
    """Make the page of a row; the header declares the charset, so that nothing else is in the way.

    The query is the charset's character if no other is given. The text of a style element in SVG is
    here one of XML; see `test_a_style_sheet_in_inline_svg`.
    """
    character, _ = CHARSETS[label]
    xml = row.namespace == SVG and not row.attribute
    text = ("" if xml else "<!DOCTYPE html>") + markup(row, character, query or character)
    body = lookup(label).encode(text)
    # Of two readings of a query neither is chosen: where they differ, the link is left alone.
    left = row.entry.kind in UNTOUCHED or (row.entry.query == "disputed" and query is None)
    media_type = "image/svg+xml" if xml else "text/html"
    return HardDocument(str(row), body, media_type, charset=label, changes=not left)


def queries(row: Row, tree: Tree) -> set[str]:
    """Return the queries that Chromium itself has made of the row's reference."""
    name = ANY[row.namespace] if row.element == "*" else row.element
    if row.namespace == HTML and name == "image":
        name = "img"  # HTML, 13.2.6.4.7
    found: list[str | None] = [*tree.requests, tree.base if row.element == "base" else ""]
    for node in tree.nodes:
        found += node.styles
        for attribute in node.attributes:
            if attribute.name == "srcdoc":
                found += attribute.urls
            elif node.name.lower() == name and attribute.name == row.attribute:
                found.append(attribute.reflected)
    matches = [re.match(r"http:.*/path-%.*?\?q=(.+?)(%20|\|)%zz", url or "") for url in found]
    return {match[1] for match in matches if match}


def watched(page: HardDocument) -> Page:
    return Page(page.body, page.content_type, watch=True)


def test_a_reason_for_each_row_that_is_not_seen() -> None:
    names = " ".join(UNSEEN.values()).split()
    assert len(names) == len(set(names))
    assert set(names) <= {str(row) for row in ROWS}
    assert {str(row) for row in ROWS if row.entry.query == "disputed"} - set(names) == set(DISPUTED)


@pytest.mark.parametrize(
    ("row", "label"),
    [
        pytest.param(row, label, marks=[pytest.mark.nightly] * ((number + other) % 2))
        for number, row in enumerate(ROWS)
        for other, label in enumerate(CHARSETS)
    ],
    ids=str,
)
def test_row(browser: Browser, row: Row, label: str) -> None:
    page = document(row, label)
    assert_moves_nothing(browser, page)
    [tree] = browser.load([watched(page)])
    character, octets = CHARSETS[label]
    utf8 = "".join(f"%{octet:02X}" for octet in character.encode())
    if str(row) in " ".join(UNSEEN.values()).split():
        assert not queries(row, tree)
    else:
        used = DISPUTED.get(str(row), row.entry.query)
        assert queries(row, tree) == {{"document": octets, "utf-8": utf8}[used]}


@pytest.mark.parametrize("row", [r for r in ROWS if r.entry.query == "disputed"], ids=str)
def test_a_disputed_row_with_a_query_that_is_not(browser: Browser, row: Row) -> None:
    assert_moves_nothing(browser, document(row, "windows-1252", query="a"))


@pytest.mark.parametrize("label", CHARSETS)
@pytest.mark.parametrize(
    "style",
    ["rect {{ fill: {} }}", "<![CDATA[rect {{ fill: {} }} </style>]]>"],
    ids=["text", "cdata"],
)
def test_a_style_sheet_in_inline_svg(browser: Browser, style: str, label: str) -> None:
    text = value(Kind.CSS, CHARSETS[label][0], "a")
    if "CDATA" not in style:
        text = text.replace("'", "&quot;")
    body = f"<!DOCTYPE html><svg><style>{style.format(text)}</style><rect/></svg>"
    page = HardDocument("svg", lookup(label).encode(body), "text/html", charset=label)
    assert_moves_nothing(browser, page)
    [tree] = browser.load([watched(page)])
    assert any("?q=a%20%zz" in url for node in tree.nodes for url in node.styles if url)


def test_one_style_sheet_with_both_charsets(browser: Browser) -> None:
    body = "<style>@import '?i=ä'; p {background-image: url('?u=ä')}</style><p>".encode("latin-1")
    [tree] = browser.load([Page(body, "text/html; charset=windows-1252", watch=True)])
    urls = [url or "" for node in tree.nodes for url in node.styles] + list(tree.requests)
    assert {url.partition("?")[2] for url in urls} == {"i=%C3%A4", "u=%E4"}


@pytest.mark.nightly
@pytest.mark.conformance
def test_what_the_query_encoding_tests_expect(browser: Browser) -> None:
    path = conformance("query-encoding", "html-attributes.tsv")
    with path.open(encoding="utf-8", newline="") as file:
        expected = {
            (row["element"].lower(), row["attribute"]): row
            for row in csv.DictReader(file, delimiter="\t")
        }
    by_name = {(str(row).partition("/")[0], row.attribute): row for row in reversed(ROWS)}
    by_name["div", "itemid"] = by_name["*", "itemid"]
    pages, wanted = [], []
    for key, line in expected.items():
        assert line["query_charset"] == "document"
        for label in ("utf-8", "utf-16le", "utf-16be", "windows-1252", "windows-1251"):
            for character in ("ÿ", "å"):
                row = by_name[key]
                charset = lookup(label)
                text = markup(row, "é" if charset.encodable("é") else "я", character)
                text = "".join(c if charset.encodable(c) else f"&#{ord(c)};" for c in text)
                pages.append(Page(charset.encode(text), f"text/html; charset={label}", watch=True))
                wanted.append((row, line[f"U+{ord(character):04X} {label}"]))
    figures: Counter[str] = Counter()
    unseen = " ".join(UNSEEN.values()).split()
    for (row, query), tree in zip(wanted, browser.load(pages), strict=True):
        seen = queries(row, tree)
        if str(row) in unseen:
            figures["not seen"] += 1
            assert not seen
        elif str(row) in DISPUTED:
            figures["otherwise than expected"] += seen != {query}
        else:
            figures["as expected"] += 1
            assert seen == {query}, row
    print(dict(figures))
    assert figures["as expected"] > 300
    # base/href, with two characters in the two charsets that are not Unicode
    assert figures["otherwise than expected"] == 4
