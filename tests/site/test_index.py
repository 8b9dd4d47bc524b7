"""The first pass over a site: charsets of what pages ask for, and broken links."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

import pytest
import site_generator

from linkfix.files import store
from linkfix.files.access import CHUNK
from linkfix.migration.migration import Migration
from linkfix.migration.settings import Settings
from linkfix.policy import Policy
from linkfix.server import nearmiss
from linkfix.server.addresses import Serving

if TYPE_CHECKING:
    from pathlib import Path

    from linkfix.migration.index import Broken


def examined(root: Path, **settings: object) -> Migration:
    migration = Migration(
        Settings(str(root), f"{root}.new", Policy(), writes=False, **settings)  # type: ignore[arg-type]
    )
    assert sorted(migration.examine()) == sorted(migration.types)
    return migration


def broken(root: Path, **settings: object) -> list[Broken]:
    migration = examined(root, **settings)
    return [*migration.index.broken(migration.moves)]


def write(root: Path, **files: str | bytes) -> Path:
    for name, body in files.items():
        path = root / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body if isinstance(body, bytes) else body.encode())
    return root


@pytest.mark.parametrize("most", [store.MOST_KEPT, 2000])
def test_the_generated_site_has_exactly_its_planted_broken_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """Also where the names of few documents fit into memory."""
    monkeypatch.setattr(store, "MOST_KEPT", most)
    monkeypatch.setattr(nearmiss, "MOST_SETS", min(most // 1000, nearmiss.MOST_SETS))
    site = site_generator.generate(700)
    from linkfix.server.headers import Labels

    found = broken(
        site.write(tmp_path / "site"),
        base=site_generator.BASE,
        headers=Labels.parse(site_generator.SOURCE_CHARSETS),
        names=Labels.parse(site_generator.RENAME_CHARSETS),
    )
    wanted = Counter(
        (os.fsdecode(document.path), link.uri, link.broken)
        for document in site.documents.values()
        for link in document.links.values()
        if link.broken
    )
    assert Counter((each.found.file, each.found.uri, each.reason) for each in found) == wanted
    assert {each.near for each in found if each.reason == "case"} == {("images/logo.png",)}


@pytest.mark.parametrize(
    ("link", "reason", "near"),
    [
        ("pages/other.html", "", ()),
        ("pages", "no-index", ()),
        ("docs/", "", ()),
        ("docs", "", ()),
        ("pages/othr.html", "missing", ("pages/other.html",)),
        ("other.html", "missing", ("pages/other.html",)),
        ("pages/Other.html", "case", ("pages/other.html",)),
        ("pages/other.html/", "missing", ("pages/other.html",)),
        ("pages/other.html#plece", "fragment", ("place",)),
        ("pages/other.html#place", "", ()),
        ("pages/other.html#Place%202", "", ()),
        ("pages/other.html#old", "", ()),
        ("pages/other.html#TOP", "", ()),
        ("pages/other.html#", "", ()),
        ("pages/other.html#:~:text=x", "", ()),
        ("pages/other.html#xywh=percent:1,2,3,4", "", ()),
        ("pages/other.html#svgView(viewBox(0,0,1,1))", "", ()),
        ("pages/other.html#svgview", "fragment", ()),
        ("docs/#nothing", "fragment", ()),
        ("#here", "", ()),
        ("#nowhere", "fragment", ()),
        ("#Heer", "fragment", ()),
        ("#her", "fragment", ("here",)),
        ("picture.png#xywh=1,2,3,4", "", ()),
        ("picture.png?v=2", "", ()),
        ("%2e%2e/picture.png", "", ()),
        ("pages%2Fother.html", "", ()),  # no name that a file can have: another program's business
        ("http://elsewhere.example/x", "", ()),
        ("mailto:a@b.example", "", ()),
    ],
)
def test_links_into_the_site(tmp_path: Path, link: str, reason: str, near: tuple[str, ...]) -> None:
    write(
        tmp_path,
        index_html=f'<meta charset=utf-8><p id=here><a href="{link}">',
        pages__other_html="<meta charset=utf-8><p id=place><p id='Place 2'><a name=old>",
        docs__index_htm="<meta charset=utf-8>",
        picture_png="",
    )
    found = [(each.reason, each.near) for each in broken(tmp_path)]
    assert found == ([(reason, near)] if reason else [])


def test_a_name_in_another_charset_is_found_and_reported(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode("表.html".encode("cp932"))).write_bytes(b"")
    page = '<meta charset=shift_jis><a href="表.html"><a href="%95%5C.html">'
    write(tmp_path, index_html=page.encode("cp932"))
    (only,) = broken(tmp_path)
    assert (only.reason, [os.fsencode(n) for n in only.near]) == ("spelling", [b"\x95\x5c.html"])


def test_a_base_element_rules_and_is_no_link_of_its_own(tmp_path: Path) -> None:
    page = '<meta charset=utf-8><base href="/pages/"><a href="other.html"><a href="index.html">'
    write(tmp_path, index_html=page, pages__other_html="<meta charset=utf-8>")
    (only,) = broken(tmp_path)
    assert (only.reason, only.found.value, only.near) == ("missing", "index.html", ("index.html",))


def test_scripts_and_style_sheets_are_read_in_the_charset_of_who_asks(tmp_path: Path) -> None:
    page = (
        "<meta charset=shift_jis><link rel=stylesheet href=a.css><script src=a.js></script>"
        '<script src=b.js charset="euc-jp"></script><script type=module src=c.js></script>'
        "<style>@import 'b.css';</style><a href=d.js>"
    )
    write(
        tmp_path,
        one_html=page,
        two_html="<meta charset=windows-1251><script src=a.js></script>",
        three_html="<meta charset=windows-1251><script src=a.js></script>",
        a_css="@import 'c.css'; /* \x82\xa0 */".encode("latin-1"),
        b_css="/* */",
        c_css="/* */",
        d_css="/* nobody asks for it */",
        **{f"{name}_js": "//" for name in "abcd"},
    )
    index = examined(tmp_path).index
    charsets = {name: index.environment(name) for name in ("a.css", "b.css", "c.css", "d.css")}
    assert charsets == {
        "a.css": "Shift_JIS",
        "b.css": "Shift_JIS",
        "c.css": "Shift_JIS",
        "d.css": None,
    }
    assert index.documents["a.css"].charset == "Shift_JIS"
    scripts = {name: index.environment(f"{name}.js") for name in "abcd"}
    assert scripts == {"a": "windows-1251", "b": "EUC-JP", "c": "UTF-8", "d": None}
    assert index.asked["a.js"] == Counter({"windows-1251": 2, "Shift_JIS": 1})


@pytest.mark.parametrize(
    "before",
    [
        """<script>document.write('<a href="' + u);</script>""",
        """<!-- <a title=" -->""",
        """<textarea><a rel="</textarea>""",
    ],
)
def test_what_no_tag_is_hides_no_charset_of_a_script(tmp_path: Path, before: str) -> None:
    page = f'<meta charset=koi8-r>{before}<script charset="windows-1251" src="a.js"></script><p title="1 > 0">'
    write(tmp_path, one_html=page, a_js="//")
    assert examined(tmp_path).index.environment("a.js") == "windows-1251"


def test_a_tag_that_the_last_bytes_end_names_the_charset_of_a_script(tmp_path: Path) -> None:
    head, tag = "<meta charset=koi8-r>", '<script charset="windows-1251" src="a.js">'
    page = f"{head}{' ' * (CHUNK + 2 - len(head + tag))}{tag}"
    write(tmp_path, one_html=page, a_js="//")
    assert examined(tmp_path).index.environment("a.js") == "windows-1251"


@pytest.mark.parametrize("encoding", ["koi8-r", "utf-16"])
@pytest.mark.parametrize("shift", [0, 25, CHUNK - 400])
def test_xml_names_the_charset_of_scripts_and_style_sheets(
    tmp_path: Path, encoding: str, shift: int
) -> None:
    page = f"""<?xml version="1.0" encoding="{encoding}"?><?xml-stylesheet charset="big5" href="a.css"?>
<?xml-stylesheet href='b.css' title='>' type='text/css'?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head>{"ж" * shift}
<h:link rel="stylesheet" title="a > b" href="c.css" charset='windows-1251'/><h:script charset="euc-jp" src="a.js"/>
<h:script type="module" src="b.js"/><h:script src="c.js"/></h:head></h:html>"""
    names = [f"{name}_{kind}" for name in "abc" for kind in ("css", "js")]
    write(tmp_path, one_xhtml=page.encode(encoding), **dict.fromkeys(names, "//"))
    index = examined(tmp_path).index
    charset = "KOI8-R" if encoding == "koi8-r" else "UTF-16LE"
    assert {name: index.environment(name.replace("_", ".")) for name in names} == {
        "a_css": "Big5",
        "b_css": charset,
        "c_css": "windows-1251",
        "a_js": "EUC-JP",
        "b_js": "UTF-8",
        "c_js": charset,
    }


def test_a_document_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    write(tmp_path, bad_xml="<a><b></a>", good_html='<meta charset=utf-8><a href="bad.xml">')
    migration = examined(tmp_path)
    index = migration.index
    assert list(index.documents) == ["good.html"]
    assert not list(index.broken(migration.moves))


def test_what_is_the_same_of_many_documents_is_kept_once(tmp_path: Path) -> None:
    """So a large site needs little memory: of a document its path, which the tables share, and numbers."""
    pages = {f"page{number}_html": "<meta charset=utf-8><p id=here>" for number in range(20)}
    migration = examined(write(tmp_path, **pages))
    documents = migration.index.documents
    assert len(documents) == 20
    assert len({id(reading) for reading in documents.values()}) == 1
    for path, listed in zip(
        sorted(documents), sorted(migration.moves.listing.entries), strict=True
    ):
        assert path is listed


def test_no_file_is_missed_where_a_program_serves(tmp_path: Path) -> None:
    links = ("/search?q=x", "/cgi-bin/find/more", "/static/gone.png")
    page = "<meta charset=utf-8>" + "".join(f'<a href="{link}">' for link in links)
    write(tmp_path, index_html=page)
    found = [
        each.found.value
        for each in broken(tmp_path, serving=Serving(served=("/search", "cgi-bin/")))
    ]
    assert found == ["/static/gone.png"]


def test_what_sets_a_base_is_followed_by_nobody(tmp_path: Path) -> None:
    feed = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/none/"><link href="a.html"/></feed>'
    )
    write(tmp_path, feed_xml=feed)
    assert [each.found.uri for each in broken(tmp_path)] == ["http://site.invalid/none/a.html"]


def test_a_fragment_alone_in_a_style_sheet_is_an_element_of_the_page(tmp_path: Path) -> None:
    rule = "p {filter: url(#NAME)}"
    page = f"<meta charset=utf-8><base href=/other/><link rel=stylesheet href=/s.css><p id=here style='{rule}'><style>{rule}</style>"
    write(
        tmp_path, **{"s.css": rule.replace("NAME", "here"), "p.html": page.replace("NAME", "here")}
    )
    assert broken(tmp_path) == []
    write(tmp_path, **{"p.html": page.replace("NAME", "nowhere")})
    assert [each.found.value for each in broken(tmp_path)] == ["#nowhere"] * 2
