"""What ``linkfix migrate`` does with directives of the server, guessed charsets, and parts of pages."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

TEXT = "日本語の案内です。検索と表示の一覧を見てください。"


def migrate(source: Path, target: Path, *options: str) -> Result:
    return CliRunner().invoke(cli, ["migrate", *options, str(source), str(target)])


def site(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def records(path: Path, kind: str) -> list[dict[str, object]]:
    lines = map(json.loads, path.read_text().splitlines())
    return [line for line in lines if line["record"] == kind]


def test_directives_name_the_charset_and_are_written_anew(tmp_path: Path) -> None:
    page = f'<title>x</title><p>{TEXT}<a href="b.html?q=空">b</a>'
    old = site(
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
    old = site(
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


def test_a_guessed_page_is_copied_and_named_until_the_guess_is_accepted(tmp_path: Path) -> None:
    page = f"<title>{TEXT}</title>".encode("euc-jp")
    old = site(
        tmp_path / "old",
        {
            "a.html": page,
            "b.html": b"<meta charset=euc-jp>" + page,
            "ascii.html": b"<p>plain",
            "feed.xml": b"<rss/>",
        },
    )
    report = tmp_path / "report"
    result = migrate(old, tmp_path / "new", "--report", str(report))
    assert result.exit_code == 1
    assert (tmp_path / "new/a.html").read_bytes() == page
    assert (
        "a.html: declares no charset; EUC-JP was guessed from the frequencies of its characters; "
        "pages beside it declare EUC-JP (1); copied as it is" in result.stderr
    )
    (record,) = records(report, "guessed")
    assert record == {
        "record": "guessed",
        "file": "a.html",
        "charset": "EUC-JP",
        "evidence": "the frequencies of its characters",
        "folder": {"EUC-JP": 1},
        "written": False,
    }
    assert migrate(old, tmp_path / "new2", "--accept-guesses").exit_code == 0
    assert TEXT in (tmp_path / "new2/a.html").read_text("utf-8")
    for number, option in enumerate(("--source-charset", "--default-charset")):
        new = tmp_path / f"named{number}"
        assert migrate(old, new, option, "euc-jp").exit_code == 0
        assert TEXT in (new / "a.html").read_text("utf-8")


SCRIPT = f"document.title = '{TEXT}'".encode("euc-jp")


def test_a_page_without_a_charset_is_in_that_of_the_page_around_it(tmp_path: Path) -> None:
    """As browsers and the HTML Standard read it; where its characters say otherwise, its charset stays a guess."""
    menu = "<form action=/s></form><a href='/s?q=&#31354;'></a><script src=m.js></script><iframe src=deep.html></iframe>"
    old = site(
        tmp_path / "old",
        {
            "index.html": b"<meta charset=euc-jp><frameset><frame src=menu.html><frame src=b.html><frame src=c.html>",
            "menu.html": menu.encode(),
            "deep.html": b"<form action=/s></form>",
            "m.js": SCRIPT,
            "b.html": f"<title>{TEXT}</title>".encode("euc-jp"),
            "c.html": f"<title>{TEXT}</title>".encode("shift_jis"),
        },
    )
    new = tmp_path / "new"
    result = migrate(old, new, "--served", "*")
    assert result.exit_code == 1
    written = (new / "menu.html").read_text("utf-8")
    assert 'accept-charset="EUC-JP"' in written
    assert "/s?q=%B6%F5" in written
    assert 'accept-charset="EUC-JP"' in (new / "deep.html").read_text("utf-8")
    assert TEXT in (new / "m.js").read_text("utf-8")
    assert TEXT in (new / "b.html").read_text("utf-8")
    assert (new / "c.html").read_bytes() == f"<title>{TEXT}</title>".encode("shift_jis")
    assert "c.html: declares no charset; Shift_JIS was guessed" in result.stderr
    assert "b.html: declares no charset" not in result.stderr
    (old / "b.html").write_bytes(b"<meta charset=shift_jis><iframe src=deep.html></iframe>")
    result = migrate(old, tmp_path / "new2", "--served", "*")
    assert result.exit_code == 2
    assert "deep.html: menu.html (EUC-JP) and b.html (Shift_JIS) use it" in result.stderr


@pytest.mark.parametrize("page", ["", f"<title>{TEXT}</title>"], ids=["ASCII", "copied"])
def test_what_only_guesses_say_the_charset_of_is_copied(tmp_path: Path, page: str) -> None:
    page += "<script src=m.js></script><script src=u.js></script><link rel=stylesheet href=c.css>"
    sheet = f"@import 'd.css'; a::after {{ content: '{TEXT}' }}".encode("euc-jp")
    old = site(
        tmp_path / "old",
        {
            "a.html": page.encode("euc-jp"),
            "m.js": SCRIPT,
            "u.js": SCRIPT.decode("euc-jp").encode(),
            "c.css": sheet,
            "d.css": sheet,
        },
    )
    new = tmp_path / "new"
    result = migrate(old, new)
    assert result.exit_code == 1
    for name in ("m.js", "u.js", "c.css", "d.css"):
        assert (new / name).read_bytes() == (old / name).read_bytes()
        told = f"{name}: declares no charset; " in result.stderr
        assert told == (name != "u.js")
    if TEXT not in page:
        assert '<script charset="windows-1252" src=m.js></script><script src=u.js>' in (
            new / "a.html"
        ).read_text("utf-8")
    # A page that says its charset decides for those that say none, unless one of them is copied.
    (old / "b.html").write_bytes(b"<meta charset=euc-jp><script src=m.js></script>")
    migrate(old, tmp_path / "new2")
    changed = (tmp_path / "new2/m.js").read_bytes() != SCRIPT
    assert changed == (TEXT not in page)
    written = (tmp_path / "new2/b.html").read_text("utf-8")
    assert ('<script charset="EUC-JP" src=m.js>' in written) == (not changed)
    assert migrate(old, tmp_path / "new3", "--default-charset", "euc-jp").exit_code == 0
    assert TEXT in (tmp_path / "new3/c.css").read_text("utf-8")


def test_a_page_says_the_charset_of_the_files_that_are_not_converted(tmp_path: Path) -> None:
    page = b"<meta charset=euc-jp><script src=m.js></script><link rel=stylesheet href=c.css>"
    sheet = f"a::after {{ content: '{TEXT}' }}".encode("euc-jp")
    old = site(tmp_path / "old", {"a.html": page, "m.js": SCRIPT, "c.css": sheet})
    new = tmp_path / "new"
    assert migrate(old, new, "--copy", "*.js", "--copy", "c.css").exit_code == 0
    assert ((new / "m.js").read_bytes(), (new / "c.css").read_bytes()) == (SCRIPT, sheet)
    written = (new / "a.html").read_text("utf-8")
    assert '<script charset="EUC-JP" src=m.js></script><link charset="EUC-JP" rel' in written


def test_a_sheet_that_means_something_else_in_each_charset_of_its_pages_needs_a_decision(
    tmp_path: Path,
) -> None:
    pages = {f"{name}.html": f"<meta charset={name}><link rel=stylesheet href=c.css>".encode() for name in ("euc-jp", "big5")}  # fmt: skip
    sheet = "a { background: url(x?空) }".encode("euc-jp")
    old = site(tmp_path / "old", {**pages, "c.css": sheet})
    result = migrate(old, tmp_path / "new")
    assert result.exit_code == 2
    assert "c.css: big5.html (Big5) and euc-jp.html (EUC-JP) use it" in result.stderr


def test_a_part_of_a_page_whose_charset_is_guessed_is_copied_with_it(tmp_path: Path) -> None:
    part = f"<p>{TEXT}".encode("euc-jp")
    outer = f'<p>{TEXT}<!--#include file="m.inc"-->'.encode("euc-jp")
    page = f'<title>{TEXT}</title><!--#include file="a.html"-->'.encode("euc-jp")
    old = site(tmp_path / "old", {"a.html": outer, "a.shtml": page, "m.inc": part})
    assert migrate(old, tmp_path / "new").exit_code == 1
    assert (tmp_path / "new/a.html").read_bytes() == outer
    assert (tmp_path / "new/m.inc").read_bytes() == part
    assert migrate(old, tmp_path / "new2", "--accept-guesses").exit_code == 0
    assert (tmp_path / "new2/m.inc").read_text("utf-8") == f"<p>{TEXT}"
    (old / "b.shtml").write_bytes(b"<meta charset=euc-jp>" + page)
    result = migrate(old, tmp_path / "new3")
    assert result.exit_code == 2
    assert "m.inc: its charset is a guess, but b.shtml includes it" in result.stderr
    assert migrate(old, tmp_path / "new3", "--source-charset", "euc-jp").exit_code == 0


def test_a_part_has_the_charset_of_its_pages_and_no_declaration(tmp_path: Path) -> None:
    part = '<ul><li><a href="/s?q=空">空</a><li><a href="x y">表</a></ul>'
    page = '<meta charset="shift_jis"><p>空<!--#include virtual="/inc/menu.html" -->'
    page += '<!--#include file="foot.inc"-->'
    old = site(
        tmp_path / "old",
        {
            "a.shtml": page.encode("shift_jis"),
            "sub/b.shtml": page.replace("foot", "../foot").encode("shift_jis"),
            "inc/menu.html": part.encode("shift_jis"),
            "foot.inc": part.encode("shift_jis"),
            "alone.inc": part.encode("shift_jis"),
        },
    )
    new = tmp_path / "new"
    result = migrate(old, new, "--served", "*", "--to", "uri")
    assert result.exit_code == 1
    assert "alone.inc: declares no charset" in result.stderr
    expected = '<ul><li><a href="/s?q=%8B%F3">空</a><li><a href="x%20y">表</a></ul>'
    assert (new / "inc/menu.html").read_text("utf-8") == expected
    assert (new / "foot.inc").read_text("utf-8") == expected
    assert (new / "alone.inc").read_bytes() == part.encode("shift_jis")


def test_relative_links_of_a_part_stay_where_pages_of_several_folders_include_it(
    tmp_path: Path,
) -> None:
    page = b'<meta charset=utf-8><!--#include virtual="/inc/menu.html" -->'
    old = site(
        tmp_path / "old",
        {"a.shtml": page, "inc/menu.html": b'<a href="b.html">b</a>', "b.html": b"<p>"},
    )
    options = ("--root-relative", "--base", "http://h.example/")
    assert migrate(old, tmp_path / "new", *options).exit_code == 0
    assert (tmp_path / "new/inc/menu.html").read_bytes() == b'<a href="/b.html">b</a>'
    (old / "sub").mkdir()
    (old / "sub/c.shtml").write_bytes(page)
    migrate(old, tmp_path / "new2", *options)
    assert (tmp_path / "new2/inc/menu.html").read_bytes() == b'<a href="b.html">b</a>'


def test_a_part_of_a_part_is_in_the_place_of_the_page(tmp_path: Path) -> None:
    page = b'<meta charset=utf-8><!--#include virtual="/inc/menu.html" -->'
    deep, link = b'<!--#include file="deep.inc" -->', b'<a href="b.html">b</a>'
    files = {"a.shtml": page, "inc/menu.html": deep, "inc/deep.inc": link, "b.html": b"<p>"}
    old = site(tmp_path / "old", files)
    assert migrate(old, tmp_path / "new", "--root-relative", "--base", "http://h.example/").exit_code == 0  # fmt: skip
    assert (tmp_path / "new/inc/deep.inc").read_bytes() == b'<a href="/b.html">b</a>'


def test_a_named_part_is_one(tmp_path: Path) -> None:
    old = site(
        tmp_path / "old",
        {
            "a.php.html": '<meta charset="shift_jis">空<!--#include file="m.tpl" -->'.encode(
                "cp932"
            ),
            "m.tpl": "<b>空".encode("cp932"),
        },
    )
    assert migrate(old, tmp_path / "new", "--part", "*.tpl").exit_code == 0
    assert (tmp_path / "new/m.tpl").read_text("utf-8") == "<b>空"


def test_a_migration_that_ends_before_its_tables_are_written_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = site(
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


@pytest.mark.parametrize(
    ("name", "content", "page"),
    [
        ("s.js", 'var s = "한국어 café";', "<script src=s.js></script>"),
        ("s.css", '@font-face{src:url(a.woff)} p::before{content:"한국어"}', "<link rel=stylesheet href=s.css>"),
        ("s.inc", "<p>한국어 café", '<!--#include virtual="s.inc"-->'),
    ],
)  # fmt: skip
def test_what_is_utf_8_stays_utf_8_although_its_page_is_not(
    tmp_path: Path, name: str, content: str, page: str
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "a.woff").parent.mkdir()
    (old / "a.woff").write_bytes(b"")
    (old / "a.shtml").write_bytes(f"<meta charset=euc-kr><title>한</title>{page}".encode("euc-kr"))
    (old / name).write_bytes(content.encode())
    done = migrate(old, new)
    assert done.exit_code == 0, done.stderr
    written = (new / name).read_bytes().removeprefix(b'@charset "utf-8";\n')
    assert written == content.encode()
    assert "U+FFFD" not in done.stderr


def test_octets_that_would_be_lost_are_named_and_kept_until_the_loss_is_accepted(
    tmp_path: Path,
) -> None:
    old = tmp_path / "old"
    old.mkdir()
    page = "<meta charset=euc-kr><script src=s.js></script><p>한".encode("euc-kr") + b"\xff\xff<p>"
    (old / "a.html").write_bytes(page)
    (old / "s.js").write_bytes(b"// \xff\xff")
    report = tmp_path / "report.jsonl"
    done = migrate(old, tmp_path / "new", "--report", str(report))
    assert done.exit_code == 1
    assert (tmp_path / "new" / "a.html").read_bytes() == page
    assert (tmp_path / "new" / "s.js").read_bytes() == b"// \xff\xff"
    assert f"a.html: the octets FF are malformed in EUC-KR; in UTF-8 they would be lost (byte offset {page.index(0xFF)})" in done.stderr  # fmt: skip
    assert "s.js: the octets FF are malformed in EUC-KR" in done.stderr
    lost = [json.loads(line) for line in report.read_text("ascii").splitlines()]
    assert {record["file"] for record in lost if record.get("lost")} == {"a.html", "s.js"}
    done = migrate(old, tmp_path / "accepted", "--accept-losses")
    assert done.exit_code == 0, done.stderr
    assert "\ufffd" in (tmp_path / "accepted" / "a.html").read_text("utf-8")
    assert "malformed sequences of octets that are U+FFFD now: 4" in done.stderr


def test_a_part_of_pages_in_two_charsets_needs_a_decision(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    for name, charset in (("a", "shift_jis"), ("b", "euc-jp")):
        text = f'<meta charset={charset}><title>日</title><!--#include virtual="c.txt"--><!--#include virtual="d.txt"-->'
        (old / f"{name}.shtml").write_bytes(text.encode(charset))
    (old / "c.txt").write_text('<a href="a.shtml?q=&#26085;">x</a>')
    (old / "d.txt").write_text('<a href="a.shtml?q=%93%FA">x</a>')
    done = migrate(old, tmp_path / "new")
    assert done.exit_code == 2
    assert "c.txt: b.shtml (EUC-JP) and a.shtml (Shift_JIS) use it" in done.stderr
    assert "d.txt" not in done.stderr
    assert not (tmp_path / "new").exists()
    done = migrate(old, tmp_path / "new", "--accept")
    assert done.exit_code == 1
    assert (tmp_path / "new" / "d.txt").read_bytes() == (old / "d.txt").read_bytes()


def test_what_an_include_names_is_a_part_whatever_its_extension(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    page = '<meta charset=shift_jis><title>日</title><!--#include virtual="deep.txt"--><!--#include virtual="run.cgi"-->'
    (old / "a.shtml").write_bytes(page.encode("shift_jis"))
    (old / "deep.txt").write_bytes('<a href="a.shtml?q=日">日</a>'.encode("shift_jis"))
    (old / "run.cgi").write_bytes("print '日'".encode("shift_jis"))
    assert migrate(old, new).exit_code == 0
    assert (new / "deep.txt").read_text("utf-8") == '<a href="a.shtml?q=%93%FA">日</a>'
    assert (new / "run.cgi").read_bytes() == (old / "run.cgi").read_bytes()


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


def test_pages_with_code_are_migrated_with_their_parts(tmp_path: Path) -> None:
    """Includes of PHP and JSP name parts; code keeps its characters, and what it says of charsets is named."""
    part = '<a href="/s?q=空">空</a><?php echo "空" ?>'
    php = '<?php require_once __DIR__ . "/inc/m.inc"; if ($a > 1) { echo "<a href=\'/s?q=空\'>x</a>"; } ?>'
    php += '<meta charset="euc-jp"><title>空</title><?php include(\'foot.txt\') ?><a href="/s?q=空">x</a>'
    jsp = '<%@ page pageEncoding="EUC-JP" %>\n<%@ include file="/inc/m.inc" %><jsp:include page="foot.txt"/>'
    jsp += '<meta charset="euc-jp"><title>空</title>'
    files = {"a.php": php, "b.jsp": jsp, "inc/m.inc": part, "foot.txt": part}
    old = site(tmp_path / "old", {name: text.encode("euc-jp") for name, text in files.items()})
    new, options = tmp_path / "new", ("--page", "*.php", "--page", "*.jsp", "--served", "/s")
    done = migrate(old, new, *options)
    assert done.exit_code == 1
    assert 'b.jsp:1: Encoding="EUC-JP' in done.stderr
    assert "a.php:1:73: /s?q=空: this link may lead elsewhere" in done.stderr
    pinned = part.replace("q=空", "q=%B6%F5")
    assert (new / "inc/m.inc").read_text("utf-8") == (new / "foot.txt").read_text("utf-8") == pinned
    head, tail = php.split("<title>")
    expected = head.replace("euc-jp", "utf-8") + "<title>" + tail.replace("q=空", "q=%B6%F5")
    assert (new / "a.php").read_text("utf-8") == expected
    assert (new / "b.jsp").read_text("utf-8") == jsp.replace('set="euc-jp"', 'set="utf-8"')


def test_a_part_of_a_page_and_of_a_program_that_is_copied_needs_a_decision(tmp_path: Path) -> None:
    page = '<meta charset=euc-jp><title>空</title><!--#include virtual="/m.inc"--><!--#include virtual="/n.inc"-->'
    files = {
        "a.shtml": page,
        "sub/b.php": '<?php include $_SERVER["DOCUMENT_ROOT"] . "/m.inc"; include "../n.inc"; include $x . "m.inc" ?>',
        "c.asp": "<!-- #include file='o.inc' -->",
        "m.inc": "空",
        "n.inc": "<p>ascii",
        "o.inc": "<p>ascii",
    }
    old = site(tmp_path / "old", {name: text.encode("euc-jp") for name, text in files.items()})
    done = migrate(old, tmp_path / "new")
    assert done.exit_code == 2
    assert "m.inc: it would be in UTF-8, but sub/b.php includes it, and is copied" in done.stderr
    assert "1 decision to make" in done.stderr
    moved = CliRunner().invoke(cli, ["mv", "--root", str(old), "o.inc", "sub/o.inc"])
    assert moved.exit_code == 2
    assert "c.asp:1: it includes o.inc, and would not find it after the move" in moved.output


def test_what_a_server_does_not_parse_includes_nothing(tmp_path: Path) -> None:
    page = '<meta charset=shift_jis><title>空</title><!--#include virtual="m.txt"-->'
    files = {"a.html": page, "m.txt": "空", ".htaccess": "Options -Includes\n"}
    old = site(tmp_path / "old", {name: text.encode("cp932") for name, text in files.items()})
    assert migrate(old, tmp_path / "new").exit_code == 0
    assert (tmp_path / "new/m.txt").read_bytes() == "空".encode("cp932")
    (old / ".htaccess").write_text("Options +Includes\n")
    assert migrate(old, tmp_path / "parsed").exit_code == 0
    assert (tmp_path / "parsed/m.txt").read_text("utf-8") == "空"


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
    old = site(
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
    old = site(tmp_path / "old", {name: text.encode() for name, text in files.items()})
    options = ("--rename", ".htm=.html", "--base", "http://h.example/")
    done = migrate(old, tmp_path / "new", *options)
    assert done.exit_code == 1
    named = [line.removeprefix("linkfix: ").partition(": this")[0] for line in done.stderr.splitlines() if ": this has" in line]  # fmt: skip
    assert named == [
        "a.htm:2: location.href='b.htm'",
        'a.htm:3: window.open("/d/c.htm?x"',
        'a.htm:5: location="http://h.example/b.htm#y"',
        's.js:1: location.assign("/b.htm"',
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
    old = site(tmp_path / "old", {name: text.encode() for name, text in files.items()})
    options = ("--rename", ".htm=.html", "--base", "http://h.example/")
    assert migrate(old, tmp_path / "new", *options).exit_code == 0
    for name, text in files.items():
        new = (tmp_path / "new" / name.replace(".htm", ".html")).read_text("utf-8")
        assert new == text.replace("a.htm", "a.html"), name
