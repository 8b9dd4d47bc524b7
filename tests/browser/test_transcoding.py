"""I1 (docs/decisions.md) across transcoding: in Chromium, a document in UTF-8 leads where the old one led."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Literal

import pytest

import linkfix

from .compare import differences
from .hard import HardDocument, hard_documents
from .harness import Attribute, Node, Page, Tree
from .judge import embedded_differences, without_texts
from .test_i1 import legacy_documents, samples

if TYPE_CHECKING:
    from linkfix.transcoding import TranscodingReport

    from .harness import Browser

pytestmark = pytest.mark.browser

HARD = hard_documents()
#: What a transcoded document may say otherwise or besides.
DECLARING = frozenset({"charset", "accept-charset"})


def transcoded(
    document: HardDocument, to: Literal["uri", "iri"] | None, *, unescape: bool
) -> tuple[bytes, TranscodingReport]:
    sink = BytesIO()
    report = linkfix.transcode(
        document.body,
        sink,
        to=to,
        type=document.type,
        charset=document.charset,
        unescape=unescape,
        accept_losses=True,
    )
    return sink.getvalue(), report


def is_added(node: Node) -> bool:
    """Whether it is a meta element as linkfix adds one."""
    return node.name == "meta" and [(a.name, a.value) for a in node.attributes] == [
        ("charset", "utf-8")
    ]


def is_label(node: Node, attribute: Attribute) -> bool:
    """Whether it is the content of a meta element that declares UTF-8."""
    if (node.name, attribute.name) != ("meta", "content"):
        return False
    return attribute.value.lower().replace(" ", "").endswith("charset=utf-8")


def without_additions(before: Tree, after: Tree, report: TranscodingReport) -> Tree:
    """The new tree without the declarations that were added to it."""
    nodes = list(after.nodes)
    if any(d.place == "meta" and not d.old for d in report.declarations):
        added = [n for n, node in enumerate(nodes) if is_added(node)]
        del nodes[slice(added[0], added[0] + 1) if added else slice(0)]
    for n, (node, old) in enumerate(zip(nodes, before.nodes, strict=False)):
        had = {attribute.name: attribute for attribute in old.attributes}
        kept = [a for a in node.attributes if a.name not in DECLARING or a.name in had]
        attributes = [
            had.get(a.name, a) if a.name in DECLARING or is_label(node, a) else a for a in kept
        ]
        nodes[n] = replace(node, attributes=tuple(attributes))
    return replace(after, nodes=tuple(map(without_space, nodes)))


def without_space(node: Node) -> Node:
    """Leave out what is no difference.

    White space in a head is no text: an added element brings some with it. An XML declaration is a
    comment to HTML. An instruction may name the charset of a style sheet.
    """
    if node.name == "xml-stylesheet":
        return replace(node, text=re.sub(r"""charset=("[^"]*"|'[^']*') ?""", "", node.text))
    if node.name == "#comment" and node.text.startswith("?xml"):
        return replace(node, text="")
    return replace(node, text=node.text.strip()) if node.name in {"head", "html"} else node


def assert_leads_where_it_led(browser: Browser, document: HardDocument) -> bool:
    """Transcode in every way; give whether the browser read the original as linkfix did."""
    results = [
        transcoded(document, None, unescape=False),
        transcoded(document, "uri", unescape=False),
        transcoded(document, "iri", unescape=True),
    ]
    pages = [Page(body, document.media_type) for body, _ in results]
    before, *trees = browser.load([Page(document.body, document.content_type), *pages])
    if before.charset.lower() != results[0][1].charset.lower():
        return False
    old = replace(before, charset="UTF-8", nodes=tuple(map(without_space, before.nodes)))
    for after, (_, report) in zip(trees, results, strict=True):
        tree, embedded = without_texts(old, without_additions(old, after, report))
        kind = document.name.rpartition("/")[2]
        known = UNPINNED.get(kind) if report.unpinned else None
        problems = [
            problem
            for problem in (
                *differences(old, tree),
                *embedded_differences(browser, embedded, (before.charset, after.charset)),
            )
            if (known is None or known not in problem)
            and not any(outcome.link.value in problem for outcome in report.unpinned)
            # Its own readers decode such XML otherwise than a browser (docs/charsets.md).
            and not (report.type == "xml" and report.disputed and problem.endswith("is no link"))
        ]
        assert not problems, "\n".join([f"{document.name}:", *problems])
    return True


#: What linkfix reports as unpinned, by document: links with a host beyond ASCII in a scheme of one's
#: own, which Chromium does not follow, but resolves; bytes that are malformed only by what follows; values with
#: ``<j>`` and ``{f}``, which may be expressions of templates: as text they stay, and Chromium shows their pictures.
UNPINNED = {"scheme": "foo://", "gb18030": "@href", "query": "style: moves"}


@pytest.mark.nightly
@pytest.mark.parametrize("name", HARD)
def test_hard_document(browser: Browser, name: str) -> None:
    assert assert_leads_where_it_led(browser, HARD[name])


@pytest.mark.parametrize("sample", list(samples()), ids=lambda sample: sample.name)
def test_sample(browser: Browser, sample: HardDocument) -> None:
    assert assert_leads_where_it_led(browser, sample)


SCRIPT = "document.body.title = '空';".encode("shift_jis")
SHEET = "p { background-image: url('/b?空') }".encode("shift_jis")
PAGE = """<meta charset=shift_jis><link rel=stylesheet href=/s.css>
<style>@import "/i.css?空";</style><body><p>空<script src=/s.js></script>""".encode("shift_jis")


@pytest.mark.parametrize("all_of_it", [False, True], ids=["the page alone", "all of it"])
def test_files_that_declare_no_charset(browser: Browser, all_of_it: bool) -> None:
    files = {"/s.js": ("text/javascript", SCRIPT), "/s.css": ("text/css", SHEET)}
    new_files = {}
    for path, (media_type, body) in files.items():
        sink = BytesIO()
        type: Literal["text", "css"] = "css" if path.endswith("css") else "text"
        linkfix.transcode(body, sink, type=type, environment="shift_jis")
        new_files[path] = media_type, sink.getvalue()
    page = BytesIO()
    linkfix.transcode(PAGE, page, type="html", transcoded=lambda _: all_of_it)
    seen = []
    for body, served in ((PAGE, files), (page.getvalue(), new_files if all_of_it else files)):
        browser.files.clear()
        browser.files.update(served)
        [tree] = browser.load([Page(body, loads=True)])
        seen.append((tree.find("body").attribute("title").value, tree.find("p").styles))
    origin = browser.origin
    assert seen == [("空", (f"{origin}/b?%8B%F3",))] * 2


def test_forms_send_what_they_sent(browser: Browser) -> None:
    source = "<meta charset=shift_jis><form action=/x><input name=a value=空>".encode("shift_jis")
    page = BytesIO()
    linkfix.transcode(source, page, type="html")
    before, after = browser.load([Page(body, watch=True) for body in (source, page.getvalue())])
    assert f"{browser.origin}/x?a=%8B%F3" in before.requests
    assert after.requests == before.requests


@pytest.mark.nightly
@pytest.mark.conformance
def test_legacy_documents(browser: Browser) -> None:
    figures = {"as the browser reads it": 0, "otherwise": 0, "not well-formed": 0}
    for document in legacy_documents():
        try:
            same = assert_leads_where_it_led(browser, document)
        except linkfix.NotWellFormedError:
            figures["not well-formed"] += 1
        else:
            figures["as the browser reads it" if same else "otherwise"] += 1
    print(figures)
    assert figures["otherwise"] == 0
    assert figures["as the browser reads it"] > 50
