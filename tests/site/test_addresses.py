"""Paths of a tree to URIs and back."""

from __future__ import annotations

import os

import ada_url
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.server.addresses import Located, SiteAddress

NAMES = st.binary(min_size=1, max_size=12).filter(
    lambda name: b"/" not in name and b"\0" not in name and name not in {b".", b".."}
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map(lambda names: os.fsdecode(b"/".join(names)))
SITE = SiteAddress.at("http://www.example.org/site/")


@given(path=PATHS, is_folder=st.booleans())
def test_every_path_has_a_uri_and_every_such_uri_its_path(path: str, is_folder: bool) -> None:
    uri = SITE.uri(path, is_folder=is_folder)
    assert SITE.locate(uri) == Located(path, is_folder, "")
    assert SITE.locate(uri + "?q#f") == Located(path, is_folder, "?q#f")
    # A browser leaves such a URI as it is: nothing in it would be encoded, and it has no dots.
    assert ada_url.URL(uri).href == uri


@pytest.mark.parametrize(
    ("base", "root"),
    [
        ("http://www.example.org/site/", "http://www.example.org/site/"),
        ("http://www.example.org/site", "http://www.example.org/site/"),
        ("HTTP://WWW.Example.org:80", "http://www.example.org/"),
        ("https://例え.jp/über/", "https://xn--r8jz45g.jp/%C3%BCber/"),
        ("http://h/a/../b/?q#f", "http://h/b/"),
    ],
)
def test_the_root_is_a_folder(base: str, root: str) -> None:
    assert SiteAddress.at(base).root == root


@pytest.mark.parametrize("base", ["site/", "mailto:a@b", "", "http://exa mple/", "urn:x"])
def test_a_site_needs_a_host(base: str) -> None:
    with pytest.raises(ValueError, match="no absolute IRI"):
        SiteAddress.at(base)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("HTTP://WWW.EXAMPLE.ORG:80/site/a.html", "a.html"),
        ("http://www.example.org/%73ite/a.html", "a.html"),
        ("http://www.example.org/site/a//b.html", "a/b.html"),
        ("http://www.example.org/site/%61%2Ehtml", "a.html"),
        ("http://www.example.org/site/%95%5C.html", "\udc95\\.html"),
        ("http://www.example.org/site/%E8%A1%A8.html", "表.html"),
        ("http://www.example.org/site/?q", ""),
    ],
)
def test_other_spellings_mean_the_same_file(uri: str, path: str) -> None:
    located = SITE.locate(uri)
    assert located is not None
    assert located.path == path


@pytest.mark.parametrize(
    "uri",
    [
        "https://www.example.org/site/a.html",
        "http://www.example.org:8080/site/a.html",
        "http://example.org/site/a.html",
        "http://www.example.org/sites/a.html",
        "http://www.example.org/site",
        "http://www.example.org/",
        "http://www.example.org/site/%2e%2E/a.html",
        "http://www.example.org/site/a%2Fb.html",
        "http://www.example.org/site/%2e/a.html",
        "http://www.example.org/site/a%00.html",
        "mailto:a@example.org",
    ],
)
def test_what_is_elsewhere_is_nowhere_in_the_tree(uri: str) -> None:
    assert SITE.locate(uri) is None
