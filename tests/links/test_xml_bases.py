"""What is in force of ``xml:base`` at each link."""

from __future__ import annotations

import pytest

import linkfix
from linkfix.links.settings import XMLSettings
from linkfix.policy import Policy

XLINK = "xmlns:x='http://www.w3.org/1999/xlink'"


@pytest.mark.parametrize("end", ["</r>", "</wrong>"])
def test_a_base_ends_with_its_element(end: str) -> None:
    """Elements without attributes in between do not keep it alive."""
    source = (
        f"<r {XLINK} xml:base='http://a.example/'><a xml:base='b/'><i x:href='1'/></a>"
        f"<c><d x:href='2'/></c><e xml:base='ü/'><f/><g x:href='3'/></e>{end}"
    )
    for charset in ("utf-8", "utf-16", "windows-1252"):
        octets = f"<?xml version='1.0' encoding='{charset}'?>{source}".encode(charset)
        policy = Policy(xml=XMLSettings(recover=True))
        links = list(linkfix.extract(octets, type="xml", policy=policy))
        found = {link.value: link.resolved for link in links if link.attribute == "x:href"}
        assert found == {
            "1": "http://a.example/b/1",
            "2": "http://a.example/2",
            "3": "http://a.example/%C3%BC/3",
        }
        assert [link.bases for link in links if link.value == "b/"] == [("http://a.example/",)]


PAGES = [
    ("<html {}><base href='/b/'/><base href='/c/'/><a href='x y'/></html>", "/b/"),
    ("<html {}><base target='t'/><a xml:base='/no/' href='x y'/></html>", "/"),
    ("<html {}><template><base href='/b/'/></template><a href='x y'/></html>", "/"),
    ("<html {}><template><p><template/></p><i><template>x</template></i><base href='/b/'/></template><base href='/c/'/><a href='x y'/></html>", "/c/"),
    ("<html {}><s:template><base href='/b/'/></s:template><a href='x y'/></html>", "/b/"),
    ("<h:html {}><h:base href='/b/'/><h:a href='x y'/></h:html>", "/b/"),
    ("<s:svg {}><base href='/b/'/><s:a x:href='x y'/></s:svg>", "/b/"),
    ("<s:svg {}><s:base href='/b/'/><a href='x y'/></s:svg>", "/"),
    ("<html {} t:version='1.0'><base href='/b/'/><t:import href='x y'/></html>", "/"),
    ("<book xmlns='http://docbook.org/ns/docbook' {}><h:base href='/b/'/><q x:href='x y'/></book>", "/"),
]  # fmt: skip
PREFIXES = (
    f"{XLINK} xmlns:h='http://www.w3.org/1999/xhtml' xmlns:s='http://www.w3.org/2000/svg'"
    " xmlns:t='http://www.w3.org/1999/XSL/Transform'"
)


@pytest.mark.parametrize(("source", "base"), PAGES)
@pytest.mark.parametrize("size", [1, 10_000])
def test_a_base_element_counts_where_browsers_show_the_document(
    source: str, base: str, size: int
) -> None:
    """The first one with an ``href`` does (HTML Standard, 2.4.1), among links of the same kind too."""
    own = "" if source.startswith("<book") else "xmlns='http://www.w3.org/1999/xhtml' "
    text = source.format(own + PREFIXES).encode()
    extractor = linkfix.Extractor(source=linkfix.Source(type="xml", base="http://h.example/p"))
    links = [
        link for at in range(0, len(text), size) for link in extractor.feed(text[at : at + size])
    ]
    links += extractor.close()
    assert links[-1].resolved == f"http://h.example{base}x%20y"
    policy = Policy(style="absolute")
    moved = linkfix.rewrite(text, type="xml", base="http://h.example/p", policy=policy)
    assert isinstance(moved, bytes)
    assert f"'http://h.example{base}x%20y'".encode() in moved


SHEET = (
    "<?xml-stylesheet href='a.css'?><{root} xmlns:xsl='http://www.w3.org/1999/XSL/Transform' {version}>"
    "<xsl:import href='b.xsl'/><html xmlns='http://www.w3.org/1999/xhtml'><a href='../c.html'/>"
    "<p style='background: url(d.png)'><a href='http://a.example/e'/></p></html></{root}>"
)


@pytest.mark.parametrize(("root", "version"), [("xsl:stylesheet", ""), ("x", "xsl:version='1.0'")])
def test_a_literal_result_element_is_relative_to_the_result(root: str, version: str) -> None:
    """Its relative links stay as they are where the style sheet moves (XSLT 3.0, 11.1)."""
    old, new = "http://s.example/old/a.xsl", "http://s.example/new/a.xsl"
    source = SHEET.format(root=root, version=version).encode()
    links = linkfix.extract(source, type="xml", base=old)
    assert {link.value: link.resolved for link in links if link.kind != "identity"} == {
        "a.css": "http://s.example/old/a.css",
        "b.xsl": "http://s.example/old/b.xsl",
        "../c.html": None,
        "d.png": None,
        "http://a.example/e": "http://a.example/e",
    }
    policy = Policy(style="relative", target=lambda uri: new if uri == old else None)
    rewritten = linkfix.rewrite(source, type="xml", base=old, policy=policy)
    assert isinstance(rewritten, bytes)
    assert rewritten == source.replace(b"'a.css", b"'../old/a.css").replace(
        b"'b.xsl", b"'../old/b.xsl"
    )
