"""What ``linkfix migrate`` does where the charset of a document is guessed, or that of its page, and with octets that would be lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from migrations import TEXT, migrate, records
from movable_site import make

if TYPE_CHECKING:
    from pathlib import Path


def test_a_guessed_page_is_copied_and_named_until_the_guess_is_accepted(tmp_path: Path) -> None:
    page = f"<title>{TEXT}</title>".encode("euc-jp")
    old = make(
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
    old = make(
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
    old = make(
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
    old = make(tmp_path / "old", {"a.html": page, "m.js": SCRIPT, "c.css": sheet})
    new = tmp_path / "new"
    assert migrate(old, new, "--copy", "*.js", "--copy", "c.css").exit_code == 0
    assert ((new / "m.js").read_bytes(), (new / "c.css").read_bytes()) == (SCRIPT, sheet)
    written = (new / "a.html").read_text("utf-8")
    assert '<script charset="EUC-JP" src=m.js></script><link charset="EUC-JP" rel' in written


def test_a_page_says_the_charset_of_the_files_that_would_lose_octets(tmp_path: Path) -> None:
    page = b"<meta charset=euc-jp><script src=m.js></script><script src=z.js></script><link rel=stylesheet href=z.css>"
    sheet = f"a::after {{ content: '{TEXT}' }} /* ".encode("euc-jp") + b"\xff */"
    files = {"a.html": page, "m.js": SCRIPT, "z.js": SCRIPT + b"// \xff", "z.css": sheet}
    old, new = make(tmp_path / "old", files), tmp_path / "new"
    for options in ((), ("--resume",)):
        migrate(old, new, *options)
        for name in ("z.js", "z.css"):
            assert (new / name).read_bytes() == files[name]
        written = (new / "a.html").read_text("utf-8")
        assert '<script src=m.js></script><script charset="EUC-JP" src=z.js></script>' in written
        assert '<link charset="EUC-JP" rel=stylesheet href=z.css>' in written


@pytest.mark.parametrize("copied", [False, True])
def test_xml_says_the_charset_of_the_files_that_it_asks_for(tmp_path: Path, copied: bool) -> None:
    said = "<?xml-stylesheet {}href='c.css'?><html xmlns='http://www.w3.org/1999/xhtml'><script {}src='m.js'/></html>"
    page = '<?xml version="1.0" encoding="{}"?>'
    source = page.format("koi8-r") + said.format("charset='euc-jp' ", "charset='euc-jp' ")
    sheet = f"a::after {{ content: '{TEXT}' }}".encode("euc-jp")
    old = make(tmp_path / "old", {"a.xhtml": source.encode(), "m.js": SCRIPT, "c.css": sheet})
    new = tmp_path / "new"
    assert (
        migrate(old, new, *(("--copy", "*.js", "--copy", "*.css") if copied else ())).exit_code == 0
    )
    label = "charset='euc-jp' " if copied else "charset='utf-8' "
    assert (new / "a.xhtml").read_text("utf-8") == page.format("UTF-8") + said.format(label, label)
    for name in ("m.js", "c.css"):
        assert ((new / name).read_bytes() == (old / name).read_bytes()) == copied
        assert copied or TEXT in (new / name).read_text("utf-8")


def test_a_sheet_that_means_something_else_in_each_charset_of_its_pages_needs_a_decision(
    tmp_path: Path,
) -> None:
    pages = {f"{name}.html": f"<meta charset={name}><link rel=stylesheet href=c.css>".encode() for name in ("euc-jp", "big5")}  # fmt: skip
    sheet = "a { background: url(x?空) }".encode("euc-jp")
    old = make(tmp_path / "old", {**pages, "c.css": sheet})
    result = migrate(old, tmp_path / "new")
    assert result.exit_code == 2
    assert "c.css: big5.html (Big5) and euc-jp.html (EUC-JP) use it" in result.stderr


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


def test_a_style_sheet_in_utf_16_without_a_mark_is_one_where_its_page_says_so(
    tmp_path: Path,
) -> None:
    """CSS Syntax, 3.2: the environment may name UTF-16; a rule in UTF-16 names nothing."""
    style = "@charset 'x'; a:after{content:'\u00e9'}"
    old = make(
        tmp_path / "old",
        {
            "a.html": b"<meta charset=utf-8><link rel=stylesheet href=a.css charset=utf-16le>",
            "b.html": "\ufeff<link rel=stylesheet href=b.css>".encode("utf-16be"),
            "a.css": style.encode("utf-16le"),
            "b.css": style.encode("utf-16be"),
        },
    )
    assert migrate(old, tmp_path / "new").exit_code == 0
    for name in ("a.css", "b.css"):
        assert style in (tmp_path / "new" / name).read_text("utf-8")
    (old / "c.css").write_bytes('@charset "utf-16le"; a{}'.encode("utf-16le"))
    assert "c.css: this file is binary data" in migrate(old, tmp_path / "new2").stderr


def test_readers_that_disagree_on_a_query_agree_on_the_file(tmp_path: Path) -> None:
    old = make(
        tmp_path / "old",
        {
            "a.svg": f'<?xml version="1.0" encoding="euc-jp"?><?xml-stylesheet href="a.css?{TEXT}"?>'
            '<svg xmlns="http://www.w3.org/2000/svg"/>'.encode("euc-jp"),
            "a.css": f"text{{content:'{TEXT}'}}".encode("euc-jp"),
        },
    )
    assert migrate(old, tmp_path / "new").exit_code == 0
    assert f"text{{content:'{TEXT}'}}" in (tmp_path / "new/a.css").read_text("utf-8")


def test_a_style_sheet_is_not_declared_as_utf_8_where_it_is_not(tmp_path: Path) -> None:
    sheet = f"p:after{{content:'{TEXT}'}}".encode("euc-jp")
    old = make(tmp_path / "old", {"a.css": sheet, "b.css": b'@charset "utf-8";' + sheet})
    result = migrate(old, tmp_path / "new")
    assert result.exit_code == 1
    assert "a.css: the octets " in result.stderr
    assert "b.css: the octets " not in result.stderr
    for name in ("a.css", "b.css"):
        assert (tmp_path / "new" / name).read_bytes() == (old / name).read_bytes()
    assert migrate(old, tmp_path / "new2", "--accept-losses").exit_code == 0
    assert "\ufffd" in (tmp_path / "new2/a.css").read_text("utf-8")
