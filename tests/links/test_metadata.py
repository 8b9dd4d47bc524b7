"""Links of meta elements, and of animations, in the spellings that people use."""

from __future__ import annotations

import io

import lxml.html
import pytest

import linkfix
from linkfix import trees
from linkfix.links import Pattern, Scope

CHARSET = "<!DOCTYPE html><meta charset=utf-8>"
FOUND = [
    "property=og:image",
    "name=og:image",
    "name=OG:Image",
    "property=twitter:image",
    "name=twitter:image",
    'property="og:image twitter:image"',
    'property=" schema:x\nog:image"',
    "property='og:image' name=twitter:image",
    'itemprop="url image"',
    'itemprop="name image"',
    "name=citation_pdf_url",
    "property=citation_pdf_url",
    "name=citation_fulltext_html_url",
    "name=identifier-URL",
    "name=parsely-image-url",
    "name=thumbnail",
    "name=msapplication-TileImage",
]
NOT_FOUND = [
    "name=description",
    "property=og:title",
    'property="og:title og:description"',
    'name="og:image twitter:image"',
    "itemprop=name",
    "name=og:imagery",
    "name=citation_title",
    "property",
    "name=''",
]
#: Everything, without the shortcuts for the tables alone.
EVERY = linkfix.Policy(scope=Scope(select=(Pattern.parse("*"),)))


def values(page: str) -> list[str]:
    """The links of a page, found in three ways."""
    links = [link.value for link in linkfix.extract(page.encode(), type="html")]
    every = [link.value for link in linkfix.extract(page.encode(), type="html", policy=EVERY)]
    of_tree = [link.value for link in trees.iter_links(lxml.html.document_fromstring(page))]
    assert links == every == of_tree
    return links


@pytest.mark.parametrize("attributes", FOUND)
@pytest.mark.parametrize("order", ["{} content='/a b'", "content='/a b' {}"])
def test_it_is_found(attributes: str, order: str) -> None:
    page = f"{CHARSET}<meta {order.format(attributes)}>"
    assert values(page) == ["/a b"]
    out = io.BytesIO()
    linkfix.rewrite(page.encode(), out, type="html")
    assert out.getvalue().decode() == page.replace("/a b", "/a%20b")


@pytest.mark.parametrize("attributes", NOT_FOUND)
def test_it_is_no_link(attributes: str) -> None:
    assert values(f"{CHARSET}<meta {attributes} content='/a b'>") == []


@pytest.mark.parametrize("attribute", ["property", "itemprop"])
def test_tokens_in_xhtml(attribute: str) -> None:
    token = "og:image" if attribute == "property" else "image"
    page = f"<html xmlns='http://www.w3.org/1999/xhtml'><meta {attribute}='x {token}' content='/a'/></html>"
    assert [link.value for link in linkfix.extract(page.encode(), type="xhtml")][1:] == ["/a"]


@pytest.mark.parametrize(
    "name",
    [
        "property=article:author",
        "name=DC.identifier",
        "property=music:song",
        "property='video:actor x'",
    ],
)
def test_a_url_or_a_name(name: str) -> None:
    assert values(f"{CHARSET}<meta {name} content='Jörg Müller'>") == []
    page = f"{CHARSET}<meta {name} content='http://h.example/é'>"
    assert values(page) == ["http://h.example/é"]


def test_animations_of_links_in_html() -> None:
    page = (
        f"{CHARSET}<svg><a><set attributeName=href to='a b'></set><set attributename=fill to='url(#a)'></set></a>"
        "<image><animate attributeName='xlink:href' values='c d; e f' from=g></animate></image></svg>"
    )
    assert values(page) == ["a b", "c d", "e f", "g"]
    out = io.BytesIO()
    linkfix.rewrite(page.encode(), out, type="html")
    assert b"to='a%20b'" in out.getvalue()
    assert b"values='c%20d; e%20f'" in out.getvalue()


def test_a_map_reaches_an_animation() -> None:
    source = (
        b"<svg xmlns='http://www.w3.org/2000/svg'><animate attributeName='href' "
        b"values='http://old.example/a;x;http://old.example/b'/></svg>"
    )
    out = io.BytesIO()
    policy = linkfix.Policy(target=lambda uri: uri.replace("old", "new"))
    linkfix.rewrite(source, out, type="xml", policy=policy)
    assert out.getvalue() == source.replace(b"old", b"new")
