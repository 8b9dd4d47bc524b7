"""The documents of a command's paths."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from linkfix.files.entries import Tally
from linkfix.files.tree import Selection, documents, walk

if TYPE_CHECKING:
    from pathlib import Path


def make(root: Path, *names: str, content: bytes = b"<!doctype html><p>") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def names(*paths: str | Path, tally: Tally | None = None, **selection: object) -> list[str]:
    chosen = Selection(**selection)  # type: ignore[arg-type]
    return [found.relative for found in documents(map(str, paths), chosen, tally)]


def test_a_folder_is_walked_in_order(tmp_path: Path) -> None:
    make(tmp_path, "b.html", "a/z.xml", "a/b/c.svg", "a.htm", "Z.XHTML", "a/é.html")
    (found, *_) = documents([str(tmp_path)])
    assert names(tmp_path) == ["Z.XHTML", "a/b/c.svg", "a/z.xml", "a/é.html", "a.htm", "b.html"]
    assert (found.path, found.root) == (f"{tmp_path}/Z.XHTML", str(tmp_path))
    assert (found.type, found.size) == ("xhtml", 18)


def test_what_a_document_is(tmp_path: Path) -> None:
    make(tmp_path, "page", "page.cgi?x=1", "readme.md", "page.html~", "page.html.orig", "a.php")
    make(tmp_path, "feed", content=b"\xff\xfe" + "<?xml version='1.0'?>".encode("utf-16-le"))
    make(tmp_path, "rss", content=b"\n<rss version='2.0'>")
    make(tmp_path, "text", content=b"a < b")
    make(tmp_path, "tag-like", content=b"<stdio.h>")
    make(tmp_path, "logo.png", "data", content=b"\x89PNG\r\n\x1a\n\0<a href=x>")
    make(tmp_path, "empty", content=b"")
    tally = Tally()
    assert names(tmp_path, tally=tally) == ["feed", "page", "page.cgi?x=1", "rss"]
    assert tally.passed == {"no document": 9}
    assert names(tmp_path, include=("*.php", "logo.*")) == ["a.php"]
    assert names(tmp_path / "logo.png", tmp_path / "a.php") == ["logo.png", "a.php"]


def test_hidden_and_own_files(tmp_path: Path) -> None:
    make(tmp_path, ".git/a.html", ".well-known/b.html", ".c.html", ".linkfix-0.tmp")
    make(tmp_path, ".linkfix-journal")
    tally = Tally()
    assert names(tmp_path, tally=tally) == [".well-known/b.html"]
    assert tally.passed == {"hidden": 2, "temporary": 1}
    assert names(tmp_path, hidden=True) == [".c.html", ".git/a.html", ".well-known/b.html"]
    assert names(tmp_path / ".git") == ["a.html"]


def test_exclude_and_include(tmp_path: Path) -> None:
    make(tmp_path, "a.html", "out/a.html", "x/out/b.html", "x/c.xml", "x/d.html")
    assert names(tmp_path, exclude=("/out/",)) == ["a.html", "x/c.xml", "x/d.html", "x/out/b.html"]
    assert names(tmp_path, exclude=("out/", "*.xml")) == ["a.html", "x/d.html"]
    assert names(tmp_path, exclude=("*.html", "!d.html")) == ["x/c.xml", "x/d.html"]
    assert names(tmp_path, include=("*.xml", "x/d*")) == ["x/c.xml", "x/d.html"]
    assert names(tmp_path / "a.html", exclude=("*.html",)) == ["a.html"]


def test_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.html", "s/b.html", "s/t/c.html", "s/t/d.xml", "u/[x].html")
    monkeypatch.chdir(tmp_path)
    assert [found.path for found in documents(["s/**/*.html"])] == ["s/b.html", "s/t/c.html"]
    assert [found.path for found in documents(["*.html"])] == ["a.html"]
    assert [found.path for found in documents(["**"])] == [
        "a.html", "s/b.html", "s/t/c.html", "s/t/d.xml", "u/[x].html"
    ]  # fmt: skip
    assert [found.path for found in documents(["?/*/*"])] == ["s/t/c.html", "s/t/d.xml"]
    assert [found.path for found in documents(["u/[x].html"])] == ["u/[x].html"]
    assert [found.path for found in documents([f"{tmp_path}/**/c*"])] == [f"{tmp_path}/s/t/c.html"]
    tally = Tally()
    assert names("q/*.html", "*.pdf", tally=tally) == []
    assert "no document matches this pattern" in str(tally.errors[-1])


def test_each_document_is_returned_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "s/a.html", "s/t/b.html")
    (tmp_path / "link").symlink_to("s/a.html")
    monkeypatch.chdir(tmp_path)
    given = [found.path for found in documents(["s/t", "./s", "s/a.html", "link", "s/t/*"])]
    assert given == ["s/t/b.html", "./s/a.html"]


@pytest.mark.parametrize("many", ["s", "s/**/*.html", "./s"])
@pytest.mark.parametrize("file", ["s/t/b.html", "./s/t/b.html"])
def test_a_file_that_is_named_beside_its_folder_is_in_the_folder(
    file: str, many: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "s/a.html", "s/t/b.html")
    monkeypatch.chdir(tmp_path)
    first, second = documents([file, many])
    assert (first.root, first.relative) == (many.partition("/**")[0], "t/b.html")
    assert second.relative == "a.html"


@pytest.mark.parametrize("name", ["a" * 300, "a/" * 3000, "none", "s/a.html/b"])
def test_a_path_that_leads_nowhere_costs_no_other(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "s/a.html")
    monkeypatch.chdir(tmp_path)
    assert [found.path for found in documents([name, "s"])] == [name, "s/a.html"]
    tally = Tally()
    assert [found.path for found in documents([f"{name}*", "s"], tally=tally)] == ["s/a.html"]
    assert tally.errors


def test_links_and_special_files_are_passed_over(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    make(outside, "secret.html")
    site = tmp_path / "site"
    make(site, "a.html", "t/b.html")
    (site / "again.html").symlink_to("a.html")
    (site / "out.html").symlink_to(outside / "secret.html")
    (site / "folder").symlink_to(outside)
    (site / "t" / "loop").symlink_to("..")
    (site / "self").symlink_to("self")
    os.mkfifo(site / "pipe.html")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(site / "s.html"))
        tally = Tally()
        assert names(site, tally=tally) == ["a.html", "t/b.html"]
    assert tally.passed == {"symbolic link": 5, "special file": 2}
    assert tally.errors == []
    # A folder that is named may be a link.
    assert names(site / "folder") == ["secret.html"]


def test_odd_names(tmp_path: Path) -> None:
    root = os.fsencode(tmp_path)
    odd = [
        b"\xff\xfe.html",
        b"a\nb.html",
        b" .html",
        b"-rf.html",
        b"x" * 250 + b".html",
        b"\x83\x5c.html",
    ]
    for name in odd:
        with open(root + b"/" + name, "wb"):  # noqa: PTH123 - a name of bytes
            pass
    given = [os.fsencode(found.relative) for found in documents([str(tmp_path)])]
    assert sorted(given) == sorted(odd)
    assert {os.fsencode(found.relative) for found in documents([f"{tmp_path}/*.html"])} == set(odd)


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    make(tmp_path, "a.html")
    tally = Tally()
    entries = list(walk(str(tmp_path / "none"), tally=tally))
    assert entries == []
    assert str(tally.errors[0]).endswith(
        "none: cannot read this folder: No such file or directory; check the name"
    )


def test_deep_folders(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("d" * 20, dir_fd=here)
        below = os.open("d" * 20, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    tally = Tally()
    assert names(tmp_path, tally=tally) == []
    assert "File name too long" in str(tally.errors[0])
