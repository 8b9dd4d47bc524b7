"""What ``linkfix migrate`` does with parts that pages include."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner
from migrations import TEXT, migrate
from movable_site import make

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path


def test_a_part_of_a_page_whose_charset_is_guessed_is_copied_with_it(tmp_path: Path) -> None:
    part = f"<p>{TEXT}".encode("euc-jp")
    outer = f'<p>{TEXT}<!--#include file="m.inc"-->'.encode("euc-jp")
    page = f'<title>{TEXT}</title><!--#include file="a.html"-->'.encode("euc-jp")
    old = make(tmp_path / "old", {"a.html": outer, "a.shtml": page, "m.inc": part})
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
    old = make(
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
    old = make(
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
    old = make(tmp_path / "old", files)
    assert migrate(old, tmp_path / "new", "--root-relative", "--base", "http://h.example/").exit_code == 0  # fmt: skip
    assert (tmp_path / "new/inc/deep.inc").read_bytes() == b'<a href="/b.html">b</a>'


def test_a_named_part_is_one(tmp_path: Path) -> None:
    old = make(
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


def test_pages_with_code_are_migrated_with_their_parts(tmp_path: Path) -> None:
    """Includes of PHP and JSP name parts; code keeps its characters, and what it says of charsets is named."""
    part = '<a href="/s?q=空">空</a><?php echo "空" ?>'
    php = '<?php require_once __DIR__ . "/inc/m.inc"; if ($a > 1) { echo "<a href=\'/s?q=空\'>x</a>"; } ?>'
    php += '<meta charset="euc-jp"><title>空</title><?php include(\'foot.txt\') ?><a href="/s?q=空">x</a>'
    jsp = '<%@ page pageEncoding="EUC-JP" %>\n<%@ include file="/inc/m.inc" %><jsp:include page="foot.txt"/>'
    jsp += '<meta charset="euc-jp"><title>空</title>'
    files = {"a.php": php, "b.jsp": jsp, "inc/m.inc": part, "foot.txt": part}
    old = make(tmp_path / "old", {name: text.encode("euc-jp") for name, text in files.items()})
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


def test_a_page_with_code_may_be_ascii_afterwards(tmp_path: Path) -> None:
    """Its program declares UTF-8 from now on, so no guess is compared with it."""
    old = make(tmp_path / "old", {"a.php": '<a href="/s?q=é">x</a><?php f() ?>'.encode("latin-1")})
    options = ("--page", "*.php", "--served", "/s", "--source-charset", "iso-8859-1")
    assert migrate(old, tmp_path / "new", *options).exit_code == 0
    assert (tmp_path / "new/a.php").read_text("utf-8") == '<a href="/s?q=%E9">x</a><?php f() ?>'


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
    old = make(tmp_path / "old", {name: text.encode("euc-jp") for name, text in files.items()})
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
    old = make(tmp_path / "old", {name: text.encode("cp932") for name, text in files.items()})
    assert migrate(old, tmp_path / "new").exit_code == 0
    assert (tmp_path / "new/m.txt").read_bytes() == "空".encode("cp932")
    (old / ".htaccess").write_text("Options +Includes\n")
    assert migrate(old, tmp_path / "parsed").exit_code == 0
    assert (tmp_path / "parsed/m.txt").read_text("utf-8") == "空"
