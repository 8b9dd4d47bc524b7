"""``linkfix verify``: two files or two folders, and the first difference of each document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import packages
import pytest
from click.testing import CliRunner
from crawls import record

from linkfix.cli.group import cli
from linkfix.verifying import is_available

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

pytestmark = pytest.mark.skipif(
    not is_available(), reason="the extra verify (ada-url, selectolax) is not installed"
)
PAGE = '<meta charset="windows-1251"><a href="/a b?q=ж">ж</a><script>"<a href=x y>"</script>'


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["verify", *map(str, arguments)])


@pytest.fixture
def old(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.html").write_bytes(PAGE.encode("windows-1251"))
    (folder / "sub" / "b.html").write_bytes(PAGE.encode("windows-1251"))
    return folder


def test_a_rewritten_folder_has_no_difference(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    assert CliRunner().invoke(cli, ["rewrite", "-o", str(new), str(old)]).exit_code == 0
    result = run(old, new)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "linkfix: 2 documents compared, 0 with a difference\n"


def test_a_migrated_folder_has_no_difference_but_the_charset(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    CliRunner().invoke(cli, ["migrate", str(old), str(new)])
    assert run("--transcoded", old, new).exit_code == 0
    result = run(old, new)
    assert result.exit_code == 1
    assert "charset: document: 'windows-1251' became 'UTF-8'" in result.stdout


def test_the_old_charsets_are_those_of_the_server_the_pages_and_the_parts(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    (old / ".htaccess").write_bytes(b"AddDefaultCharset windows-1251")
    (old / "a.html").write_bytes(
        '<link rel=stylesheet href=a.css><a href="x?q=ж">ж'.encode("cp1251")
    )
    (old / "a.css").write_bytes("a{background:url(ж.png)}".encode("cp1251"))
    (old / "b.shtml").write_bytes('<p>ж<!--#include file="c.inc"-->'.encode("cp1251"))
    (old / "c.inc").write_bytes('<a href="y?q=ж">ж'.encode("cp1251"))
    assert CliRunner().invoke(cli, ["migrate", "-q", str(old), str(new)]).exit_code == 1
    assert (new / "a.css").read_bytes().startswith(b'@charset "utf-8";')
    result = run("--transcoded", old, new)
    assert (result.exit_code, result.stdout) == (0, "")


def test_the_old_charsets_that_a_migration_was_told_are_told_folder_by_folder(
    tmp_path: Path,
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    told = {"ru": "windows-1251", "ja": "shift_jis"}
    for (name, label), text in zip(told.items(), ("при", "表"), strict=True):
        (old / name).mkdir(parents=True)
        page = f'<title>{text}</title><a href="?q={text}">x</a>'
        (old / name / "a.html").write_bytes(page.encode(label))
    options = [f"--source-charset=/{name}/={label}" for name, label in told.items()]
    assert CliRunner().invoke(cli, ["migrate", "-q", str(old), str(new), *options]).exit_code == 0
    assert run("--transcoded", old, new).exit_code == 1, "their charset is a guess"
    for name, label in told.items():
        options = ["--include", f"/{name}/", "--charset", label]
        result = run("--transcoded", *options, old, new)
        assert (result.exit_code, result.stdout) == (0, "")


def test_the_containers_of_folders_are_compared(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    for name in ("sub/a.epub", "b.epub", "c.epub"):
        (old / name).write_bytes(packages.as_zip(packages.BOOK))
    assert CliRunner().invoke(cli, ["rewrite", "-o", str(new), str(old)]).exit_code == 0
    assert run(old, new).exit_code == 0
    (new / "sub" / "a.epub").write_bytes(packages.as_zip(dict([*packages.BOOK.items()][:-1])))
    (new / "c.epub").unlink()
    result = run(old, new)
    said = result.stdout.splitlines()
    assert result.exit_code == 1
    assert all(" there is no " in line for line in said)
    assert {line.partition("!/")[0] for line in said} == {f"{old}/sub/a.epub", f"{old}/c.epub"}
    assert run("--transcoded", old, new).stderr.startswith("linkfix: 2 documents compared")


def test_each_difference_is_named(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    CliRunner().invoke(cli, ["rewrite", "-o", str(new), str(old)])
    page = new / "a.html"
    page.write_bytes(page.read_bytes().replace(b"%20", b"+"))
    (new / "sub" / "b.html").unlink()
    result = run("--jobs", "1", old, new)
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert first.startswith(f"{old}/a.html:1:39: link: a@href: '/a b?q=\\u0436' became '/a+b?q=")
    assert second == f"{old}/sub/b.html: there is no {new}/sub/b.html"


def test_an_old_file_that_is_missing_is_no_difference(tmp_path: Path) -> None:
    result = run(tmp_path / "nosuch.html", tmp_path / "none.html")
    assert result.exit_code == 3
    assert "nosuch.html: cannot read it: No such file or directory" in result.stderr


def test_a_new_document_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    old, new = tmp_path / "old.xml", tmp_path / "new.xml"
    old.write_text("<r/>")
    new.write_text("<r>")
    result = run(old, new)
    assert result.exit_code == 3
    assert f"{new}:1:4: not well-formed XML" in result.stderr


def test_a_file_and_a_folder_are_not_compared(old: Path) -> None:
    assert run(old, old / "a.html").exit_code == 2


def test_a_warc_file_is_refused_for_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(record("http://h.example/", b"<a href='/b'>"))
    result = run(tmp_path / "a.warc", tmp_path / "a.warc")
    assert result.exit_code == 3
    assert f"{tmp_path}/a.warc: WARC files are not compared\n" in result.stderr


COMMANDS = {
    "rewrite -i": "rewrite -i OLD",
    "rewrite -o": "rewrite -o NEW OLD",
    "audit --fix": "audit --fix --fail-on never OLD",
    "migrate": "migrate --to uri --served * OLD NEW",
}


def spell_wrongly(monkeypatch: pytest.MonkeyPatch, new: bytes) -> None:
    """Have the rewriter write something else for every link."""
    monkeypatch.setattr("linkfix.rewriting.spelling.spell", lambda *_: new)
    monkeypatch.setattr("linkfix.rewriting.rewriter.spell_plainly", lambda *_: new)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("spelling", [b"/elsewhere", b"x><b"])
def test_a_faulty_new_document_is_discarded(
    old: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    spelling: bytes,
) -> None:
    spell_wrongly(monkeypatch, spelling)
    before = {path: path.read_bytes() for path in old.rglob("*.html")}
    new = tmp_path / "new"
    places = {"OLD": str(old), "NEW": str(new)}
    result = CliRunner().invoke(cli, [places.get(w, w) for w in COMMANDS[command].split()])
    assert result.exit_code == 3, result.output
    assert "differs in more than links, and was discarded" in result.stderr
    assert before == {path: path.read_bytes() for path in old.rglob("*.html")}
    if command == "rewrite -o":
        assert not list(new.rglob("*.html"))
    if command == "migrate":
        assert (new / "a.html").read_bytes() == before[old / "a.html"]


def test_a_link_that_is_left_does_not_cost_the_document(tmp_path: Path) -> None:
    """Its charset is a guess, and it is in a possible template."""
    page, rules = tmp_path / "page.html", tmp_path / "map.csv"
    links = '<a href="/d/é">a</a><a href="/d/b">b</a>{{ <a href="/d/c">c</a>'
    page.write_text(links, encoding="utf-8")
    rules.write_text("http://h.example/d/,http://n.example/,prefix\n")
    arguments = ["rewrite", "--map", str(rules), "--base", "http://h.example/", "-i", str(page)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.stderr
    assert "2 left that cannot be rewritten" in result.stderr
    assert page.read_text("utf-8") == links.replace("/d/b", "http://n.example/b")


def test_a_migration_names_links_that_are_left_to_files_with_new_names(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    links = '<a href="b.html">b</a> {{ <a href="b.html">b</a><a href="b.png">b</a><a href="#x">b</a>{{ x }}'
    (old / "a.html").write_text(f"<meta charset=utf-8>{links}")
    for name in ("b.html", "b.png"):
        (old / name).touch()
    arguments = ["migrate", "--rename", ".html=.htm", str(old), str(tmp_path / "new")]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 1, result.stderr
    assert "a.html:1:56: b.html: this link may lead elsewhere from now on" in result.stderr
    assert result.stderr.count("may lead elsewhere") == 2, "and the summary says so"
    new = (tmp_path / "new" / "a.htm").read_text("utf-8")
    assert new.endswith(links.replace("b.html", "b.htm", 1))


def test_without_verification_it_is_written(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spell_wrongly(monkeypatch, b"/elsewhere")
    new = tmp_path / "new"
    result = CliRunner().invoke(cli, ["rewrite", "--no-verify", "-o", str(new), str(old)])
    assert result.exit_code == 0
    assert b"/elsewhere" in (new / "a.html").read_bytes()


def test_a_document_too_large_for_the_memory_of_a_worker_is_not_verified(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spell_wrongly(monkeypatch, b"/elsewhere")
    monkeypatch.setattr("linkfix.files.verification.MOST", 4096)
    (old / "sub" / "b.html").write_bytes(PAGE.encode("windows-1251") + b"<p>" * 2000)
    new = tmp_path / "new"
    result = CliRunner().invoke(cli, ["rewrite", "-o", str(new), str(old)])
    assert result.exit_code == 3
    assert [path.name for path in new.rglob("*.html")] == ["b.html"]


def test_rules_of_a_map_are_counted_once(old: Path, tmp_path: Path) -> None:
    rules = tmp_path / "map.csv"
    rules.write_text("http://h.example/,http://n.example/,prefix\n")
    arguments = ["rewrite", "--map", str(rules), "--base", "http://h.example/", "-i", str(old)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.stderr
    assert "2 links mapped" in result.stderr
    assert "0 of 1 rules were never used" in result.stderr


SPELLED = """<meta charset=shift_jis><a href="http://EX.com/old/a">a</a><a href="http://ex.com/old/a b">b</a>
<a href="HTTP://ex.com:80/old/c">c</a><a href="http://ex.com/%6Fld/d">d</a><a href="/old/{{ x }}">e</a>
<style>a{b:url(http://ex.com/old/?空)}</style><a href="/old/?空">f</a>"""


@pytest.mark.parametrize("host", ["ex.com", "EX.com"])
@pytest.mark.parametrize("level", ["simple", "syntax", "scheme"])
def test_a_verification_knows_what_a_map_does_at_each_level(
    tmp_path: Path, level: str, host: str
) -> None:
    """Which links a map matches depends on their spelling; what readers disagree on, and templates, are left."""
    old, new, rules = tmp_path / "old", tmp_path / "new", tmp_path / "map.csv"
    old.mkdir()
    (old / "a.html").write_bytes(SPELLED.encode("shift_jis"))
    rules.write_text(f"http://{host}/old/,http://new.example/,prefix\n")
    options = ["--map", str(rules), "--map-level", level, "--base", "http://EX.com/"]
    arguments = ["rewrite", "--verify", *options, "-o", str(new), str(old)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.stderr
    result = run(*options, old, new)
    assert (result.exit_code, result.stdout) == (0, "")
    page = new / "a.html"
    page.write_bytes(page.read_bytes().replace(b"//new.example/", b"//other.example/"))
    assert run(*options, old, new).exit_code == 1


def test_a_verification_reads_parts_in_the_place_of_their_pages(tmp_path: Path) -> None:
    """Links of a part that pages of several folders include stay."""
    old, new, rules = tmp_path / "old", tmp_path / "new", tmp_path / "map.csv"
    pages = {
        "index.html": '<!--#include virtual="/inc/menu.html" --><!--#include virtual="/inc/all.html" -->',
        "sub/b.html": '<!--#include virtual="/inc/all.html" -->',
        "inc/menu.html": '<a href="a.html">a</a>',
        "inc/all.html": '<a href="a.html">a</a><a href="/a.html">a</a>',
    }
    for name, text in pages.items():
        (old / name).parent.mkdir(parents=True, exist_ok=True)
        (old / name).write_text(f"<meta charset=utf-8>{text}")
    rules.write_text("/a.html,/new/a.html,exact\n")
    options = ["--map", str(rules), "--base", "http://h.example/"]
    assert CliRunner().invoke(cli, ["rewrite", *options, "-o", str(new), str(old)]).exit_code == 0
    assert b"new/a.html" in (new / "inc" / "menu.html").read_bytes()
    assert b'"a.html">a</a><a href="/new/a.html"' in (new / "inc" / "all.html").read_bytes()
    result = run(*options, old, new)
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    done = run(tmp_path, tmp_path / "none")
    assert done.exit_code == 2
    assert f"two files or two folders; there is no {tmp_path / 'none'}." in done.stderr
