"""The entries of an old tree, and the files of links."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from linkfix.migration.renames import Names
from linkfix.server.headers import Labels
from linkfix.server.listing import Entry, Match, survey

if TYPE_CHECKING:
    from pathlib import Path

    from linkfix.server.listing import Listing


def place(root: Path, *names: bytes | str) -> None:
    for name in names:
        path = root / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def learned(root: Path, *labels: str) -> tuple[Listing, Names]:
    listing, names = survey(str(root)), Names(Labels.parse(labels))
    listing.text = names.text
    return listing, names


def test_links_are_not_followed_and_nothing_is_opened(tmp_path: Path) -> None:
    root = tmp_path / "site"
    place(root, "a/page.html", "outside.txt")
    place(tmp_path, "secret/file.html")
    os.mkfifo(root / "fifo")
    (root / "loop").symlink_to("loop")
    (root / "up").symlink_to(".")
    (root / "there").symlink_to("a/page.html")
    (root / "gone").symlink_to("nothing")
    (root / "out").symlink_to(tmp_path / "secret")
    assert survey(str(root)).entries == {
        "a": Entry("folder"),
        "a/page.html": Entry("file"),
        "fifo": Entry("special file"),
        "gone": Entry("symbolic link", None),
        "loop": Entry("symbolic link", None),
        "out": Entry("symbolic link", None),
        "outside.txt": Entry("file"),
        "there": Entry("symbolic link", "a/page.html"),
        "up": Entry("symbolic link", ""),
    }


def test_paths_go_through_links_and_never_round_for_ever(tmp_path: Path) -> None:
    place(tmp_path, "a/page.html")
    (tmp_path / "up").symlink_to(".")
    (tmp_path / "other").symlink_to("a")
    listing, _ = learned(tmp_path)
    assert listing.real("other/page.html") == "a/page.html"
    assert listing.real("up/up/other/page.html") == "a/page.html"
    assert listing.real("up/" * 100 + "a") is None
    assert listing.real("other/none.html") is None


def test_version_control_is_no_part_of_a_site_and_hidden_files_are(tmp_path: Path) -> None:
    place(tmp_path, ".git/config", "a/.svn/x", ".htaccess", ".well-known/x", "b/CVS/Root", "c~")
    assert list(survey(str(tmp_path), ("*~",)).entries) == [
        ".htaccess",
        ".well-known",
        ".well-known/x",
        "a",
        "b",
    ]


@pytest.mark.parametrize(
    ("asked", "path", "how"),
    [
        ("表.html", b"\x95\x5c.html", "spelling"),  # the link is in UTF-8, the name in Shift_JIS
        (os.fsdecode(b"\x95\x5c.html"), b"\x95\x5c.html", "exact"),
        (os.fsdecode(b"\x83e\x83X\x83g.html"), "テスト.html", "spelling"),  # the other way round
        ("TABLE.HTML", b"table.html", "case"),
        ("U\u0308ber.html", "über.html", "case"),  # a decomposed name
        ("nothing.html", None, ""),
    ],
)
def test_a_file_is_found_by_its_spellings(
    tmp_path: Path, asked: str, path: bytes | str | None, how: str
) -> None:
    place(tmp_path, b"\x95\x5c.html", "テスト.html", "table.html", "über.html")
    listing, _ = learned(tmp_path, "Shift_JIS")
    found = listing.find(asked)
    assert (found and (os.fsencode(found.path), found.how)) == (path and (os.fsencode(path), how))


def test_an_index_file_has_the_address_of_its_folder(tmp_path: Path) -> None:
    place(tmp_path, "a/index.htm", "a/default.htm", "b/page.html")
    listing, _ = learned(tmp_path)
    assert listing.index("a") == "a/index.htm"
    assert listing.index("b") is None
    listing.index_names = ("a", "page.html")
    assert listing.index("") is None, "a folder is no file"
    assert listing.index("b") == "b/page.html"


def test_a_missing_tree_is_reported(tmp_path: Path) -> None:
    listing = survey(str(tmp_path / "none"))
    assert not listing.entries
    assert [failure.file for failure in listing.failures] == [str(tmp_path / "none")]


def test_a_third_spelling_means_none_of_files_that_differ_in_case(tmp_path: Path) -> None:
    for name in ("a.png", "A.png", "b.png"):
        (tmp_path / name).write_bytes(b"")
    listing = survey(str(tmp_path))
    assert listing.find("A.PNG") is None
    assert listing.find("a.png") == Match("a.png")
    assert listing.find("B.png") == Match("b.png", "case")
