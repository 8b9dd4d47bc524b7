"""Documents inside documents: what counts as one, how each is read, and what becomes of its links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import PRESCAN, check
from tiers import examples

import linkfix
from linkfix.links import Link, LinkStream, Pattern, Scope
from linkfix.links.html.embedded import DISAGREED, KINDS, NOT_FOLLOWED, SCRIPTS, parse_kinds

META = "<meta charset=utf-8>" + " " * PRESCAN
#: A document of each kind, with its links in place of the mark.
HOLDERS = {
    "noscript": "<noscript>@</noscript>",
    "noframes": "<noframes>@</noframes>",
    "noembed": "<NoEmbed>@</nOEMBED >",
    "iframe": "<iframe src=x>@</iframe>",
    "conditional-comment": "<!--[if lt IE 9]>@<![endif]-->",
    "srcdoc": "<iframe srcdoc='@'></iframe>",
}


def links(page: str, *embedded: str, scripting: bool = True) -> list[Link]:
    scope = Scope(embedded=parse_kinds(embedded), scripting=scripting)
    return LinkStream(type="html", scope=scope).whole(page.encode())


def values(page: str, *embedded: str, scripting: bool = True) -> list[str]:
    return [link.value for link in links(page, *embedded, scripting=scripting)]


def page_of(kind: str, content: str) -> str:
    return f"{META}<a href=before>{HOLDERS[kind].replace('@', content)}<a href=after>"


@pytest.mark.parametrize("kind", HOLDERS)
def test_links_in_an_embedded_document(kind: str) -> None:
    content = '<a href="1">x</a><img src=2 srcset="3 1x, 4 2x"><style>p{background:url(5)}</style><svg><a href=6 /></svg>'
    page = page_of(kind, content)
    inside = ["1", "2", "3", "4", "5", "6"]
    around = ["before", "x", "after"] if kind == "iframe" else ["before", "after"]
    assert [value for value in values(page) if value not in around] == inside
    assert [value for value in values(page) if value not in inside] == around
    assert values(page, f"{kind}=off") == values(page, "off") == around
    listed = {link.value: link.fixed for link in links(page, f"{kind}=list")}
    assert listed == dict.fromkeys(around, "") | dict.fromkeys(inside, NOT_FOLLOWED)


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.is_text])
def test_links_are_left_where_readers_see_another_end(kind: str) -> None:
    for content in (
        '<a href="a b">x</a><p title="',
        "<a href='a b'><style>",
        "<a href='a b'><!--",
        "<a href='a b'>x <",
        "<a href='a b'><svg><style>",
    ):
        page = page_of(kind, content)
        inner = next(link for link in links(page) if link.value == "a b")
        assert inner.fixed == DISAGREED
        assert (
            linkfix.Rewriter(source=linkfix.Source(type="html")).whole(page.encode())
            == page.encode()
        )


def test_no_scripts_run_inside_noscript() -> None:
    page = META + "<noscript><noframes><noscript><a href=1></noframes></noscript>"
    assert [(link.value, link.fixed) for link in links(page)] == [("1", "")]


def test_readings_of_noscript_find_the_same_links() -> None:
    page = (
        META
        + "<noscript><a href=1>x<noscript><img src=2><iframe src=3><a href=4></iframe></noscript><a href=5>"
    )
    assert values(page) == values(page, scripting=False) == ["1", "2", "3", "4", "5"]


PIECES = st.sampled_from(
    ["<a href='x y'>", "</a>", "<img src=z|>", "<p title='", "'>", '"', "<style>p{background:url(' u|')}", "</style>", "<script>", "</script>",
     "<!--", "-->", "<!--[if IE]>", "<noframes>", "</noframes>", "<iframe src='a b'>", "</iframe>", "<title>", "</title>", "<svg>", "</svg>",
     "<math>", "<desc>", "<template>", "</template>", "<frameset>", "<table>", "<td>", "<select>", "<noscript>", "<![CDATA[", "]]>", "<", "</",
     "é", "&lt;", "<p id=a style=\"background:url('s t')\">", "<iframe srcdoc='<a href=\"q r\">'>", "<body>", "<plaintext>"]
)  # fmt: skip


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(PIECES, max_size=10).map("".join))
def test_what_is_rewritten_is_a_link_in_both_readings(content: str) -> None:
    page = f"{META}<body><p>x<noscript>{content}</noscript><p>y"
    readings = [
        {
            (link.start, link.end, link.value)
            for link in links(page, scripting=scripting)
            if not link.fixed
        }
        for scripting in (True, False)
    ]
    assert readings[0] <= readings[1]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<!--[if !IE]><!--><a href=1><!--<![endif]-->", ["1"]),
        ("<!--[if !IE]>--><a href=1><!--<![endif]-->", ["1"]),
        ("<![if !IE]><a href=1><![endif]>", ["1"]),
        ("<!-- <a href=1> --><!--[if]><a href=2><![endif]-->", []),
        ("<!--[if IE]><a href=1>", ["1"]),
        ("<!--[if IE]><a href=1><!--[if IE]><a href=2><![endif]-->", ["1"]),
        ("<noframes><a href=1>", ["1"]),
        ("<noframes><a href=1><noembed><a href=2><noframes><a href=3>", ["1", "2"]),
        ("<frameset><frame src=1><noframes><body><a href=2></noframes></frameset>", ["1", "2"]),
        ("<noframes><frameset><a href=1><noembed><a href=2></noembed>", ["1", "2"]),
        ("<svg><noscript><a href=1></a></noscript></svg>", ["1"]),
        ("<object data=1><a href=2>x</a><img src=3></object>", ["1", "2", "3"]),
        ("<textarea><noscript><a href=1></noscript></textarea>", []),
        ("<iframe srcdoc='<noscript><a href=&quot;x&amp;amp;y&quot;></noscript>'>", ["x&y"]),
        ("<noscript><iframe srcdoc='<noframes><a href=1></noframes>'></iframe></noscript>", ["1"]),
    ],
)  # fmt: skip
def test_odd_documents(page: str, expected: list[str]) -> None:
    assert values(META + page) == expected


def test_links_come_however_the_page_is_cut() -> None:
    page = (
        META + "".join(page.replace("@", '<a href="/ü 1">') for page in HOLDERS.values())
    ).encode()
    whole = LinkStream(type="html").whole(page)
    assert len(whole) == len(HOLDERS) + 1
    for cut in range(PRESCAN, len(page)):
        stream = LinkStream(type="html")
        assert stream.feed(page[:cut]) + stream.feed(page[cut:]) + stream.close() == whole


@pytest.mark.parametrize("kind", HOLDERS)
@pytest.mark.parametrize("charset", ["utf-8", "shift_jis", "iso-2022-jp", "utf-16le"])
def test_a_rewrite_changes_nothing_else(kind: str, charset: str) -> None:
    content = '<p title=空><a href="/空 b?空|">x</a><a href=é->&amp;</a><style>p{background:url(/空)}</style>'
    page = page_of(kind, content if kind != "srcdoc" else content.replace("空 b?", "空?"))
    source = page.encode(charset, "xmlcharrefreplace")
    for to in ("uri", "iri"):
        check(source, to, type="html", charset=charset)


def test_a_link_does_not_end_the_comment_around_it() -> None:
    page = f"{META}<!--[if IE]><a href=/x-%2D>x</a><![endif]-->".encode()
    policy = linkfix.Policy(normalize="syntax")
    rewriter = linkfix.Rewriter(policy=policy, source=linkfix.Source(type="html"))
    assert rewriter.whole(page).endswith(b'<!--[if IE]><a href="/x--">x</a><![endif]-->')


def test_the_table_of_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "embedded.md").read_text("utf-8")
    row = re.compile(r"^\| `([a-z-]+)` \| `(.+?)`.* \| .* \| `(.+)`(, disputed)? \|$", re.MULTILINE)
    rows = row.findall(text)
    assert [kind for kind, *_ in rows] == list(KINDS)
    for kind, example, url, disputed in rows:
        xml, feed = kind == "html-in-xml", kind == "html-in-json"
        link = "&lt;a href='x?é'>x&lt;/a>" if xml else "<a href='x?é'>x</a>"
        is_json = kind in {embedding.name for embedding in SCRIPTS.values()}
        page = example.replace("…", "./x?é" if is_json else link)
        if xml:
            page = f"<?xml version='1.0' encoding='windows-1252'?><rss><item>{page}</item></rss>"
        if feed:
            page = f'{{"version": "https://jsonfeed.org/version/1.1", "items": [{{{page}}}]}}'
        source = page.encode("utf-8" if feed else "cp1252")
        policy = linkfix.Policy(query_charset="utf-8" if disputed else "document")
        found = [
            found
            for found in linkfix.extract(
                source, policy=policy, charset="windows-1252", base="http://h.example/d/"
            )
            if found.element == ("script" if is_json else "a")
        ]
        assert [(each.resolved, each.place.embedded) for each in found] == [(url, kind)]
        assert (found[0].query == "disputed") == bool(disputed)


def test_links_are_selected_and_not_the_documents_around_them() -> None:
    page = META + "".join(
        holder.replace("@", "<a href=1><img src=2>") for holder in HOLDERS.values()
    )
    for scope in (Scope(select=(Pattern.parse("a@href"),)), Scope(skip=(Pattern.parse("*@src"),))):
        found = LinkStream(type="html", scope=scope).whole(page.encode())
        assert [link.value for link in found] == ["1"] * len(HOLDERS)
    scope = Scope(skip=(Pattern.parse("iframe@srcdoc"),))
    found = LinkStream(type="html", scope=scope).whole(page.encode())
    assert len(found) == 2 * (len(HOLDERS) - 1) + 1


def test_links_are_counted_by_the_outermost_kind() -> None:
    page = f"{META}<noscript><a href=1><img srcset='2, 3'><iframe srcdoc='<a href=4>'></iframe></noscript><a href=5>"
    for value, count in (("on", 4), ("noscript=list", 4), ("srcdoc=list", 3)):
        stream = LinkStream(type="html", scope=Scope(embedded=parse_kinds([value])))
        stream.whole(page.encode())
        followed = 0 if value == "noscript=list" else count
        assert stream.embedded["noscript: followed"] == followed
        assert stream.embedded["noscript: not followed"] == 4 - followed


@pytest.mark.parametrize(
    "text",
    ["noscripts=off", "noscript", "noscript=no", "=off", "off=off", "moves", "noscript=moves"],
)
def test_what_is_no_choice(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"is no kind|is none of on, moves, list, off|only the links of"
    ):
        parse_kinds([text])
    assert parse_kinds(["off", "noscript=on"]) == tuple(
        sorted((dict.fromkeys(KINDS, "off") | {"noscript": "on"}).items())
    )


def test_the_base_of_a_srcdoc_is_its_own() -> None:
    inner = "<a href=x><base href=&quot;/d/&quot;><base href=/e/><object codebase=k/ classid=c>"
    page = f'{META}<iframe srcdoc="{inner}"></iframe><a href=y>'
    resolved = {
        link.value: link.resolved
        for link in linkfix.extract(page.encode(), base="http://h.example/p/q")
    }
    root = "http://h.example"
    assert resolved == {
        "x": f"{root}/d/x", "/d/": f"{root}/d/", "/e/": f"{root}/e/", "k/": f"{root}/d/k/", "c": f"{root}/d/k/c",
        "y": f"{root}/p/y",
    }  # fmt: skip
    moved = {f"{root}/d/": f"{root}/D/", f"{root}/d/x": f"{root}/D/z"}
    rewriter = linkfix.Rewriter(
        policy=linkfix.Policy(target=moved.get),
        source=linkfix.Source(type="html", base="http://h.example/p/q"),
    )
    new = inner.replace("href=x", "href=z").replace("/d/", "/D/").replace("=k/", "=../d/k/")
    assert rewriter.whole(page.encode()).decode() == page.replace(inner, new)


def test_a_base_in_text_is_one_to_some_readers_only() -> None:
    page = f"{META}<noscript><base href=/d/><a href='x y'></noscript><a href=z>"
    assert {link.value: link.fixed for link in links(page)} == {
        "/d/": DISAGREED,
        "x y": DISAGREED,
        "z": "",
    }


@pytest.mark.parametrize("links", [True, False])
def test_fragments_reach_what_is_markup_to_some_readers(links: bool) -> None:
    page = (
        "<p id=1><noscript><p id='a&amp;b'><a name=2><noframes><p id=3></noframes></noscript>"
        "<iframe srcdoc='<p id=x><noembed><p id=y></noembed>'><p id=é title='>'></iframe><!--[if IE]><p id=4><![endif]-->"
    )
    names = set[str]()
    scope = Scope() if links else Scope().without_links()
    LinkStream(type="html", names=names, scope=scope).whole((META + page).encode())
    assert names == {"1", "a&b", "2", "3", "é", "4"}
