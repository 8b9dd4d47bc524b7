"""New names of files, the targets of their URIs, and refused plans."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import ada_url
import pytest

from linkfix.errors import LinkMapError, MigrationError
from linkfix.migration.renames import Moves, Names, plan
from linkfix.policy import LinkMap
from linkfix.server.addresses import Serving, SiteAddress
from linkfix.server.headers import Labels
from linkfix.server.listing import Entry, Listing
from linkfix.server.server import Server

if TYPE_CHECKING:
    from collections.abc import Mapping

OLD = "http://old.example/"
HYOSHI = b"\x95\x5c\x8e\x86".decode("utf-8", "surrogateescape")  # 表紙 in Shift_JIS


def moved(
    *paths: str,
    labels: tuple[str, ...] = (),
    extensions: Mapping[str, str] | None = None,
    rules: str = "",
    base: str = OLD,
    fix_case: bool = False,
    folds: bool = False,
) -> Moves:
    """Plan for a tree of files; a path that ends in a slash is a folder."""
    entries: dict[str, Entry] = {}
    for path in sorted(paths):
        parts = path.rstrip("/").split("/")
        for end in range(1, len(parts)):
            entries["/".join(parts[:end])] = Entry("folder")
        entries[path.rstrip("/")] = Entry("folder" if path.endswith("/") else "file")
    listing, names = Listing("", entries), Names(Labels.parse(labels), extensions or {})
    listing.text = names.text
    links = LinkMap.parse(rules, format="csv", site=base) if rules else None
    moves = plan(listing, SiteAddress.at(base), names, links, folds=lambda: folds)
    moves.fix_case = fix_case
    return moves


@pytest.mark.parametrize(
    ("label", "name", "new"),
    [
        ("Shift_JIS", b"\x95\x5c\x8e\x86.htm", "表紙.htm"),
        ("windows-1251", "новости.htm".encode("cp1251"), "новости.htm"),
        ("ISO-2022-JP", b"\x1b$BI=;f\x1b(B.htm", "表紙.htm"),
        ("Shift_JIS", "表紙.htm".encode(), "表紙.htm"),  # it is in UTF-8 already
        ("Shift_JIS", b"plain.htm", "plain.htm"),
        ("UTF-8", b"\x95\x5c.htm", "\udc95\\.htm"),
    ],
)
def test_names_become_utf_8(label: str, name: bytes, new: str) -> None:
    path = os.fsdecode(name)
    assert Names(Labels.parse([label])).new(f"d/{path}", is_file=True) == f"d/{new}"


def test_labels_are_for_patterns_and_the_last_one_counts() -> None:
    names = Names(Labels.parse(["windows-1251", "/jp/=Shift_JIS"]))
    assert names.new(f"jp/{HYOSHI}/{HYOSHI}", is_file=True) == "jp/表紙/表紙"
    cyrillic = os.fsdecode("мир".encode("cp1251"))
    assert names.new(f"ru/{cyrillic}", is_file=True) == "ru/мир"


def test_a_name_that_cannot_be_decoded_is_kept_and_reported() -> None:
    path = f"{HYOSHI}/" + os.fsdecode(b"\x81.htm")
    names = Names(Labels.parse(["Shift_JIS"]))
    assert names.new(path, is_file=True) == "表紙/" + os.fsdecode(b"\x81.htm")
    assert names.kept == {path: "its name is not in Shift_JIS"}


def test_a_name_that_would_be_too_long_is_kept_and_reported() -> None:
    long = os.fsdecode("表".encode("cp932") * 120)
    moves = moved(f"a/{long}", "a/b", labels=("Shift_JIS",))
    assert moves.paths == {}
    names = Names(Labels.parse(["Shift_JIS"]))
    assert names.new(f"a/{long}", is_file=True) == f"a/{long}"
    assert names.kept == {f"a/{long}": "the new name has more than 255 bytes"}
    assert moves.target(SiteAddress(OLD).uri(f"a/{long}")) is None


def test_extensions_change_on_files_alone() -> None:
    moves = moved("a.htm/x.HTM", "b.html", ".htm", extensions={".htm": ".html"})
    assert moves.paths == {"a.htm/x.HTM": "a.htm/x.html"}


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        (("a.htm", "a.html"), "a.htm and a.html would become a.html"),
        ((HYOSHI, "表紙"), "would become 表紙"),
        (("A.htm", "a.html"), "would become A.html and a.html"),  # one file where case is ignored
        ((os.fsdecode("é.htm".encode("cp1252")), "e\u0301.html"), "would become"),
    ],
)
def test_two_names_that_become_one_are_refused(paths: tuple[str, ...], told: str) -> None:
    labels = ("windows-1252",) if "e\u0301" in paths[1] else ("Shift_JIS",)
    with pytest.raises(MigrationError, match="nothing was written") as caught:
        moved(*paths, labels=labels, extensions={".htm": ".html"})
    assert told in str(caught.value)
    assert len(caught.value.problems) == 1


def test_names_that_differ_in_case_are_refused_only_on_a_file_system_that_ignores_case() -> None:
    assert moved("A.html", "a.html").paths == {}
    with pytest.raises(MigrationError, match="nothing was written: A"):
        moved("A.html", "a.html", folds=True)


def test_links_reach_renamed_files_by_whatever_spelling() -> None:
    moves = moved(f"{HYOSHI}/a.htm", labels=("Shift_JIS",), extensions={".htm": ".html"})
    new = ada_url.URL("http://old.example/表紙/a.html").href
    for spelled in ("%95%5C%8E%86", "%95\\%8E%86".replace("\\", "%5c"), "%E8%A1%A8%E7%B4%99"):
        assert moves.target(f"{OLD}{spelled}/a.htm") == new
        assert moves.target(f"{OLD}{spelled}/a.htm?q=%95#x") == f"{new}?q=%95#x"
    assert moves.target(f"{OLD}%95%5C%8E%86/") == ada_url.URL("http://old.example/表紙/").href
    assert moves.target(f"{OLD}%95%5C%8E%86") == ada_url.URL("http://old.example/表紙").href
    assert moves.target(f"{OLD}%95%5C%8E%86/gone.htm") is None
    assert moves.target("http://other.example/%95%5C%8E%86/a.htm") is None


def test_links_in_another_case_are_led_to_the_file_only_where_that_is_asked_for() -> None:
    assert moved("images/logo.png").target(f"{OLD}Images/LOGO.png") is None
    moves = moved("images/logo.png", fix_case=True)
    assert moves.target(f"{OLD}Images/LOGO.png#x") == f"{OLD}images/logo.png#x"
    assert moves.target(f"{OLD}images/logo.png") is None


def test_links_in_another_case_follow_the_file_that_the_old_server_answers_with() -> None:
    moves = moved("d/a.html", "d/b.png", "d/Index.html", extensions={".html": ".htm"})
    serving = Serving(clean_urls=True, ignores_case=True, served=("/D/run",))
    moves.server = Server(moves.listing, moves.old, serving)
    assert moves.target(f"{OLD}D/A.HTML#x") == f"{OLD}d/a.htm#x"
    assert moves.target(f"{OLD}D/A?q") == f"{OLD}d/a.htm?q"
    for stays in ("D/b.PNG", "D/", "D/gone.html", "D/run"):
        assert moves.target(OLD + stays) is None
    moves.server = Server(moves.listing, moves.old, Serving())
    assert moves.target(f"{OLD}D/A.HTML") is None


def test_corrected_links_name_an_index_file_in_another_case() -> None:
    moves = moved("Docs/Index.htm", "b/index.html", "c/x.html", fix_case=True)
    assert moves.target(f"{OLD}docs/#x") == f"{OLD}Docs/Index.htm#x"
    assert moves.target(f"{OLD}Docs") == f"{OLD}Docs/Index.htm"
    assert moves.target(f"{OLD}B/") == f"{OLD}b/"
    assert moves.target(f"{OLD}b/") is None
    assert moves.target(f"{OLD}c/") is None


@pytest.mark.parametrize(
    ("uri", "new"),
    [
        (f"{OLD}%95%5C%8E%86/a#x", f"{OLD}表紙/a#x"),  # clean URLs
        (f"{OLD}%95%5C%8E%86/%95%5C?q", f"{OLD}表紙/表?q"),
        (f"{OLD}%95%5C%8E%86/b", f"{OLD}表紙/b"),  # variants
        (f"{OLD}%95%5C%8E%86/gone", None),
        (f"{OLD}%95%5C%8E%86/search", None),  # a program's
        (f"{OLD}c", None),
        ("http://www.old.example/%95%5C%8E%86/a.html", "http://www.old.example/表紙/a.html"),
        ("http://www.old.example/c.html", None),
    ],
)
def test_links_follow_what_the_server_answers_with(uri: str, new: str | None) -> None:
    named = os.fsdecode("表.html".encode("cp932"))
    paths = ("a.html", "b.html.de", "b.html.en", named)
    moves = moved(*(f"{HYOSHI}/{path}" for path in paths), "c.html", labels=("Shift_JIS",))
    serving = Serving(clean_urls=True, multiviews=True, hosts=("www.old.example",), served=(f"/{HYOSHI}/search",))  # fmt: skip
    moves.server = Server(moves.listing, moves.old, serving)
    assert moves.target(uri) == (None if new is None else ada_url.URL(new).href)


def test_another_host_of_a_site_that_goes_to_a_new_one_is_the_new_one_too() -> None:
    moves = moved("a.html", rules=f"{OLD},https://new.example/,prefix\n")
    moves.server = Server(moves.listing, moves.old, Serving(hosts=("www.old.example",)))
    assert moves.target("http://www.old.example/a.html#x") == "https://new.example/a.html#x"


def test_files_follow_the_map() -> None:
    rules = f"{OLD},https://new.example/,prefix\n/a.html,https://new.example/about/,exact\n"
    moves = moved("a.html", "b/c.html", rules=rules)
    assert moves.new.root == "https://new.example/"
    assert moves.paths == {"a.html": "about/index.html"}
    assert moves.target(f"{OLD}a.html") == "https://new.example/about/"
    assert moves.target(f"{OLD}b/c.html#x") == "https://new.example/b/c.html#x"
    assert moves.target(f"{OLD}b/") == "https://new.example/b/"
    assert moves.target(f"{OLD}gone") == "https://new.example/gone"
    assert moves.links is not None
    assert moves.links.unused() == ()


def test_names_change_in_what_prefix_rules_move() -> None:
    rules = f"{OLD}%95%5C%8E%86/,{OLD}cover/,prefix\n"
    moves = moved(
        f"{HYOSHI}/{HYOSHI}.htm",
        f"x/{HYOSHI}.htm",
        labels=("Shift_JIS",),
        extensions={".htm": ".html"},
        rules=rules,
    )
    assert moves.paths == {
        HYOSHI: "cover",
        f"{HYOSHI}/{HYOSHI}.htm": "cover/表紙.html",
        f"x/{HYOSHI}.htm": "x/表紙.html",
    }
    cover = ada_url.URL("http://old.example/cover/表紙.html").href
    assert moves.target(f"{OLD}%95%5C%8E%86/%95%5C%8E%86.htm") == cover


def test_what_goes_to_another_site_stays_where_it_is_in_the_tree() -> None:
    moves = moved("blog/a.html", "b.html", rules=f"{OLD}blog/,https://blog.example/,prefix\n")
    assert moves.paths == {}
    assert moves.uri("blog/a.html") == "https://blog.example/a.html"
    assert moves.target(f"{OLD}blog/a.html#x") == "https://blog.example/a.html#x"
    assert dict(moves.places())[f"{OLD}blog/a.html"] == "https://blog.example/a.html"


def test_an_exact_rule_with_a_query_goes_before_the_file() -> None:
    moves = moved("find.cgi", rules="/find.cgi?id=3,/three.html\n")
    assert moves.target(f"{OLD}find.cgi?id=3") == f"{OLD}three.html"
    assert moves.target(f"{OLD}find.cgi?id=4") is None
    assert moves.paths == {}


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ("/x%2Fy.html", "no file can have"),
        ("/x%00.html", "no file can have"),
        ("/b.html", "a.html and b.html would become b.html"),
        ("/b.html/c.html", "b.html would be a file where a.html needs a folder"),
        ("/c?x", "neither query nor fragment"),
        ("/" + "x" * 256, "more than 255 bytes"),
    ],
)
def test_a_map_that_leads_a_file_nowhere_is_refused(new: str, told: str) -> None:
    with pytest.raises(MigrationError) as caught:
        moved("a.html", "b.html", rules=f"/a.html,{new}\n")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "new", ["/../../x.html", "/a/%2e%2e/%2E%2e/x.html", "http:///../../x.html"]
)
def test_dots_in_a_map_lead_no_file_out_of_the_tree(new: str) -> None:
    try:
        paths = moved("a.html", rules=f"/a.html,{new}\n").paths.values()
    except (MigrationError, LinkMapError):
        return
    assert all(".." not in path.split("/") and not path.startswith("/") for path in paths)
