"""What a file is that is no document."""

from __future__ import annotations

import io

import pytest

import linkfix
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
    ],
)
def test_documents_are_taken(prefix: bytes, name: str) -> None:
    assert no_document(prefix[:1024], name) is None


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
