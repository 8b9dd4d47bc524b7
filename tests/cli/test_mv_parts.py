"""A move in a site whose pages include parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from movable_site import HEAD, links, make, make_site, mv, text, tree

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return make_site(tmp_path / "site")


@pytest.mark.parametrize(
    ("page", "instruction", "old", "new", "breaks"),
    [
        ("index.shtml", 'virtual="inc/menu.inc"', "inc", "parts", True),
        ("index.shtml", 'virtual="/inc/menu.inc?a=b"', "inc/menu.inc", "menu.inc", True),
        ("d/index.shtml", 'virtual="../inc/menu.inc"', "d", "e/d", True),
        ("d/index.shtml", "file='menu.inc'", "d/menu.inc", "menu.inc", True),
        ("d/index.shtml", "file='menu.inc'", "d", "e", False),
        ("d/index.shtml", 'virtual="/inc/menu.inc"', "d", "e", False),
        ("index.shtml", 'virtual="gone.inc"', "inc", "parts", False),
        ("inc/other.inc", 'virtual="menu.inc"', "inc", "parts", False),
    ],
)
def test_a_move_that_breaks_an_include_is_refused(
    tmp_path: Path, page: str, instruction: str, old: str, new: str, *, breaks: bool
) -> None:
    site = make(tmp_path / "site", {"inc/menu.inc": "<p>", "d/menu.inc": "<p>", "d/x.html": "<p>"})
    (site / page).write_text(f"{' ' * 70_000}<title>x</title>\n<!--#include {instruction} -->")
    before = tree(site)
    done = mv(site, old, new)
    if not breaks:
        assert done.exit_code == 0, done.stderr
        return
    assert done.exit_code == 3
    assert f"{page}:2: it includes" in done.stderr
    assert "nothing was changed" in done.stderr
    assert tree(site) == before


@pytest.mark.parametrize(
    ("file", "declaration", "old", "new", "options", "breaks"),
    [
        ("book.xml", '<!DOCTYPE b [<!ENTITY a SYSTEM "ch/a.ent">]>', "ch", "chap", [], True),
        ("book.xml", "<!DOCTYPE b [<!ENTITY % a PUBLIC '-//X' 'ch/a.ent'>]>", "ch", "chap", [], True),
        ("book.xml", '<!DOCTYPE b [<!ENTITY a SYSTEM "ch/a.ent">]>', "book.xml", "d/b.xml", [], True),
        ("book.xml", '<!DOCTYPE b [<!ENTITY a SYSTEM "ch/a.ent">]>', "book.xml", "b.xml", [], False),
        ("book.xml", '<!DOCTYPE b [<!ENTITY a SYSTEM "gone.ent">]>', "book.xml", "d/b.xml", [], False),
        ("book.xml", '<!DOCTYPE b SYSTEM "ch/b.dtd">', "ch", "chap", [], True),
        ("book.xml", '<!DOCTYPE b SYSTEM "ch/b.dtd">', "ch", "chap", ["--dtd"], False),
        ("book.xml", "<!DOCTYPE b PUBLIC '-//X' 'b.dtd'>", "book.xml", "d/b.xml", [], False),
        ("book.html", '<!DOCTYPE html PUBLIC "-//X" "ch/b.dtd">', "ch", "chap", [], False),
        ("ch/b.dtd", '<!ENTITY % a SYSTEM "a.ent">', "ch/a.ent", "ch/c.ent", [], True),
        ("ch/b.dtd", '<!ENTITY % a SYSTEM "a.ent">', "ch", "chap", [], False),
    ],
)  # fmt: skip
def test_a_move_after_which_xml_misses_an_entity_or_its_dtd_is_refused(
    tmp_path: Path, file: str, declaration: str, old: str, new: str, options: list[str], *, breaks: bool
) -> None:  # fmt: skip
    entity, dtd = "<a/>", "<!ELEMENT b ANY>"
    files = {"ch/a.ent": entity, "ch/b.dtd": dtd, "book.xml": "<b/>"}
    site = make(
        tmp_path / "site", {**files, file: f"{declaration}{'' if 'dtd' in file else '<b/>'}"}
    )
    before = tree(site)
    done = mv(site, *options, old, new)
    assert (done.exit_code in {2, 3}) is breaks, done.stderr
    if breaks:
        assert f"{file}:1: it includes" in done.stderr
        assert tree(site) == before
    elif options:
        assert b'"chap/b.dtd"' in tree(site)["book.xml"]


@pytest.mark.parametrize(
    ("pages", "old", "new", "wanted", "left"),
    [
        ("index.shtml", "docs", "new", ["new/a.html", "/new/a.html", "é x"], []),
        ("index.shtml", "inc/docs", "inc/new", None, []),
        ("index.shtml", "inc", "parts", None, []),
        (
            "index.shtml",
            "index.shtml",
            "d/index.shtml",
            ["../docs/a.html", "/docs/a.html", "../é%20x"],
            [],
        ),
        ("d/index.shtml d/x.shtml", "d", "e", None, []),
        ("d/index.shtml d/x.shtml", "d", "d2/e", ["docs/a.html", "/docs/a.html", "é x"], []),
        (
            "index.shtml d/x.shtml",
            "docs",
            "new",
            ["docs/a.html", "/new/a.html", "é x"],
            ["docs/a.html"],
        ),
        ("index.shtml d/x.shtml", "pic", "new", None, []),
        ("index.shtml x.shtml", "x.shtml", "d/x.shtml", None, ["docs/a.html", "é x"]),
    ],
)
def test_the_links_in_a_part_are_those_of_the_pages_that_include_it(
    tmp_path: Path, pages: str, old: str, new: str, wanted: list[str] | None, left: list[str]
) -> None:
    before = ["docs/a.html", "/docs/a.html", "é x"]
    head = f'{HEAD}<!--#include virtual="{"{}"}menu.inc" -->'
    include = head.format("../inc/" if old == "inc" else "/inc/")
    files = dict.fromkeys(["docs/a.html", "inc/docs/a.html", "d/docs/a.html", "pic/a.html"], HEAD)
    files |= dict.fromkeys(pages.split(), include) | {"inc/menu.inc": links(*before)}
    site = make(tmp_path / "site", files)
    if old == "inc":
        (site / "index.shtml").unlink()
        (site / "inc" / "index.shtml").write_text(head.format(""))
    done = mv(site, old, new)
    assert done.exit_code == bool(left), done.stderr
    after = text(site)
    part = "parts/menu.inc" if old == "inc" else "inc/menu.inc"
    assert after[part] == links(*(before if wanted is None else wanted))
    assert [value for value in before if f": {value}: this link" in done.stderr] == left


def test_a_part_is_in_the_place_of_the_programs_that_include_it(tmp_path: Path) -> None:
    code = '<?php include "inc/menu.inc"; require "inc/code.lib" ?>'
    lib = "<?php print '<a href=\"docs/a.html\">';"
    files = {"index.php": code, "inc/menu.inc": links("docs/a.html"), "inc/code.lib": lib}
    site = make(tmp_path / "site", files | {"docs/a.html": HEAD})
    audited = CliRunner().invoke(cli, ["audit", "--select", "TGT", str(site)])
    assert audited.stdout == ""
    assert mv(site, "docs", "new").exit_code == 0
    after = text(site)
    assert after == files | {"inc/menu.inc": links("new/a.html"), "new/a.html": HEAD}
