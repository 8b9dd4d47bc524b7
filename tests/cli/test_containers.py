"""Containers: every command reads the documents in them, and a rewrite replaces them whole or not at all."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import crawls
import packages
import pytest
from click.testing import CliRunner
from packages import FORMS, missing, run, written

import linkfix
from linkfix.cli.group import cli as main
from linkfix.errors import UnreadableError


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return written(tmp_path / "book.epub", packages.as_zip(packages.BOOK, comment=b"remark"))


COMMANDS = [
    ["extract", "--format", "jsonl"],
    ["extract", "--format", "jsonl", "--base", "http://h.example/"],
    ["audit", "--format", "jsonl", "--exit-zero"],
    ["audit", "--format", "jsonl", "--exit-zero", "--base", "http://h.example/d/", "-j", "2"],
    ["rewrite", "--dry-run", "-q"],
    ["rewrite", "--diff", "-q"],
    ["graph", "-q"],
    ["extract", "--include", "a/*.html", "--exclude", "sj.html"],
]  # fmt: skip


def as_folder_says(text: str, container: str) -> str:
    """The output about a container, with the paths of a folder."""
    return text.replace(f"{container}!/", "site/").replace(container, "site")


@pytest.mark.parametrize("name", FORMS)
def test_a_tree_gives_the_same_reports_as_folder_and_as_container(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages.as_folder(packages.SITE, tmp_path / "site")
    written(tmp_path / name, FORMS[name](packages.SITE))
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        folder, container = (CliRunner().invoke(main, [*command, each]) for each in ("site", name))
        assert folder.exit_code == container.exit_code
        assert folder.stdout.strip()
        assert as_folder_says(container.stdout, name) == folder.stdout
        assert as_folder_says(container.stderr, name) == folder.stderr


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("to", ["uri", "iri"])
def test_a_tree_becomes_the_same_bytes(name: str, to: str, tmp_path: Path) -> None:
    folder = packages.as_folder(packages.SITE, tmp_path / "site")
    container = written(tmp_path / name, FORMS[name](packages.SITE))
    run("rewrite", "-i", "-q", "--to", to, folder)
    run("rewrite", "-i", "-q", "--to", to, container)
    new = packages.contents(container.read_bytes())
    assert new == {name: (folder / name).read_bytes() for name in packages.SITE}
    assert new != packages.SITE
    assert [*new] == [*packages.SITE]
    again = container.read_bytes(), container.stat().st_ino
    run("rewrite", "-i", "-q", "--to", to, container)
    assert (container.read_bytes(), container.stat().st_ino) == again


@pytest.mark.parametrize("name", FORMS)
def test_a_fix_gives_the_same_bytes_and_reports(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages.as_folder(packages.SITE, tmp_path / "site")
    container = written(tmp_path / name, FORMS[name](packages.SITE))
    monkeypatch.chdir(tmp_path)
    done = {
        each: CliRunner().invoke(main, ["audit", "--fix", "--format", "jsonl", "-j", "2", each])
        for each in ("site", name)
    }
    assert done["site"].stdout == as_folder_says(done[name].stdout, name)
    assert "6 fixed" in done[name].stderr
    new = packages.contents(container.read_bytes())
    assert new == {each: (tmp_path / "site" / each).read_bytes() for each in packages.SITE}
    again = container.stat().st_ino
    run("audit", "--fix", "-q", name, status=1)
    assert container.stat().st_ino == again


def test_a_fix_leaves_what_is_signed_or_damaged(tmp_path: Path) -> None:
    files = packages.SITE | {"META-INF/signatures.xml": b"<x/>"}
    container = written(tmp_path / "s.zip", packages.as_zip(files))
    assert "it is signed" in run("audit", "--fix", container, status=3).stderr
    assert packages.contents(container.read_bytes()) == files
    run("audit", "--fix", "-q", "--signed", container, status=1)
    assert b"b%20c.html" in packages.contents(container.read_bytes())["index.html"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_in_another_compression_costs_no_other(method: int, tmp_path: Path) -> None:
    container, page = tmp_path / "s.zip", b'<meta charset=windows-1252><a href="b c.html">\xe9'
    with zipfile.ZipFile(container, "w") as file:
        file.writestr("a.html", page * 50, method)
        file.writestr("b.png", page * 50, method)
        file.writestr("c.html", page, zipfile.ZIP_DEFLATED)
    damaged = tmp_path / "damaged.zip"
    octets = bytearray(container.read_bytes())
    octets[50:70] = bytes(20)
    damaged.write_bytes(octets)
    run("migrate", "-q", container, tmp_path / "n.zip", status=1)  # links lead nowhere
    run("rewrite", "-i", "-q", container)
    for new, wanted in ((container, b"b%20c"), (tmp_path / "n.zip", b"\xc3\xa9")):
        with zipfile.ZipFile(new) as file:
            assert file.testzip() is None
            assert wanted in file.read("a.html")
            assert wanted in file.read("c.html")
            assert file.getinfo("b.png").compress_type == method
    assert "is damaged" in run("rewrite", "-i", "-q", damaged, status=3).stderr
    with zipfile.ZipFile(damaged) as file:
        assert b"b%20c" in file.read("c.html")


OUTER = {
    "p.html": packages.SITE["index.html"],
    "d/b.epub": packages.as_zip(packages.BOOK),
    "d/t.tar.gz": packages.as_tar_gz(packages.SITE),
    "d/deep.zip": packages.as_zip({"b.epub": packages.as_zip(packages.BOOK)}),
}


@pytest.mark.parametrize("name", ["o.zip", "o.tar", "o.tar.gz"])
def test_a_container_in_a_container_is_read_and_rewritten(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / name, FORMS[name.replace("o.", "site.")](OUTER))
    written(tmp_path / "b.epub", OUTER["d/b.epub"])
    monkeypatch.chdir(tmp_path)
    inner, alone = f"{name}!/d/b.epub!", "b.epub!"
    for command in (["extract"], ["audit", "--exit-zero"]):
        assert run(*command, inner).stdout.replace(inner, alone) == run(*command, alone).stdout
    assert "t.tar.gz" not in run("extract", name).stdout
    assert f"{name}!/d/t.tar.gz!/a/sj.html" in run("extract", "--include", "t.tar.gz", name).stdout
    assert not run("extract", "--include", "*.zip", f"{name}!/d").stdout  # in two containers
    run("rewrite", "-i", "-q", name)
    run("rewrite", "-i", "-q", "b.epub")
    new = packages.contents((tmp_path / name).read_bytes())
    assert new["d/b.epub"] == (tmp_path / "b.epub").read_bytes()
    assert new["d/b.epub"] != OUTER["d/b.epub"]
    assert new["d/t.tar.gz"] == OUTER["d/t.tar.gz"]
    assert new["d/deep.zip"] == OUTER["d/deep.zip"]


def test_a_folder_with_the_paths_of_a_container_is_not_written(tmp_path: Path) -> None:
    container = written(tmp_path / "s.zip", packages.as_zip(packages.SITE))
    beside = packages.as_folder(packages.SITE, tmp_path / "s.zip!")
    old = container.read_bytes()
    for command in ("rewrite -i", "audit --fix"):
        assert "ZIP archive" in run(*command.split(), "-q", container, status=3).stderr
    assert container.read_bytes() == old
    assert {each: (beside / each).read_bytes() for each in packages.SITE} == packages.SITE


def test_a_member_that_stays_keeps_its_octets(book: Path, tmp_path: Path) -> None:
    old = book.read_bytes()
    run("rewrite", "-q", "--to", "uri", "-o", tmp_path / "out", book)
    new = (tmp_path / "out" / "book.epub").read_bytes()
    before, after = packages.records(old), packages.records(new)
    assert [*before] == [*after]
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"OPS/book.opf", "OPS/nav.xhtml", "OPS/é.xhtml"}
    assert new[:4] == b"PK\3\4"
    assert new[30:66] == b"mimetypeapplication/epub+zip" + old[58:66]
    assert new.endswith(b"remark")
    was, is_now = (zipfile.ZipFile(io.BytesIO(each)).infolist() for each in (old, new))
    for one, other in zip(was, is_now, strict=True):
        assert (one.date_time, one.extra, one.compress_type, one.external_attr) == (
            other.date_time, other.extra, other.compress_type, other.external_attr,
        )  # fmt: skip
    assert packages.contents(new)["OPS/é.xhtml"] == packages.BOOK["OPS/é.xhtml"].replace(
        "é?q=a|b".encode(), b"%C3%A9?q=a%7Cb"
    )


def test_standard_output_and_the_library_read_members(book: Path) -> None:
    whole = run("rewrite", "-q", book).stdout_bytes
    assert packages.contents(whole)["OPS/nav.xhtml"] == run(
        "rewrite", "-q", f"{book}!/OPS/nav.xhtml"
    ).stdout_bytes  # fmt: skip
    links = linkfix.extract(f"{book}!/OPS/nav.xhtml", base="http://h.example/OPS/nav.xhtml")
    assert "http://h.example/OPS/%C3%A9.xhtml" in [link.resolved for link in links]
    with pytest.raises(linkfix.LinkfixError, match="no such file"):
        list(linkfix.extract(f"{book}!/OPS/gone.xhtml"))


def test_two_containers_are_compared(book: Path, tmp_path: Path) -> None:
    new = written(tmp_path / "new.epub", run("rewrite", "-q", book).stdout_bytes)
    assert not run("verify", book, new).stdout
    moved = packages.BOOK | {"OPS/nav.xhtml": packages.BOOK["OPS/nav.xhtml"].replace(b"#p", b"#q")}
    new.write_bytes(packages.as_zip(moved))
    assert "OPS/nav.xhtml" in run("verify", book, new, status=1).stdout


@pytest.mark.parametrize("options", [(), ("--base", "http://h.example/b/")])
def test_what_a_container_says_of_its_own_files_is_looked_up(
    options: tuple[str, ...], book: Path, tmp_path: Path
) -> None:
    letter = written(tmp_path / "a.docx", packages.as_zip(packages.DOCX))
    text = written(tmp_path / "a.odt", packages.as_zip(packages.ODT))
    assert missing(book, *options) == set()
    assert missing(letter, *options) == {("word/_rels/document.xml.rels", "media/gone.png")}
    assert missing(text, *options) == set()
    assert missing(tmp_path, *options) == {("word/_rels/document.xml.rels", "media/gone.png")}
    gone = {name: data for name, data in packages.BOOK.items() if name != "OPS/b c.xhtml"}
    book.write_bytes(packages.as_zip(gone))
    assert missing(book, *options) >= {("OPS/book.opf", "b%20c.xhtml"), ("OPS/nav.xhtml", "b%20c.xhtml#p")}  # fmt: skip


def test_folders_and_names_in_office_files_are_no_faults(tmp_path: Path) -> None:
    """An embedded object is a folder, and the manifest has paths (ODF 1.3 Part 2, 3.1 and 4.8.4)."""
    content = packages.ODT["content.xml"].replace(
        b'<draw:image xlink:href="Pictures/i.png"/>', b'<draw:object xlink:href="./Object 1"/>'
    )
    part = b'<chart:chart xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href=".."/>'
    manifest = packages.ODT["META-INF/manifest.xml"].replace(
        b'full-path="content.xml"', b'full-path="Object 1/content.xml"'
    )
    files = {"content.xml": content, "META-INF/manifest.xml": manifest}
    letter = written(
        tmp_path / "a.odt",
        packages.as_zip(packages.ODT | files | {"Object 1/content.xml": part}),
    )
    assert run("audit", "--ignore", "SYN", "--format", "jsonl", letter).stdout == ""
    files["content.xml"] = content.replace(b"./Object 1", b"./Object 2")
    letter = written(tmp_path / "b.odt", packages.as_zip(packages.ODT | files))
    (line,) = run(
        "audit", "--select", "TGT", "--format", "jsonl", letter, status=1
    ).stdout.splitlines()
    assert json.loads(line)["value"] == "./Object 2"


def test_a_folder_reads_books_and_named_archives_only(tmp_path: Path, book: Path) -> None:
    written(tmp_path / "old.zip", packages.as_zip(packages.SITE))
    written(tmp_path / "page.html", b"<!doctype html><a href=x>y</a>")

    def read(*arguments: object) -> set[str]:
        lines = run("extract", "--format", "jsonl", *arguments).stdout.splitlines()
        return {json.loads(line)["file"].removeprefix(f"{tmp_path}/") for line in lines}

    inside = {f"book.epub!/{name}" for name in packages.BOOK if name != "mimetype"}
    old = {f"old.zip!/{name}" for name in packages.SITE if not name.endswith(".png")}
    assert read(tmp_path) == inside | {"page.html"}
    assert read(tmp_path / "*.zip") == old
    assert read("--include", "*.zip", tmp_path) == old
    assert read("--include", "OPS/*.opf", tmp_path) == set()
    assert read("--include", "**/OPS/*.opf", tmp_path) == {"book.epub!/OPS/book.opf"}
    assert read("--exclude", "book.epub!/OPS/", tmp_path) == {
        "page.html", "book.epub!/META-INF/container.xml",
    }  # fmt: skip
    assert read(f"{book}!/OPS/*.xhtml") == {name for name in inside if name.endswith("xhtml")}
    assert read(f"{book}!/OPS") == {name for name in inside if "OPS/" in name}


SIGNED = ["META-INF/signatures.xml", "META-INF/documentsignatures.xml", "_xmlsignatures/sig1.xml", "META-INF/A.RSA", "bag/manifest-sha256.txt"]  # fmt: skip
ENCRYPTED = b'<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><e:EncryptionMethod xmlns:e="x" Algorithm="%b"/></encryption>'


@pytest.mark.parametrize("name", SIGNED)
def test_a_signed_container_is_audited_and_not_rewritten(name: str, book: Path) -> None:
    old = book_with(book, {name: b"<x/>"})
    assert "book.epub!/OPS/" in run("extract", book).stdout
    for mode in ("-i", "--dry-run", "--diff"):
        done = run("rewrite", mode, book, status=3)
        assert "it is signed" in done.stderr
        assert not done.stdout
    assert book.read_bytes() == old
    run("rewrite", "-i", "--signed", book)
    assert book.read_bytes() != old


@pytest.mark.parametrize(
    ("method", "status"), [(b"http://www.w3.org/2001/04/xmlenc#aes256-cbc", 3), (b"http://www.idpf.org/2008/embedding", 0)]
)  # fmt: skip
def test_an_encrypted_container_is_not_rewritten(method: bytes, status: int, book: Path) -> None:
    old = book_with(book, {"META-INF/encryption.xml": ENCRYPTED % method})
    run("rewrite", "-i", "--signed", book, status=status)
    assert (book.read_bytes() == old) == bool(status)


def book_with(book: Path, files: dict[str, bytes]) -> bytes:
    book.write_bytes(packages.as_zip(packages.BOOK | files))
    return book.read_bytes()


def test_one_document_costs_no_other(book: Path) -> None:
    book_with(book, {"OPS/bad.xhtml": b"<html xmlns='http://www.w3.org/1999/xhtml'><a></html>"})
    done = run("rewrite", "-i", book, status=3)
    assert "book.epub!/OPS/bad.xhtml:1:" in done.stderr
    new = packages.contents(book.read_bytes())
    assert b"%C3%A9.xhtml" in new["OPS/nav.xhtml"]
    assert new["OPS/bad.xhtml"].endswith(b"<a></html>")


def test_a_run_over_containers_is_resumed(tmp_path: Path) -> None:
    for number in range(4):
        written(tmp_path / f"{number}.epub", packages.as_zip(packages.BOOK))
    done = run("rewrite", "-i", "--backup", ".bak", "-j", "2", tmp_path)
    assert "20 documents: 12 links rewritten in 12 documents" in done.stderr
    assert packages.contents((tmp_path / "3.epub.bak").read_bytes()) == packages.BOOK


NAMES = [
    "d/" * 5000 + "a.html",
    "../a.html",
    "/etc/a.html",
    "a/../../b.html",
    "a\\b.html",
    "a//b.html",
    "./../x.html",
]


@pytest.mark.parametrize("name", NAMES)
def test_strange_names_are_passed_over_and_stay(name: str, tmp_path: Path) -> None:
    page = packages.SITE["index.html"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("index.html", page)
        archive.writestr("x", page)
        archive.infolist()[1].filename = name
    container = written(tmp_path / "t.zip", out.getvalue())
    done = run("rewrite", "-o", tmp_path / "out", container)
    assert not list(tmp_path.glob("**/*.html"))
    assert "t.zip: 2 links rewritten" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "t.zip"]


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.html", packages.SITE["index.html"])
        archive.writestr("b.html", packages.SITE["same.html"])
    container = written(tmp_path / "t.zip", out.getvalue().replace(b"b.html", b"a.html"))
    for command in (["rewrite", "-i"], ["extract"], ["audit"]):
        assert "two of its members" in run(*command, container, status=3).stderr
    assert b"a/\xc3\xa9.html" in container.read_bytes()


def test_an_empty_archive_has_no_documents(tmp_path: Path) -> None:
    for name in FORMS:
        written(tmp_path / name, FORMS[name]({}))
        done = run("audit", tmp_path / name)
        assert (done.exit_code, "0 documents" in done.stderr) == (0, True), done.stderr


def test_legacy_names_are_read(tmp_path: Path) -> None:
    """A name without the flag of UTF-8 is its octets, as that of a file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("XXXX.html", packages.SITE["index.html"])
    data = out.getvalue().replace(b"XXXX", "検索".encode("shift_jis"))
    container = written(tmp_path / "t.zip", data)
    run("rewrite", "-i", "-q", container)
    with zipfile.ZipFile(container, metadata_encoding="shift_jis") as archive:
        assert archive.namelist() == ["検索.html"]
        assert b"a/%C3%A9.html" in archive.read("検索.html")


def test_a_tar_with_long_names_and_links(tmp_path: Path) -> None:
    name = "d/" * 60 + "é" * 60 + ".html"
    for kind in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
        data = packages.as_tar({name: packages.SITE["index.html"], "x": b"y"}, kind)
        container = written(tmp_path / "t.tar", data)
        run("rewrite", "-i", "-q", container)
        new = packages.contents(container.read_bytes())
        assert b"b%20c.html" in new[name]
        assert new["x"] == b"y"


CRAWL = b"".join(
    gzip.compress(crawls.record(f"http://h.example/{each}", packages.SITE[each]), mtime=0)
    for each in ("index.html", "same.html")
)
WACZ = {
    "archive/data.warc.gz": CRAWL,
    "indexes/index.cdx.gz": b"\x1f\x8b\x08",
    "pages/pages.jsonl": b'{"format": "json-pages-1.0", "id": "pages"}\n',
    "datapackage.json": b'{"profile": "data-package", "wacz_version": "1.1.1"}',
}


def test_the_records_of_a_wacz_file_are_read_and_not_rewritten(tmp_path: Path) -> None:
    path = written(tmp_path / "a.wacz", packages.as_zip(WACZ))
    alone = written(tmp_path / "data.warc.gz", CRAWL)
    inside = f"{path}!/archive/data.warc.gz"
    for command in (["extract"], ["audit", "--exit-zero"]):
        expected = run(*command, alone).stdout.replace(str(alone), inside)
        assert f"{inside}@0#http://h.example/index.html" in expected
        assert run(*command, path).stdout == expected
    assert f"{inside}@0#" in run("extract", tmp_path).stdout
    old = path.read_bytes()
    assert "would be wrong" in run("rewrite", "-i", path, status=3).stderr
    assert path.read_bytes() == old


def test_the_records_in_another_container_are_rewritten(tmp_path: Path) -> None:
    files = {"p.html": packages.SITE["index.html"], "a/crawl.warc.gz": CRAWL}
    path = written(tmp_path / "a.zip", packages.as_zip(files))
    alone = written(tmp_path / "data.warc.gz", CRAWL)
    assert "4 links rewritten" in run("rewrite", "-i", path).stderr
    run("rewrite", "-i", "-q", alone)
    assert packages.contents(path.read_bytes())["a/crawl.warc.gz"] == alone.read_bytes() != CRAWL
    assert "nothing to rewrite" in run("rewrite", "-i", path).stderr


@pytest.mark.parametrize("place", ["!/", "!/a.html", "!/*.html"])
@pytest.mark.parametrize("command", ["audit", "extract"])
def test_a_damaged_container_is_named_once_and_not_its_members(
    tmp_path: Path, command: str, place: str
) -> None:
    bad = written(tmp_path / "bad.zip", packages.as_zip(packages.SITE)[:-30])
    result = CliRunner().invoke(main, [command, f"{bad}{place}"])
    assert isinstance(result.exception, UnreadableError)
    assert result.exception.file == str(bad)
