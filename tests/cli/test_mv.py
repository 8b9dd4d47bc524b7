"""``linkfix mv``, as its users meet it."""

from __future__ import annotations

import json
import os
import shutil
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


def test_a_folder_moves_with_all_links(site: Path) -> None:
    before = text(site)
    done = mv(site, "docs", "help/new", "--base", "http://a.example/")
    assert done.exit_code == 0, done.output
    assert text(site) == {
        "index.html": links("help/new/a.html", "/help/new/a.html?q=%e4#x&amp;y", "help/new/", "help/new", "b c.html", "é.html"),
        "b c.html": links("help/new/sub/deep.html"),
        "é.html": before["é.html"],
        "help/new/index.html": links("a.html", "../../index.html", "/"),
        "help/new/a.html": links("sub/deep.html", "#here", "", "?q", "missing.html", "../../pic.png"),
        "help/new/sub/deep.html": links("../a.html", "../../../b%20c.html", "/help/new/a.html"),
        "help/new/style.css": "a { background: url(../../pic.png) } b { background: url(sub/x.png) }",
        "help/new/sub/x.png": "x",
        "pic.png": "p",
    }  # fmt: skip
    assert done.stdout == ""
    assert "docs -> help/new; 7 documents: 10 links rewritten in 6 documents" in done.stderr


def test_moving_back_restores_every_byte(site: Path) -> None:
    before = tree(site)
    for old, new in (("docs", "x/y"), ("x/y", "docs"), ("docs/a.html", "z.html"), ("z.html", "docs/a.html")):  # fmt: skip
        assert mv(site, old, new).exit_code == 0
    assert tree(site) == before


def test_links_of_a_style_sheet_follow_in_the_charset_of_its_page(tmp_path: Path) -> None:
    site = make(
        tmp_path / "site",
        {
            "a.html": "<meta charset=shift_jis><link rel=stylesheet href=s/a.css>",
            "s/表.png": "",
            "s/b.png": "",
        },
    )
    sheet = "/* 表 */ a { background: url(表.png), url(b.png) }"
    (site / "s/a.css").write_bytes(sheet.encode("shift_jis"))
    assert mv(site, "s/表.png", "c.png").exit_code == 0
    new = sheet.replace("表.png", "../c.png").encode("shift_jis")
    assert (site / "s/a.css").read_bytes() == new
    assert mv(site, "s/a.css", "a.css").exit_code == 0
    assert (site / "a.css").read_bytes() == new.replace(b"../", b"").replace(b"(b", b"(s/b")


def test_a_file_moves(site: Path) -> None:
    before = text(site)
    assert mv(site, "docs/a.html", "a b/表.html").exit_code == 0
    after = text(site)
    new = "a%20b/%E8%A1%A8.html"
    assert after["index.html"] == links(new, f"/{new}?q=%e4#x&amp;y", "docs/", "docs", "b c.html", "é.html")  # fmt: skip
    assert after["docs/index.html"] == links(f"../{new}", "../index.html", "/")
    assert after["a b/表.html"] == links("../docs/sub/deep.html", "#here", "", "?q", "../docs/missing.html", "../pic.png")  # fmt: skip
    assert after["docs/style.css"] == before["docs/style.css"]


@pytest.mark.parametrize(
    ("old", "value", "new", "wanted"),
    [
        ("a.html", "a.html", "b.html", "b.html"),
        ("a.html", "./a.html", "b.html", "./b.html"),
        ("a.html", "/a.html", "d/b.html", "/d/b.html"),
        ("a.html", "//S.example/a.html", "b.html", "//S.example/b.html"),
        ("a.html", "HTTP://s.example:80/a.html#É%2e", "b.html", "HTTP://s.example:80/b.html#É%2e"),
        ("a.html", "%61.html?x=|&amp;é#f g", "b.html", "b.html?x=%7C&amp;é#f%20g"),
        ("a.html", "other.html", "b.html", "other.html"),
        ("a.html", "http://t.example/a.html", "b.html", "http://t.example/a.html"),
        ("é/a.html", "é/a.html", "é/b.html", "é/b.html"),
        ("é/a.html", "%c3%a9/a.html", "é/b.html", "%c3%a9/b.html"),
        ("é/a.html", "é/a.html", "ü.html", "ü.html"),
        ("é.html", "é.html", "ü.html", "ü.html"),
        ("é.html", "&eacute;.html", "d/é.html", "d/&eacute;.html"),
        ("d/index.html", "d/", "e/index.html", "e/"),
        ("d/index.html", "d/#x", "d/start.html", "d/start.html#x"),
        ("d/index.html", "d", "start.html", "start.html"),
        ("d", "d/gone.html", "e", "e/gone.html"),
        ("d", "d/%28gone%29.html?é", "e", "e/%28gone%29.html?é"),
        ("d", "%64/%69ndex.html?%c3#é", "e", "e/%69ndex.html?%c3#é"),
        ("d/a(&b).html", "d/a%28%26b%29.html?é", "e/a(&b).html", "e/a%28%26b%29.html?é"),
        ("d/index.html", "A.HTML", "e.html", "A.HTML"),
        ("a.html", "{{ base }}a.html", "b.html", "{{ base }}a.html"),
    ],
)
def test_a_link_keeps_its_spelling(
    tmp_path: Path, old: str, value: str, new: str, wanted: str
) -> None:
    file = "d/index.html" if old == "d" else old
    make(tmp_path, {"page.html": links(value), file: "<title>old</title>"})
    assert mv(tmp_path, old, new, "--base", "http://s.example/").exit_code == 0
    assert text(tmp_path)["page.html"] == links(wanted)
    assert not (tmp_path / old).exists()
    assert (tmp_path / new).exists()


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        ("<base href='d/'><a href='a.html'>", "<base href='e/'><a href='a.html'>"),
        ("<base href='/d/a.html'><a href='#x'>", "<base href='/e/a.html'><a href='#x'>"),
        ("<iframe srcdoc='<a href=\"d/a.html\">'>", "<iframe srcdoc='<a href=\"e/a.html\">'>"),
        ("<noscript><a href='d/a.html'></noscript>", "<noscript><a href='e/a.html'></noscript>"),
        ("<noframes><a href=d/a.html></noframes>", "<noframes><a href=e/a.html></noframes>"),
        ("<!--[if IE]><a href='d/a.html'><![endif]-->", "<!--[if IE]><a href='e/a.html'><![endif]-->"),
        ("<img srcset='d/a.png 1x, x.png 2x'>", "<img srcset='e/a.png 1x, x.png 2x'>"),
        ("<a style='background:url(d/a.png)'>", "<a style='background:url(e/a.png)'>"),
        ("<meta http-equiv=refresh content='0; url=d/a.html'>", "<meta http-equiv=refresh content='0; url=e/a.html'>"),
        ("<a href=d/a.html>", "<a href=e/a.html>"),
        ("<a href='D/a.html'>", "<a href='D/a.html'>"),
    ],
)  # fmt: skip
def test_links_of_html(tmp_path: Path, document: str, wanted: str) -> None:
    make(tmp_path, {"page.html": HEAD + document, "d/a.html": "<p id=x>", "d/a.png": b"x"})
    assert mv(tmp_path, "d", "e").exit_code == 0
    assert text(tmp_path)["page.html"] == HEAD + wanted


def test_links_that_are_not_followed_are_named(tmp_path: Path) -> None:
    page = (
        "<noscript><a href='d/a.html'><p title='</noscript><noframes><a href='d/a.html'></noframes>"
    )
    make(tmp_path, {"page.html": HEAD + page, "d/a.html": "<p>"})
    done = mv(tmp_path, "d", "e", "--embedded", "noframes=list")
    assert done.exit_code == 1
    assert text(tmp_path)["page.html"] == HEAD + page
    named = [line for line in done.stderr.splitlines() if "this link will lead elsewhere" in line]
    assert ["text that is markup to other readers" in line for line in named] == [True, False]
    assert "not followed (--embedded)" in named[1]


def test_every_kind_of_document(tmp_path: Path) -> None:
    files = {
        "p.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><body><a href="{}/a.html"/></body></html>',
        "s.svg": '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="{}/a.png"/></svg>',
        "s.css": "@import '{}/a.css';",
        "feed.xml": '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="{}/"><id>http://s.example/d/</id><link href="a.html"/></feed>',
        "map.xml": '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://s.example/{}/a.html</loc></url></urlset>',
        "doc.xml": '<?xml-stylesheet href="{}/a.css"?><book xmlns="http://docbook.org/ns/docbook" xmlns:xlink="http://www.w3.org/1999/xlink"><info xlink:href="{}/a.html"/></book>',
    }
    make(tmp_path, {name: body.replace("{}", "d") for name, body in files.items()})
    make(tmp_path, {"d/a.html": "<p>", "d/a.css": "a { }", "d/a.png": b"x"})
    done = mv(tmp_path, "d", "e/f", "--base", "http://s.example/")
    assert done.exit_code == 0, done.output
    after = text(tmp_path)
    assert {name: after[name] for name in files} == {
        name: body.replace("{}", "e/f") for name, body in files.items()
    }


def test_names_in_legacy_octets(tmp_path: Path) -> None:
    name = os.fsdecode("表.html".encode("cp932"))
    head = "<meta charset=shift_jis>"
    page = f'{head}<a href="%95\\.html?q=表">表</a><a href="表.html">'.encode("cp932")
    make(tmp_path, {"page.html": page, name: f'{head}<a href="page.html?q=表">'.encode("cp932")})
    assert mv(tmp_path, name, "d/hyou.html").exit_code == 0
    after = tree(tmp_path)
    assert after["d/hyou.html"] == f'{head}<a href="../page.html?q=表">'.encode("cp932")
    # In characters it is the name in UTF-8 to every browser, and there was no such file.
    assert after["page.html"] == page
    make(tmp_path, {"page.html": page.replace(b"%95\\", b"%95%5C"), "d/hyou.html": b"<p>"})
    assert mv(tmp_path, "d/hyou.html", name).exit_code == 0
    assert mv(tmp_path, name, "hyou.html").exit_code == 0
    assert tree(tmp_path)["page.html"] == f'{head}<a href="hyou.html?q=表">表</a><a href="表.html">'.encode("cp932")  # fmt: skip


def test_octets_stay_where_the_charset_is_a_guess(tmp_path: Path) -> None:
    page = '<p>élève</p><a href="œuvre.html"></a><a href="b.html?q=œ|">'.encode("cp1252")
    make(tmp_path, {"d/p.html": page, "d/b.html": "<p>"})
    assert mv(tmp_path, "d/p.html", "p.html").exit_code == 0
    wanted = page.replace(b'href="', b'href="d/')
    assert tree(tmp_path)["p.html"] == wanted


def test_clean_urls(tmp_path: Path) -> None:
    make(
        tmp_path,
        {"page.html": links("about", "about.html", "/about?x"), "about.html": links("page")},
    )
    done = mv(tmp_path, "about.html", "us/team.html", "--clean-urls")
    assert done.exit_code == 0
    assert text(tmp_path) == {
        "page.html": links("us/team", "us/team.html", "/us/team?x"),
        "us/team.html": links("../page"),
    }


def test_variants_move_together_or_keep_their_links(tmp_path: Path) -> None:
    pages = {"d/a.html.de": "<p>", "d/a.html.en": links("b"), "d/b.html.de": "<p>"}
    make(tmp_path, {"p.html": links("d/a", "d/a.html#x", "d/a.html.de", "d/b", "d/"), **pages})
    assert mv(tmp_path, "d", "e/f", "--multiviews").exit_code == 0
    moved = links("e/f/a", "e/f/a.html#x", "e/f/a.html.de", "e/f/b", "e/f/")
    assert text(tmp_path)["p.html"] == moved
    assert text(tmp_path)["e/f/a.html.en"] == links("b")
    done = mv(tmp_path, "e/f/a.html.de", "e/f/c.html.de", "--multiviews")
    assert text(tmp_path)["p.html"] == moved.replace("a.html.de", "c.html.de")
    for link in ("a", "a.html"):
        why = "the server chooses between e/f/a.html.de and e/f/a.html.en"
        assert f"/e/f/{link}: links to it stay: {why}" in done.stderr
    assert mv(tmp_path, "e/f/b.html.de", "g.html.de", "--multiviews").exit_code == 0
    assert '"g.html.de"' in text(tmp_path)["p.html"]


def test_trailing_slashes_and_other_hosts(tmp_path: Path) -> None:
    make(
        tmp_path, {"p.html": links("about/", "https://www.s.example/about/#x"), "about.html": "<p>"}
    )
    options = ["--trailing-slashes", "--base", "http://s.example/", "--host", "www.s.example"]
    assert mv(tmp_path, "about.html", "us/we.html", *options).exit_code == 0
    wanted = links("us/we/", "https://www.s.example/us/we/#x")
    assert text(tmp_path)["p.html"] == wanted


def test_a_folder_becomes_a_page_with_a_trailing_slash(tmp_path: Path) -> None:
    make(tmp_path, {"p.html": links("d/", "/d/?x#y"), "d/index.html": "<p>"})
    table = tmp_path / "table"
    options = ["--trailing-slashes", "--redirects", str(table), "--redirect-format", "netlify"]
    assert mv(tmp_path, "p.html", "q.html", *options).exit_code == 0
    assert table.read_text() == "/p.html /q.html 301\n/p/ /q/ 301\n"
    assert mv(tmp_path, "d/index.html", "about.html", "--trailing-slashes").exit_code == 0
    assert text(tmp_path)["q.html"] == links("about/", "/about/?x#y")


def test_a_new_index_file_does_not_take_the_links_of_another(tmp_path: Path) -> None:
    make(tmp_path, {"page.html": links("d/", "a.html"), "d/index.htm": "<p>", "a.html": "<p>"})
    assert mv(tmp_path, "a.html", "d/index.html").exit_code == 0
    assert text(tmp_path)["page.html"] == links("d/index.htm", "d/index.html")


def test_redirects_that_are_there(tmp_path: Path) -> None:
    """No link comes to depend on a redirect; one whose redirect would lead nowhere leads to the file."""
    make(
        tmp_path, {"_redirects": "/d/a.html /e/a.html 301\n/short /d/b.html 302\n/other /x.html\n"}
    )
    make(tmp_path, {"p.html": links("d/a.html", "short", "other"), "d/a.html": "<p>", "d/b.html": "<p>", "x.html": "x"})  # fmt: skip
    assert mv(tmp_path, "d", "e").exit_code == 0
    assert text(tmp_path)["p.html"] == links("e/a.html", "e/b.html", "other")


def test_programs_stay(tmp_path: Path) -> None:
    make(tmp_path, {"d/page.html": links("search?q=1", "page.html")})
    assert mv(tmp_path, "d", "e", "--served", "/d/search").exit_code == 0
    assert text(tmp_path)["e/page.html"] == links("../d/search?q=1", "page.html")


def test_a_symbolic_link_is_no_second_place(tmp_path: Path) -> None:
    make(tmp_path, {"page.html": links("alias/a.html"), "d/a.html": "<p>", "d/b.html": "<p>"})
    (tmp_path / "alias").symlink_to("d")
    assert mv(tmp_path, "d/a.html", "c.html").exit_code == 0
    assert text(tmp_path)["page.html"] == links("c.html")
    for old, new, said in (
        ("d", "e", "alias: this symbolic link would lead elsewhere; nothing was changed"),
        ("alias/b.html", "x.html", "say d/b.html"),
        ("c.html", "alias/x.html", "say d/x.html"),
    ):
        done = mv(tmp_path, old, new)
        assert done.exit_code == 2
        assert said in done.stderr
    assert mv(tmp_path, "alias", "other").exit_code == 0
    assert (tmp_path / "other" / "b.html").exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("nope.html", "x.html", "nope.html: there is no such file or folder in the site"),
        ("docs/a.html", "index.html", "index.html: there is a file or folder of this name; name another place"),
        ("index.html", "docs", "say docs/index.html to move it in there"),
        ("index.html", "docs/", "say docs/index.html to move it in there"),
        ("index.html", "new/", "new/: a file has no slash at its end; say new/index.html to move it in there"),
        ("docs", "docs/sub/docs", "a folder cannot move into itself"),
        ("docs", "docs", "it is there already"),
        ("docs", "../docs", "it is not in"),
        ("../x", "y", "it is not in"),
        (".", "y", "the root of the site, which cannot move"),
        ("docs", "index.html/docs", "index.html is a file"),
        ("docs", ".linkfix-x", "keeps names that begin with .linkfix-"),
        ("docs", ".git/docs", "version control"),
    ],
)  # fmt: skip
def test_what_cannot_move_is_refused(site: Path, old: str, new: str, said: str) -> None:
    before = tree(site)
    done = mv(site, old, new)
    assert done.exit_code == 2
    assert said in done.stderr
    assert tree(site) == before


def test_absolute_paths_in_the_root(site: Path) -> None:
    assert mv(site, site / "pic.png", site / "docs" / "pic.png").exit_code == 0
    assert b"url(pic.png)" in tree(site)["docs/style.css"]


def test_nothing_changes_unless_every_document_can(site: Path) -> None:
    make(site, {"bad.xml": "<a><b></a>"})
    before = tree(site)
    done = mv(site, "docs", "help")
    assert done.exit_code == 3
    assert "bad.xml" in done.stderr
    assert "nothing was changed" in done.stderr
    assert tree(site) == before
    assert mv(site, "docs", "help", "--exclude", "bad.xml").exit_code == 0


def test_a_document_that_is_read_only_stops_the_move(site: Path) -> None:
    before = tree(site)
    (site / "index.html").chmod(0o444)
    done = mv(site, "docs", "help")
    assert done.exit_code == 3
    assert "index.html: it cannot be replaced" in done.stderr
    assert tree(site) == before


def test_dry_run_and_diff_change_nothing(site: Path) -> None:
    before = tree(site)
    done = mv(site, "docs/a.html", "a.html", "--dry-run")
    assert done.exit_code == 0
    assert [line.removeprefix(f"{site}/") for line in done.stdout.splitlines()] == [
        "docs/a.html: 3 links to be rewritten",
        "docs/index.html: 1 link to be rewritten",
        "docs/sub/deep.html: 2 links to be rewritten",
        "index.html: 2 links to be rewritten",
        "docs/a.html -> a.html",
    ]
    assert tree(site) == before
    done = mv(site, "docs/a.html", "a.html", "--diff")
    assert done.exit_code == 0
    assert '-<!doctype html><meta charset=utf-8><title>t</title><a href="a.html">' in done.stdout
    assert '+<!doctype html><meta charset=utf-8><title>t</title><a href="../a.html">' in done.stdout
    assert tree(site) == before


def test_a_folder_may_be_called_as_the_scheme_of_the_site(tmp_path: Path) -> None:
    """Mirrors of archives have such folders."""
    page = links("web/http:/a.html", "/web/http%3A/a.html")
    make(tmp_path, {"p.html": page, "web/http:/a.html": "<p>"})
    assert mv(tmp_path, "web/http:", "old", "--base", "http://s.example/").exit_code == 0
    assert text(tmp_path)["p.html"] == links("old/a.html", "/old/a.html")


def test_a_template_that_will_lead_elsewhere_is_reported(tmp_path: Path) -> None:
    page = links(
        "/d/a.html?{{x}}", "d/%{x}.png", "{{x}}/d/a.html", " <?= $x ?>d/a.html", "/{{x}}/a.html"
    )
    make(tmp_path, {"page.html": page, "d/a.html": links("{{x}}.html", "./{{x}}.html")})
    done = mv(tmp_path, "d", "e")
    assert done.exit_code == 1
    assert text(tmp_path)["page.html"] == page
    said = [line for line in done.stderr.splitlines() if "this link will lead elsewhere" in line]
    assert [line.split(": ")[2] for line in said] == ["/d/a.html?{{x}}", "d/%{x}.png"]


def test_a_link_that_has_to_stay_is_reported(tmp_path: Path) -> None:
    page = """<?= link('<a href="a.html">') ?>
<object codebase="x/" data="a.html"></object>"""
    make(tmp_path, {"page.html": HEAD + page, "a.html": "<p>"})
    done = mv(tmp_path, "a.html", "b.html")
    assert done.exit_code == 1
    place = f"{tmp_path}/page.html:"
    said = [line.partition(place)[2] for line in done.stderr.splitlines() if place in line]
    assert [each.partition(": Firefox")[0] for each in said] == [
        "2:29: a.html: this link will lead elsewhere"
    ]
    assert text(tmp_path)["page.html"] == HEAD + page


def test_links_that_mean_the_root_of_another_site_are_reported(tmp_path: Path) -> None:
    """The folder in which `mv` runs may be above the root of the site."""
    files = {"www/p.html": links("/d/a.html", "/gone.html", "d/a.html"), "www/d/a.html": "<p>"}
    make(tmp_path, files)
    done = mv(tmp_path, "www/d", "www/e")
    assert done.exit_code == 0
    assert (
        "/d/a.html: links to it stay: it leads to nothing below this root; name www" in done.stderr
    )
    assert "gone" not in done.stderr
    assert text(tmp_path)["www/p.html"] == links("/d/a.html", "/gone.html", "e/a.html")


def test_a_link_in_another_case_is_reported_once(tmp_path: Path) -> None:
    make(
        tmp_path, {"p.html": links("A.html", "A.html"), "q.html": links("A.html"), "a.html": "<p>"}
    )
    done = mv(tmp_path, "a.html", "b.html")
    assert done.exit_code == 0
    assert done.stderr.count("/A.html: links to it stay: it differs in case from a.html") == 1


def test_a_server_that_ignores_case(tmp_path: Path) -> None:
    pages = {"Docs/a.html": links("B.HTML"), "Docs/b.html": "<p>", "c.html": links("DOCS/A.html#x")}
    make(tmp_path, pages)
    done = mv(tmp_path, "--case-insensitive", "Docs/a.html", "docs/B.html")
    assert done.exit_code == 2
    assert "Docs/b.html, which is the same to a server that ignores case" in done.stderr
    assert text(tmp_path) == pages
    assert mv(tmp_path, "--case-insensitive", "Docs", "docs").exit_code == 0
    assert text(tmp_path)["c.html"] == pages["c.html"]
    assert mv(tmp_path, "--case-insensitive", "docs/a.html", "d/A.html").exit_code == 0
    moved = text(tmp_path)
    assert moved["c.html"] == links("d/A.html#x")
    assert moved["d/A.html"] == links("../docs/B.HTML")


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("netlify", "/docs/a.html /x%20y.html 301\n"),
        ("csv", "old,new\r\n/docs/a.html,/x%20y.html\r\n"),
    ],
)
def test_redirects(site: Path, tmp_path: Path, form: str, wanted: str) -> None:
    table = tmp_path / "table"
    arguments = [
        "--redirects",
        str(table),
        "--redirect-format",
        form,
        "--base",
        "http://s.example/",
    ]
    assert mv(site, "docs/a.html", "x y.html", "--dry-run", *arguments).exit_code == 0
    assert not table.exists()
    assert mv(site, "docs/a.html", "x y.html", *arguments).exit_code == 0
    assert table.read_bytes().decode() == wanted
    done = mv(site, "x y.html", "z.html", *arguments)
    assert done.exit_code == 2
    assert "exists; name another file" in done.stderr


def test_redirects_of_a_folder(site: Path, tmp_path: Path) -> None:
    table = tmp_path / "table"
    assert mv(site, "docs/sub", "sub", "--redirects", table, "--redirect-format", "netlify").exit_code == 0  # fmt: skip
    assert table.read_text() == "/docs/sub/deep.html /sub/deep.html 301\n/docs/sub/x.png /sub/x.png 301\n"  # fmt: skip


def test_the_report_has_each_changed_link(site: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    assert mv(site, "pic.png", "img/pic.png", "--report", report).exit_code == 0
    records = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(each["old"], each["new"]) for each in records] == [
        ("../pic.png", "../img/pic.png"),
        ("../pic.png", "../img/pic.png"),
    ]


def test_settings_name_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = '[tool.linkfix.site]\nbase = "http://s.example/"\nroot = "public"\n'
    make(tmp_path, {"pyproject.toml": settings, "public/p.html": links("http://s.example/a.html"), "public/a.html": "<p>"})  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["mv", "a.html", "b.html"]).exit_code == 0
    assert text(tmp_path / "public")["p.html"] == links("http://s.example/b.html")
    (tmp_path / "pyproject.toml").write_text(settings.replace("public", ".."))
    done = CliRunner().invoke(cli, ["mv", "a.html", "b.html"])
    assert done.exit_code == 2
    assert "which is no folder in the folder of the settings" in done.stderr


@pytest.mark.parametrize(
    ("old", "new"), [("docs", "help/x"), ("docs/a.html", "z.html"), ("docs/sub", "docs/other"), ("docs/index.html", "docs/start.html")]
)  # fmt: skip
def test_the_links_follow_what_was_renamed_without_them(site: Path, old: str, new: str) -> None:
    other = site.with_name("other")
    shutil.copytree(site, other)
    assert mv(site, old, new).exit_code == 0
    (other / new).parent.mkdir(exist_ok=True, parents=True)
    assert mv(other, old, new, "--after").exit_code == 2
    (other / old).rename(other / new)
    done = mv(other, old, new, "--after")
    assert done.exit_code == 0, done.output
    assert tree(other) == tree(site)


def test_what_is_still_there_was_not_renamed(site: Path) -> None:
    done = mv(site, "docs", "b c.html", "--after")
    assert done.exit_code == 2
    assert "docs: it is still there; leave out --after to move it" in done.stderr
    done = mv(site, "nope", "neither", "--after")
    assert done.exit_code == 2
    assert "neither: there is no such file or folder" in done.stderr
