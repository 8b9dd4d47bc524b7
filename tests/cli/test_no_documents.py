"""Files that are no documents: refused by name with what they are, passed over in a folder, never changed."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import linkfix
from linkfix.cli.group import cli as main

if TYPE_CHECKING:
    from pathlib import Path

#: A link that a rewrite would change.
LINK = '<a href="http://old.example/a b|c">x</a>\n'
PAGE = f"<!doctype html><meta charset=utf-8>{LINK}".encode()
MAIL = (
    b"Received: from a.example by b.example\r\nMIME-Version: 1.0\r\nSubject: x\r\n"
    b"Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    b'<a href=3D"http://example.org/ros=C3=A9">x</a>\r\n'
)
MHTML = (
    b"From: <Saved by Blink>\r\nSnapshot-Content-Location: http://example.org/\r\nSubject: x\r\n"
    b'MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n\r\n------\r\n'
    b'<a href=3D"http://example.org/a b">x</a>\r\n'
)


def _zip(compression: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("a.xhtml", LINK)
    return out.getvalue()


def _tar() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo("a.html")
        info.size = len(PAGE)
        archive.addfile(info, io.BytesIO(PAGE))
    return out.getvalue()


#: File names, their bytes, and words of what the message says.
KINDS = {
    "book.bin": (_zip(), "ZIP"),
    "text.xap": (_zip(zipfile.ZIP_DEFLATED), "ZIP"),
    "page.gz": (gzip.compress(PAGE), "gzip"),
    "site.gz": (gzip.compress(_tar()), "gzip"),
    "page.html.bz2": (bz2.compress(PAGE), "compressed"),
    "page.html.xz": (lzma.compress(PAGE), "compressed"),
    "page.html.br": (b"\x0b\x02\x80" + LINK.encode(), "compressed"),
    "site.bin": (_tar(), "tar"),
    "paper.pdf": (b"%PDF-1.7\n" + LINK.encode(), "PDF"),
    "old.doc": (bytes.fromhex("D0CF11E0A1B11AE1") + LINK.encode(), "Office"),
    "text.rtf": (b"{\\rtf1 " + LINK.encode(), "RTF"),
    "image.png": (b"\x89PNG\r\n\x1a\n" + LINK.encode(), "image"),
    "image.gif": (b"GIF89a" + LINK.encode(), "image"),
    "image.jpg": (b"\xff\xd8\xff\xe1" + LINK.encode(), "image"),
    "image.webp": (b"RIFF\x20\x00\x00\x00WEBPVP8 " + LINK.encode(), "image"),
    "image.bmp": (b"BM\x46\x00\x00\x00" + LINK.encode(), "image"),
    "film.mp4": (b"\x00\x00\x00\x18ftypmp42" + LINK.encode(), "video"),
    "film.webm": (b"\x1a\x45\xdf\xa3" + LINK.encode(), "video"),
    "tone.mp3": (b"ID3\x04" + LINK.encode(), "audio"),
    "tone.ogg": (b"OggS\x00" + LINK.encode(), "audio"),
    "font.woff2": (b"wOF2" + LINK.encode(), "font"),
    "font.ttf": (b"\x00\x01\x00\x00\x00" + LINK.encode(), "font"),
    "data.sqlite": (b"SQLite format 3\x00" + LINK.encode(), "database"),
    "run.exe": (b"MZ\x90\x00" + LINK.encode(), "program"),
    "run": (b"\x7fELF" + LINK.encode(), "program"),
    "bytes.bin": (b"abc\x00\x01" + LINK.encode(), "binary"),
    "letter.txt": (MAIL, "mail"),
    "letters.mbox": (b"From a@b.example Sat Jan  3 01:05:34 1996\n" + MAIL, "mail"),
    "saved.page": (MHTML, "mail"),
    "capture.txt": (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE, "HTTP"),
    "app.js": (b"el.innerHTML = '" + LINK.strip().encode() + b"';\n", "JavaScript"),
    "app.ts": (b"<any>'" + LINK.strip().encode() + b"';\n", "TypeScript"),
    "dump.sql": (b"INSERT INTO posts VALUES ('" + LINK.strip().encode() + b"');\n", "SQL"),
    "data.json": (json.dumps({"html": LINK}).encode(), "JSON"),
    "data.unknown": (json.dumps({"html": LINK}).encode(), "JSON"),
    "App.vue": (b"<template>" + LINK.encode() + b"</template>", "component"),
    "tool.py": (b"print('" + LINK.strip().encode() + b"')\n", "program"),
    "tool": (b"#!/bin/sh\necho '" + LINK.strip().encode() + b"'\n", "program"),
    "README.md": (LINK.encode(), "markup language"),
    "style.scss": (b"a { b: url('x y') }", "preprocessor"),
    "page.patch": (b"+" + LINK.encode(), "difference"),
    "doc.dtd": (b'<?xml version="1.0" encoding="utf-8"?><!ENTITY a SYSTEM "a b">', "entity"),
    "part.ent": (b'<?xml version="1.0" encoding="utf-8"?><a href="b c"/>', "entity"),
    "notes.foo": (b"see " + LINK.encode(), ".foo"),
}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_named_file_is_refused(kind: str, tmp_path: Path) -> None:
    content, words = KINDS[kind]
    path = tmp_path / kind
    path.write_bytes(content)
    for command in (["rewrite", "-i"], ["extract"], ["audit"], ["audit", "--fix"]):
        result = CliRunner().invoke(main, [*command, str(path)])
        assert result.exit_code == 3, (command, result.output)
        assert words in result.stderr
        assert path.name in result.stderr
        assert path.read_bytes() == content
    with pytest.raises(linkfix.NoDocumentError, match=words):
        linkfix.rewrite(path, io.BytesIO())


def test_a_folder_passes_over_it(kind: str, tmp_path: Path) -> None:
    content, _ = KINDS[kind]
    (tmp_path / kind).write_bytes(content)
    (tmp_path / "page.html").write_bytes(PAGE)
    for command in (["audit"], ["rewrite", "-i"]):
        result = CliRunner().invoke(main, [*command, str(tmp_path)])
        assert result.exit_code in {0, 1}, result.output
        assert (tmp_path / kind).read_bytes() == content
    assert b"a%20b%7Cc" in (tmp_path / "page.html").read_bytes()


def test_one_that_is_named_among_documents_stops_none(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(KINDS["paper.pdf"][0])
    (tmp_path / "b.html").write_bytes(PAGE)
    result = CliRunner().invoke(
        main, ["rewrite", "-i", str(tmp_path / "a.pdf"), str(tmp_path / "b.html")]
    )
    assert result.exit_code == 3
    assert (tmp_path / "a.pdf").read_bytes() == KINDS["paper.pdf"][0]
    assert b"a%20b%7Cc" in (tmp_path / "b.html").read_bytes()


def test_the_type_option_goes_first(tmp_path: Path) -> None:
    path = tmp_path / "App.vue"
    path.write_bytes(KINDS["App.vue"][0])
    assert CliRunner().invoke(main, ["rewrite", "-i", "--type", "html", str(path)]).exit_code == 0
    assert b"a%20b%7Cc" in path.read_bytes()


@pytest.mark.parametrize(
    "name", ["page.html.bz2", "paper.pdf", "letter.txt", "data.json", "tool", "book.bin"]
)
def test_standard_input_is_looked_at_too(name: str) -> None:
    content, words = KINDS[name]
    result = CliRunner().invoke(main, ["rewrite"], input=content)
    assert (result.exit_code, result.stdout_bytes) == (3, content)
    assert words in result.stderr
    with pytest.raises(linkfix.NoDocumentError):
        linkfix.rewrite(content, io.BytesIO())


def test_a_file_with_the_name_of_a_document_is_looked_at_too(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(MHTML)
    result = CliRunner().invoke(main, ["rewrite", "-i", str(tmp_path)])
    assert result.exit_code == 3
    assert (tmp_path / "page.html").read_bytes() == MHTML


def test_a_migration_reports_it(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "page.html").write_bytes(gzip.compress(PAGE))
    (tmp_path / "old" / "other.html").write_bytes(PAGE)
    result = CliRunner().invoke(main, ["migrate", str(tmp_path / "old"), str(tmp_path / "new")])
    assert result.exit_code == 3
    assert "gzip" in result.stderr
    assert b"a%20b%7Cc" not in (tmp_path / "old" / "page.html").read_bytes()


def test_an_audit_without_documents_says_what_it_passed_over(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("text")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n")
    done = CliRunner().invoke(main, ["audit", str(tmp_path)])
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.endswith("linkfix: passed over: 2 other files\n")
    (tmp_path / "page.html").write_bytes(PAGE)
    assert "passed over" not in CliRunner().invoke(main, ["audit", str(tmp_path)]).stderr
