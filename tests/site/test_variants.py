"""Content negotiation: the variants of a path, as Apache chooses between them."""

from __future__ import annotations

import http.client
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import apache
import pytest

import linkfix
from linkfix.charset import lookup
from linkfix.markup.detect import is_type_map
from linkfix.policy import Policy
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.listing import survey, typed, variants
from linkfix.server.server import Answer, Server
from linkfix.server.targets import TargetFiles

if TYPE_CHECKING:
    from pathlib import Path

UTF8 = lookup("utf-8")
SITE = "http://h.example/"
#: Nearly Debian's configuration of the module.
APACHE = """
AddLanguage de .de
AddLanguage en .en
AddLanguage pt-BR .pt-br
AddCharset UTF-8 .utf8
AddCharset ISO-8859-1 .iso8859-1
AddEncoding x-gzip .gz
"""
FILES = (
    "about.html.de", "about.html.en", "team.de.html", "team.en.html.utf8", "plain.html", "one.html.de", "v1.2.html",
    "notes.txt", "notes.zzz", "logo.png", "x.html.zzz", "sub/index.html.de", "sub/index.html.en", "empty/x.zzz",
    "both.html", "both.html.de", "page.html.pt-br.iso8859-1", "packed.html.gz", ".hidden.html", "deep.a/b.html.de",
)  # fmt: skip
PATHS = (
    "about", "about.html", "about.html.de", "about.de", "about.htm", "team", "team.html", "team.de", "team.en", "team.en.html",
    "plain", "plain.html", "one", "one.html", "v1", "v1.2", "notes", "notes.zzz", "note", "logo", "x", "x.html", "sub", "sub/",
    "sub/index", "sub/index.html", "sub/index.htm", "empty/", "both", "both.html", "page", "page.html", "page.html.pt-br", "packed",
    "packed.html", "deep.a/b", "deep", "about/", "plain/", "About",
)  # fmt: skip


def server(root: Path) -> Server:
    listing = survey(str(root))
    listing.index_names = ("index.html",)
    return Server(listing, SiteAddress.at(SITE), serving=Serving(multiviews=True))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "top" / "site"
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'<meta charset=utf-8><p id="{name.count(".")}"><p id=all>')
    return root


@pytest.mark.skipif(bool(apache.missing()), reason=apache.missing() or "Apache is there")
def test_each_answer_is_that_of_apache(site: Path, tmp_path: Path) -> None:
    (site / ".htaccess").write_text("Options +MultiViews\n")
    ours = server(site)
    with apache.serving(site, tmp_path / "state", APACHE) as origin:
        parts = urlsplit(origin)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=20)
        with closing(connection):
            for path in PATHS:
                connection.request("GET", f"/{path}", headers={"Accept-Encoding": "gzip"})
                response = connection.getresponse()
                response.read()
                found = ours.answer(SITE + path, UTF8)
                assert found is not None
                is_there = found.reason is None
                expected = 200 if not found.to else 301
                assert (response.status == expected) == is_there, (path, response.status, found)
                if is_there and response.status == 200:
                    shown = response.headers["X-File"].removeprefix(f"{site}/")
                    assert shown in (found.path, *found.variants), (path, shown)


def test_variants_of_a_path() -> None:
    found = variants(FILES)
    assert found["about"] == found["about.html"] == ["about.html.de", "about.html.en"]
    assert found["team"] == ["team.de.html", "team.en.html.utf8"]
    assert found["both"] == ["both.html", "both.html.de"]
    for path in ("x", "x.html", "note", "notes.txt", "deep", "v1", "", "empty/x"):
        assert path not in found, path


def test_the_type_in_a_name() -> None:
    assert typed("a/about.html.de.utf8") == "a/about.html"
    for path in ("about.html", "x.html.zzz", "de/about", "notes", "a.de/b.x"):
        assert typed(path) == path


def test_names_of_all_variants_count(site: Path) -> None:
    (site / "about.html.en").write_text("<p id=english>")
    files = TargetFiles(server(site), Policy())
    for target in ("about#all", "about.html#english", "one#all", "one#2", "sub/#all", "team#top"):
        assert files.problem(SITE + target, UTF8) is None, target
    for target in ("about#none", "one#none", "sub/#none"):
        found = files.problem(SITE + target, UTF8)
        assert found is not None
        assert found.what == "fragment", target
    assert {"about.html.de", "about.html.en", "one.html.de"} <= {*files.newly_linked()}
    files.problem(f"{SITE}about", UTF8, "about.html.de")
    assert files.newly_linked() == ["about.html.en"]
    plain = TargetFiles(Server(survey(str(site)), SiteAddress.at(SITE)), Policy())
    assert [plain.problem(SITE + path, UTF8) is None for path in ("about", "one.html")] == [
        False
    ] * 2


def test_an_alias_has_variants(site: Path, tmp_path: Path) -> None:
    inside = server(site)
    inside.serving = Serving(
        multiviews=True, aliases=(("/old/", str(site / "sub")), ("/out/", str(tmp_path / "out")))
    )
    (tmp_path / "out").mkdir()
    for name in ("a.html.de", "a.html.en"):
        (tmp_path / "out" / name).write_text("")
    variants = ("sub/index.html.de", "sub/index.html.en")
    assert inside.answer(f"{SITE}old/index", UTF8) == Answer("", variants=variants)
    assert inside.answer(f"{SITE}out/a", UTF8) == Answer("")


def test_the_names_of_a_type_map_are_not_known(site: Path) -> None:
    maps = (
        "URI: a.html.de\nContent-Language: de\n\nURI: a.html.en\nContent-Language: en\n",
        "# generated\r\n\r\nURI: a.html.de\r\nContent-type: text/html; charset=ISO-8859-1\r\n",
    )
    for text in maps:
        assert is_type_map(text.encode())
        (site / "map.html").write_text(text)
        files = TargetFiles(Server(survey(str(site)), SiteAddress.at(SITE)), Policy())
        found = [each.code for each in linkfix.audit(text.encode(), type="html")]
        assert "DOC001" not in found
        files.add_names("map.html", {"", "top"})  # those of any document
        assert files.problem(f"{SITE}map.html#x", UTF8) is None
    for text in ("<p>URI: a.html", "URI: <a href=x>\n", "", "# a comment"):
        assert not is_type_map(text.encode())
