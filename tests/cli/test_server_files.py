"""The files of a server after `linkfix migrate` and `linkfix mv`: Apache serves each address as before."""

from __future__ import annotations

import http.client
import json
from contextlib import closing
from typing import TYPE_CHECKING, get_args
from urllib.parse import urljoin, urlsplit

import apache
import processes
import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "<!DOCTYPE html><meta charset=utf-8><title>%s</title>"
FILES = {
    ".htaccess": "DirectoryIndex start.htm\nErrorDocument 404 /x.htm\nRewriteEngine on\nRewriteRule ^kw$ /x.htm [L]\nRedirect 301 /alt /x.htm\n"
    "<Files x.htm>\nHeader set X-Of x\n</Files>\n<FilesMatch ^x[.]htm$>\n</FilesMatch>\n",
    "robots.txt": "User-agent: *\nDisallow: /x.htm\nDisallow: /d/\n",
    "start.htm": HEAD % "home", "x.htm": HEAD % "x", "d/y.htm": HEAD % "y", "d/.htaccess": "RewriteEngine on\nRewriteBase /d/\nRewriteRule ^z$ y.htm [R=302,L]\n",
}  # fmt: skip
ASKED = {"/": "home", "/kw": "x", "/alt": "x", "/nothing": "x", "/d/z": "y"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "site"


def title(origin: str, path: str) -> str:
    """Return the title of what a server shows in the end."""
    host = urlsplit(origin)
    for _ in range(5):
        with closing(http.client.HTTPConnection(host.hostname or "", host.port)) as connection:
            connection.request("GET", path)
            response = connection.getresponse()
            text = response.read().decode()
            place = response.headers["Location"]
        if place is None:
            break
        path = urlsplit(urljoin(origin + path, place)).path
    return text.partition("<title>")[2].partition("<")[0]


def check(root: Path, state: Path, asked: dict[str, str]) -> None:
    if why := apache.missing():
        pytest.skip(why)
    more = f"LoadModule alias_module {apache.MODULES}/mod_alias.so"
    with apache.serving(root, state, more) as origin:
        assert {path: title(origin, path) for path in asked} == asked


def test_a_migration_with_new_extensions(site: Path, tmp_path: Path) -> None:
    check(site, tmp_path / "before", ASKED)
    new = tmp_path / "new"
    done = CliRunner().invoke(cli, ["migrate", "--rename", ".htm=.html", str(site), str(new)])
    assert done.exit_code == 1, done.output
    assert ".htaccess:9: <FilesMatch ^x[.]htm$>: this has another name now" in done.output
    check(new, tmp_path / "after", ASKED)
    assert "<Files x.html>\n" in (new / ".htaccess").read_text()
    assert (new / "robots.txt").read_text() == FILES["robots.txt"].replace("x.htm", "x.html")


def test_a_move_of_a_page_and_of_a_folder(site: Path, tmp_path: Path) -> None:
    def mv(*arguments: str) -> str:
        done = CliRunner().invoke(cli, ["mv", "--root", str(site), *arguments])
        assert done.exit_code == 0, done.output
        return done.output

    before = (site / ".htaccess").read_bytes()
    assert ".htaccess: it would be written anew" in mv("x.htm", "seven.html", "--dry-run")
    assert (site / ".htaccess").read_bytes() == before
    assert ".htaccess:9: <FilesMatch ^x[.]htm$>: this has another name now" in mv(
        "x.htm", "seven.html"
    )
    mv("start.htm", "home.htm")
    mv("d", "moved/here")
    asked = {path.replace("/d/", "/moved/here/"): name for path, name in ASKED.items()}
    check(site, tmp_path / "state", asked)
    assert (site / "robots.txt").read_text() == (
        "User-agent: *\nDisallow: /seven.html\nDisallow: /moved/here/\n"
    )


def test_files_of_the_server_outside_are_not_written_and_their_lines_named(
    site: Path, tmp_path: Path
) -> None:
    files = {
        "httpd.conf": "ErrorDocument 404 /x.htm\n# /x.htm\nAddDefaultCharset big5\nAddDefaultCharset utf-8\nAlias /i/ /nowhere/\n",
        "nginx.conf": "server {\n  index start.htm;\n  charset koi8-r;\n  location = /o { return 301 /d/y.htm; }\n  error_page 404 /x.htm;\n}\n",
    }
    options = []
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        options += ["--server-config", str(tmp_path / name)]
    done = CliRunner().invoke(
        cli, ["migrate", "--rename", ".htm=.html", *options, str(site), str(tmp_path / "new")]
    )
    named = {
        tuple(line.partition(str(tmp_path))[2].split(":")[:2])
        for line in done.output.splitlines()
        if "; correct it by hand" in line and str(tmp_path) in line
    }
    assert named == {("/httpd.conf", "1"), ("/httpd.conf", "3")} | {
        ("/nginx.conf", str(line)) for line in (2, 3, 4, 5)
    }
    for name, text in files.items():
        assert (tmp_path / name).read_text() == text


def test_octets_that_are_no_utf_8_and_circles_are_no_fault(tmp_path: Path) -> None:
    """Circles are said where links lead into them; a line with such octets stays as it is."""
    old = tmp_path / "old"
    old.mkdir()
    (old / "a.html").write_text("<meta charset=utf-8><a href=c>x</a>")
    lines = b"1 /\xfe\nRedirect /q\xfe /\xe9%20x\nRewriteEngine on\nRewriteRule ^c$ /c [R]\n"
    (old / ".htaccess").write_bytes(lines)
    done = processes.run("migrate", "--base", "http://h.example/", "old", "new", cwd=tmp_path)
    assert b"fault of linkfix" not in done.stderr
    assert b"its redirects never end" in done.stderr
    assert (tmp_path / "new" / ".htaccess").read_bytes() == lines


def test_every_reason_for_which_a_link_leads_nowhere_is_said() -> None:
    from linkfix.cli import migrate
    from linkfix.server.server import Reason

    assert {*get_args(Reason)} < {*migrate._SAID}


@pytest.mark.parametrize("rules", ["", "TGT", "ENC"])
def test_a_page_is_read_in_the_charset_that_its_server_names(tmp_path: Path, rules: str) -> None:
    page = "<!DOCTYPE html><html lang=tr><title>Türkçe</title><a href='ağaç.html#ş'>x</a><a href='/s?q=ağaç'>x</a>"
    for name, text in {
        "page.html": page,
        "other.html": "<title>x</title><a href='page.html#ş'>x</a><b id=ş>",
    }.items():
        (tmp_path / name).write_bytes(text.encode("cp1254"))
    (tmp_path / "ağaç.html").write_bytes("<!DOCTYPE html><title>x</title><b id=ş>".encode("cp1254"))
    (tmp_path / ".htaccess").write_text("AddDefaultCharset windows-1254\n")
    graph = [json.loads(line) for line in invoked("graph", str(tmp_path)).splitlines()]
    targets = {row["uri"]: row["problem"] for row in graph if row["record"] == "link"}
    assert targets == {
        "/a%C4%9Fa%C3%A7.html#%C5%9F": "",
        "/s?q=a%F0a%E7": "missing",
        "/page.html#%C5%9F": "fragment",
    }
    only = ["--select", rules] if rules else []
    invoked("audit", "--fix", "--exit-zero", "-q", *only, str(tmp_path))
    fixed = (tmp_path / "page.html").read_bytes()
    assert "Türkçe".encode("cp1254") in fixed
    assert (b"q=a%F0a%E7" in fixed) == (rules != "TGT")


def invoked(*arguments: str) -> str:
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_link_in_noframes_is_judged_whatever_its_octets(tmp_path: Path) -> None:
    link = '<a href="é.html">x</a>'
    page = f'<!DOCTYPE html><meta charset="windows-1252"><title>x</title><noframes>{link}</noframes>{link}'
    (tmp_path / "page.html").write_bytes(page.encode("cp1252"))
    rows = map(json.loads, invoked("audit", "--format", "jsonl", "--select", "TGT001", "--exit-zero", "-q", str(tmp_path)).splitlines())  # fmt: skip
    assert [row["value"] for row in rows] == ["é.html", "é.html"]


def test_a_link_that_rules_lead_to_another_file_has_its_old_address(tmp_path: Path) -> None:
    """The new name of a file that a rule hides shows the file, and the old address what the rule says."""
    old, new = tmp_path / "old", tmp_path / "new"
    links = "".join(f"<a href=/{each}>x</a>" for each in ("x.htm", "y.htm", "z.htm", "d/", "open.htm"))  # fmt: skip
    files = {
        ".htaccess": "Redirect 301 /x.htm /shown.htm\nRewriteEngine on\nRewriteRule ^y\\.htm$ /shown.htm [L]\nRedirect gone /z.htm\n"
        "Redirect /d/ http://other.example/\n"
        "RewriteCond %{REQUEST_FILENAME} !-f\nRewriteRule . /shown.htm [L]\n",
        "index.htm": (HEAD % "home") + links,
    } | {name: HEAD % name for name in ("x.htm", "y.htm", "z.htm", "shown.htm", "d/index.htm", "open.htm")}  # fmt: skip
    for name, text in files.items():
        (old / name).parent.mkdir(parents=True, exist_ok=True)
        (old / name).write_text(text)
    asked = {"/x.htm": "shown.htm", "/y.htm": "shown.htm"}
    check(old, tmp_path / "before", asked)
    table = tmp_path / "table"
    options = ["--base", "http://h.example/", "--rename", ".htm=.html", "--redirects", str(table)]
    CliRunner().invoke(cli, ["migrate", *options, str(old), str(new)])
    wanted = links.replace("open.htm", "open.html")
    assert (new / "index.html").read_text() == (HEAD % "home") + wanted
    moved = [line.split()[0] for line in table.read_text().splitlines() if line[:1] == '"']
    assert "/open.htm" in str(moved)
    assert not [each for each in moved if each.strip('"') in {"/x.htm", "/y.htm", "/z.htm"}]
    check(new, tmp_path / "after", asked)
