"""JSON documents: web app manifests, JSON Feed, JSON-LD; import maps and the like in pages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import pytest
from embedded_documents import run
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import check, rewritten
from movable_site import make
from tiers import examples

import linkfix
from linkfix import verifying
from linkfix.links import LinkStream, Scope
from linkfix.links.html.embedded import parse_kinds
from linkfix.policy import Policy

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = r"""{ "name": "é", "id": "é", "start_url": "/é?a=b|c", "scope" : ".", "x": {"start_url": "no"},
 "icons": [{"src": "i c.png", "sizes": "1x1"}, {"src": "gone.png"}], "protocol_handlers": [{"url": "/?u=%s"}],
 "shortcuts": [{"url": "\/a b\u00e9", "icons": [{"src": "\ud83d\ude00.png"}]}], "url": "no" }""".encode()
FEED = b"""{"version": "https://jsonfeed.org/version/1.1", "home_page_url": "http://h.example/\xc3\xa9", "items": [{"id": "\xc3\xa9",
 "content_html": "<base href='/d/'><p><a href=\\"a b\\">x<\\/a>", "attachments": [{"url": "e|f.mp3"}], "authors": [{"url": "a"}]}]}"""
LINKED = b'{"@context": "https://schema.org", "@id": "a b", "url": "a b", "image": ["\xc3\xa9"], "target": "/{x y}"}'


def values(source: bytes, name: str = "") -> list[str]:
    return [link.value for link in LinkStream(name=name).whole(source)]


def test_a_published_table_says_what_is_a_link() -> None:
    found = ["/é?a=b|c", ".", "i c.png", "gone.png", "/a bé", "😀.png"]
    assert values(MANIFEST, "manifest.json") == values(MANIFEST, "x.webmanifest") == found
    assert values(MANIFEST.replace(b'"id": "\xc3\xa9", ', b""), "site.json") == found
    assert values(FEED) == ["http://h.example/é", "/d/", "a b", "e|f.mp3", "a"]
    assert values(LINKED) == values(LINKED, "a.jsonld") == ["a b", "a b", "é", "/{x y}"]


@pytest.mark.parametrize("source", [b'{"a": "b c"}', b'["a b"]', b'{"type": "FeatureCollection"}', b'{"x": {"@context": 1}}'])  # fmt: skip
@pytest.mark.parametrize("name", ["a.json", "", "a.geojson"])
def test_other_json_is_refused(source: bytes, name: str) -> None:
    with pytest.raises(linkfix.NoDocumentError, match="JSON"):
        values(source, name)


def test_only_the_strings_are_spelled_anew() -> None:
    new, _ = rewritten(MANIFEST, "uri", type="json")
    assert new == MANIFEST.replace("/é?a=b|c".encode(), b"/%C3%A9?a=b%7Cc").replace(
        b"i c.png", b"i%20c.png"
    ).replace(rb"\/a b\u00e9", rb"\/a%20b%C3%A9").replace(rb"\ud83d\ude00", b"%F0%9F%98%80")
    new, _ = rewritten(MANIFEST, "iri", type="json")
    assert json.loads(new)["shortcuts"][0]["url"] == "/a%20bé"
    assert rb"\u00e9" in new
    assert b'<a href=\\"a%20b\\">x<\\/a>' in rewritten(FEED, "uri", type="json")[0]


TO: list[Literal["uri", "iri"]] = ["uri", "iri"]
NAMES = st.sampled_from(["start_url", "icons", "src", "scope", "url", "shortcuts", "x", "@context", "é"])  # fmt: skip
STRINGS = st.text(st.sampled_from('ab/?#%é "\\\n\U0001f600|'), max_size=6)
TREES = st.recursive(STRINGS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8)  # fmt: skip


@given(st.dictionaries(NAMES, TREES, min_size=1, max_size=4), st.booleans(), st.sampled_from(TO), st.data())  # fmt: skip
@settings(max_examples=examples(300), deadline=None)
def test_the_invariants_hold(tree: dict[str, object], is_ascii: bool, to: Literal["uri", "iri"], data: st.DataObject) -> None:  # fmt: skip
    source = json.dumps(tree, ensure_ascii=is_ascii).encode()
    cuts = sorted(data.draw(st.lists(st.integers(1, max(1, len(source) - 1)), max_size=3)))
    check(source, to, type="json", cuts=(cuts,))
    new, _ = rewritten(source, to, type="json")
    assert shape(json.loads(new)) == shape(tree)


def shape(tree: object) -> object:
    """A tree without its strings."""
    if isinstance(tree, dict):
        return {name: shape(value) for name, value in tree.items()}
    return [shape(each) for each in tree] if isinstance(tree, list) else type(tree)


@pytest.mark.parametrize("holder", ["@", '<!doctype html><meta charset=utf-8><script type="application/ld+json">@</script>'])  # fmt: skip
def test_identifiers_are_listed_and_never_rewritten(holder: str) -> None:
    """They are compared as strings: those of the audit's rule, and a verification, see each."""
    ids = ["http://h.example/a b", "HTTP://h.example/z", r"http:\/\/h.example/z", "#é", "urn:x:y"]
    others = ["_:b0", "schema:Thing", "mailto:x"]
    nodes = ", ".join(f'{{"@id": "{each}"}}' for each in ids + others)
    source = holder.replace("@", f'{{"@context": {{"t": {{"@id": "http://h.example/t"}}}}, "x": [{nodes}], "url": "a b"}}', 1).encode()  # fmt: skip
    links = linkfix.extract(source)
    found = [link.value for link in links if link.kind == "identity"]
    assert found == [each.replace("\\", "") for each in ids]
    policy = Policy(scope=Scope(embedded=parse_kinds(["json-ld=on"])))
    assert linkfix.rewrite(source, policy=policy) == source.replace(b'"a b"', b'"a%20b"')
    codes = {finding.code for finding in linkfix.audit(source)}
    assert ("SIT002" in codes, "SCH008" in codes) == (True, False)
    changed = source.replace(b"HTTP://h.example/z", b"http://h.example/y")
    assert verifying.verify(source, changed, verifying.Settings(policy=Policy())) is not None


def test_a_document_that_is_too_long() -> None:
    with pytest.raises(linkfix.LimitExceededError):
        values(b'{"@context": "' + b" " * (1 << 26) + b'"}')


PAGE = b"""<!doctype html><meta charset=utf-8><script type=importmap>{"imports": {"a": "./b.js", "c": "/d/b.js", "e": "b.js"}}</script>
<script type=speculationrules>{"prefetch": [{"urls": ["b.js"]}]}</script><script type="application/ld+json">{"url": "b.js"}</script>
"""


@pytest.mark.parametrize("padding", [0, 500])
def test_scripts_are_found_in_short_pages_and_in_long_ones(padding: int) -> None:
    tags = ['type="importmap"', "type=importmap", "type='ImportMap'", 'type="&#105;mportmap"', "async type=importmap", 'class="x" type="importmap"',
            'data-x=">" type="importmap"', 'type="importmap"class=x', "TYPE=importmap"]  # fmt: skip
    others = ['type="importmap" src="s"', 'type="text/javascript"', 'type="module"', "", 'type=" importmap"', 'data-type="importmap"']  # fmt: skip
    page = "<!doctype html><meta charset=utf-8>" + "<p class=a>text</p>" * padding
    for number, tag in enumerate((*tags, *others)):
        page += f'<script {tag}>{{"imports": {{"x": "/{number}"}}}}</script><p class=a>text</p>' * 2
    found = [link.value for link in LinkStream(type="html").whole(page.encode())]
    assert [x for x in found if x != "s"] == [f"/{n}" for n in range(len(tags)) for _ in range(2)]


def test_links_in_scripts_follow_and_import_maps_keep_their_form() -> None:
    def moved(uri: str) -> str | None:
        return uri.replace("/b.js", "/n/c.js") if uri.endswith("/b.js") else None

    base = "http://h.example/d/i.html"
    for style, first, second in (
        ("keep", b"./n/c.js", b"/d/n/c.js"),
        ("relative", b"./n/c.js", b"./n/c.js"),
        ("absolute", b"http://h.example/d/n/c.js", b"http://h.example/d/n/c.js"),
    ):
        policy = Policy(target=moved, style=style)  # type: ignore[arg-type]
        new = linkfix.rewrite(PAGE, base=base, policy=policy, moved_to=base)
        assert b'"a": "%b", "c": "%b", "e": "b.js"' % (first, second) in new
        assert new.count(b"n/c.js") == 4
    kept = linkfix.rewrite(PAGE, base=base, policy=Policy(normalize="syntax"))
    assert b'"./b.js"' in kept


MAP = b"""<!doctype html><meta charset=utf-8><script type=importmap>{"imports": {"a": "./js/b.js", "./js/b.js": "./js/c.js", "js/": "js/"},
"scopes": {"js/": {"a": "/d/js/c.js", "/d/js/b.js": "./x.js"}, "/d/js/b.js": {"a": null}, "http://o.example/": {}},
"integrity": {"./js/b.js": "sha384-/js/b.js", "js/b.js": "x"}}</script>"""


def test_the_names_in_an_import_map_lead_where_they_led() -> None:
    """Prefixes of scopes, specifiers like URLs, and names of integrity, all against the base; bare names are none."""
    base = "http://h.example/d/i.html"
    found = [link.value for link in linkfix.extract(MAP, base=base) if link.place.embedded]
    assert found == [
        "./js/b.js", "./js/b.js", "./js/c.js", "js/", "/d/js/c.js", "/d/js/b.js", "./x.js", "/d/js/b.js", "http://o.example/", "./js/b.js"
    ]  # fmt: skip

    def moved(uri: str) -> str | None:
        return uri.replace("/d/js/", "/d/lib/") if "/d/js/" in uri else None

    new = linkfix.rewrite(MAP, base=base, policy=Policy(target=moved), moved_to=base)
    expected = MAP.replace(b'./js/', b'./lib/').replace(b'"js/": {', b'"./lib/": {').replace(b"/d/js", b"/d/lib")  # fmt: skip
    assert new == expected
    away = linkfix.rewrite(MAP, base=base, moved_to="http://h.example/e/i.html")
    before, after = (
        [link.resolved for link in linkfix.extract(page, base=at) if link.place.embedded]
        for page, at in ((MAP, base), (away, "http://h.example/e/i.html"))
    )
    assert before == after
    assert b'"js/": "js/"' in away
    assert b'"../d/js/": {' in away
    dirty = MAP.replace(b'"js/": {', b'"j s/": {').replace(
        b'{"./js/b.js": "sha', b'{"./j s/b.js": "sha'
    )
    assert linkfix.rewrite(dirty) == dirty.replace(b"j s", b"j%20s")


@pytest.mark.parametrize("page", [LINKED, b'<!doctype html><meta charset=utf-8><script type="application/ld+json">%b</script>' % LINKED])  # fmt: skip
def test_another_spelling_of_an_iri_is_another_name_to_json_ld(page: bytes) -> None:
    """So the links of JSON-LD change only where their targets move."""
    base = "http://h.example/d/"
    assert linkfix.rewrite(page, base=base) == page
    target = {f"{base}a%20b": f"{base}n%20m"}.get
    new = linkfix.rewrite(page, base=base, policy=Policy(target=target))
    assert new == page.replace(b'"url": "a b"', b'"url": "n%20m"')
    away = linkfix.rewrite(page, base=base, moved_to="http://h.example/e/")
    assert b'"@id": "a b", "url": "../d/a%20b", "image": ["../d/\xc3\xa9"]' in away
    on = linkfix.Policy(scope=Scope(embedded=(("json-ld", "on"),)))
    assert b'"url": "a%20b", "image": ["%C3%A9"]' in linkfix.rewrite(page, base=base, policy=on)
    auditor = linkfix.Auditor(source=linkfix.Source(base=base))
    found = auditor.feed(page) + auditor.close()
    assert {finding.link.value for finding in found if finding.link} >= {"a b"}
    assert not [finding for finding in found if finding.suggestion is not None]


@pytest.mark.system
def test_every_command_reads_them(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from linkfix.cli.group import cli as main

    folder = tmp_path / "s"
    folder.mkdir()
    (folder / "manifest.json").write_bytes(MANIFEST)
    (folder / "feed-2.json").write_bytes(FEED)
    (folder / "other.json").write_bytes(b'{"url": "a b"}')
    (folder / "i.htm").write_bytes(PAGE)
    (folder / "b.js").write_bytes(b"")
    done = CliRunner().invoke(main, ["audit", "-q", "--format", "jsonl", "--select", "TGT001", str(folder)])  # fmt: skip
    found = {json.loads(line)["value"] for line in done.stdout.splitlines()}
    assert {"gone.png", "e|f.mp3"} <= found
    assert "./b.js" not in found
    done = CliRunner().invoke(main, ["mv", "--root", str(folder), str(folder / "b.js"), str(folder / "c.js")])  # fmt: skip
    assert done.exit_code == 0, done.output
    assert (folder / "i.htm").read_bytes().count(b"c.js") == 3
    done = CliRunner().invoke(main, ["migrate", str(folder), str(tmp_path / "n"), "--base", "http://h.example/"])  # fmt: skip
    assert (tmp_path / "n" / "feed-2.json").read_bytes() == FEED
    assert "not well-formed" not in done.output


SITE = {
    "a/app.json": b'{"name": "x", "icons": [{"src": "../i c.png"}, {"src": "gone.png"}]}',
    "a/site": b'{"icons": [{"src": "../i c.png"}]}',
    "far.json": b'{"icons": [{"src": "i c.png"}]}',
    "data.json": b'{"icons": [{"src": "i c.png"}]}',
    "i c.png": b"",
    "p/i.html": (
        b'<!doctype html><meta charset=utf-8><base href="../a/"><link href="APP.json" rel=icon>'
        b'<link rel="Manifest" href="app.json?v=1#x"><link rel="x manifest" href="site">'
        b'<a href="../data.json" rel=manifest>x</a><link rel=manifest href="http://other.example/far.json">'
    ),
}


@pytest.mark.system
@pytest.mark.parametrize("base", [(), ("--base", "http://h.example/")])
def test_the_manifest_that_a_page_names_is_read(tmp_path: Path, base: tuple[str, ...]) -> None:
    """Whatever its name: not what another element names, nor what a page names at another origin."""
    site = make(tmp_path / "s", {**SITE})
    inside = ("--root", str(site), *base) if base else ()
    lines = run("audit", "--format", "jsonl", *inside, site).splitlines()
    found = {
        (each["file"].partition("/s/")[2], each.get("value")) for each in map(json.loads, lines)
    }
    assert ("a/app.json", "gone.png") in found
    assert {file for file, value in found if value == "../i c.png"} == {"a/app.json", "a/site"}
    assert not {"far.json", "data.json"} & {file for file, _ in found}
    if base:  # folders of one site
        assert "gone.png" in run("audit", "--format", "jsonl", *inside, site / "p", site / "a")
    run("migrate", *base, site, tmp_path / "n", "--rename", ".png=.gif")
    new = {name: (tmp_path / "n" / name).read_bytes() for name in SITE if not name.endswith("png")}
    assert [name for name in new if new[name] != SITE[name]] == ["a/app.json", "a/site"]
    assert b"../i%20c.gif" in new["a/site"]
    run("mv", *base, "--root", site, site / "i c.png", site / "j.png")
    run("mv", *base, "--root", site, site / "a/app.json", site / "b/c/web.json")
    assert (site / "a/site").read_bytes() == SITE["a/site"].replace(b"i c.png", b"j.png")
    new_icons = b'{"name": "x", "icons": [{"src": "../../j.png"}, {"src": "../../a/gone.png"}]}'
    assert (site / "b/c/web.json").read_bytes() == new_icons
    assert b"../b/c/web.json?v=1#x" in (site / "p/i.html").read_bytes()
    assert (site / "far.json").read_bytes() == (site / "data.json").read_bytes() == SITE["far.json"]
