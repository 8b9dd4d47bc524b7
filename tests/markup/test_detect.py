"""HTML or XML, told by name and first bytes."""

from __future__ import annotations

import codecs

import pytest

from linkfix.markup.detect import detect_type


@pytest.mark.parametrize(
    ("prefix", "name", "expected"),
    [
        (b"", "", "html"),
        (b"<?xml version='1.0'?><rss>", "page.html", "html"),
        (b"<p>", "feed.XML", "xml"),
        (b"<html>", "a.b/page", "html"),
        (b"<html>", "page.xhtml", "xhtml"),
        (b"<?xml version='1.0'?><rss>", "", "xml"),
        (b"\xef\xbb\xbf<?xml version='1.0'?><rss>", "", "xml"),
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
