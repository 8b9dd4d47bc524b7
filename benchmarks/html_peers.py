"""Other programs that find and rewrite the links of HTML documents, each in its own way.

Programs without a list of links read the attributes in `links.json`, and set a value only if it changes. lol-html
rewrites a tag once it is touched; for it there is also a work that sets every value, and one that reads none.
"""

from __future__ import annotations

from typing import Any

from work import LINKS, Done, Fixer, Work

ATTRIBUTES = LINKS["html"]
SELECTOR = ", ".join(f"[{name}]" for name in ATTRIBUTES)
_NAMES = frozenset(ATTRIBUTES)


def lxml_rewrite() -> Work:
    from lxml import html

    def work(document: bytes, _: str) -> Done:
        fixer = Fixer()
        root: Any = html.document_fromstring(document)
        root.rewrite_links(fixer.fix, resolve_base_href=False)
        tree = root.getroottree()
        return fixer.done(html.tostring(tree, encoding=tree.docinfo.encoding or "utf-8"))

    return work


def lxml_extract() -> Work:
    from lxml import html

    def work(document: bytes, _: str) -> Done:
        root: Any = html.document_fromstring(document)
        return Done(sum(1 for _ in root.iterlinks()))

    return work


def soup_rewrite() -> Work:
    from bs4 import BeautifulSoup

    def work(document: bytes, _: str) -> Done:
        fixer = Fixer()
        soup = BeautifulSoup(document, "lxml")
        for element in soup.find_all(True):
            for name in element.attrs.keys() & _NAMES:
                element[name] = fixer.fix(str(element[name]))
        return fixer.done(soup.encode(soup.original_encoding or "utf-8"))

    return work


def soup_extract() -> Work:
    from bs4 import BeautifulSoup

    def work(document: bytes, _: str) -> Done:
        elements = BeautifulSoup(document, "lxml").find_all(True)
        return Done(sum(len(element.attrs.keys() & _NAMES) for element in elements))

    return work


def html5lib_rewrite() -> Work:
    import html5lib

    def work(document: bytes, _: str) -> Done:
        fixer = Fixer()
        parser = html5lib.HTMLParser(namespaceHTMLElements=False)
        tree: Any = parser.parse(document)
        for element in tree.iter():
            for name in element.attrib.keys() & _NAMES:
                element.set(name, fixer.fix(element.get(name)))
        charset = str(parser.documentEncoding)
        return fixer.done(html5lib.serialize(tree, encoding=charset, omit_optional_tags=False))

    return work


def html5lib_extract() -> Work:
    import html5lib

    def work(document: bytes, _: str) -> Done:
        tree: Any = html5lib.parse(document, namespaceHTMLElements=False)
        return Done(sum(len(element.attrib.keys() & _NAMES) for element in tree.iter()))

    return work


def selectolax_rewrite() -> Work:
    from selectolax.lexbor import LexborHTMLParser

    def work(document: bytes, _: str) -> Done:
        fixer = Fixer()
        tree = LexborHTMLParser(document)
        for node in tree.css(SELECTOR):
            attributes = node.attrs
            for name in _NAMES.intersection(attributes):
                value = attributes[name] or ""
                new = fixer.fix(value)
                if new != value:
                    attributes[name] = new
        return fixer.done((tree.html or "").encode())

    return work


def selectolax_extract() -> Work:
    from selectolax.lexbor import LexborHTMLParser

    def work(document: bytes, _: str) -> Done:
        nodes = LexborHTMLParser(document).css(SELECTOR)
        return Done(sum(len(_NAMES & node.attributes.keys()) for node in nodes))

    return work


def lolhtml_rewrite(*, every: bool) -> Work:
    from lolhtml import HTMLRewriter

    class Setter:
        def __init__(self, name: str, fixer: Fixer) -> None:
            self.name = name
            self.fixer = fixer

        def element(self, element: Any) -> None:
            value = element.get_attribute(self.name)
            new = self.fixer.fix(value)
            if every or new != value:
                element.set_attribute(self.name, new)

    def work(document: bytes, _: str) -> Done:
        fixer = Fixer()
        out = bytearray()
        rewriter = HTMLRewriter(out.extend)
        for name in ATTRIBUTES:
            rewriter.on(f"[{name}]", Setter(name, fixer))
        rewriter.write(document)
        rewriter.end()
        return fixer.done(bytes(out))

    return work


def lolhtml_extract() -> Work:
    from lolhtml import HTMLRewriter

    class Reader:
        def __init__(self, name: str, found: list[str]) -> None:
            self.name = name
            self.found = found

        def element(self, element: Any) -> None:
            self.found.append(element.get_attribute(self.name))

    def work(document: bytes, _: str) -> Done:
        found: list[str] = []
        rewriter = HTMLRewriter(lambda _: None)
        for name in ATTRIBUTES:
            rewriter.on(f"[{name}]", Reader(name, found))
        rewriter.write(document)
        rewriter.end()
        return Done(len(found))

    return work


def pywb_rewrite() -> Work:
    from pywb.rewrite.html_rewriter import HTMLRewriter
    from pywb.rewrite.url_rewriter import IdentityUrlRewriter

    class Urls(IdentityUrlRewriter):  # type: ignore[misc]
        fixer: Fixer

        def rewrite(self, url: str, *_: object, **_options: object) -> str:
            return self.fixer.fix(url)

    def work(document: bytes, _: str) -> Done:
        urls = Urls("20240101000000/http://www.example.org/")  # of the page, as archives write it
        urls.fixer = Fixer()
        rewriter = HTMLRewriter(urls, url="http://www.example.org/")
        text = rewriter.rewrite(document.decode("latin-1")) + rewriter.close()
        return urls.fixer.done(text.encode("latin-1"))

    return work


def lolhtml_bare() -> Work:
    from lolhtml import HTMLRewriter

    def work(document: bytes, _: str) -> Done:
        out = bytearray()
        rewriter = HTMLRewriter(out.extend)
        rewriter.write(document)
        rewriter.end()
        return Done(0, 0, bytes(out))

    return work
