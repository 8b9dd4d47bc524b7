"""``linkfix audit`` of a folder: links to files that are missing, and to places that are not in them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import processes
import pytest

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

META = '<!doctype html><meta charset="utf-8">'
PAGES = {
    "a.html": META + '<a href="nope.html">x</a><a href="b.html#nope">x</a><img src="no.png"><a href="b.html#there">x</a>',
    "b.html": META + '<p id="there"><a href="/a.html">x</a><a href="sub/">x</a><a href="A.html">x</a>',
    "sub/c.html": META + '<a href="../b.html#there">x</a><a href="../../x.html">x</a><a href="/api/x">x</a><a href="/b">x</a>',
}  # fmt: skip
WANTED = {
    ("a.html", "nope.html", "TGT001"), ("a.html", "b.html#nope", "TGT005"), ("a.html", "no.png", "TGT001"),
    ("b.html", "sub/", "TGT004"), ("b.html", "A.html", "TGT002"), ("sub/c.html", "../../x.html", "TGT006"),
    ("sub/c.html", "/api/x", "TGT001"), ("sub/c.html", "/b", "TGT001"),
}  # fmt: skip


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write(tmp_path / "site", PAGES)


def write(root: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return processes.text(processes.run("audit", *arguments, cwd=cwd))


def found(*arguments: str, cwd: Path, orphans: bool = False) -> set[tuple[str, Any, str]]:
    """File, value and code of each finding about files."""
    ignored = () if orphans else ("--ignore", "TGT014")
    done = run("--format", "jsonl", "--select", "TGT", *ignored, *arguments, cwd=cwd)
    assert done.returncode in {0, 1}, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {(row["file"].removeprefix("site/"), row["value"], row["rule"]) for row in rows}


def test_a_folder_is_checked_by_default(site: Path) -> None:
    done = run("site", cwd=site.parent)
    assert done.returncode == 1
    assert "site/a.html:1:47: error TGT001 missing-file: there is no such file" in done.stdout
    assert found("site", cwd=site.parent) == WANTED


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("path", ["site", "./site", "site/**/*.html", "../{}/site"])
def test_the_way_in_which_a_folder_is_named_does_not_matter(
    site: Path, path: str, jobs: str
) -> None:
    path = path.format(site.parent.name)
    rows = found("-j", jobs, path, cwd=site.parent)
    assert {(name.rpartition("site/")[2], *rest) for name, *rest in rows} == WANTED


@pytest.mark.parametrize("values", [("c.html", "../c.html"), ("../c.html", "c.html")])
def test_one_target_may_be_missing_and_outside(tmp_path: Path, values: tuple[str, ...]) -> None:
    links = "".join(f"<a href={value}>" for value in values)
    site = write(tmp_path / "site", {"a.html": META + links})
    rows = found("site", cwd=site.parent, orphans=True)
    codes = {value: code for _, value, code in rows if value}
    assert codes == {"c.html": "TGT001", "../c.html": "TGT006"}


def test_the_folder_may_be_the_current_one(site: Path) -> None:
    assert {(name.removeprefix("./"), *rest) for name, *rest in found(".", cwd=site)} == WANTED


def test_a_document_that_is_named_itself_has_no_site(site: Path) -> None:
    assert found("a.html", "b.html", cwd=site) == set()
    assert found("site/b.html", "site", cwd=site.parent) == WANTED, "unless its folder is named too"


def test_two_folders_are_two_sites(site: Path) -> None:
    other = write(site.parent / "other", {"nope.html": META + '<a href="/a.html">', "b.html": META})
    rows = found("site", str(other), cwd=site.parent)
    assert {row for row in rows if "other" not in row[0]} == WANTED
    assert [row[1:] for row in rows if "other" in row[0]] == [("/a.html", "TGT001")]


def test_with_a_base_links_to_the_own_host_are_checked(site: Path) -> None:
    write(site, {"d.html": META + '<a href="http://h.example/x"><a href="http://h.example/m/x">'})
    rows = found("--base", "http://h.example/m/", "site", cwd=site.parent)
    assert ("d.html", "http://h.example/m/x", "TGT001") in rows
    assert ("a.html", "nope.html", "TGT001") in rows
    # Outside of the folder, whose address is /m/, nothing is known.
    assert not any(value in {"/a.html", "http://h.example/x", "/b"} for _, value, _ in rows)


def test_programs_clean_urls_and_other_index_names(site: Path) -> None:
    (site / "pyproject.toml").write_text(
        '[tool.linkfix.site]\nserved = ["/api/"]\nclean-urls = true\nindex = ["c.html"]\n'
    )
    left = {"/api/x", "/b", "sub/"}
    assert found(".", cwd=site) == {
        ("./" + name if not name.startswith("./") else name, value, code)
        for name, value, code in WANTED
        if value not in left
    }


def test_findings_are_ignored_suppressed_and_known_like_others(site: Path) -> None:
    page = '<!-- linkfix: ignore TGT001 --><a href="nope.html">x</a><a href="no.html">x</a>'
    write(site, {"a.html": META + page})
    rows = found("--ignore", "TGT002,TGT004", "site", cwd=site.parent)
    assert [row for row in rows if row[0] == "a.html"] == [("a.html", "no.html", "TGT001")]
    assert not any(code in {"TGT002", "TGT004"} for _, _, code in rows)
    run("--baseline", "known", "--write-baseline", "site", cwd=site.parent)
    assert found("--baseline", "known", "site", cwd=site.parent) == set()


def test_a_link_that_is_not_followed_is_not_checked(site: Path) -> None:
    page = (
        '<base href="sub/"><a href="{{ x }}"><p itemid="http://folder.invalid/x"><a href="c.html">'
    )
    write(site, {"a.html": META + page, "b.html": META, "sub/c.html": META})
    assert found("site", cwd=site.parent) == set()


def test_the_beginning_of_addresses_in_a_catalog_needs_no_index(tmp_path: Path) -> None:
    entries = "".join(
        f"<rewriteURI uriStartString='http://a.example/{name}' rewritePrefix='{name}'/>"
        for name in ("xsl/", "none/")
    )
    space = "urn:oasis:names:tc:entity:xmlns:xml:catalog"
    write(tmp_path / "site", {"c.xml": f"<catalog xmlns='{space}'>{entries}</catalog>", "xsl/a.xml": "<a/>"})  # fmt: skip
    assert found("site", cwd=tmp_path) == {("c.xml", "none/", "TGT001")}


def test_nothing_is_looked_up_that_is_relative_to_the_result_of_a_style_sheet(
    tmp_path: Path,
) -> None:
    sheet = (
        "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:import href='no.xsl'/>"
        "<xsl:template match='/'><a xmlns='http://www.w3.org/1999/xhtml' href='no.html'/>"
        "<a xmlns='http://www.w3.org/1999/xhtml' href='#no'/></xsl:template></xsl:stylesheet>"
    )
    write(tmp_path / "site", {"a.xsl": sheet})
    assert found("site", cwd=tmp_path) == {("a.xsl", "no.xsl", "TGT001")}


@pytest.mark.parametrize(
    ("head", "others", "is_known"),
    [
        ("<meta charset=shift_jis>", {}, True),
        ("<meta charset=utf-8><!-- x -->", {}, False),
        (
            "<meta charset=shift_jis>",
            {"z.html": META + "<link rel=stylesheet href=s/a.css>"},
            False,
        ),
        ("", {}, False),
    ],
)
def test_a_style_sheet_without_a_charset_has_that_of_its_pages(
    tmp_path: Path, head: str, others: dict[str, str], *, is_known: bool
) -> None:
    """And so has what it imports (CSS Syntax 3, 3.2); where the pages disagree, or declare none, it is not known."""
    site = write(tmp_path / "site", {"s/画像.png": "", **others})
    (site / "a.html").write_text(f"<!doctype html>{head}<link rel=stylesheet href=s/a.css>")
    for name, text in {"a": '@import "表.css"', "表": "a { background: url(画像.png), url(無.png) }"}.items():  # fmt: skip
        (site / f"s/{name}.css").write_bytes(text.encode("shift_jis"))
    done = run("--format", "jsonl", "--select", "TGT001,ENC004", "site", cwd=tmp_path)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    missing = [(row["file"], row["value"]) for row in rows if row["rule"] == "TGT001"]
    assert (missing == [("site/s/表.css", "無.png")]) is is_known
    assert ("ENC004" not in {row["rule"] for row in rows}) is is_known


@pytest.mark.parametrize("label", ["euc-jp", "x"])
def test_a_page_names_the_charset_of_its_style_sheet(tmp_path: Path, label: str) -> None:
    page = f"{META}<link charset={label} rel=stylesheet href=a.css>"
    site = write(tmp_path / "site", {"a.html": page, "画像.png": ""})
    (site / "a.css").write_bytes("a { background: url(画像.png) }".encode("euc-jp"))
    assert bool(found("site", cwd=tmp_path)) == (label == "x")


@pytest.mark.parametrize("output", ["text", "sarif", "csv", "html", "junit", "github"])
def test_several_processes_write_the_same(site: Path, output: str) -> None:
    for number in range(40):
        write(site, {f"p{number}.html": PAGES["a.html"] + f'<a href="p{number + 1}.html#x">'})
    one, two = (run("--format", output, "-j", jobs, "site", cwd=site.parent) for jobs in "12")
    assert one.stdout == two.stdout
    assert one.returncode == two.returncode == 1


def test_the_site_is_described_once_for_all_commands(site: Path) -> None:
    page = META + "".join(
        f'<a href="{value}">'
        for value in ("/img/a.html#x", "/img/a.html#no", "/B", "http://www.h.example/no", "/sub/c/")
    )
    write(site.parent, {"static/a.html": META + "<p id=x>", "site/b.html": META, "site/d.html": page})  # fmt: skip
    (site / "a.html").unlink()
    (site / "sub/c.html").write_text(META)
    (site.parent / "pyproject.toml").write_text(
        "[tool.linkfix.site]\nroot = 'site'\nclean-urls = true\ntrailing-slashes = true\ncase-insensitive = true\n"
        "hosts = ['www.h.example']\naliases = { '/img/' = 'static' }\n"
    )
    wanted = {
        ("d.html", "/img/a.html#no", "TGT005"),
        ("d.html", "http://www.h.example/no", "TGT001"),
    }
    assert found("site", cwd=site.parent) == wanted
    # The root is that of the settings, whatever is audited.
    assert found("site/d.html", cwd=site.parent) == wanted
    assert found("d.html", cwd=site) == wanted
    done = run("--root", "site", "--ignore", "TGT014", "static", cwd=site.parent)
    assert (done.returncode, done.stdout) == (0, "")
    migrated = processes.run("migrate", "site", "new", "--report", "report", cwd=site.parent)
    assert migrated.returncode == 1, migrated.stderr
    rows = [json.loads(line) for line in (site.parent / "report").read_text().splitlines()]
    broken = [row["value"] for row in rows if row["record"] == "broken"]
    assert broken == ["http://www.h.example/no"], rows


def test_redirects_are_read_from_the_root_and_from_settings(site: Path) -> None:
    page = META + "".join(
        f'<a href="{value}">' for value in ("old.html", "n", "dead", "sub/c.html")
    )
    write(site, {"d.html": page, "_redirects": "/old.html /b.html\n/dead /gone.html\n"})
    write(site.parent, {"nginx.conf": "location = /n { return 301 /sub/c.html; }\n"})
    wanted = {("d.html", "old.html", "TGT007"), ("d.html", "dead", "TGT001")}
    rows = {row for row in found("site", cwd=site.parent) if row[0] == "d.html"}
    assert rows == wanted | {("d.html", "n", "TGT001")}
    (site.parent / "pyproject.toml").write_text(
        "[tool.linkfix.site]\nserver-config = ['nginx.conf']\n"
    )
    for jobs in "12":
        rows = {row for row in found("-j", jobs, "site", cwd=site.parent) if row[0] == "d.html"}
        assert rows == wanted | {("d.html", "n", "TGT007")}
    done = run("--select", "TGT007", "site", cwd=site.parent)
    assert "the link is redirected to /b.html" in done.stdout
    (site.parent / "pyproject.toml").write_text("[tool.linkfix.site]\nserver-config = ['../x']\n")
    assert run("site", cwd=site.parent).returncode == 2


def test_links_in_embedded_documents_are_looked_up(tmp_path: Path) -> None:
    away = '<meta http-equiv=refresh content="0; url=b.html"><link rel=canonical href=b.html>'
    page = f"{META}<noscript>{away}<p id=n><img src=gone1></noscript><noframes><a href=gone2></noframes>"
    page += "<!--[if IE]><link href=gone3><![endif]--><iframe src=b.html><a href=gone4></iframe><a href='#n'>"
    write(
        tmp_path / "site",
        {"index.html": page, "b.html": META + page.replace("b.html", "c.html"), "c.html": META},
    )
    gone = {
        (name, f"gone{number}", "TGT001")
        for name in ("index.html", "b.html")
        for number in range(1, 5)
    }
    assert found("site", cwd=tmp_path) == gone
    told = ("--embedded", "noscript=list", "--embedded", "noframes=off")
    assert found(*told, "site", cwd=tmp_path) == {row for row in gone if row[1] > "gone2"}
    assert "2 links in noframes: followed" in run("site", cwd=tmp_path).stderr


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A site whose pages disagree about each other."""
    head = '<link rel="canonical" href="{}"><a href="b.html">'
    sitemap = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
    entry = "<url><loc>http://h.example/{}</loc></url>"
    return write(
        tmp_path / "site",
        {
            "index.html": META + head.format("b.html") + '<a href="c.html">x</a><a href="r/1.html">x</a>',
            "b.html": META + head.format("c.html") + '<link rel=alternate hreflang=de href="c.html">',
            "c.html": META + '<meta property="og:url" content="b.html"><link rel=canonical href=c.html>',
            "r/1.html": META + '<meta http-equiv=refresh content="0;2.html">',
            "r/2.html": META + '<meta http-equiv=refresh content="0;1.html">',
            "z/lonely.html": META + '<a href="../b.html">x</a><a href="lonely.html">x</a>',
            "404.html": META,
            "sitemap.xml": sitemap.format(entry.format("b.html") + entry.format("c.html")),
        },
    )  # fmt: skip


WHOLE = [
    ("b.html", "c.html", "TGT012"), ("c.html", "b.html", "TGT010"), ("index.html", "b.html", "TGT009"),
    ("r/1.html", "2.html", "TGT013"), ("r/2.html", "1.html", "TGT013"), ("sitemap.xml", "http://h.example/b.html", "TGT011"),
    ("z/lonely.html", None, "TGT014"),
]  # fmt: skip


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_pages_are_compared_when_all_are_read(pages: Path, jobs: str) -> None:
    arguments = ("--format", "jsonl", "-j", jobs, "--base", "http://h.example/")
    done = run(*arguments, "site", cwd=pages.parent)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    found = [(row["file"].removeprefix("site/"), row["value"], row["rule"]) for row in rows]
    late = {f"TGT0{number:02}" for number in range(9, 15)}
    codes = [code in late for _, _, code in found]
    assert codes == sorted(codes), "after the findings of all documents"
    assert [row for row in found if row[2] in late] == WHOLE
    counts = [row["severity"] for row in rows]
    assert f"{counts.count('warning')} warnings, {counts.count('advice')} piece" in done.stderr


def test_the_order_of_documents_does_not_matter(pages: Path) -> None:
    names = sorted(str(path.relative_to(pages.parent)) for path in pages.rglob("*.*ml"))
    told = (
        "--root",
        "site",
        "--select",
        "TGT009,TGT010,TGT011,TGT012,TGT013",
        "--base",
        "http://h.example/",
    )
    one, two = (found(*told, *order, cwd=pages.parent) for order in (names, names[::-1]))
    assert one == two == {*WHOLE[:-1]}


@pytest.mark.parametrize("output", ["text", "sarif", "csv", "html", "junit", "github"])
def test_findings_of_the_end_are_in_every_format(pages: Path, output: str) -> None:
    one, two = (run("--format", output, "-j", jobs, "site", cwd=pages.parent) for jobs in "12")
    assert one.stdout == two.stdout
    for _, _, code in WHOLE:
        assert (code in one.stdout) == (code != "TGT011" or output in {"sarif", "html"})


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", ["a.xhtml", "zz.xhtml"])
def test_no_page_is_an_orphan_where_links_are_not_known(pages: Path, name: str, jobs: str) -> None:
    (pages / "page.shtml").write_text('<!--#include virtual="/part.html"-->')
    (pages / "part.html").write_text("<p>It is no page.")
    assert "TGT014" in run("site", cwd=pages.parent).stdout
    (pages / name).write_text("<html xmlns='http://www.w3.org/1999/xhtml'><a href='z/lonely.html'>")
    done = run("-j", jobs, "site", cwd=pages.parent)
    assert done.returncode == 3
    assert "TGT014" not in done.stdout
    assert "TGT012" in done.stdout


@pytest.mark.parametrize("value", ["0;../b.html", "0; url=http://h.example/", "0;../gone.html"])
def test_a_page_that_only_leads_on_needs_no_link(pages: Path, value: str) -> None:
    (pages / "z" / "old-name.html").write_text(f"{META}<meta http-equiv=refresh content='{value}'>")
    (pages / "z" / "clock.html").write_text(f"{META}<meta http-equiv=refresh content='60'>")
    rows = found("site", cwd=pages.parent, orphans=True)
    orphans = {name for name, _, code in rows if code == "TGT014"}
    assert orphans == {"z/lonely.html", "z/clock.html"}


def test_findings_of_the_end_are_ignored_suppressed_and_known(pages: Path) -> None:
    def orphans(*arguments: str) -> set[str]:
        rows = found(*arguments, cwd=pages.parent, orphans=True)
        return {name for name, _, code in rows if code == "TGT014"}

    assert orphans("site/**/*.html") == orphans("--include", "*.html", "site") == set()
    assert orphans("site") == orphans("site/z") == {"z/lonely.html"}
    text = (pages / "index.html").read_text()
    (pages / "index.html").write_text(text.replace("<link", "<!-- linkfix: ignore TGT009 --><link"))
    done = run("site", cwd=pages.parent)
    assert "TGT009" not in done.stdout
    assert "1 suppressed" in done.stderr
    run("--baseline", "known", "--write-baseline", "site", cwd=pages.parent)
    assert found("--baseline", "known", "site", cwd=pages.parent) == set()
    (pages.parent / "pyproject.toml").write_text(
        "[tool.linkfix.audit.per-file-ignores]\n'site/r/*' = ['TGT013']\n'site/z/*' = ['orphan']\n"
    )
    codes = {code for _, _, code in found("site", cwd=pages.parent, orphans=True)}
    assert not codes & {"TGT009", "TGT013", "TGT014"}
    assert "TGT012" in codes
    assert (
        run("--select", "TGT013", "--fail-on", "warning", "site", cwd=pages.parent).returncode == 0
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("order", [["a.html", "b.html"], ["b.html", "a.html"]])
def test_targets_are_read_by_the_type_of_the_command_line(
    tmp_path: Path, order: list[str], jobs: str
) -> None:
    """XHTML has names where HTML reads a comment or text."""
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><title><p id='x'/></title><a href='{}#x'/></html>"
    for name, other in (order, order[::-1]):
        (tmp_path / name).write_text(page.format(other))
    for kind, count in (("html", 2), ("xhtml", 0)):
        done = run("--type", kind, "--select", "TGT005", "-j", jobs, ".", cwd=tmp_path)
        assert done.stdout.count("TGT005") == count, done.stderr


@pytest.mark.parametrize("options", [(), ("-j", "2")])
def test_the_address_that_pages_name_as_their_own_is_said(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Only a base makes links to it links of the site."""
    page = META + '<link rel=canonical href="{}"><a href="https://h.example/lost.html">x</a>'
    places = {"index.html": "https://h.example/", "a b.html": "https://h.example/a%20b", "s/index.html": "https://h.example/s/index.html", "c.html": "https://i.example/c.html", "d.html": "other.html"}  # fmt: skip
    site = write(tmp_path / "site", {name: page.format(place) for name, place in places.items()})
    done = processes.run("audit", *options, str(site))
    said = "3 pages say by a canonical link that its address is https://h.example/; --base https://h.example/ checks links to that address too"
    assert f"linkfix: {site}: {said}\n" in done.stderr.decode()
    assert "lost.html" not in done.stdout.decode()
    done = processes.run("audit", *options, "--base", "https://h.example/", str(site))
    assert "its address" not in done.stderr.decode()
    assert done.stdout.decode().count("https://h.example/lost.html\n") == len(places)
