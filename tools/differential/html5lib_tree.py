"""Compare the links that linkfix finds in HTML with those of html5lib's tree.

    python tools/differential/html5lib_tree.py FOLDER [--pages N] [--seed S]

A page that is not UTF-8 is decoded by the charset that the name of its folder says, if that is one,
and else as windows-1252. For every page the link attributes of linkfix's table are listed twice, as (namespace, element,
attribute, value with character references replaced): as linkfix's tokenizer finds them, and as they
stand in the tree that html5lib builds. The tree builder drops some tags and clones some elements, so
a difference is put into a class; what has no class is printed, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

import html5lib
from html5lib.constants import namespaces

from linkfix.charset import lookup
from linkfix.errors import LinkfixError
from linkfix.links.table import html_table
from linkfix.markup.html.feedback import TreeFeedback
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import StartTag
from linkfix.markup.layers import html_attribute

Found = tuple[str, str, str, str]

#: The namespaces of attributes of foreign elements in html5lib.
PREFIXES = {namespaces["xlink"]: "xlink:", namespaces["xml"]: "xml:", namespaces["xmlns"]: "xmlns:"}
#: Elements that the adoption agency algorithm and the list of active formatting elements clone.
FORMATTING = frozenset(
    [
        "a",
        "b",
        "big",
        "code",
        "em",
        "font",
        "i",
        "nobr",
        "s",
        "small",
        "strike",
        "strong",
        "tt",
        "u",
    ]
)


def in_table(namespace: str, element: str) -> set[str]:
    return {a for a in html_table(()).of_element(namespace, element) if isinstance(a, str)}


def by_linkfix(text: str) -> Counter[Found]:
    tokenizer = HTMLTokenizer(TreeFeedback())
    source = text.encode("utf-8", "surrogatepass")
    found: Counter[Found] = Counter()
    for tag in tokenizer.feed(source, final=True):
        if not isinstance(tag, StartTag):
            continue
        element = tag.name.decode("utf-8", "replace")
        rows = in_table(tag.namespace, element)
        for attribute in tag.attributes():
            name = attribute.name.decode("utf-8", "replace")
            if name in rows:
                raw = source[attribute.start : attribute.end].decode("utf-8", "surrogatepass")
                found[tag.namespace, element, name, html_attribute(raw).value] += 1
    return found


def by_html5lib(text: str) -> Counter[Found]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = html5lib.parse(text, treebuilder="etree", scripting=True)
    found: Counter[Found] = Counter()
    for node in tree.iter():
        if not isinstance(node.tag, str):
            continue
        namespace, _, element = node.tag[1:].rpartition("}")
        element = element.lower()
        rows = in_table(namespace, element)
        for name, value in node.attrib.items():
            if name.startswith("{"):
                uri, _, local = name[1:].rpartition("}")
                name = PREFIXES.get(uri, "") + local
            if name.lower() in rows:
                found[namespace, element, name.lower(), value] += 1
    return found


def decode(data: bytes, folder: str) -> tuple[str, str]:
    """Decode a page; return the text and the name of the charset."""
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        pass
    # Folders may add a language to the charset: "iso-8859-7-greek".
    for label in (folder, folder.rpartition("-")[0], "windows-1252"):
        try:
            charset = lookup(label, xml=True)
        except LinkfixError:
            continue
        break
    return charset.decode(data), charset.name


def classify(text: str, item: Found, extra: int) -> str:
    """Name the class of a difference; "" where there is none to explain it."""
    element = item[1]
    lower = text.lower()
    if extra > 0:
        return "cloned formatting element" if element in FORMATTING else ""
    if element in {"html", "body", "head"}:
        return "second html, head or body: its attributes are merged or dropped"
    if "<select" in lower:
        return "tag dropped inside select"
    if "<frameset" in lower:
        return "tag dropped beside a frameset"
    if element in {"form", "isindex"}:
        return "form inside a form"
    if "<table" in lower and element in {"tr", "td", "th", "tbody", "thead", "tfoot", "input"}:
        return "table part outside a table"
    if element == "frame":
        return "frame outside a frameset"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=0, help="a random sample of so many")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pages = sorted(p for p in options.folder.rglob("*.htm*") if p.suffix in {".htm", ".html"})
    if options.pages and options.pages < len(pages):
        pages = sorted(random.Random(options.seed).sample(pages, options.pages))
    figures: Counter[str] = Counter()
    unexplained = 0
    start = time.monotonic()
    for path in pages:
        data = path.read_bytes()
        text, charset = decode(data, path.parent.name)
        figures[f"pages in {charset}"] += 1
        if "\0" in text:
            figures["pages with NUL, left out"] += 1
            continue
        ours, theirs = by_linkfix(text), by_html5lib(text)
        figures["pages"] += 1
        figures["links"] += ours.total()
        figures["pages alike"] += ours == theirs
        for item in sorted(set(ours) | set(theirs)):
            extra = theirs[item] - ours[item]
            if extra:
                name = classify(text, item, extra)
                figures[f"difference: {name or 'unexplained'}"] += abs(extra)
                if not name:
                    unexplained += 1
                    if unexplained <= 20:
                        print(f"{path}: {item} {extra:+}")
    for name, number in figures.items():
        print(f"{number:9} {name}")
    print(f"{time.monotonic() - start:9.0f} s")
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main())
