"""A page in XHTML whose elements are not those of HTML.

What it does
    Reports a document that is read as XHTML, by its name or by `--type`, whose root element `html` is not in the namespace
    http://www.w3.org/1999/xhtml.

Why it is bad
    Browsers show its text without any style, link or image. linkfix finds no links in it either, and so reports none.

Example
    <html><body><a href="next.xhtml">

Instead
    <html xmlns="http://www.w3.org/1999/xhtml">; or a name that ends in .html, if the page is HTML.
"""

from collections.abc import Iterator
from contextlib import suppress
from xml.parsers import expat

from linkfix.auditing.rule import Document
from linkfix.markup.html.elements_data import HTML


def check_document(document: Document) -> Iterator[str]:
    """Report a root element that is `html` by its name alone."""
    if document.type != "xhtml":
        return
    roots: list[str] = []
    reader = expat.ParserCreate("iso-8859-1", " ")
    reader.StartElementHandler = lambda name, _: roots.append(name)
    sniffed = document.sniffed
    with suppress(expat.ExpatError):
        reader.Parse(sniffed.charset.view().feed(document.prefix[sniffed.bom :]))
    namespace, _, name = (roots or [""])[0].rpartition(" ")
    if name.lower() == "html" and namespace != HTML:
        where = f"in the namespace {namespace}" if namespace else "in no namespace"
        yield f"its root element is {where}: browsers find no links of HTML in it"
