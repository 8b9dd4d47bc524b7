"""Links by convention: a table of their own, switched by name, in HTML and XHTML, in every command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import lxml.html
import processes
import pytest
from oracles import destination

import linkfix
from linkfix import trees
from linkfix.links import LinkStream, Scope
from linkfix.links.html.embedded import parse_kinds
from linkfix.links.table import conventions

if TYPE_CHECKING:
    from pathlib import Path

#: For each convention a tag, and the values that are links in it.
TAGS = {
    "meta": ('<meta property="og:url" content="/a b">', ["/a b"]),
    "lazy": ('<img data-src="/a b" data-srcset="c|d 1x, /é 2x" alt="x">', ["/a b", "c|d", "/é"]),
    "amp": ('<amp-img src="/a b" srcset="c|d 1x, /é 2x"></amp-img>', ["/a b", "c|d", "/é"]),
    "htmx": ('<b hx-get="/a b" data-hx-delete="c|d" hx-target="/no b">x</b>', ["/a b", "c|d"]),
    "vml": ('<v:rect href="/a b"><v:fill src="c|d"></v:fill></v:rect>', ["/a b", "c|d"]),
    "plugins": (
        '<object><param name="Movie" value="/a b"/><param name="quality" value="/no b"/><param value="c|d" name="src"/></object>',
        ["/a b", "c|d"],
    ),
}
HEAD = "<!DOCTYPE html><meta charset=utf-8>"
BASE = "http://h.example/d/"


def found(page: str, *ways: str, type: Literal["html", "xml", "xhtml"] = "html") -> dict[str, str]:
    """The links, each with why it is left."""
    scope = Scope(conventions=parse_kinds(ways, conventions()))
    links = LinkStream(type=type, scope=scope).whole(page.encode())
    return {link.value: link.fixed for link in links if link.kind != "identity"}


def rewritten(page: str, *ways: str) -> str:
    policy = linkfix.Policy(scope=Scope(conventions=parse_kinds(ways, conventions())))
    return linkfix.rewrite(page.encode(), type="html", policy=policy).decode()


def test_every_convention_has_a_tag() -> None:
    assert conventions() == dict.fromkeys(TAGS, "off") | {"meta": "on"}


@pytest.mark.parametrize("name", TAGS)
@pytest.mark.parametrize("holder", ["@", "<noscript>@</noscript>", "<!--[if mso]>@<![endif]-->"])
def test_each_is_switched(name: str, holder: str) -> None:
    tag, values = TAGS[name]
    page = HEAD + holder.replace("@", tag)
    assert [*found(page)] == (values if name == "meta" else [])
    for ways, expected in (
        (["on"], values),
        (["off", f"{name}=on"], values),
        (["on", f"{name}=off"], []),
    ):
        assert [*found(page, *ways)] == expected
    listed = found(page, f"{name}=list")
    assert [*listed] == values
    assert all("--conventions" in why for why in listed.values())
    assert rewritten(page, f"{name}=list") == rewritten(page, f"{name}=off") == page
    new = rewritten(page, f"{name}=on")
    assert [*found(new, "on")] == [
        value.replace(" ", "%20").replace("|", "%7C").replace("é", "%C3%A9") for value in values
    ]
    assert "/no b" in new or name != "htmx"
    where = [
        [destination(value, BASE, None) for value in found(each, "on")] for each in (page, new)
    ]
    assert where[0] == where[1]


@pytest.mark.parametrize("name", [name for name in TAGS if name != "vml"])
def test_they_are_read_in_xhtml_and_in_trees_too(name: str) -> None:
    """VML in XML has a namespace of its own, and is no matter of convention."""
    tag, values = TAGS[name]
    closed = tag if "</" in tag else tag.replace(">", "/>")
    page = f"<html xmlns='http://www.w3.org/1999/xhtml'>{closed}</html>"
    assert [*found(page, "off", f"{name}=on", type="xhtml")] == values
    assert [*found(page, "off", type="xhtml")] == []
    listed = found(page, f"{name}=list", type="xhtml")
    assert [*listed] == values
    assert all(listed.values())
    tree = lxml.html.document_fromstring(HEAD + tag)
    policy = linkfix.Policy(scope=Scope(conventions=parse_kinds([f"{name}=list"], conventions())))
    assert [link.value for link in trees.iter_links(tree, policy=policy)] == values
    assert trees.rewrite_links(tree, policy=policy) == 0
    policy = linkfix.Policy(scope=Scope(conventions=parse_kinds(["on"], conventions())))
    assert trees.rewrite_links(tree, policy=policy) > 0


@pytest.mark.parametrize("value", ["lazy=moves", "lazy", "lasy=on", "noscript=on"])
def test_what_is_no_choice(value: str) -> None:
    with pytest.raises(ValueError, match=r"is none of on, list, off|is no kind"):
        parse_kinds([value], conventions())


@pytest.mark.system
def test_the_default_of_each_command(tmp_path: Path) -> None:
    """Audits report them, migrations and moves follow them; other commands read them where they are asked to."""
    site = tmp_path / "s"
    site.mkdir()
    page = (
        HEAD
        + '<img src=a.png data-src="a.png"><amp-img src="a b.png"></amp-img><b hx-get=gone.htm>x</b>'
    )
    (site / "i.html").write_text(page)
    (site / "a.png").write_bytes(b"")
    (site / "a b.png").write_bytes(b"")

    def run(*arguments: str) -> str:
        return processes.text(processes.run(*arguments, cwd=tmp_path)).stdout

    assert "amp-img" not in run("extract", "s")
    assert "amp-img" in run("extract", "--conventions", "amp=on", "s")
    assert "a b.png" in run("rewrite", "s/i.html")
    assert "a%20b.png" in run("rewrite", "--conventions", "on", "s/i.html")
    lines = run("audit", "--format", "jsonl", "s").splitlines()
    assert {"gone.htm", "a b.png"} <= {json.loads(line).get("value") for line in lines}
    lines = run("audit", "--format", "jsonl", "--conventions", "off", "s").splitlines()
    assert not {"gone.htm", "a b.png"} & {json.loads(line).get("value") for line in lines}
    run("migrate", "s", "n", "--rename", ".png=.webp")
    assert 'data-src="a.webp"><amp-img src="a%20b.webp">' in (tmp_path / "n" / "i.html").read_text()
    run("mv", "--root", "s", "a.png", "b.png")
    assert (site / "i.html").read_text() == page.replace("a.png", "b.png")
