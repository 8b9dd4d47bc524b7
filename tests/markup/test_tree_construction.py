"""The public tree construction tests: which attributes of the link table belong to which element."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from conformance_data import conformance

from linkfix.links.table import html_table
from linkfix.markup.html.elements_data import HTML, MATHML, SVG
from linkfix.markup.html.feedback import TreeFeedback
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.tokens import StartTag

pytestmark = pytest.mark.conformance

Element = tuple[str, str]
NAMESPACES = {"svg": SVG, "math": MATHML}


def cases() -> list[tuple[str, str, bool, list[Element]]]:
    """File, document, scripting, and the elements of the tree in order."""
    found = []
    for path in sorted(conformance("html", "tree-construction").glob("*.dat")):
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        for block in re.split(r"(?:\A|\n\n)#data\n", text)[1:]:
            if "\n#document-fragment" in block:
                continue
            data = block.partition("\n#errors")[0]
            tree = block.partition("\n#document\n")[2]
            found.append((path.name, data, "\n#script-off" not in block, elements(tree)))
    return found


def elements(tree: str) -> list[Element]:
    found = []
    for name in re.findall(r"^\| +<([^!?][^>]*)>$", tree, re.MULTILINE):
        prefix, space, local = name.partition(" ")
        found.append(
            (NAMESPACES[prefix], local.lower()) if space and prefix in NAMESPACES else (HTML, name)
        )
    return found


def tags(data: str, *, scripting: bool) -> list[Element]:
    tokenizer = HTMLTokenizer(TreeFeedback(scripting=scripting))
    source = data.encode("utf-8", "surrogateescape")
    return [
        (tag.namespace, tag.name.decode("utf-8", "surrogateescape"))
        for tag in tokenizer.feed(source) + tokenizer.feed(b"", final=True)
        if isinstance(tag, StartTag)
    ]


def test_namespaces_of_link_elements() -> None:
    """No element is put into a namespace in which the tree does not have one of its name.

    The tree builder drops, moves, clones and implies elements, which a tokenizer does not; but a
    tag that becomes an element at all must be taken for one in the same namespace.
    """
    figures: Counter[str] = Counter()
    wrong = []
    for file, data, scripting, tree in cases():
        figures["documents"] += 1
        present = set(tree)
        names = {name for _, name in tree}
        for namespace, name in tags(data, scripting=scripting):
            if not html_table(()).of_element(namespace, name).keys() - {
                "style",
                "itemid",
                "itemtype",
            }:
                continue
            figures["tags"] += 1
            if name in names and (namespace, name) not in present:
                wrong.append((file, data, namespace, name))
    print(f"tree construction tests: {dict(figures)}, {len(wrong)} in another namespace")
    assert figures["documents"] > 1000
    assert not wrong[:5]
