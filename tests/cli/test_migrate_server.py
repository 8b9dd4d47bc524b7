"""What ``linkfix migrate`` does with directives of the server, and with addresses in files that browsers do not show."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from migrations import TEXT, migrate, records
from movable_site import make

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path


def test_directives_name_the_charset_and_are_written_anew(tmp_path: Path) -> None:
    page = f'<title>x</title><p>{TEXT}<a href="b.html?q=空">b</a>'
    old = make(
        tmp_path / "old",
        {
            ".htaccess": b"AddDefaultCharset Shift_JIS\nOptions +Includes\n",
            "a.html": page.encode("shift_jis"),
            "b.html": page.encode("shift_jis"),
            "ru/.htaccess": b"AddDefaultCharset koi8-r\n",
            "ru/c.html": "<p>Привет, мир".encode("koi8-r"),
        },
    )
    result = migrate(old, tmp_path / "new")
    assert result.exit_code == 0, result.stderr
    new = tmp_path / "new"
    assert (new / ".htaccess").read_bytes() == b"AddDefaultCharset utf-8\nOptions +Includes\n"
    assert (new / "ru/.htaccess").read_bytes() == b"AddDefaultCharset utf-8\n"
    assert "b.html?q=%8B%F3" in (new / "a.html").read_text("utf-8")
    assert TEXT in (new / "a.html").read_text("utf-8")
    assert "Привет, мир" in (new / "ru/c.html").read_text("utf-8")


def test_a_directive_that_needs_a_decision_stops_the_run(tmp_path: Path) -> None:
    old = make(
        tmp_path / "old",
        {
            ".htaccess": b"AddDefaultCharset Shift_JIS\n",
            "a.html": TEXT.encode("shift_jis"),
            "notes.txt": TEXT.encode("shift_jis"),
        },
    )
    new = tmp_path / "new"
    result = migrate(old, new)
    assert result.exit_code == 2
    assert not new.exists()
    assert (
        ".htaccess:1: AddDefaultCharset Shift_JIS: notes.txt would be sent as UTF-8, and is copied"
        in result.stderr
    )
    assert "--accept" in result.stderr
    report = tmp_path / "report"
    assert migrate(old, new, "--dry-run", "--report", str(report)).exit_code == 1
    assert [each["file"] for each in records(report, "decision")] == [".htaccess"]
    assert migrate(old, new, "--accept").exit_code == 1
    assert (new / ".htaccess").read_bytes() == b"AddDefaultCharset utf-8\n"
    assert (new / "notes.txt").read_bytes() == TEXT.encode("shift_jis")


def test_a_migration_that_ends_before_its_tables_are_written_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = make(
        tmp_path / "old", {"a.htm": b"<meta charset=utf-8>", "b.htm": b"<meta charset=utf-8>"}
    )
    new, table = tmp_path / "new", tmp_path / "moved.map"
    options = ("--rename", ".htm=.html", "--redirects", str(table))
    with monkeypatch.context() as patch:
        patch.setattr("linkfix.sites.migrating.write_redirects", lambda *_: os._exit(9))
        process = os.fork()
        if process == 0:
            migrate(old, new, *options)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 9
    assert (new / "b.html").exists()
    result = migrate(old, new, "--resume", *options)
    assert result.exit_code == 0, result.stderr
    assert "a.html" in table.read_text()
    assert not list(new.glob(".linkfix*"))


def test_the_home_page_is_still_shown_after_its_file_was_renamed(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    page = b"<!DOCTYPE html><meta charset=windows-1251><title>x</title><a href=in/>x</a><a href=welcome.htm>y</a>"
    files = {
        ".htaccess": b"DirectoryIndex welcome.htm\n",
        "welcome.htm": page,
        "in/welcome.htm": page.replace(b"in/", b"../"),
        "keep/.htaccess": b"DirectoryIndex index.php",
        "keep/index.php": b"<?php ?>",
    }
    for name, content in files.items():
        (old / name).parent.mkdir(parents=True, exist_ok=True)
        (old / name).write_bytes(content)
    done = CliRunner().invoke(cli, ["migrate", str(old), str(new), "--rename", ".htm=.html"])
    assert done.exit_code == 0, done.output
    assert (new / ".htaccess").read_bytes() == b"DirectoryIndex welcome.html\n"
    assert (new / "keep/.htaccess").read_bytes() == files["keep/.htaccess"]
    assert b"<a href=in/>x</a><a href=welcome.html>" in (new / "welcome.html").read_bytes()
    checked = CliRunner().invoke(cli, ["audit", "--select", "TGT001,TGT004", str(new)])
    assert checked.exit_code == 0, checked.output


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("httpd.conf", "DocumentRoot /srv\nAddDefaultCharset koi8-r\n<Directory /srv/ja>\nAddDefaultCharset EUC-JP\n</Directory>\n"),
        ("nginx.conf", "http {\n  charset koi8-r;\n  server { root /srv;\n    location /ja/ { charset EUC-JP; }\n    location ~ x$ { charset big5; }\n  }\n}\n"),
    ],
)  # fmt: skip
def test_files_of_the_server_name_the_charsets_of_pages(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    pages = {"a.html": ("Привет, мир", "koi8-r"), "ja/b.html": (TEXT, "euc-jp"), "ja/c.html": ("<meta charset=big5>" + TEXT, "euc-jp")}  # fmt: skip
    old = make(
        tmp_path / "old", {path: each.encode(label) for path, (each, label) in pages.items()}
    )
    done = migrate(old, tmp_path / "new", "--server-config", str(tmp_path / name), "--accept")
    lines = {line.partition(name)[2].split(":")[1] for line in done.stderr.splitlines() if "documents are in UTF-8 now" in line}  # fmt: skip
    assert lines == ({"2", "4"} if name == "httpd.conf" else {"2", "4", "5"})
    for path, (each, _) in pages.items():
        assert each.rpartition(">")[2] in (tmp_path / "new" / path).read_text("utf-8"), path


def test_addresses_in_scripts_are_named_where_they_are_not_so_any_more(tmp_path: Path) -> None:
    page = (
        "<meta charset=utf-8><script src=s.js></script>\n<a onclick=\"location.href='b.htm'\">x</a>\n"
        '<script>window.open("/d/c.htm?x", "w");\nlocation = "b.htm" + x; location.replace("kept.gif");\n'
        'top.location="http://h.example/b.htm#y"; var s = "b.htm"</script>'
    )
    files = {
        "a.htm": page,
        "b.htm": "<meta charset=utf-8>",
        "d/c.htm": "<meta charset=utf-8>",
        "kept.gif": "",
        "s.js": 'location.assign("/b.htm");\nlocation.href = "b.htm";',
    }
    old = make(tmp_path / "old", {name: text.encode() for name, text in files.items()})
    options = ("--rename", ".htm=.html", "--base", "http://h.example/")
    done = migrate(old, tmp_path / "new", *options)
    assert done.exit_code == 1
    named = [line.removeprefix("linkfix: ").partition(": this")[0] for line in done.stderr.splitlines() if ": this has" in line]  # fmt: skip
    assert named == [
        's.js:1: location.assign("/b.htm"',
        "a.htm:2: location.href='b.htm'",
        'a.htm:3: window.open("/d/c.htm?x"',
        'a.htm:5: location="http://h.example/b.htm#y"',
    ]
    assert (tmp_path / "new/s.js").read_text() == files["s.js"]


def test_sitemaps_robots_canonical_and_languages_follow_new_names(tmp_path: Path) -> None:
    """A feed, a sitemap with languages, robots.txt, and what pages say of themselves."""
    links = '<link rel=canonical href="http://h.example/a.htm"><link rel=alternate hreflang=ja href="/ja/a.htm"><meta property=og:url content="http://h.example/a.htm">'
    sitemap = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:x="http://www.w3.org/1999/xhtml"><url><loc>http://h.example/a.htm</loc>'
        '<x:link rel="alternate" hreflang="ja" href="http://h.example/ja/a.htm"/></url></urlset>'
    )
    files = {
        "a.htm": f"<meta charset=utf-8>{links}",
        "ja/a.htm": "<meta charset=utf-8>",
        "sitemap.xml": sitemap,
        "robots.txt": "User-agent: *\nDisallow: /ja/a.htm\nSitemap: http://h.example/sitemap.xml\n",
        "feed.xml": '<feed xmlns="http://www.w3.org/2005/Atom"><link href="/a.htm"/></feed>',
    }
    old = make(tmp_path / "old", {name: text.encode() for name, text in files.items()})
    options = ("--rename", ".htm=.html", "--base", "http://h.example/")
    assert migrate(old, tmp_path / "new", *options).exit_code == 0
    for name, text in files.items():
        new = (tmp_path / "new" / name.replace(".htm", ".html")).read_text("utf-8")
        assert new == text.replace("a.htm", "a.html"), name
