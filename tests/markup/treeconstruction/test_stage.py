"""Which elements are open after a document, by the standard's own examples and the rules of each mode."""

from __future__ import annotations

import pytest

from linkfix.markup.html.elements_data import HTML
from linkfix.markup.html.feedback import TreeFeedback
from linkfix.markup.html.tokenizer import HTMLTokenizer
from linkfix.markup.html.treeconstruction.stage import TreeConstruction

#: Documents in no-quirks mode, and the elements that are open after them, html left out; foreign ones with a star.
CASES = [
    ("", ""),
    (" <!-- x -->", ""),
    ("</p>", ""),
    ("<head>", "head"),
    ("<title></title>", "head"),
    ("\0", "body"),
    ("&#32;", ""),
    ("&#33;", "body"),
    ("<noscript><link>", "head noscript"),
    ("<noscript><p>", "body p"),
    ("<head></head> <link><template>", "template"),
    ("<head></head><template></template>", ""),
    # 13.2.10.1 to 13.2.10.3: misnested tags.
    ("<p>1<b>2<i>3</b>4", "body p i"),
    ("<b>1<p>2</b>3", "body p"),
    ("<a><b><div></a>", "body b div"),
    ("<b><p></p><p></b>x", "body p"),
    ("<b id=1><b id=2><b id=3><p></p></b>", "body b b"),
    ("<p><b><b><b><b><b></p>x", "body b b b"),
    ("<p><b id=1><b id=2><b id=3><b id=4></p>x", "body b b b b"),
    ("<a><a>", "body a"),
    ("<a><table><a>", "body table a"),
    ("<nobr><nobr>", "body nobr"),
    ("<b><object></b>x", "body b object"),
    ("<b><object><i></object>x", "body b"),
    ("<p><b></p> ", "body b"),
    ("<p><b></p><table>", "body table"),
    ("<p><b></p><table>x", "body table b"),
    ("<p><b></p><table> ", "body table"),
    ("<b><span><span><span><span><div></b>", "body div"),
    # 13.2.6.4.7
    ("<ul><li><div><li>", "body ul li"),
    ("<ul><li><span><ul><li>", "body ul li span ul li"),
    ("<dl><dd><p><dt>", "body dl dt"),
    ("<p><dl><dd><button><p></dd>", "body dl"),
    ("<h1><h2>", "body h2"),
    ("<h1><b></h3>", "body"),
    ("<p><button><div>", "body p button div"),
    ("<button><p><button>", "body button"),
    ("<form><div></form>", "body div"),
    ("<form><form><b></form>", "body b"),
    ("<div><span></div>", "body"),
    ("<div><span><p></span>", "body div span p"),
    ("<ruby><rb><rt><rtc><rt>", "body ruby rtc rt"),
    ("<select><option><optgroup><option><hr>", "body select"),
    ("<select><div><select>", "body"),
    ("<option><b><option>", "body option b option"),
    ("<image><br></br><input>", "body"),
    ("<textarea><p></textarea>", "body"),
    ("<p><table>", "body table"),
    ("<div></body></html> <p>", "body div p"),
    # Tables.
    ("<table><td>", "body table tbody tr td"),
    ("<table><col>", "body table colgroup"),
    ("<table><col> <p>", "body table p"),
    ("<table><caption><p><tr>", "body table tbody tr"),
    ("<table><tr><td><b></table>x", "body"),
    ("<table><tr><td></tbody>", "body table"),
    ("<table><thead><tr></tfoot>", "body table thead tr"),
    ("<table><tr><p></tr>", "body table tbody"),
    ("<table><form><input type=hidden><p>", "body table p"),
    ("<table><tr><th><table></th></table></th>", "body table tbody tr"),
    ("<table><table>", "body table"),
    # Templates and framesets.
    ("<template><tr><td>x</template>", "head"),
    ("<template><td>", "head template td"),
    ("<template><col><p>x", "head template"),
    ("<template><p><col><td>", "head template p"),
    ("<table><template><tr></table>", "body table template"),
    ("<template><form><template><form></template></form>", "head template"),
    ("<frameset><frame><p>", "frameset"),
    ("<frameset></frameset><svg>", ""),
    ("<p><frameset>", "frameset"),
    ("<pre><frameset>", "body pre"),
    ("<p>\0 <frameset>", "frameset"),
    ("<p>x<frameset>", "body p"),
    # Foreign content.
    ("<svg><g></svg>", "body"),
    ("<svg/><p>", "body p"),
    ("<svg><desc><p><svg></p>", "body *svg *desc"),
    ("<svg><desc><p></desc>", "body *svg *desc p"),
    ("<svg><title><p></title></p></title>", "body *svg"),
    ("<math><mi><b></mi>", "body *math *mi b"),
    ("<div><svg><desc><span></div>", "body div *svg *desc span"),
    ("<svg><script></script>", "body *svg"),
]  # fmt: skip


def after(document: str, *, doctype: str = "<!DOCTYPE html>") -> str:
    tree = TreeConstruction(scripting=False)
    HTMLTokenizer(TreeFeedback(tree=tree)).feed((doctype + document).encode(), final=True)
    found = [(element.namespace == HTML, element.name.decode()) for element in tree._open]
    return " ".join(name if is_html else f"*{name}" for is_html, name in found[1:])


@pytest.mark.parametrize(("document", "expected"), CASES, ids=[case[0] for case in CASES])
def test_open_elements(document: str, expected: str) -> None:
    assert after(document) == expected


def test_a_table_closes_no_paragraph_in_quirks_mode() -> None:
    assert after("<p><table>", doctype="") == "body p table"
    assert after("<p><table>", doctype="</p><!DOCTYPE html>") == "body p table"


def test_a_srcdoc_is_never_in_quirks_mode() -> None:
    tree = TreeConstruction(is_srcdoc=True)
    HTMLTokenizer(TreeFeedback(tree=tree)).feed(b"<p><table>", final=True)
    assert [element.name for element in tree._open] == [b"html", b"body", b"table"]
