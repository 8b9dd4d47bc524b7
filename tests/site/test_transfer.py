"""Files of a migrated site: kept attributes, files left out, and no writes outside."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from linkfix.errors import JournalError, LinkfixError, MigrationError, UnreadableError
from linkfix.files.journal import NAME
from linkfix.migration.migration import Migration
from linkfix.migration.settings import NOWHERE, Settings
from linkfix.migration.transfer import TransferResult
from linkfix.policy import LinkMap, Policy
from linkfix.server.headers import Labels

PAGE = '<meta charset=shift_jis><a href="?q=表">表'.encode("cp932")
LONG_AGO = 1_000_000_000 * 10**9


def write(root: Path, name: bytes | str, body: bytes = b"") -> Path:
    path = root / os.fsdecode(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    return path


def migrate(
    root: Path, *, resume: bool = False, **settings: object
) -> tuple[Migration, dict[str, TransferResult | LinkfixError]]:
    """Migrate the folder `old` to `new`; return the result of each file."""
    asked = Settings(str(root / "old"), str(root / "new"), Policy(), **settings)  # type: ignore[arg-type]
    migration = Migration(asked, resume=resume)
    list(migration.examine())
    done = {task.path: each for task, each in migration.transfer(migration.tasks())}
    migration.close(whole=True)
    return migration, done


def names(folder: Path) -> set[bytes]:
    return {os.fsencode(path.relative_to(folder)) for path in folder.rglob("*")}


def test_copies_keep_bytes_modes_and_times_and_documents_modes(tmp_path: Path) -> None:
    picture = write(tmp_path / "old", "a/picture.png", b"\x89PNG" * 100_000)
    page = write(tmp_path / "old", "a/page.html", PAGE)
    plain = write(tmp_path / "old", "a/plain.html", b"<meta charset=utf-8>")
    for path, mode in ((picture, 0o640), (page, 0o604), (plain, 0o600), (page.parent, 0o750)):
        path.chmod(mode)
        os.utime(path, ns=(LONG_AGO, LONG_AGO))
    migrate(tmp_path)
    new = tmp_path / "new" / "a"
    assert (new / "picture.png").read_bytes() == picture.read_bytes()
    assert "?q=%95%5C" in (new / "page.html").read_text("utf-8")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (new, *new.iterdir())}
    assert modes == {"a": 0o750, "picture.png": 0o640, "page.html": 0o604, "plain.html": 0o600}
    times = {path.name: path.stat().st_mtime_ns == LONG_AGO for path in (new, *new.iterdir())}
    assert times == {"a": True, "picture.png": True, "page.html": False, "plain.html": True}
    assert page.read_bytes() == PAGE, "the old tree stays as it is"


def test_only_unchanged_files_become_hard_links(tmp_path: Path) -> None:
    old = write(tmp_path / "old", "picture.png", b"x")
    page = write(tmp_path / "old", "page.html", b"<meta charset=utf-8>")
    migrate(tmp_path, hard_link=True)
    assert (tmp_path / "new" / "picture.png").samefile(old)
    assert not (tmp_path / "new" / "page.html").samefile(page)


def test_symbolic_links_are_created_again_with_the_same_target(tmp_path: Path) -> None:
    secret = write(tmp_path, "secret/key", b"secret")
    old = tmp_path / "old"
    hyoshi = os.fsdecode("表".encode("cp932"))
    write(old, f"{hyoshi}/page.htm", PAGE)
    (old / "sub").mkdir()
    (old / "sub" / "inside").symlink_to(old / hyoshi / "page.htm")  # absolute
    (old / "sub" / "folder").symlink_to(f"../{hyoshi}")
    (old / "loop").symlink_to("loop")
    (old / "round").symlink_to(".")
    (old / "out").symlink_to(secret.parent)
    (old / "key.html").symlink_to(secret)
    migration, _ = migrate(
        tmp_path, names=Labels.parse(["Shift_JIS"]), extensions={".htm": ".html"}
    )
    new = tmp_path / "new"
    assert {n.decode() for n in names(new)} == {
        "表",
        "表/page.html",
        "sub",
        "sub/inside",
        "sub/folder",
        "round",
    }
    assert (new / "sub" / "inside").readlink() == Path("../表/page.html")
    assert (new / "sub" / "folder").readlink() == Path("../表")
    assert (new / "round").readlink() == Path()
    assert set(migration.notes) == {"loop", "out", "key.html"}


def test_special_files_do_not_block_and_are_reported(tmp_path: Path) -> None:
    write(tmp_path / "old", "page.html", PAGE)
    os.mkfifo(tmp_path / "old" / "fifo.html")
    migration, done = migrate(tmp_path)
    assert list(done) == ["page.html"]
    assert migration.notes == {"fifo.html": "it is no regular file, and was passed over"}


@pytest.mark.parametrize(
    "name",
    [b"line\nfeed.html", b"\x95\x5c.html", b"x" * 250 + b".html", b"-rf", b"a b\\c.html", b"%2e"],
)
def test_odd_names_stay(tmp_path: Path, name: bytes) -> None:
    write(tmp_path / "old", name, PAGE)
    _, done = migrate(tmp_path)
    assert all(isinstance(each, TransferResult) for each in done.values())
    assert names(tmp_path / "new") == {name}


@pytest.mark.parametrize("new", ["/../../stolen.html", "/%2e%2e/stolen.html", "/a/../../../x.html"])
def test_dots_in_a_map_lead_out_of_nothing(tmp_path: Path, new: str) -> None:
    write(tmp_path / "old", "page.html", PAGE)
    links = LinkMap.parse(f"/page.html,{new}", format="csv", site=NOWHERE)
    migrate(tmp_path, links=links)
    assert {path.name for path in tmp_path.iterdir()} == {"old", "new"}
    assert len([path for path in (tmp_path / "new").rglob("*") if path.is_file()]) == 1


def test_a_link_in_the_new_tree_leads_no_file_out_of_it(tmp_path: Path) -> None:
    write(tmp_path / "old", "a/page.html", PAGE)
    outside = tmp_path / "outside"
    outside.mkdir()
    asked = Settings(str(tmp_path / "old"), str(tmp_path / "new"), Policy())
    migration = Migration(asked)
    list(migration.examine())
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a").symlink_to(outside)
    with pytest.raises(LinkfixError):
        list(migration.transfer(migration.tasks()))
    assert not list(outside.iterdir())


def test_a_document_that_cannot_be_processed_is_copied_and_reported(tmp_path: Path) -> None:
    write(tmp_path / "old", "bad.xml", b"<a><b></a>")
    write(tmp_path / "old", "good.html", PAGE)
    _, done = migrate(tmp_path)
    bad, good = done["bad.xml"], done["good.html"]
    assert isinstance(bad, TransferResult)
    assert "bad.xml:1" in bad.error
    assert (tmp_path / "new" / "bad.xml").read_bytes() == b"<a><b></a>"
    assert isinstance(good, TransferResult)
    assert not good.error


def test_a_missing_file_is_reported_and_transferred_by_the_next_run(tmp_path: Path) -> None:
    old = tmp_path / "old"
    gone = write(old, "gone.html", PAGE)
    write(old, "here.html", PAGE)
    migration = Migration(Settings(str(old), str(tmp_path / "new"), Policy()))
    list(migration.examine())
    tasks = migration.tasks()
    gone.rename(tmp_path / "away")
    done = {task.path: result for task, result in migration.transfer(tasks)}
    assert isinstance(done["gone.html"], UnreadableError)
    assert isinstance(done["here.html"], TransferResult)
    assert (tmp_path / "new" / NAME).exists()
    (tmp_path / "away").rename(gone)
    written = (tmp_path / "new" / "here.html").stat()
    migrate(tmp_path, resume=True)
    assert names(tmp_path / "new") == {b"gone.html", b"here.html"}
    assert os.path.samestat((tmp_path / "new" / "here.html").stat(), written), "done once"


def test_a_file_that_has_changed_since_is_done_again(tmp_path: Path) -> None:
    old = tmp_path / "old"
    write(old, "a.html", PAGE)
    bad = write(old, "b.html", PAGE)
    migration = Migration(Settings(str(old), str(tmp_path / "new"), Policy()))
    list(migration.examine())
    tasks = migration.tasks()
    bad.unlink()
    list(migration.transfer(tasks))
    write(old, "a.html", PAGE + b"more")
    write(old, "b.html", PAGE)
    migrate(tmp_path, resume=True)
    assert (tmp_path / "new" / "a.html").read_bytes().endswith(b"more")


def test_a_folder_that_cannot_be_read_is_transferred_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old"
    write(old, "a.html", b'<meta charset=utf-8><a href="/shut/b.shtml">b')
    write(old, "shut/b.shtml", b"<meta charset=utf-8>")
    write(old, "shut/.htaccess", b"DirectoryIndex b.shtml")
    scandir = os.scandir

    def guarded(path: str) -> Any:
        if os.fspath(path).endswith("shut"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    renamed: dict[str, Any] = {"base": "http://h.example/", "extensions": {".shtml": ".html"}}
    migration, _ = migrate(tmp_path, **renamed)
    assert [error.message for error in migration.failures] == [
        "cannot read this folder: Permission denied"
    ]
    assert names(tmp_path / "new") == {b"a.html", b"shut", os.fsencode(NAME)}
    monkeypatch.undo()
    migrate(tmp_path, resume=True, **renamed)
    assert names(tmp_path / "new") == {b"a.html", b"shut", b"shut/b.html", b"shut/.htaccess"}
    assert b'"/shut/b.html"' in (tmp_path / "new" / "a.html").read_bytes(), "links go there now"


def test_a_run_whose_files_are_gone_is_not_resumed(tmp_path: Path) -> None:
    old = tmp_path / "old"
    here, gone = write(old, "here.html", PAGE), write(old, "gone.html", PAGE)
    migration = Migration(Settings(str(old), str(tmp_path / "new"), Policy()))
    list(migration.examine())
    tasks = migration.tasks()
    here.unlink()
    list(migration.transfer(tasks))
    gone.rename(here)
    with pytest.raises(JournalError, match=r"gone\.html: .* not in the old tree any more"):
        migrate(tmp_path, resume=True)
    assert names(tmp_path / "new") == {b"gone.html", os.fsencode(NAME)}


def test_only_the_same_migration_is_gone_on_with(tmp_path: Path) -> None:
    write(tmp_path / "old", "a.html", PAGE)
    write(tmp_path / "new", "kept.txt", b"")
    with pytest.raises(JournalError, match="no unfinished run"):
        migrate(tmp_path, resume=True)
    with pytest.raises(MigrationError, match="not empty"):
        migrate(tmp_path)
    (tmp_path / "new" / "kept.txt").unlink()
    gone = write(tmp_path / "old", "b.html", PAGE)
    migration = Migration(Settings(str(tmp_path / "old"), str(tmp_path / "new"), Policy()))
    list(migration.examine())
    tasks = migration.tasks()
    gone.unlink()
    list(migration.transfer(tasks))
    with pytest.raises(MigrationError, match="not finished"):
        migrate(tmp_path)
    gone.write_bytes(PAGE)
    with pytest.raises(JournalError, match="to"):
        migrate(tmp_path, resume=True, to="iri")
    migrate(tmp_path, resume=True)


@pytest.mark.parametrize("target", ["old", "old/new", "."])
def test_trees_in_each_other_are_refused(tmp_path: Path, target: str) -> None:
    write(tmp_path / "old", "a.html", PAGE)
    with pytest.raises(MigrationError, match="in each other"):
        Migration(Settings(str(tmp_path / "old"), str(tmp_path / target), Policy()))
    (tmp_path / "also").symlink_to("old")
    with pytest.raises(MigrationError, match="in each other"):
        Migration(Settings(str(tmp_path / "also"), str(tmp_path / "old" / "x"), Policy()))


def test_scripts_and_style_sheets_are_in_the_charset_of_their_pages(tmp_path: Path) -> None:
    old = tmp_path / "old"
    page = "<meta charset=shift_jis><link rel=stylesheet href=a.css><script src=a.js></script>表"
    write(old, "page.html", page.encode("cp932"))
    write(old, "a.css", 'p::before { content: "表" }'.encode("cp932"))
    write(old, "a.js", 'alert("表")'.encode("cp932"))
    write(old, "unasked.js", 'alert("表")'.encode("cp932"))
    _, done = migrate(tmp_path)
    new = tmp_path / "new"
    assert (new / "a.js").read_text("utf-8") == 'alert("表")'
    assert (new / "a.css").read_text("utf-8") == '@charset "utf-8";\np::before { content: "表" }'
    assert (new / "unasked.js").read_bytes() == (old / "unasked.js").read_bytes()
    script = done["a.js"]
    assert isinstance(script, TransferResult)
    assert script.charset == "Shift_JIS"


def test_nothing_is_written_where_nothing_is_to_be(tmp_path: Path) -> None:
    write(tmp_path / "old", "page.html", PAGE)
    write(tmp_path / "old", "picture.png", b"x")
    _, done = migrate(tmp_path, writes=False)
    page = done["page.html"]
    assert isinstance(page, TransferResult)
    assert page.pinned == 1
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_headers_of_the_old_server_go_before_what_documents_say(tmp_path: Path) -> None:
    old = tmp_path / "old"
    body = '<meta charset=utf-8><a href="?q=表">'.encode("cp932")
    feed = '<feed xmlns="http://www.w3.org/2005/Atom"><title>表</title></feed>'
    for folder in ("one", "two"):
        write(old, f"{folder}/page.html", body)
        write(old, f"{folder}/a.js", 'alert("表")'.encode("cp932"))
        write(old, f"{folder}/feed.xml", feed.encode())
    write(old, "two/feed.xml", feed.encode("cp932"))
    # Servers send a charset that is for all with HTML alone.
    _, done = migrate(tmp_path, headers=Labels.parse(["Shift_JIS", "two/=Shift_JIS"]))
    charsets = {
        path: each.charset for path, each in done.items() if isinstance(each, TransferResult)
    }
    assert charsets == {
        "one/a.js": "",
        "one/feed.xml": "UTF-8",
        "one/page.html": "Shift_JIS",
        "two/a.js": "Shift_JIS",
        "two/feed.xml": "Shift_JIS",
        "two/page.html": "Shift_JIS",
    }
    new = tmp_path / "new"
    assert (new / "two" / "feed.xml").read_text("utf-8") == feed
    assert "?q=%95%5C" in (new / "one" / "page.html").read_text("utf-8")
    assert (new / "two" / "a.js").read_text("utf-8") == 'alert("表")'


def test_scripts_that_programs_make_go_on_being_read_as_they_were(tmp_path: Path) -> None:
    page = "<meta charset=shift_jis><script src=a.js></script><script src=a.php></script>"
    write(tmp_path / "old", "page.html", page.encode())
    write(tmp_path / "old", "a.js")
    write(tmp_path / "old", "a.php")
    migrate(tmp_path)
    new = (tmp_path / "new" / "page.html").read_text("utf-8")
    assert "<script src=a.js></script>" in new
    assert re.search("<script[^>]* charset=.?shift_jis[^>]*></script>", new, re.IGNORECASE)


def test_parts_of_pages_can_be_copied_as_they_are(tmp_path: Path) -> None:
    part = '<p><a href="?q=表">'.encode("cp932")
    write(tmp_path / "old", "part.inc", part)
    write(tmp_path / "old", "parts/part.html", part)
    write(tmp_path / "old", "page.html", PAGE)
    migrate(tmp_path, copy=("*.inc", "parts/"))
    copies = {path.name for path in (tmp_path / "new").rglob("*") if path.is_file()} - {"page.html"}
    assert copies == {"part.inc", "part.html"}
    assert (tmp_path / "new" / "part.inc").read_bytes() == part
    assert (tmp_path / "new" / "parts" / "part.html").read_bytes() == part
    assert (tmp_path / "new" / "page.html").read_bytes() != PAGE
