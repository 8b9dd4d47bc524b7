"""``linkfix graph``: the same graph in every format, and the same verdicts as the audit."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
import site_generator
from click.testing import CliRunner, Result
from lxml import etree

from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
HEAD = "<!doctype html><meta charset=utf-8><title>t</title>"


def graph(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["graph", *map(str, arguments)])


def records(text: str, kind: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in text.splitlines()]
    return [each for each in found if each["record"] == kind]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    pages = {
        "index.html": '<a href="d/a.html#x">1</a><a href="d/">2</a>\n<a href="nope.html?q#f">3</a><img src="p%20q.png">',
        "d/index.html": '<a href="a.html#gone">1</a><a href="#own">2</a><i id=own></i><a href="search?q">',
        "d/a.html": '<p id=x><a href="http://Other.example:80/é?q#f">1</a><a href="mailto:a@b.example">2</a>'
        '<a href="javascript:x()">3</a><img src="data:,x"><a href="{{ x }}">4</a><a href="A.html">',
        "lone.html": '<a href="lone.html">1</a><a href="&quot;&gt;\\&#x1b;]&#x202e;::error::x">2</a>',
    }
    for name, body in pages.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(HEAD + body, "utf-8")
    (folder / "p q.png").write_bytes(b"")
    return folder


def test_nodes_and_links(site: Path) -> None:
    done = graph(site, "--served", "/d/search")
    assert done.exit_code == 0, done.output
    nodes = {each["id"]: (each["kind"], each["path"], each["host"]) for each in records(done.stdout, "node")}  # fmt: skip
    odd = next(name for name in nodes if "error" in name)
    assert nodes == {
        "/d/a.html": ("document", "d/a.html", ""),
        "http://other.example/%C3%A9?q": ("url", "", "other.example"),
        "mailto:a@b.example": ("url", "", ""),
        "/d/A.html": ("missing", "", ""),
        "/d/index.html": ("document", "d/index.html", ""),
        "/d/search?q": ("program", "", ""),
        "/index.html": ("document", "index.html", ""),
        "/nope.html?q": ("missing", "", ""),
        "/p%20q.png": ("file", "p q.png", ""),
        "/lone.html": ("document", "lone.html", ""),
        odd: ("missing", "", ""),
    }
    links = [
        (each["document"].removeprefix(f"{site}/"), each["line"], each["element"], each["attribute"],
         each["target"], each["fragment"], each["found"], each["problem"])
        for each in records(done.stdout, "link")
    ]  # fmt: skip
    assert links == [
        ("d/a.html", 1, "a", "href", "http://other.example/%C3%A9?q", "f", None, ""),
        ("d/a.html", 1, "a", "href", "mailto:a@b.example", "", None, ""),
        ("d/a.html", 1, "a", "href", "/d/A.html", "", False, "case"),
        ("d/index.html", 1, "a", "href", "/d/a.html", "gone", False, "fragment"),
        ("d/index.html", 1, "a", "href", "/d/index.html", "own", True, ""),
        ("d/index.html", 1, "a", "href", "/d/search?q", "", None, ""),
        ("index.html", 1, "a", "href", "/d/a.html", "x", True, ""),
        ("index.html", 1, "a", "href", "/d/index.html", "", True, ""),
        ("index.html", 2, "a", "href", "/nope.html?q", "f", False, "missing"),
        ("index.html", 2, "img", "src", "/p%20q.png", "", True, ""),
        ("lone.html", 1, "a", "href", "/lone.html", "", True, ""),
        ("lone.html", 1, "a", "href", odd, "", False, "missing"),
    ]
    summary = done.stderr.splitlines()
    assert summary[0] == (
        "linkfix: 4 documents, 12 links: 4 broken, to 4 targets; 1 document without links to them; "
        "1 to 1 other host"
    )
    assert "linkfix: broken: /d/A.html (1 link)" in summary
    assert f"linkfix: no links to: {site}/lone.html" in summary
    assert summary[-1] == "linkfix: host: other.example (1 link)"


def test_each_format_has_the_same_graph(site: Path) -> None:
    lines = graph(site, "-q").stdout
    nodes = records(lines, "node")
    links = records(lines, "link")
    pairs = [(each["source"], each["target"], str(each["line"])) for each in links]

    rows = list(csv.DictReader(io.StringIO(graph(site, "-q", "--format", "csv").stdout)))
    assert [(each["source"], each["target"], each["line"]) for each in rows] == pairs
    assert [each["problem"] for each in rows] == [each["problem"] for each in links]

    root = etree.fromstring(graph(site, "-q", "--format", "graphml").stdout.encode())
    known = [each.get("id") for each in root.iter(f"{GRAPHML}node")]
    assert known == [each["id"] for each in nodes]
    keys = {each.get("id"): each.get("attr.name") for each in root.iter(f"{GRAPHML}key")}
    edges = [
        {keys[data.get("key")]: data.text or "" for data in each}
        | {"source": each.get("source") or "", "target": each.get("target") or ""}
        for each in root.iter(f"{GRAPHML}edge")
    ]
    assert [(each["source"], each["target"], each["line"]) for each in edges] == pairs
    assert [each.get("problem", "") for each in edges] == [each["problem"] for each in links]
    assert {each[end] for each in edges for end in ("source", "target")} <= {*known}

    dot = graph(site, "-q", "--format", "dot").stdout
    quoted = r'"((?:[^"\\]|\\.)*)"'
    found = re.findall(
        rf'^{quoted} -> {quoted} \[document={quoted}, line="(\d+)", .*\];$', dot, re.MULTILINE
    )
    assert [(source, target, line) for source, target, _, line in found] == pairs
    assert len(re.findall(rf"^{quoted} \[kind={quoted}\];$", dot, re.MULTILINE)) == len(nodes)


@pytest.mark.parametrize("form", ["jsonl", "csv", "graphml", "dot"])
def test_no_format_has_control_characters_or_commands(site: Path, form: str) -> None:
    out = graph(site, "-q", "--format", form).stdout
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202e]", out)
    assert not re.search(r"^\s*::", out, re.MULTILINE)


@pytest.mark.parametrize("only", ["--broken", "--orphans"])
def test_the_summary_is_that_of_the_whole_graph(site: Path, only: str) -> None:
    """Also where the only link to a document, or to another host, is in one without a broken link."""
    page = HEAD + '<a href="only.html">1</a><a href="http://o.example/">2</a>'
    (site / "whole.html").write_text(page, "utf-8")
    (site / "only.html").write_text(HEAD, "utf-8")
    assert graph(only, site).stderr == graph(site).stderr


def test_broken_links_are_those_of_the_audit(tmp_path: Path) -> None:
    folder = site_generator.generate(84).write(tmp_path / "site")
    base = ["--base", site_generator.BASE]
    done = graph(folder, "--broken", *base)
    found = {
        (each["document"], each["line"], each["column"], each["problem"])
        for each in records(done.stdout, "link")
    }
    names = {"TGT001": "missing", "TGT002": "case", "TGT003": "spelling", "TGT004": "no-index", "TGT005": "fragment", "REF002": "fragment"}  # fmt: skip
    line = ["audit", str(folder), "--format", "jsonl", "--select", ",".join(names), "-q", *base]
    findings = [json.loads(each) for each in CliRunner().invoke(cli, line).stdout.splitlines()]
    wanted = {(f["file"], f["line"], names[f["rule"]]) for f in findings}
    assert len(wanted) > 15
    assert {(file, line, problem) for file, line, _, problem in found} == wanted
    assert {each["kind"] for each in records(done.stdout, "node")} >= {"document", "missing"}


def test_several_processes_write_the_same(tmp_path: Path) -> None:
    folder = site_generator.generate(49).write(tmp_path / "site")
    one, two = (graph(folder, "-j", jobs, "--base", site_generator.BASE) for jobs in ("1", "2"))
    assert one.exit_code == two.exit_code == 0
    assert one.stdout == two.stdout
    assert one.stderr == two.stderr


def test_orphans(site: Path) -> None:
    done = graph(site, "--orphans", "-q")
    assert [each["id"] for each in records(done.stdout, "node")] == ["/lone.html"]
    assert records(done.stdout, "link") == []


def test_entities_of_xml_need_no_link(site: Path) -> None:
    names = '<!ENTITY one SYSTEM "one.xml"><!ENTITY % more SYSTEM "more.ent">%more;'
    (site / "book.xml").write_text(f'<!DOCTYPE b SYSTEM "b.dtd" [{names}]><b>&one;&two;</b>')
    (site / "more.ent").write_text('<!ENTITY two PUBLIC "two" "two.xml">')
    (site / "b.dtd").write_text("<!ELEMENT b ANY>")
    for name in ("one", "two", "three"):
        (site / f"{name}.xml").write_text("<c/>")
    done = graph(site, "--orphans", "-q")
    ids = [each["id"] for each in records(done.stdout, "node")]
    assert ids == ["/book.xml", "/lone.html", "/three.xml"]


def test_several_folders_and_names_in_octets(site: Path, tmp_path: Path) -> None:
    other = tmp_path / "o ther"
    other.mkdir()
    name = os.fsdecode("表.html".encode("cp932"))
    (other / name).write_text('<meta charset=utf-8><a href="%95%5C.html">x</a>')
    done = graph(site, other, "-q")
    (node,) = [each for each in records(done.stdout, "node") if each["path"] == "%95\\.html"]
    prefix = str(other).replace(" ", "%20")
    assert node["id"] == f"{prefix}/%95%5C.html"
    assert node["path_octets"] == "955c2e68746d6c"
    assert f"{site}/index.html" in {each["id"] for each in records(done.stdout, "node")}
    assert graph(site, other, "--base", "http://a.example/").exit_code == 2


def test_a_document_that_cannot_be_read(site: Path, tmp_path: Path) -> None:
    (site / "bad.xml").write_text("<a><b></a>")
    out = tmp_path / "graph.xml"
    done = graph(site, "--format", "graphml", "-o", out)
    assert done.exit_code == 3
    assert "bad.xml" in done.stderr
    assert len(etree.parse(out).getroot()[-1].findall(f"{GRAPHML}edge")) == 12


def test_parts_are_read_in_the_place_and_the_charset_of_their_pages(tmp_path: Path) -> None:
    """What an include names is a part, whatever its extension: its links are those of the pages (mod_include)."""
    site = tmp_path / "site"
    (site / "a" / "b").mkdir(parents=True)
    (site / "表.html").write_text(HEAD + '<a href="a/page.shtml">1</a>', "utf-8")
    head = "<!doctype html><meta charset=Shift_JIS><title>t</title><p id=own>"
    (site / "a" / "page.shtml").write_text(
        head + '<!--#include virtual="part.inc" --><a href="#in">1</a><a href="b/x.shtml">2</a>'
    )
    (site / "a" / "b" / "x.shtml").write_text(head + '<!--#include virtual="../part.inc" -->')
    part = '<p id=in><a href="/表.html">1</a><a href="gone.html">2</a><a href="?q">3</a><a href="#own">4</a>'
    part += '<a href="#none">5</a><a href="/表紙.html">6</a><!--#include file="deep.part" -->'
    (site / "a" / "part.inc").write_bytes(part.encode("shift_jis"))
    (site / "a" / "deep.part").write_text('<a href="/top.html">1</a>')
    (site / "a" / "other.inc").write_text('x <a href="/nobody-includes-it.html">1</a>')
    done = graph("--broken", site)
    missing = f"/{quote('表紙')}.html"
    found = {(each["document"].rpartition("/")[2], each["uri"]) for each in records(done.stdout, "link")}  # fmt: skip
    assert found == {
        ("part.inc", "/a/gone.html"), ("part.inc", "/a/b/gone.html"), ("part.inc", "/a/page.shtml#none"),
        ("part.inc", "/a/b/x.shtml#none"), ("part.inc", missing), ("deep.part", "/top.html"),
    }  # fmt: skip
    assert "linkfix: 5 documents" in done.stderr
    assert graph("--orphans", site, "--format", "csv").stdout.count(".inc") == 0
    assert "part" not in graph("--broken", "--exclude", "*.inc", "--exclude", "*.part", site).stdout
    arguments = ["audit", "--select", "TGT,REF", "--format", "jsonl", str(site)]
    audited = map(json.loads, CliRunner().invoke(cli, arguments).stdout.splitlines())
    assert {(row["file"].rpartition("/")[2], row["rule"], row["value"]) for row in audited} == {
        ("part.inc", "TGT001", "gone.html"), ("part.inc", "TGT001", "/表紙.html"), ("deep.part", "TGT001", "/top.html"),
    }  # fmt: skip


def test_readers_that_disagree_on_a_query_agree_on_the_file(tmp_path: Path) -> None:
    feed = (
        '<?xml version="1.0" encoding="iso-8859-1"?><rss version="2.0"><channel>{}</channel></rss>'
    )
    items = "<item><link>/{}.html?é</link></item>"
    (tmp_path / "feed.xml").write_text(
        feed.format(items.format("a") + items.format("b")), encoding="latin-1"
    )
    (tmp_path / "a.html").write_text("<meta charset=utf-8><a href=feed.xml>")
    done = graph(tmp_path, "-q")
    links = records(done.stdout, "link")
    assert [each["path"] for each in links] == ["feed.xml", "a.html", ""]
    found = CliRunner().invoke(cli, ["audit", str(tmp_path)]).stdout
    assert found.count("TGT001 missing-file") == 1
    assert "TGT014" not in found
