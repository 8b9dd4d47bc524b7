"""Every option that says how documents are read, in every command that writes, with verification: no link moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from oracles import destination

import linkfix
from linkfix.cli.group import cli
from linkfix.cli.options.links import LinkOptions
from linkfix.cli.options.table import parameters
from linkfix.jobs import pool
from linkfix.links import Addition, Scope, vocabulary
from linkfix.policy import Source
from linkfix.verifying import is_available

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from linkfix.links import Link

pytestmark = pytest.mark.skipif(
    not is_available(), reason="the extra verify (ada-url, selectolax) is not installed"
)

BASE = "http://site.example/"
CONTENT = '<a href="b.htm?é"><img src="i 1.png"></a><style>p{background:url("j 1.png")}</style>'
#: Feed readers send queries in UTF-8, which is disputed.
ASCII = CONTENT.replace("é", "e")
PAGE = f"""<!DOCTYPE html><meta charset=windows-1252><title>é</title>
<a href="b.htm?é#é">plain</a><img src="i 1.png" data-src="k 1.png"><x-card data-url="b.htm">x</x-card>
<a href="{{{{ x }}}}/a b">t</a><a href="[% y %]/c d">t</a><a href="http://bücher.example/é">u</a><p itemscope itemtype="http://a.example/x y">
<script type="application/ld+json">{{"@context": "https://schema.org", "url": "b.htm", "image": "i 1.png"}}</script>
<script type=importmap>{{"imports": {{"m": "./b.htm"}}}}</script>
<object data="b.htm">{CONTENT}</object><iframe srcdoc='{ASCII}'></iframe>
<noscript>{CONTENT}</noscript><noembed>{CONTENT}</noembed><iframe src="b.htm">{CONTENT}</iframe>
<!--[if IE]>{CONTENT}<![endif]--><!--[if !IE]><!-->{CONTENT}<!--<![endif]-->
"""
FRAMES = f"""<!DOCTYPE html><meta charset=windows-1252><frameset><frame src="b.htm"><noframes><body>{CONTENT}</body></noframes></frameset>"""
FEED = f"""<?xml version="1.0" encoding="windows-1252"?><!DOCTYPE rss SYSTEM "b.htm"><rss version="2.0"><channel><link>{BASE}b.htm</link>
<item><description><![CDATA[{ASCII}<noscript>{ASCII}</noscript>]]></description></item></channel></rss>"""
XHTML = """<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>
<noscript><p><a href="b.htm?é">x</a></p></noscript><iframe srcdoc="&lt;a href='b.htm'>&lt;img src='i 1.png'>"/></body></html>"""
FILES = {
    "page.html": PAGE.encode("cp1252"),
    "frames.html": FRAMES.encode("cp1252"),
    "feed.xml": FEED.encode("cp1252"),
    "x.xhtml": XHTML.encode(),
    "b.htm": b"<!DOCTYPE html><meta charset=utf-8><p id=x>",
}

VOCABULARY = """
[[cards.link]]
elements = "x-card"
attribute = "data-url"
[feeds]
namespace = ""
[[feeds.link]]
elements = "title"
content = true
"""

#: Rows of options, and a pattern for what they make the commands leave: values, and kinds of embedded documents.
ROWS: dict[str, str] = {
    "": "",
    "--default-charset windows-1252": "",
    "--syntax web": "",
    "--syntax leiri": "",
    "--syntax iri": "",
    "--query-charset utf-8": r"\?.*é",
    "--idna 2008": "",
    "--idna 2003": "",
    "--local-name bücher.example": "",
    "--nfc": "",
    "--no-nfc": "",
    "--link x-card@data-url --link img@data-src": "",
    "--vocabulary v.toml": "",
    "--skip img@src": r"i 1\.png",
    "--only a@href": r"png|b\.htm$",
    "--scripting": "",
    "--no-scripting": "",
    "--embedded json-ld=off": "json-ld",
    "--embedded json-ld=moves --embedded import-map=moves": "",
    "--embedded on": "",
    "--embedded off": "srcdoc|no|iframe|cond|html-in-xml|json-ld|import-map",
    "--embedded list": "srcdoc|no|iframe|cond|html-in-xml|json-ld|import-map",
    "--embedded noscript=list --embedded conditional-comment=off": "noscript|cond",
    "--embedded off --embedded noframes=on": "srcdoc|nos|noe|iframe|cond|html-in-xml|json-ld|import-map",
    "--conventions on": "",
    "--conventions off": "",
    "--conventions lazy=list --conventions htmx=off": "",
    "--template [%_%]": "",
    "--templates convert": "",
    "--schema book.rng": "",
    "--catalog catalog.xml": "",
    "--dtd": "",
    "--signed": "",
    "--recover": "",
    "--max-token 100000 --max-depth 50 --max-attributes 50 --max-name 50": "",
}
COMMANDS = {
    "rewrite": "rewrite --to uri -o NEW OLD --base BASE",
    "rewrite to iri": "rewrite --to iri -o NEW OLD --base BASE",
    "rewrite with a map": "rewrite --map MAP -o NEW OLD --base BASE",
    "migrate": "migrate OLD NEW --rename .htm=.html --base BASE",
    "migrate to iri": "migrate OLD NEW --to iri --map MAP --base BASE",
    "audit --fix": "audit --fix OLD --base BASE",
    "mv": "mv OLD/b.htm OLD/b.html --root OLD --base BASE",
}
#: What moves, by command.
MOVING = {"rewrite with a map", "migrate", "migrate to iri", "mv"}


def test_every_option_has_a_row() -> None:
    options = {
        name for each in parameters(LinkOptions) for name in (*each.opts, *each.secondary_opts)
    }
    assert options == {name for row in ROWS for name in re.findall(r"--[\w-]+", row)}


def where(folder: Path, row: str) -> Iterator[tuple[Link, set[str | None]]]:
    """Each link of the documents of a folder, and where browsers go from there."""
    added = tuple(map(Addition.parse, re.findall("--link ([^ ]+)", row)))
    added += vocabulary.read(VOCABULARY) if "--vocabulary" in row else ()
    scope = Scope(added)
    for name in FILES:
        path = folder / name if (folder / name).exists() else folder / name.replace(".htm", ".html")
        stream = linkfix.Policy(scope=scope).stream(Source(name=str(path)))
        for link in stream.whole(path.read_bytes()):
            charset = None if link.query == "utf-8" or link.charset.is_unicode else link.charset
            charsets = (charset, None) if link.query == "disputed" else (charset,)
            yield link, {destination(link.value, BASE + name, each) for each in charsets}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("row", ROWS)
def test_no_link_moves(
    tmp_path: Path, command: str, row: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "can_fork", lambda: False)  # one process does the work: this one
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    for name, data in FILES.items():
        # Without --dtd the name of a DTD stays, so that its file cannot move.
        kept = data if row == "--dtd" else data.replace(b'SYSTEM "b.htm"', b'SYSTEM "feed.dtd"')
        (old / name).write_bytes(kept)
    (tmp_path / "map.csv").write_text(f"{BASE}b.htm,{BASE}b.html,prefix\n")
    (tmp_path / "book.rng").write_text(
        '<element name="book" xmlns="http://relaxng.org/ns/structure/1.0"><empty/></element>'
    )
    (tmp_path / "catalog.xml").write_text(
        '<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog"/>'
    )
    (tmp_path / "v.toml").write_text(VOCABULARY)
    before = [*where(old, row)]
    values = {"OLD": old, "NEW": new, "BASE": BASE, "MAP": tmp_path / "map.csv"}
    words = f"{COMMANDS[command]} --verify -j 1".split() + [
        word.replace("[%_%]", "[% %]") for word in row.split()
    ]
    words = [re.sub("OLD|NEW|BASE|MAP", lambda m: str(values[m[0]]), word) for word in words]
    words = [
        str(tmp_path / word) if word in {"book.rng", "catalog.xml", "v.toml"} else word
        for word in words
    ]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code in {0, 1}, done.output
    assert not re.search("discarded|copied as it is", done.stderr), done.stderr
    after = [*where(new if new.exists() else old, row)]
    assert len(after) == len(before)
    for (link, went), (_, goes) in zip(before, after, strict=True):
        if command in MOVING:
            went = {url and url.replace("/b.htm", "/b.html") for url in went}
        is_left = bool(ROWS[row]) and re.search(
            ROWS[row], link.value + "\n" + link.place.embedded, re.MULTILINE
        )
        if not is_left and link.kind != "identity":
            assert goes <= went, (link.value, link.place.embedded, link.fixed)
    if re.search("--embedded .*list", row):
        assert "not followed" in done.stderr
