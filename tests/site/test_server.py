"""Which file a server finds for a URI, by what is said of how it maps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from linkfix.charset import lookup
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.listing import survey
from linkfix.server.server import Answer, Server

if TYPE_CHECKING:
    from pathlib import Path

UTF8 = lookup("utf-8")
NONE = Answer("", "missing")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("site/about.html", "site/docs/index.html", "site/Sub/Index.HTML", "site/empty/x", "site/empty.html",
                 "site/cafe\u0301.html", "site/img/hidden.png", "static/Logo.png", "static/deep/a.html", "site/in/b.html"):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<p id=x>")
    return tmp_path / "site"


def answer(root: Path, path: str, base: str = "https://h.example/", **serving: Any) -> Answer:
    told = Serving(**serving)
    server = Server(survey(str(root)), SiteAddress.at(base), serving=told)
    uri = path if "://" in path else f"https://h.example/{path}"
    found = server.answer(uri, UTF8)
    assert found is not None
    return found


def test_clean_urls_and_trailing_slashes(root: Path) -> None:
    assert answer(root, "about") == NONE
    assert answer(root, "about/") == NONE
    assert answer(root, "about", clean_urls=True) == Answer("about.html")
    assert answer(root, "about/", clean_urls=True) == NONE
    assert answer(root, "about/", trailing_slashes=True) == Answer("about.html")
    assert answer(root, "docs/", trailing_slashes=True) == Answer("docs/index.html")
    assert answer(root, "about.html/", trailing_slashes=True).reason == "missing"
    # A folder without an index file does not hide the document.
    assert answer(root, "empty", clean_urls=True) == Answer("empty.html")
    assert answer(root, "empty/", trailing_slashes=True) == Answer("empty.html")
    assert answer(root, "empty/").reason == "no-index"


def test_a_server_that_ignores_case(root: Path) -> None:
    assert answer(root, "ABOUT.html") == Answer("", "case", "about.html")
    assert answer(root, "ABOUT.html", ignores_case=True) == Answer("about.html")
    assert answer(root, "Docs/", ignores_case=True) == Answer("docs/index.html")
    assert answer(root, "sub/", ignores_case=True) == Answer("Sub/Index.HTML")
    assert answer(root, "About", ignores_case=True, clean_urls=True) == Answer("about.html")
    # Another normalization form is no other case.
    assert answer(root, "caf%C3%A9.html", ignores_case=True).reason == "spelling"


def test_the_files_of_an_alias_are_in_its_folder(root: Path) -> None:
    aliases = (("/img/", str(root.parent / "static")), ("/img/deep/", str(root / "in")))
    told: dict[str, Any] = {"aliases": aliases}
    logo = answer(root, "img/Logo.png", **told)
    assert (logo.path, logo.outside) == ("", str(root.parent / "static/Logo.png"))
    assert answer(root, "img/logo.png", **told) == Answer("", "case", "img/Logo.png")
    assert answer(root, "img/hidden.png", **told) == NONE
    assert answer(root, "img/deep/b.html", **told) == Answer("in/b.html")
    assert answer(root, "img/deep/a.html", **told) == NONE
    assert answer(root, "about.html", **told) == Answer("about.html")
    assert answer(root, "img/Logo.png", base="https://h.example/m/", **told).outside


def test_other_hosts_that_are_this_site(root: Path) -> None:
    hosts = ("www.h.example", "h.example:8000")
    for uri in ("http://www.h.example/about.html", "https://WWW.h.example:443/about.html?q", "http://h.example:8000/about.html"):  # fmt: skip
        assert answer(root, uri, hosts=hosts) == Answer("about.html"), uri
    assert answer(root, "https://www.h.example", hosts=hosts).reason == "no-index"
    server = Server(
        survey(str(root)), SiteAddress.at("https://h.example/"), serving=Serving(hosts=hosts)
    )
    for uri in ("http://h.example/about.html", "http://w.h.example/", "https://www.h.example.org/", "ftp://www.h.example/"):  # fmt: skip
        assert server.answer(uri, UTF8) is None, uri


def test_a_file_whose_uri_is_its_path_is_found_at_once(root: Path) -> None:
    for name in ("a%41.html", "b?c.html"):
        (root / name).write_text("")
    (root / "link.html").symlink_to(root / "about.html")
    server = Server(survey(str(root)), SiteAddress.at("https://h.example/"))
    paths = [*server.listing.entries, "aA.html", "b", "docs//index.html", "docs/../about.html", ""]
    uris = [f"https://h.example/{path}" for path in paths]
    found = {uri: file for uri in uris if (file := server.file(uri))}
    assert {*found.values()} == {"about.html", "docs/index.html", "Sub/Index.HTML", "empty/x", "empty.html",
                                 "img/hidden.png", "in/b.html"}  # fmt: skip
    for uri, file in found.items():
        assert server.answer(uri, UTF8) == Answer(file)
    assert not server.file("https://other.example/about.html")
    server.serving = Serving(aliases=(("/", str(root.parent / "static")),))
    assert not server.file("https://h.example/about.html")
