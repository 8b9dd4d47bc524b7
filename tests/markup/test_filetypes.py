"""What a file is that is no document."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import linkfix
from linkfix.errors import LinkfixError
from linkfix.files.tree import documents
from linkfix.markup.detect import is_skipped, no_document

PAGE = b'<!doctype html><meta charset=utf-8><a href="a b">x</a>'


@pytest.mark.parametrize(
    ("prefix", "name"),
    [
        (PAGE, "page.foo"),
        (b"\xef\xbb\xbf  <div><a href='x y'>", "page.inc"),
        (PAGE, "page.php"),
        (PAGE, "page.html.bak"),
        (b"", "empty.foo"),
        (b"plain words <a href=x>", ""),
        (b"plain words <a href=x>", "page"),
        (b"BMW <a href=x>", ""),
        (PAGE.decode().encode("utf-16"), "page.html"),
        (PAGE.decode().encode("utf-16-le"), ""),
        ("  <span>".encode("utf-16-le"), ""),
        ("\n<span>".encode("utf-16-be"), ""),
        (PAGE.decode().encode("utf-32"), "page.html"),
        ("<?xml version='1.0'?><a/>".encode("cp037"), ""),
        (b"<p>\0</p>", "page.html"),
        (b"a:hover { color: red }\nReceived: x", "style.css"),
        (b'{ "title": "front matter of a template" }\n<html>', "page.html"),
        (b"{% extends 'base.html' %}", "page.html"),
        (b"From: nobody\nTo: nobody\n<a href=x>", ""),
        (b"span.\0\0\0 { }\n" + b"p { color: red }\n" * 20, "style.css"),
        (b"<rdf:RDF xmlns:rdf='x'/>", "a.rdf"),
        (b"<!-- a licence", "a.owl"),
        (b"", "a.gml"),
        (b'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', "a.ssi"),
        (b'<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.2//EN" "docbookx.dtd">', "a.docb"),
    ],
)
def test_documents_are_taken(prefix: bytes, name: str) -> None:
    assert no_document(prefix[:1024], name) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (b"graph\n[\n  directed 0\n]\n", "a.gml"),
        (b"@prefix : <http://example.org/> .\n:a :b <c d> .\n", "a.rdf"),
        (b"@prefix : <http://example.org/> .\n", "a.owl.gz"),
        (b"a\0b\0" * 100, "style.css"),
        (b'<!-- x -->\n<!DOCTYPE style-sheet PUBLIC "-//J//DTD DSSSL//EN" [', "a.dsl"),
        (b"<!DOCTYPE book PUBLIC '-//OASIS//DTD DocBook V4.1//EN'>", "a.sgml"),
    ],
)
def test_other_formats_with_the_extensions_of_documents_are_none(
    text: bytes, name: str, tmp_path: Path
) -> None:
    other = no_document(text, name)
    assert other is not None
    (tmp_path / name).write_bytes(text)
    with pytest.raises(LinkfixError, match=other.what.split()[0]):
        linkfix.rewrite(tmp_path / name, io.BytesIO())


def test_folders_are_not_searched_for_them(tmp_path: Path) -> None:
    (tmp_path / "a.rdf").write_bytes(b"@prefix : <http://example.org/> .\n")
    (tmp_path / "b.rdf").write_bytes(b"<rdf:RDF xmlns:rdf='x'/>")
    assert [each.relative for each in documents([str(tmp_path)])] == ["b.rdf"]


def test_utf_16_may_be_known_from_outside_alone() -> None:
    text = "日本 <a href='x y'>".encode("utf-16-le")
    assert no_document(text) is not None
    assert no_document(text, is_wide=True) is None
    linkfix.rewrite(text, io.BytesIO(), charset="utf-16le")


def test_what_folders_are_not_searched_for() -> None:
    assert is_skipped("page.php")
    assert is_skipped("page.html~")
    assert is_skipped("a/b.JS")
    assert is_skipped("user.entities")
    assert not is_skipped("page.inc")
    assert not is_skipped("page")
