"""HTML or XML, told by name and first bytes."""

from __future__ import annotations

import codecs

import pytest

from linkfix.markup.detect import detect_type, looks_like_markup, type_of_name


@pytest.mark.parametrize(
    ("prefix", "name", "expected"),
    [
        (b"", "", "html"),
        (b"<?xml version='1.0'?><rss>", "page.html", "html"),
        (b"<p>", "feed.XML", "xml"),
        (b"<html>", "a.b/page", "html"),
        (b"<!-- part of a book --><para>", "chapter.docbook", "xml"),
        (b"<!-- license -->\n<article>", "a.nxml", "xml"),
        (b"<html>", "page.xhtml", "xhtml"),
        (b"<?xml version='1.0'?><rss>", "", "xml"),
        (b"\xef\xbb\xbf<?xml version='1.0'?><rss>", "", "xml"),
        (b"<?xml-stylesheet href='a b'?><r/>", "", "xml"),
        (b"<?xmlrpc?><r/>", "", "html"),
        (b"<?xml version='1.0'?>\n<!DOCTYPE html><html>", "", "xhtml"),
        (codecs.BOM_UTF16_LE + "<?xml version='1.0'?><rss>".encode("utf-16-le"), "", "xml"),
        ("<?xml version='1.0'?><rss>".encode("utf-16-be"), "", "xml"),
        ("<?xml version='1.0'?>".encode("cp037"), "", "xml"),
        (b"<!-- c --><feed xmlns='http://www.w3.org/2005/Atom'>", "", "xml"),
        (b"<!doctype html><svg xmlns='x'>", "", "html"),
        (b"<html xmlns='http://www.w3.org/1999/xhtml'>", "", "html"),
        (b"<!DOCTYPE rss PUBLIC 'x'>", "", "xml"),
        (b"<rss version='2.0'>", "", "xml"),
        (b"just text", "", "html"),
        (bytes(range(256)), "", "html"),
    ],
)
def test_detect_type(prefix: bytes, name: str, expected: str) -> None:
    assert detect_type(prefix, name) == expected


@pytest.mark.parametrize(
    ("prefix", "is_markup"),
    [
        (b"<!DOCTYPE html>", True),
        (b"\n <!-- a page -->", True),
        (b"\xef\xbb\xbf<HTML>", True),
        (b"<p>", True),
        (b"<p", False),
        (b"<pre>", False),
        (b"<?xml version='1.0'?>", True),
        (b"<?xml-stylesheet href='a b'?><r/>", True),
        (b"<?php echo 1 ?>", False),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'>", True),
        (b"<urlset>", True),
        (b"\xff\xfe" + "<html>".encode("utf-16-le"), True),
        ("<html>".encode("utf-16-be"), True),
        (b"\x4c\x6f\xa7\x94\x93\x40", True),
        (b"text <p>", False),
        (b"\x7fELF\0<a ", False),
        (b"", False),
    ],
)
def test_what_looks_like_markup(prefix: bytes, is_markup: bool) -> None:
    assert looks_like_markup(prefix) is is_markup


def test_names_of_documents() -> None:
    assert type_of_name("a/b.HTM") == "html"
    assert type_of_name("feed.xml") == "xml"
    assert type_of_name("html") is None
    assert type_of_name("a.html/page") is None
