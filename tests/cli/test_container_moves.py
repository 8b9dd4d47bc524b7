"""Moves in containers, and migrations of them."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import packages
import pytest
from click.testing import CliRunner
from packages import FORMS, missing, run, written

import linkfix
from linkfix.cli.group import cli as main


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return written(tmp_path / "book.epub", packages.as_zip(packages.BOOK, comment=b"remark"))


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(
    ("old", "new"), [("b c.html", "a/d é.html"), ("a", "x/y"), ("x y.png", "z.png")]
)
def test_a_move_gives_the_same_files(name: str, old: str, new: str, tmp_path: Path) -> None:
    folder = packages.as_folder(packages.SITE, tmp_path / "site")
    container = written(tmp_path / name, FORMS[name](packages.SITE))
    said = [
        run("mv", "--root", root, "--dry-run", old, new)
        .stdout.replace(f"{root}", "")
        .replace("!/", "/")
        for root in (folder, container)
    ]
    assert said[0] == said[1]
    for root in (folder, container):
        run("mv", "--root", root, old, new)
    moved = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    found = packages.contents(container.read_bytes())
    assert found == {each: (folder / each).read_bytes() for each in moved}
    assert {*found} != {*packages.SITE}
    assert len(found) == len(packages.SITE)
    run("mv", "--root", container, new, old)
    assert {*packages.contents(container.read_bytes())} == {*packages.SITE}


MIGRATION = ["--to", "uri", "--rename", ".html=.htm", "--served", "/x", "--accept"]


@pytest.mark.parametrize("name", FORMS)
def test_a_migration_gives_the_same_bytes_and_reports(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages.as_folder(packages.SITE, tmp_path / "site")
    old = written(tmp_path / name, FORMS[name](packages.SITE)).read_bytes()
    monkeypatch.chdir(tmp_path)
    new, command = f"new-{name}", ["migrate", *MIGRATION, "--report"]
    run(*command, "site.jsonl", "site", "new", status=1)
    run(*command, "dry.jsonl", "--dry-run", name, new, status=1)
    assert not (tmp_path / new).exists()
    run(*command, "packed.jsonl", name, new, status=1)
    reports = [Path(f"{each}.jsonl").read_text() for each in ("site", "packed", "dry")]
    assert reports == [reports[0]] * 3
    found = packages.contents(Path(new).read_bytes())
    assert found == {each: (Path("new", each)).read_bytes() for each in found}
    assert [*found] == [each.replace(".html", ".htm") for each in packages.SITE]
    assert found["index.htm"] != packages.SITE["index.html"]
    assert Path(name).read_bytes() == old
    assert {each.name for each in tmp_path.iterdir()} == {
        *("site", name, "new", new, "site.jsonl", "packed.jsonl", "dry.jsonl")
    }
    run("migrate", *MIGRATION, "-q", name, "unpacked", status=1)
    assert {each: Path("unpacked", each).read_bytes() for each in found} == found


def test_a_migrated_book_keeps_what_has_not_changed(book: Path, tmp_path: Path) -> None:
    page = "OPS/b c.xhtml"
    old = {**packages.BOOK, page: packages.BOOK[page].replace(b"utf-8", b"shift_jis")}
    book.write_bytes(packages.as_zip(old))
    new = tmp_path / "new.epub"
    run("migrate", "-q", book, new)
    changed = packages.BOOK[page].replace(b"utf-8", b"UTF-8")
    assert packages.contents(new.read_bytes()) == {**packages.BOOK, page: changed}
    with zipfile.ZipFile(book) as one, zipfile.ZipFile(new) as two:
        assert [each.filename for each in one.infolist()] == [
            each.filename for each in two.infolist()
        ]
        assert two.infolist()[0].compress_type == zipfile.ZIP_STORED
        for each, other in zip(one.infolist(), two.infolist(), strict=True):
            assert each.date_time == other.date_time
            assert (each.CRC == other.CRC) is (each.filename != page)


def test_what_cannot_be_migrated_into_a_container(book: Path, tmp_path: Path) -> None:
    mail = written(tmp_path / "m.eml", packages.EML)
    signed = written(
        tmp_path / "s.zip", packages.as_zip({**packages.SITE, "META-INF/signatures.xml": b"<x/>"})
    )
    docx = written(tmp_path / "a.docx", packages.as_zip(packages.DOCX))
    new = tmp_path / "new.epub"
    for arguments, why in (
        ((mail, tmp_path / "new"), "are no site"),
        ((book, tmp_path / "new.zip"), "with the same extension"),
        ((tmp_path, new), "with the same extension"),
        ((book, book), "there is such a file"),
        ((tmp_path, written(tmp_path.parent / "x.txt", b"")), "this is no folder"),
        ((f"{book}!/mimetype", new), "is no folder"),
        ((book, new, "--exclude", "*.opf"), "cannot leave any out"),
        ((book, new, "--rename", ".opf=.xml"), "which has to stay"),
        ((docx, tmp_path / "new.docx", "--rename", ".xml=.x"), "no link is"),
    ):
        assert why in run("migrate", *arguments, status=2).stderr
    result = CliRunner().invoke(main, ["migrate", str(signed), str(tmp_path / "new.zip")])
    assert isinstance(result.exception, linkfix.SignedDocumentError)
    assert {each.name for each in tmp_path.iterdir()} == {"m.eml", "s.zip", "a.docx", "book.epub"}


def test_a_migration_of_a_container_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = packages.as_zip(packages.SITE)
    damaged = bytearray(data)
    damaged[data.index(b"x y.png") + 20] ^= 1  # in its compressed content
    written(tmp_path / "s.zip", bytes(damaged))
    assert "files failed" in run("migrate", "s.zip", "n.zip", status=3).stderr
    assert not Path("n.zip").exists()
    (place,) = (each for each in tmp_path.iterdir() if each.is_dir())
    other = written(place / "note of somebody.txt", b"x")
    written(tmp_path / "s.zip", data)
    run("migrate", "-q", "--resume", "s.zip", "n.zip", status=1)
    run("migrate", "-q", "s.zip", "m.zip", status=1)
    assert Path("n.zip").read_bytes() == Path("m.zip").read_bytes()
    assert {each.name for each in tmp_path.iterdir()} == {"s.zip", "n.zip", "m.zip", place.name}
    assert [each for each in place.rglob("*") if each.is_file()] == [Path(other)]


@pytest.mark.parametrize("removed", [0, 3, 7])
def test_a_migration_killed_while_its_folder_is_removed_is_resumed(
    removed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "s.zip", packages.as_zip(packages.SITE))
    unlink, left = Path.unlink, [removed]

    def killed(path: Path, *, missing_ok: bool = False) -> None:
        if ".linkfix-n.zip" in path.parts and Path("n.zip").exists():
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", killed)
        run("migrate", "-q", "s.zip", "n.zip", status=1)
    new = Path("n.zip").read_bytes()
    place = tmp_path / ".linkfix-n.zip"
    assert place.is_dir()
    Path("n.zip").write_bytes(packages.as_zip({"x": b"of somebody"}))
    if removed == 0:
        assert "there is such a file" in run("migrate", "--resume", "s.zip", "n.zip", status=2).stderr  # fmt: skip
        assert any(place.iterdir())
    Path("n.zip").write_bytes(new)
    run("migrate", "-q", "--resume", "s.zip", "n.zip", status=1)
    assert Path("n.zip").read_bytes() == new
    assert {each.name for each in tmp_path.iterdir()} == {"s.zip", "n.zip"}
    assert "nothing is left to do" in run("migrate", "--resume", "s.zip", "n.zip").stderr


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_the_entry_of_a_folder_moves_with_its_files(kind: str, tmp_path: Path) -> None:
    out = io.BytesIO()
    folders = ["a/", "a/b/", "a/none/", "a/bc/", "d/"]
    files = {"a/b/é.html": packages.SITE["same.html"], "a/bc/y.html": b"<p>"}
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as archive:
            for each in folders:
                archive.mkdir(each)
            for each, data in files.items():
                archive.writestr(each, data)
    else:
        with tarfile.open(fileobj=out, mode="w") as archive_of_tar:
            for each in [*folders, *files]:
                info = tarfile.TarInfo(each)
                info.type = tarfile.DIRTYPE if each in folders else tarfile.REGTYPE
                info.size = len(files.get(each, b""))
                archive_of_tar.addfile(info, io.BytesIO(files.get(each, b"")))
    path = written(tmp_path / f"s.{kind}", out.getvalue())

    def names() -> set[str]:
        if kind == "zip":
            return {*zipfile.ZipFile(path).namelist()}
        with tarfile.open(path) as archive:
            return {each.name + "/" * each.isdir() for each in archive}

    run("mv", "--root", path, "a/b", "a/x")
    assert names() == {"a/", "a/x/", "a/none/", "a/bc/", "d/", "a/x/é.html", "a/bc/y.html"}
    run("mv", "--root", path, "a", "u/v")
    assert names() == {"u/v/", "u/v/x/", "u/v/none/", "u/v/bc/", "d/", "u/v/x/é.html", "u/v/bc/y.html"}  # fmt: skip


def test_a_move_in_a_book_keeps_it_whole(book: Path) -> None:
    run("mv", "--root", book, "OPS/é.xhtml", "Text/1.xhtml")
    new = packages.contents(book.read_bytes())
    assert [*new] == [
        "mimetype",
        "META-INF/container.xml",
        "OPS/book.opf",
        "OPS/nav.xhtml",
        "Text/1.xhtml",
        "OPS/b c.xhtml",
    ]
    assert b'href="../Text/1.xhtml"' in new["OPS/book.opf"]
    assert b'href="../OPS/b%20c.xhtml"' in new["Text/1.xhtml"]
    assert missing(book) == set()
    old = book.read_bytes()
    for arguments in (["OPS", "X"], ["OPS/nav.xhtml", "OPS/b c.xhtml"], ["OPS/gone", "x"]):
        run("mv", "--root", book, *arguments, status=2)
    assert book.read_bytes() == old


def test_a_move_in_an_office_file_is_refused(tmp_path: Path) -> None:
    for name, files in (("a.docx", packages.DOCX), ("a.odt", packages.ODT)):
        path = written(tmp_path / name, packages.as_zip(files))
        assert "no link is" in run("mv", "--root", path, [*files][-1], "x", status=2).stderr


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A site with a book that links to a page of it, and one that is damaged."""
    page = b'<html xmlns="http://www.w3.org/1999/xhtml"><a href="../x.html"/><a href="b.xhtml"/></html>'
    site = packages.as_folder(
        {"x.html": b'<a href="y.html">', "y.html": b'<a href="book.epub!/a.xhtml">'},
        tmp_path / "site",
    )
    written(site / "book.epub", packages.as_zip({"a.xhtml": page, "b.xhtml": page[:43] + b"/>"}))
    written(site / "damaged.docx", b"PK\x03\x04")
    return site


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [("x.html", "z.html", 1), ("book.epub", "d/book.epub", 1), ("y.html", "z.html", 0)],
)
@pytest.mark.parametrize("mode", ["-q", "--dry-run"])
def test_links_of_a_book_that_a_move_breaks_are_named(
    library: Path, old: str, new: str, status: int, mode: str
) -> None:
    book = (library / "book.epub").read_bytes()
    done = run("mv", "--root", library, mode, old, new, status=status)
    said = (
        "book.epub!/a.xhtml: links in it will lead elsewhere: files in containers are not rewritten"
    )
    assert (said in done.stderr) is bool(status)
    assert next(library.rglob("book.epub")).read_bytes() == book
    leads = next(each.read_bytes() for each in library.rglob("[yz].html") if b"!" in each.read_bytes())  # fmt: skip
    assert (b"d/book.epub!/a.xhtml" in leads) is (old == "book.epub" and mode == "-q")


def test_links_of_a_signed_book_that_a_move_breaks_are_named(library: Path) -> None:
    members = packages.contents((library / "book.epub").read_bytes())
    signed = packages.as_zip({**members, "META-INF/signatures.xml": b"<x/>"})
    written(library / "book.epub", signed)
    done = run("mv", "--root", library, "-q", "x.html", "z.html", status=1)
    assert "book.epub!/a.xhtml: links in it will lead elsewhere" in done.stderr
    assert (library / "book.epub").read_bytes() == signed


_ENCRYPTED = b"""<e:EncryptedData xmlns:e="http://www.w3.org/2001/04/xmlenc#">
<e:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/></e:EncryptedData>"""


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "book.epub!/a.xhtml: links in it will lead elsewhere"),
        (
            {"a.xhtml": bytes(range(256))},
            "book.epub: it is encrypted (META-INF/encryption.xml); whether links in it will lead elsewhere is not known",
        ),
    ],
)
def test_a_move_reads_what_it_can_of_an_encrypted_book(
    library: Path, more: dict[str, bytes], said: str
) -> None:
    members = packages.contents((library / "book.epub").read_bytes())
    secret = packages.as_zip({**members, **more, "META-INF/encryption.xml": _ENCRYPTED})
    written(library / "book.epub", secret)
    done = run("mv", "--root", library, "-q", "x.html", "z.html", status=int(not more))
    assert said in done.stderr
    assert (library / "book.epub").read_bytes() == secret


def test_links_of_a_copied_book_that_a_migration_breaks_are_named(
    library: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.jsonl"
    for target, options, status in (("one", ["--rename", ".html=.htm"], 1), ("two", [], 0)):
        run("migrate", library, tmp_path / target, "--report", report, *options, "--served", "*", status=status)  # fmt: skip
        lines = map(json.loads, report.read_text().splitlines())
        stale = [each for each in lines if each["record"] == "stale"]
        named = [(each["file"], each["line"], each["text"].split(":")[0]) for each in stale]
        assert named == [("book.epub!/a.xhtml", 1, "../x.html")] * status
