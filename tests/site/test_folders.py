"""What `.htaccess` files say about folders, and what Apache answers there."""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import apache
import pytest
from click.testing import CliRunner

from linkfix.charset import lookup
from linkfix.cli.group import cli
from linkfix.server.addresses import SiteAddress
from linkfix.server.apache import Folder, Folders
from linkfix.server.listing import survey
from linkfix.server.server import Server

if TYPE_CHECKING:
    from pathlib import Path

SITE = "http://127.0.0.1/"
UTF8 = lookup("utf-8")
LANGUAGES = "AddLanguage de .de\nAddLanguage en .en"
PAGE = b"<!DOCTYPE html><meta charset=utf-8><title>x</title>"
FILES = {
    ".htaccess": b"DirectoryIndex home.html\nOptions +MultiViews\n",
    "home.html": PAGE,
    "index.html": PAGE,
    "about.html.de": PAGE,
    "about.html.en": PAGE,
    "only.html.en": PAGE,
    "in/index.html": PAGE,
    "in/home.html": PAGE,
    "in/about.html": PAGE,
    "off/.htaccess": b"Options -MultiViews\nDirectoryIndex \\\n  first.html\nDirectoryIndex second.html\n",
    "off/about.html": PAGE,
    "off/second.html": PAGE,
    "off/deep/about.html": PAGE,
    "off/deep/home.html": PAGE,
    "plain/.htaccess": b"Options Indexes FollowSymLinks\nDirectoryIndex disabled\n",
    "plain/index.html": PAGE,
    "plain/about.html": PAGE,
    "section/.htaccess": b"<IfModule mod_dir.c>\nDirectoryIndex a.html\n</IfModule>\n"
    b"<Files x.html>\nDirectoryIndex b.html\n</Files>\n# DirectoryIndex c.html\n",
    "section/a.html": PAGE,
    "section/b.html": PAGE,
    "script/.htaccess": b"DirectoryIndex gone.html /home.html\n",
    "script/x.html": PAGE,
}
ASKED = [
    "", "about", "about.html", "only", "only.html", "in/", "in/about", "off/", "off/about", "off/deep/", "off/deep/about",
    "plain/", "plain/about", "plain/about.html", "section/", "section/a", "script/", "missing", "in/missing",
]  # fmt: skip


def site(folder: Path) -> Path:
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_apache_answers_as_the_model_does(tmp_path: Path) -> None:
    if why := apache.missing():
        pytest.skip(why)
    root = site(tmp_path / "site")
    server = Server(survey(str(root)), SiteAddress(SITE))
    with apache.serving(root, tmp_path / "state", LANGUAGES) as origin:
        host = urlsplit(origin)
        for path in ASKED:
            connection = http.client.HTTPConnection(str(host.hostname), host.port or 80)
            connection.request("GET", f"/{path}", headers={"Accept-Language": "de, en"})
            status = connection.getresponse().status
            connection.close()
            answer = server.answer(SITE + path, UTF8)
            assert answer is not None
            assert (answer.reason is None) == (status == 200), (path, status, answer)


def test_directives_hold_for_the_folders_below_until_others_replace_them(tmp_path: Path) -> None:
    folders = survey(str(site(tmp_path))).folders
    assert folders.of("in") == Folder(("home.html",), multiviews=True)
    assert folders.of("off/deep") == Folder(("first.html", "second.html"), multiviews=False)
    assert folders.of("plain") == Folder((), multiviews=False, includes=False)
    assert folders.of("section") == Folder(("a.html",), multiviews=True)
    moved = folders.renamed(lambda path: path.replace("off/", "new/"))
    assert moved.of("new/deep") == folders.of("off/deep")
    assert moved.of("off") == folders.of("in")
    assert Folders({}).of("a/b") == Folder()


def test_a_file_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".htaccess").symlink_to("/dev/zero")
    assert survey(str(tmp_path)).folders.of("a") == Folder()


def test_the_audit_asks_the_found_configuration(tmp_path: Path) -> None:
    root = site(tmp_path / "site")
    (root / "links.html").write_bytes(
        PAGE + b"<a href=about><a href=in/><a href=off/about><a href=plain/>"
    )
    done = CliRunner().invoke(cli, ["audit", "--select", "TGT001,TGT004", str(root)])
    assert done.output.count(" TGT") == 2, done.output
    assert "off/about" in done.output
    assert "plain/" in done.output


def test_a_move_takes_the_configuration_along(tmp_path: Path) -> None:
    root = site(tmp_path / "site")
    (root / "links.html").write_bytes(PAGE + b"<a href=off/>")
    done = CliRunner().invoke(
        cli, ["mv", "--root", str(root), str(root / "off"), str(root / "new")]
    )
    assert done.exit_code == 0, done.output
    assert (root / "links.html").read_bytes() == PAGE + b"<a href=new/>"


def test_a_long_file_is_reported_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".htaccess").write_bytes(
        b"Options +MultiViews\n" + b"#" * 100 + b"\nDirectoryIndex a\n"
    )
    assert survey(str(tmp_path)).folders.of("") == Folder(("a",), multiviews=True)
    monkeypatch.setattr("linkfix.server.headers.MOST_BYTES", 64)
    folders = survey(str(tmp_path)).folders
    assert folders.of("") == Folder()
    assert [str(each.file) for each in folders.failures] == [str(tmp_path / ".htaccess")]


def test_handlers_say_what_is_a_program_and_pages_for_errors_need_no_link(tmp_path: Path) -> None:
    files = {
        ".htaccess": b"AddHandler cgi-script .page\nErrorDocument 404 /gone.html\nErrorDocument 500 sorry\n",
        "static/.htaccess": b"RemoveHandler .php\nAddType application/x-httpd-php .foo\n",
        "index.html": PAGE,
        "gone.html": PAGE,
        "draft.html": PAGE,
        "a.page": b"",
        "static/a.page": b"",
        "static/a.php": b"",
        "static/a.foo": b"",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    server = Server(survey(str(tmp_path)), SiteAddress(SITE))
    answers = {
        path: answer.reason
        for path in (
            "a.page/x",
            "static/a.page/x",
            "static/a.php/x",
            "static/a.foo/x",
            "index.html/x",
        )
        if (answer := server.answer(SITE + path, UTF8))
    }
    assert answers == {
        "a.page/x": None,
        "static/a.page/x": None,
        "static/a.php/x": "missing",
        "static/a.foo/x": None,
        "index.html/x": "missing",
    }
    for command in (["audit", "--select", "TGT014"], ["graph", "--orphans"]):
        done = CliRunner().invoke(cli, [*command, str(tmp_path)])
        assert "draft.html" in done.stdout
        assert "gone.html" not in done.stdout
