"""The redirects of a migration for addresses with queries, followed in Apache and nginx; pages for hosts without rules."""

from __future__ import annotations

import http.client
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import apache
import nginx
import processes
import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from types import ModuleType

BASE = "http://old.example/"
PAGE = "<!DOCTYPE html><meta charset=utf-8><title>%s</title>"
#: Old addresses of a content management system, and the pages that they became.
QUERIES = {
    f"page.cgi?doc={number}&lang={lang}": f"{lang_name}{number}.html"
    for number in range(8)
    for lang, lang_name in (("%93%FA", "ja"), ("a.b*c", "en"))
}
RULES = {**QUERIES, "other.cgi?x=$1": "ja0.html", "gone.cgi": "en1.html", "twice.cgi?a": "page.cgi?doc=0&lang=a.b*c"}  # fmt: skip


@pytest.fixture
def old(tmp_path: Path) -> Path:
    root = tmp_path / "old"
    root.mkdir()
    (root / "plain.htm").write_text(
        PAGE % "plain" + '<a href="page.cgi?doc=0&amp;lang=a.b*c">x</a>'
    )
    (root / "folder").mkdir()
    (root / "folder/index.htm").write_text(PAGE % "folder")
    (root / "image.gif").write_bytes(b"GIF89a")
    for name in {*QUERIES.values()}:
        (root / name).write_text(PAGE % name)
    (tmp_path / "map.csv").write_text(
        "".join(f"{BASE}{old},{BASE}{new}\n" for old, new in RULES.items())
    )
    return root


def migrate(old: Path, *options: str) -> str:
    new = old.parent / "new"
    arguments = [
        "migrate",
        "--base",
        BASE,
        "--rename",
        ".htm=.html",
        "--map",
        str(old.parent / "map.csv"),
        "--served",
        "*.cgi",
    ]
    done = CliRunner().invoke(cli, [*arguments, *options, str(old), str(new)])
    assert done.exit_code == 0, done.output
    return done.output


def place(origin: str, path: str) -> tuple[int, str | None]:
    host = urlsplit(origin)
    with closing(http.client.HTTPConnection(host.hostname or "", host.port)) as connection:
        connection.request("GET", path)
        response = connection.getresponse()
        there = response.headers["Location"]
        return response.status, there and urlsplit(there).path + urlsplit(there).query


def lines(path: Path) -> str:
    """Return the lines that the head of a table says are to be configured."""
    return "\n".join(
        line[1:].strip() for line in path.read_text().splitlines() if line.startswith("#     ")
    )


@pytest.mark.parametrize("program", [apache, nginx], ids=["apache", "nginx"])
def test_an_address_with_a_query_is_redirected(
    old: Path, tmp_path: Path, program: ModuleType
) -> None:
    if why := program.missing():
        pytest.skip(why)
    table = tmp_path / "moved"
    form = "apache" if program is apache else "nginx"
    said = migrate(old, "--redirects", str(table), "--redirect-format", form)
    assert "for redirects that no map can have; include this file too" in said
    conf = Path(f"{table}.conf")
    if program is apache:
        more = lines(table).replace("/path/of/this/file", str(table))
        more = more.replace(f"{table}.conf", str(conf))
        serving = apache.serving(tmp_path / "new", tmp_path / "state", more)
    else:
        asked_lines = lines(conf).replace("/path/of/this/file", str(conf)).splitlines()
        moved = lines(table).replace("/path/of/this/file", str(table)).splitlines()
        server = "\n".join(line for line in asked_lines + moved if line.startswith("if"))
        maps = "\n".join(line for line in moved + asked_lines if line.startswith("map"))
        serving = nginx.serving(tmp_path / "new", tmp_path / "state", server, maps)
    with serving as origin:
        for asked, there in RULES.items():
            wanted = f"/{there}" if "?" not in there else "/en0.html"
            for spelling in {asked, asked.replace("%93%FA", "%93%fa")}:
                assert place(origin, f"/{spelling}") == (301, wanted), spelling
        for asked in (
            "page.cgi?doc=9&lang=a.b*c",
            "page.cgi?doc=1",
            "page.cgi?doc=1&lang=aXb*c",
            "PAGE.cgi?doc=1&lang=a.b*c",
        ):
            assert place(origin, f"/{asked}")[0] == 404, asked
        assert place(origin, "/plain.htm") == (301, "/plain.html")


def test_other_tables_have_queries_as_well(old: Path, tmp_path: Path) -> None:
    migrate(old, "--redirects", str(tmp_path / "made" / "csv"), "--redirect-format", "csv")
    rows = (tmp_path / "made" / "csv").read_text().splitlines()
    assert "/page.cgi?doc=3&lang=%93%FA,/ja3.html" in rows
    assert "/twice.cgi?a,/en0.html" in rows
    (tmp_path / "new").rename(tmp_path / "first")
    migrate(old, "--redirects", str(tmp_path / "netlify"), "--redirect-format", "netlify")
    rows = (tmp_path / "netlify").read_text().splitlines()
    assert "/page.cgi doc=3 lang=%93%FA /ja3.html 301" in rows
    assert "/plain.htm /plain.html 301" in rows


def test_a_page_at_each_old_address_leads_on(old: Path, tmp_path: Path) -> None:
    said = migrate(old, "--redirects", str(tmp_path / "pages"), "--redirect-format", "html")
    assert "can have no page" in said
    page = (tmp_path / "pages/plain.htm").read_text()
    assert '<link rel="canonical" href="http://old.example/plain.html">' in page
    assert 'content="0; url=http://old.example/plain.html"' in page
    assert sorted(each.name for each in (tmp_path / "pages").rglob("*") if each.is_file()) == [
        "index.htm",
        "plain.htm",
    ]


def test_pages_are_written_beside_earlier_ones_and_lead_on_from_the_root(
    tmp_path: Path,
) -> None:
    (tmp_path / "s").mkdir()
    for name in ("a.html", "b.html"):
        (tmp_path / "s" / name).write_bytes(b"")
    for old, new in (("a.html", "c.html"), ("b.html", "d.html")):
        table = ("--redirects", tmp_path / "pages", "--redirect-format", "html")
        done = processes.run("mv", "--root", tmp_path / "s", *table, old, new)
        assert done.returncode == 0, done.stderr
        assert f'content="0; url=/{new}"' in (tmp_path / "pages" / old).read_text()
    wrong = ("--redirects", tmp_path / "pages", "--redirect-format", "csv")
    assert processes.run("mv", "--root", tmp_path / "s", *wrong, "c.html", "e.html").returncode == 2
