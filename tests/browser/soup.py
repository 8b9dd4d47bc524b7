"""Random tag soup around foreign content, and a browser's verdict on what linkfix reads and rewrites in it.

Each link has a mark of its own, L and a number, and is spelled so that a rewrite changes it. A document passes if

* its DOM is the same after a rewrite but for the values of links,
* every link of the DOM has been found (none is *missed*),
* what has been found is in the DOM the attribute of that name on an element of that name and namespace, or
  nowhere: tree construction drops tags, but no text (else it is *made up*),
* it is rewritten the same in chunks of any size.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import linkfix
from linkfix.links.html.embedded import parse_kinds
from linkfix.links.scope import Scope
from linkfix.links.table import html_table
from linkfix.markup.html.elements_data import HTML

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from .harness import Browser

__all__ = ["Figures", "inputs", "judge", "soup", "with_tails"]

SVG = [
    "svg",
    "g",
    "path",
    "a",
    "image",
    "use",
    "foreignObject",
    "desc",
    "title",
    "style",
    "script",
    "text",
    "font",
    "p",
    "image",
    "table",
]
MATH = [
    "math",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
    "annotation-xml",
    "mglyph",
    "malignmark",
    "maction",
    "semantics",
]
TABLE = ["table", "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th"]
TEXT = ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript"]
FORMATTING = ["a", "b", "i", "font", "nobr", "code", "em", "u"]
BLOCKS = [
    "div",
    "p",
    "section",
    "h1",
    "h2",
    "li",
    "dd",
    "dt",
    "ul",
    "ol",
    "dl",
    "form",
    "fieldset",
    "address",
    "pre",
    "center",
    "button",
    "main",
]
INLINE = [
    "span",
    "label",
    "mark",
    "abbr",
    "ruby",
    "rt",
    "rp",
    "rb",
    "rtc",
    "x-y",
    "audio",
    "video",
    "object",
    "applet",
    "marquee",
]
VOID = [
    "br",
    "hr",
    "img",
    "input",
    "area",
    "base",
    "link",
    "meta",
    "source",
    "track",
    "param",
    "embed",
    "wbr",
    "image",
    "keygen",
]
SELECT = ["select", "option", "optgroup"]
DOCUMENT = ["html", "head", "body", "frameset", "frame", "template"]
GROUPS = (SVG, SVG, MATH, TABLE, TEXT, FORMATTING, BLOCKS, INLINE, VOID, SELECT, DOCUMENT)
#: Attributes that are links, by element; of others the first ones.
LINKS = {
    "img": ["src"], "image": ["src", "xlink:href", "href"], "script": ["src", "href"],
    "iframe": ["src"], "form": ["action"], "input": ["src"], "button": ["formaction"],
    "body": ["background"], "table": ["background"], "td": ["background"], "frame": ["src"],
    "embed": ["src"], "object": ["data"], "video": ["poster"], "audio": ["src"], "source": ["src"],
}  # fmt: skip
ANY = ["href", "xlink:href", "src"]
DOCTYPES = [
    "<!DOCTYPE html>",
    "",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
    "<!DOCTYPE html SYSTEM x>",
]
#: In SVG Chromium gives an end tag back its capitals, and then finds no HTML element of that name, against the
#: standard; so the end tag of another element with HTML in it stands for that one.
DESC = {"foreignObject": "desc"}
#: In a template Chromium lets any special element keep ``</form>`` from closing a form (its flag
#: CorrectTemplateFormParsing), and takes ``base`` for an element of the body, both against the standard; so no
#: document has a template and one of these.
NOT_BESIDE_TEMPLATE = {"form", "base"}
_MARK = re.compile("L[0-9]+")
#: DOMParser runs no scripts, and takes what other readers take for documents for text.
_POLICY = linkfix.Policy(scope=Scope(scripting=False, embedded=parse_kinds(["off"])))


class _Soup:
    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.marks = 0

    def value(self) -> str:
        self.marks += 1
        quote = self.random.choice(["'", '"', ""])
        return f"{quote}L{self.marks}{chr(233)}{quote}" if quote else f"L{self.marks}{chr(233)}"

    def attributes(self, name: str) -> str:
        choose, found = self.random, ""
        if choose.random() < 0.5:
            found += f" {choose.choice(LINKS.get(name, ANY))}={self.value()}"
        if name == "annotation-xml" and choose.random() < 0.6:
            found += choose.choice(
                [" encoding=text/html", " encoding='application/xhtml+xml'", " encoding=x"]
            )
        elif name == "input" and choose.random() < 0.5:
            found += choose.choice([" type=hidden", " type=image", " type=HIDDEN"])
        elif name == "font" and choose.random() < 0.5:
            found += choose.choice([" color=red", " size=1", " FACE=x", " title=x"])
        elif name in FORMATTING and choose.random() < 0.3:
            found += choose.choice([" id=1", " id='1'", " id=&#49;", " id=2"])
        return found

    def start(self, name: str) -> str:
        slash = "/" if self.random.random() < 0.08 else ""
        return (
            f"<{name}{self.attributes(name)} {slash}>"
            if slash
            else f"<{name}{self.attributes(name)}>"
        )

    def text(self) -> str:
        kind = self.random.randrange(12)
        link = f"<a href={self.value()}>"
        if kind < 4:
            return ["x", " ", "&#32;&Tab;\n", "&lt;"][kind]
        if kind < 7:
            return f"<![CDATA[>{link}]]>"
        if kind == 7:
            return f"<!--{link}-->"
        if kind < 10:
            name = self.random.choice(TEXT)
            return f"<{name}>{link}</{name}>"
        return ["<![CDATA[ ]]>", "</>"][kind - 10]

    def document(self) -> str:
        choose = self.random
        pieces = [choose.choice(DOCTYPES)]
        own = [choose.choice(GROUPS) for _ in range(choose.randint(2, 5))]
        names = [choose.choice(group) for group in own for _ in range(3)]
        names += choose.choices(["svg", "math", "foreignObject", "mi", "desc", "span", "p"], k=4)
        if "template" in names:
            names = [name for name in names if name not in NOT_BESIDE_TEMPLATE]
        opened: list[str] = []
        for _ in range(choose.randint(4, 28)):
            kind = choose.random()
            if kind < 0.5:
                opened.append(choose.choice(names))
                pieces.append(self.start(opened[-1]))
            elif kind < 0.8:
                name = choose.choice(opened if opened and choose.random() < 0.7 else names)
                pieces.append(f"</{DESC.get(name, name)}>")
            else:
                pieces.append(self.text())
        pieces.append(choose.choice(TAILS)(self))
        return "".join(pieces)


#: What shows, at the end of a document, where tree construction has got to.
TAILS: list[Callable[[_Soup], str]] = [
    lambda soup: f"<![CDATA[><a href={soup.value()}>]]>",
    lambda soup: f"<script>'<a href={soup.value()}>'</script>",
    lambda soup: f"<title><a href={soup.value()}></title>",
    lambda soup: f"<image xlink:href={soup.value()} src={soup.value()}>",
    lambda soup: f"<style><a xlink:href={soup.value()} /></style>",
    lambda soup: f"x<![CDATA[><a href={soup.value()}>]]>",
    lambda soup: f"<textarea><img src={soup.value()}></textarea><p><a href={soup.value()}>",
    lambda soup: f"<svg><a xlink:href={soup.value()}></a></svg><xmp><a href={soup.value()}></xmp>",
]


def soup(source: random.Random) -> str:
    """Return a random document."""
    return _Soup(source).document()


def inputs(folder: Path) -> Iterator[str]:
    """Yield the inputs of html5lib's tree construction tests, those for fragments left out."""
    for path in sorted(folder.glob("*.dat")):
        text = path.read_bytes().decode("utf-8", "replace")
        for block in re.split(r"(?:\A|\n\n)#data\n", text)[1:]:
            if "\n#document-fragment" not in block:
                yield block.partition("\n#errors")[0]


def with_tails(document: str) -> list[str]:
    """Return a document with each of the tails in turn."""
    maker = _Soup(random.Random(1))
    return [document + tail(maker) for tail in TAILS]


@dataclass
class Figures:
    """What has been counted, and the documents that failed with what is wrong about each."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[tuple[str, str]] = field(default_factory=list)

    def add(self, kind: str, document: str, problem: str) -> None:
        self.counts[kind] += 1
        if len(self.failures) < 50:
            self.failures.append((document, f"{kind}: {problem}"))


def rewrite(document: str, source: random.Random) -> tuple[str, bool]:
    """Rewrite a document, whole and in chunks; return the first outcome, and whether both are alike."""
    data = document.encode()
    whole = linkfix.Rewriter(
        policy=_POLICY, source=linkfix.Source(type="html", charset="utf-8")
    ).whole(data)
    rewriter = linkfix.Rewriter(policy=_POLICY, source=linkfix.Source(type="html", charset="utf-8"))
    pieces, at = [], 0
    size = source.choice([1, 3, 20, 500])
    while at < len(data):
        pieces.append(rewriter.feed(data[at : at + size]))
        at += size
    chunks = b"".join([*pieces, rewriter.close()])
    return whole.decode(), whole == chunks


def judge(browser: Browser, documents: Sequence[str], seed: int, figures: Figures) -> None:
    """Let the browser judge documents, and add what comes out to figures."""
    source = random.Random(seed)
    outcomes = [rewrite(document, source) for document in documents]
    pairs = [(document, new) for document, (new, _) in zip(documents, outcomes, strict=True)]
    answers = browser.compare(pairs)
    for document, (new, alike), answer in zip(documents, outcomes, answers, strict=True):
        figures.counts["documents"] += 1
        figures.counts["documents changed"] += document != new
        if not alike:
            figures.add("chunks differ", document, new)
        for problem in answer["problems"]:
            figures.add("difference", document, problem)
        for namespace, element, attribute, value in answer["changed"]:
            if attribute.lower() not in html_table(()).of_element(namespace, element.lower()):
                figures.add("difference", document, f"{element}@{attribute} was {value}")
        _compare_links(document, answer, figures)


def _compare_links(document: str, answer: dict[str, Any], figures: Figures) -> None:
    ours: dict[str, tuple[str, str, str]] = {}
    for link in linkfix.extract(document.encode(), policy=_POLICY, type="html", charset="utf-8"):
        if mark := _MARK.search(link.value):
            ours[mark[0]] = (link.namespace, link.element.lower(), link.attribute.lower())
    theirs: dict[str, set[tuple[str, str, str]]] = {}
    for namespace, element, attribute, value in answer["attributes"]:
        for name in _MARK.findall(value):
            theirs.setdefault(name, set()).add((namespace, element.lower(), attribute.lower()))
    figures.counts["links"] += len(ours)
    for name, places in theirs.items():
        wanted = {(n, e, a) for n, e, a in places if a in html_table(()).of_element(n, e)}
        if wanted and name not in ours:
            figures.add("missed", document, f"{name} {wanted}")
    for name, (namespace, element, attribute) in ours.items():
        element = "img" if (namespace, element) == (HTML, "image") else element
        place = (namespace, element, attribute)
        if name in answer["text"] or (name in theirs and place not in theirs[name]):
            figures.add("made up", document, f"{name} {place}")
