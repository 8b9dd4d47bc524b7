"""What a rewrite leaves as it is, and why."""

from __future__ import annotations

from typing import Literal

import pytest
from invariants import check
from sources import with_source

import linkfix
from linkfix.charset import declared_charset, lookup
from linkfix.links import LinkStream
from linkfix.rewriting import Outcome

#: Meta refreshes that reload their document: the URL in them is empty (HTML Standard, 4.2.5.3).
RELOADING = (
    "300 ; url=", "0 ; URL=", "0 , url=", "0 ;url =", "0 ; url =\t", "0\n;\nurl =\t", "0;url=", "0 ;url=''", ".5 , url=\n",
    "300", "300;", "300 ", "300 ; ", " 0\f,\f",
)  # fmt: skip
#: Elements with a value that is white space alone, which HTML takes for another thing than an empty one.
BLANK = (
    '<form action=" ">', '<button formaction="\t">', '<input type=image formaction=" " src="\n">', '<video src=" " poster="  ">',
    '<audio src=" ">', '<link rel=icon href="&#1;">', '<script src=" ">', '<img src="&#32;">', '<iframe src=" ">', '<object data=" ">',
    '<a href=" ">', '<base href=" ">', "<p style=\"background: url(' ')\">", "<meta http-equiv=refresh content=\"0;url=' '\">",
)  # fmt: skip


def rewritten(page: str | bytes, **options: object) -> tuple[bytes, list[linkfix.Outcome]]:
    """The new document and what became of each link."""
    source = page.encode() if isinstance(page, str) else page
    outcomes: list[linkfix.Outcome] = []
    rewriter = linkfix.Rewriter(**with_source(options), on_outcome=outcomes.append)
    new = rewriter.whole(source)
    untold = linkfix.Rewriter(**with_source(options))
    assert untold.whole(source) == new
    return new, outcomes


@pytest.mark.parametrize("content", RELOADING)
def test_what_separates_a_refresh_from_its_url_is_no_part_of_the_url(content: str) -> None:
    page = f'<meta charset=utf-8><meta http-equiv=refresh content="{content}">'.encode()
    stream = LinkStream(type="html")
    assert "".join(link.value for link in stream.feed(page) + stream.close()) == ""
    assert rewritten(page)[0] == page


@pytest.mark.parametrize("style", ["keep", "absolute", "relative", "root-relative"])
@pytest.mark.parametrize("element", BLANK)
def test_white_space_alone_is_left_and_reported(element: str, style: str) -> None:
    page = f"<meta charset=utf-8>{element}".encode()
    policy = linkfix.Policy(style=style)  # type: ignore[arg-type]
    new, outcomes = rewritten(page, policy=policy, base="http://base.example/dir/page")
    assert new == page
    assert {outcome.kept for outcome in outcomes} == {
        "white space alone is resolved by browsers, an empty value is often not"
    }
    codes = {finding.code for finding in linkfix.audit(page)}
    assert codes & {"DEL001", "REF001"}


@pytest.mark.parametrize("style", ["keep", "absolute", "relative", "root-relative"])
@pytest.mark.parametrize("value", [" #x", "&#9;#x y", "&#1;#é"])
@pytest.mark.parametrize(
    "element",
    ["<p style=\"fill: url('VALUE')\">", "<svg><use href='VALUE'/>", "<svg fill=\"url('VALUE')\">"],
)
def test_white_space_before_a_fragment_stays_where_the_fragment_alone_means_the_document(
    element: str, value: str, style: str
) -> None:
    page = f"<meta charset=utf-8><base href=/b/>{element.replace('VALUE', value)}".encode()
    policy = linkfix.Policy(style=style)  # type: ignore[arg-type]
    new, outcomes = rewritten(page, policy=policy, base="http://base.example/dir/page")
    assert new.endswith(page.partition(b"/b/>")[2])
    assert "# alone means the document itself" in outcomes[-1].kept
    assert rewritten(page)[0] == page


@pytest.mark.parametrize("to", ["uri", "iri"])
@pytest.mark.parametrize("value", ["?b=&#0;", "/a b?b=&#x20ac;&#0;"])
def test_a_query_whose_charset_is_disputed_is_left_where_readers_disagree_on_it(
    value: str, to: Literal["uri", "iri"]
) -> None:
    """Some send U+FFFD in UTF-8; GBK has none."""
    page = f'<meta charset=GBK><base href="{value}">'.encode()
    assert rewritten(page, to=to)[0] == page


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_left(charset: str) -> None:
    """No browser recognizes it: for them its tags are text."""
    page = f"<!DOCTYPE html><title>x</title><a href='a b'>x</a>{'some text, ' * 9}".encode(charset)
    assert rewritten(page, type="html")[0] == page


@pytest.mark.parametrize(
    "element",
    [
        "<meta http-equiv=refresh content='0;url=/x?é'>",
        "<svg><script href='/x?é'></script></svg>",
        "<svg><script xlink:href='/x?é'></script></svg>",
    ],
)
def test_queries_stay_that_firefox_sends_in_utf_8(element: str) -> None:
    page = f"<meta charset=windows-1252>{element}".encode("cp1252")
    assert rewritten(page)[0] == page
    assert "query-charset" in {each.name for each in linkfix.audit(page)}
    new = rewritten(page, policy=linkfix.Policy(disputed="chromium"))[0]
    assert new == page.replace(b"\xe9", b"%E9")


@pytest.mark.parametrize("to", ["uri", "iri"])
@pytest.mark.parametrize("value", ["#é", "#%C3%A9", "#x ", "#x&#9;y"])
@pytest.mark.parametrize(
    "element",
    [
        "<p style=\"fill: url('VALUE')\">",
        "<svg><use href='VALUE'/>",
        "<style>p {fill: url('VALUE')}",
    ],
)
def test_a_name_in_the_document_itself_is_spelled_as_no_reader_would_read_otherwise(
    element: str, value: str, to: str
) -> None:
    page = f"<meta charset=utf-8>{element.replace('VALUE', value)}".encode()
    if "&" in value and element.startswith("<style"):
        page = page.replace(b"&#9;", b"\t")
    assert rewritten(page, policy=linkfix.Policy(to=to))[0] == page  # type: ignore[arg-type]
    assert value.isascii() or [
        each.name for each in linkfix.audit(page) if each.code[:3] == "SYN"
    ] == ["disputed-reference"]


@pytest.mark.parametrize(
    ("value", "iri"),
    [
        ("/%c3%a9#%c3%a9", "/é#%c3%a9"),
        ("#%C3%A9", "#é"),
        ("#a%7Eb%41", "#a%7Eb%41"),
        ("#%61%C3%A9 %C3%A9", "#%61%C3%A9%20é"),
        ("/%41#%%", "/A#%25%25"),
    ],
)
def test_the_octets_of_a_fragment_are_characters_where_browsers_make_the_same_of_these(
    value: str, iri: str
) -> None:
    page = f"<meta charset=utf-8><a href='{value}'>".encode()
    assert rewritten(page, policy=linkfix.Policy(to="iri"))[0] == page.replace(
        value.encode(), iri.encode()
    )


@pytest.mark.parametrize("value", ["#x ", "#x  ", "# ", "#x &#10;"])
def test_a_space_behind_a_fragment_alone_stays_for_firefox(value: str) -> None:
    page = f"<meta charset=utf-8><a href='{value}'><a href='y{value}'>".encode()
    new, outcomes = rewritten(page)
    assert new == page.replace(f"y{value}".encode(), f"y{value.split(' ', maxsplit=1)[0]}".encode())
    assert "strips no space" in outcomes[0].kept
    names = [each.name for each in linkfix.audit(page) if each.code[:3] in {"SYN", "DEL"}]
    assert names.count("disputed-reference") == 1


def test_a_name_that_is_a_valid_uri_is_not_said_to_be_left() -> None:
    page = "<meta charset=utf-8><svg><use href='#%C3%A9'/><use href='#é '/>".encode()
    valid, other = rewritten(page, policy=linkfix.Policy(to="iri"))[1]
    assert (valid.kept, bool(other.kept)) == ("", True)


def test_names_in_ascii_and_hyperlinks_are_spelled_anew() -> None:
    page = "<meta charset=utf-8><svg><use href='#a b|%'/><a href='#é'/><use href='p.svg#é'/>"
    new = "<use href='#a%20b%7C%25'/><a href='#%C3%A9'/><use href='p.svg#%C3%A9'/>"
    assert rewritten(page)[0].decode().endswith(new)


def test_white_space_before_the_fragment_of_a_hyperlink_is_removed() -> None:
    assert rewritten("<meta charset=utf-8><a href=' #x'>")[0].endswith(b"<a href='#x'>")


BASES = ["n:", "urn:x", "mailto:x", "data:,", "ftp://h/", "file:///x", "http://a b/", "//", "http:", "x", ""]  # fmt: skip
VALUES = [
    "",
    "x",
    "?q",
    "#f",
    "é",
    "a b",
    "//h",
    "mailto:y",
    "http://h.example/",
    "%",
    "?é",
    "[::]",
]


@pytest.mark.parametrize("base", [None, "http://a.example/"])
def test_links_before_a_base_are_rewritten_without_it(base: str | None) -> None:
    """However the document is cut: what has come out cannot know what follows."""
    text = "<p>" + "x" * 2000
    source = f"{text}<a href='/é b'>{text}<base href='urn:x'><a href='/é c'>".encode()
    new = source.replace("/é b".encode(), b"/%C3%A9%20b")
    for cut in (0, 2050, len(source) - 20):
        rewriter = linkfix.Rewriter(source=linkfix.Source(type="html", charset="utf-8", base=base))
        chunks = (source[:cut], source[cut:])
        assert b"".join(map(rewriter.feed, chunks)) + rewriter.close() == new


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("to", ["uri", "iri"])
def test_links_count_the_same_under_every_base_whichever_way_they_are_read(
    base: str, to: Literal["uri", "iri"]
) -> None:
    """Whether a clean link is passed over or decided, it is neither changed nor kept."""
    tags = "".join(f'<a href="{value}"/>' for value in VALUES)
    check(f'<base href="{base}">{tags}'.encode(), to, type="html", charset="utf-8")
    xlink = tags.replace("href", "x:href")
    document = (
        f'<r xmlns:x="http://www.w3.org/1999/xlink"><b xml:base="{base}">{xlink}</b>{xlink}</r>'
    )
    check(document.encode(), to, type="xml")


MOVES = "it, or a link before it, would move the declaration of the charset across byte 1,024"


def bordering(link: str, meta: str, at: int, start: str = "<p>") -> bytes:
    """A page in windows-1251 with a declaration at a byte offset, behind a link and out of the head."""
    front = f"{start}{link}"
    page = f"{front}{'y' * (at - len(front))}{meta}<a href='/Ж б'>z</a>"
    return page.encode("windows-1251")


@pytest.mark.parametrize(
    ("source", "to", "kept"),
    [
        (bordering(f"<a href='/{'a b ' * 60}'>", "<meta charset=windows-1251>", 920), "uri", MOVES),
        (bordering(f"<a href='/{'a b ' * 60}'>", "<meta charset=windows-1251>", 920), "iri", MOVES),
        (bordering(f"<a href='/{'a b ' * 60}'>", "<meta charset=windows-1251>", 500), "uri", ""),
        # In the head a declaration counts wherever it stands.
        (bordering(f"<link href='/{'a b ' * 60}'><!--", "--><meta charset=windows-1251>", 920, "<head>"), "uri", ""),
        # Out of it one further on would count all of a sudden, instead of the XML declaration.
        (bordering(f"<a href='/{'%D0%96' * 40}'>", "<meta charset=koi8-r>", 1074, "<?xml version='1.0' encoding='windows-1251'?><body>"), "iri", MOVES),
        (bordering(f"<a href='/{'%D0%96' * 40}'>", "<meta charset=koi8-r>", 1074, "<?xml version='1.0' encoding='windows-1251'?><body>"), "uri", ""),
        # The prescan takes what stands in a style sheet for a declaration.
        (bordering("<style>a{b:url('x<meta/charset=windows-1251>')}</style>", "<meta charset=koi8-r>", 200), "uri", MOVES),
    ],
)  # fmt: skip
def test_a_link_that_would_move_the_declaration_is_left(source: bytes, to: str, kept: str) -> None:
    new, outcomes = rewritten(source, to=to, type="html")
    assert declared_charset(new) is declared_charset(source)
    assert outcomes[0].kept == kept
    assert not (kept and outcomes[0].new)
    assert outcomes[-1].new is not None  # what stands behind it does not matter
    assert rewritten(new, to=to, type="html")[0] == new
    for size in (1, 7, 1024, 1100):
        rewriter = linkfix.Rewriter(
            "uri" if to == "uri" else "iri", source=linkfix.Source(type="html")
        )
        pieces = [rewriter.feed(source[at : at + size]) for at in range(0, len(source), size)]
        assert b"".join(pieces) + rewriter.close() == new


def moved(uri: str) -> str:
    """A map that makes links shorter."""
    return uri.replace("old.example/dir", "a.example")


@pytest.mark.parametrize(
    ("link", "at", "policy"),
    [
        ("<a href='x'>", 980, linkfix.Policy(style="absolute")),
        ("<a href='http://old.example/dir/x'>", 1030, linkfix.Policy(style="relative")),
        ("<a href='http://old.example/dir/x'>", 1010, linkfix.Policy(target=moved)),
    ],
)
def test_styles_and_maps_do_not_move_it_either(link: str, at: int, policy: linkfix.Policy) -> None:
    """A declaration that does not count, or does, and another one that stays where it is."""
    start = "<?xml version='1.0' encoding='windows-1251'?><body>" if at > 1000 else "<p>"
    source = bordering(
        link * 3, f"<meta charset={'koi8-r' if at > 1000 else 'windows-1251'}>", at, start
    )
    new, outcomes = rewritten(
        source, policy=policy, base="http://old.example/dir/page", type="html"
    )
    assert MOVES in {outcome.kept for outcome in outcomes}
    assert declared_charset(new) is declared_charset(source) is lookup("windows-1251")


@pytest.mark.parametrize(
    ("value", "new"),
    [
        ("/a b", "/a%20b"), ("/&eacute; b", "/%C3%A9%20b"), ("?q=&#x41; b", "?q=&#x41;%20b"), ("mailto:&eacute;", "mailto:%C3%A9"),
        ("/日本", None), ("/é", None), ("?q=&eacute;", None), ("?q=é", None), ("http://é.example/", None), ("?q=日本", None), ("#é", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("text", ["<title>日本語の本</title>", "", "<p>\x93\xfa\x96{"])
def test_without_a_declared_charset_only_what_every_guess_reads_alike(
    text: str, value: str, new: str | None
) -> None:
    head = text.encode("latin-1" if text.startswith("<p>") else "utf-8")
    source = head + f'<a href="{value}">x</a>'.encode()
    done, outcomes = rewritten(source)
    assert done == (source if new is None else head + f'<a href="{new}">x</a>'.encode())
    assert ("is a guess" in outcomes[0].kept) == (new is None)
    codes = [finding.code for finding in linkfix.audit(source)]
    assert codes.count("ENC014") + codes.count("ENC004") + codes.count("ENC003") == (new is None)
    assert rewritten(done)[0] == done
    for options in ({"charset": "utf-8"}, {"policy": linkfix.Policy(default_charset="utf-8")}):
        if not head.startswith(b"<p>"):
            assert rewritten(source, **options)[1][0].new is not None


def test_pairs_of_big5_that_browsers_decode_differently_stay() -> None:
    document = b"<meta charset=big5><a href='/\x88\x62'></a><a href='/\x88\xa5 x'></a><a href='/\xa4\xa4'></a>"
    rewriter = linkfix.Rewriter()
    done = rewriter.feed(document) + rewriter.close()
    assert done == document.replace(b"\xa4\xa4", b"%E4%B8%AD")
    assert (rewriter.report.changed, rewriter.report.kept) == (1, 2)


def test_hosts_without_dns_stay_in_unicode() -> None:
    policy = linkfix.Policy(local_names=("servé",))
    source = '<meta charset=utf-8><a href="http://servé/é"><a href="http://é.example/">'.encode()
    rewriter = linkfix.Rewriter(policy=policy)
    new = (rewriter.feed(source) + rewriter.close()).decode()
    assert new.endswith('<a href="http://servé/%C3%A9"><a href="http://xn--9ca.example/">')
    assert [link.resolved for link in linkfix.extract(source, policy=policy)] == [
        "http://xn--serv-epa/%C3%A9",
        "http://xn--9ca.example/",
    ]


PAGE = b"<!doctype html><title>x</title><p>text<a href='a b'>x</a>" + b"<p>more" * 200


@pytest.mark.parametrize(
    ("page", "charset"),
    [
        (PAGE, "utf-8"),
        (b"\xef\xbb\xbf" + PAGE, None),
        ("\ufeff".encode("utf-16-le") + PAGE.decode().encode("utf-16-le"), None),
    ],
)
def test_the_first_bytes_are_returned_at_once(page: bytes, charset: str | None) -> None:
    rewriter = linkfix.Rewriter(source=linkfix.Source(type="html", charset=charset))
    chunks = [rewriter.feed(page[at : at + 8]) for at in range(0, len(page), 8)]
    assert len(b"".join(chunks[:3])) > 8
    whole = linkfix.Rewriter(source=linkfix.Source(type="html", charset=charset)).whole(page)
    assert b"".join(chunks) + rewriter.close() == whole


@pytest.mark.parametrize("size", [1, 7, 500, 1023, 1024, 1025])
@pytest.mark.parametrize("padding", [0, 900, 935, 940, 944, 950, 1000, 1100])
def test_a_label_waits_for_the_declaration_with_links_alone(size: int, padding: int) -> None:
    page = b"<a href='a b'>" * 3 + b"<p>" + b"." * padding + b"<meta charset=latin1>" + PAGE
    rewriter = linkfix.Rewriter(source=linkfix.Source(type="html", charset="utf-8"))
    chunks = [rewriter.feed(page[at : at + size]) for at in range(0, len(page), size)]
    report = rewriter.report
    new = b"".join(chunks) + rewriter.close()
    other = linkfix.Rewriter(source=linkfix.Source(type="html", charset="utf-8"))
    assert new == other.whole(page)
    assert report == other.report
    assert declared_charset(new) == declared_charset(page)


def test_links_of_many_texts_are_rewritten_in_their_order() -> None:
    """There are more batches than are judged at once, with single links between them."""
    entry = '<entry><link href="/{0}a b"/>\n<content type="html">&lt;a href="b {0}"&gt;\n&lt;img srcset="c{0} 1x"&gt;</content></entry>\n'
    feed = "\n".join(['<feed xmlns="http://www.w3.org/2005/Atom">', ""])
    feed += "".join(entry.format(number) for number in range(200)) + "</feed>"
    new, outcomes = rewritten(feed, type="xml")
    assert new.decode() == feed.replace("a b", "a%20b").replace('"b ', '"b%20')
    expected = [
        (value, 3 * number + line)
        for number in range(200)
        for line, value in enumerate((f"/{number}a b", f"b {number}", f"c{number}"), 2)
    ]
    assert [(each.link.value, each.link.line) for each in outcomes] == expected
    changes: list[linkfix.Outcome] = []
    rewriter = linkfix.Rewriter(source=linkfix.Source(type="xml"), on_change=changes.append)
    assert rewriter.whole(feed.encode()) == new
    assert [(e.link.value, e.link.line) for e in changes] == [e for e in expected if " " in e[0]]
    assert (rewriter.report.links, rewriter.report.changed) == (600, 400)


@pytest.mark.parametrize("type", ["html", "xml"])
def test_a_refused_target_is_located(type: Literal["html", "xml"]) -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body>\n<a href="/a">b</a></body></html>'
    policy = linkfix.Policy(target=lambda uri: "javascript:b" if uri.endswith("/a") else None)
    rewriter = linkfix.Rewriter(
        policy=policy, source=linkfix.Source(type=type, base="http://h.example/")
    )
    with pytest.raises(linkfix.LinkfixError) as caught:
        rewriter.whole(page.encode())
    error = caught.value
    assert (error.line, error.column, error.offset) == (2, 10, page.index("/a"))


def test_on_kept_gets_the_links_that_are_left() -> None:
    document = b'<a href="a b"></a>\n<a href="http://[x/"></a><a href="ok.html"></a>'
    told: dict[str, list[Outcome]] = {"on_kept": [], "on_change": []}
    kept, changed = linkfix.Rewriter(), linkfix.Rewriter(on_change=told["on_change"].append)
    kept.on_kept = told["on_kept"].append
    assert kept.whole(document) == changed.whole(document) == document.replace(b"a b", b"a%20b")
    assert kept.report == changed.report
    left = [(each.link.start, each.kept) for each in told["on_change"] if each.kept]
    assert [(each.link.start, each.kept) for each in told["on_kept"]] == left
    assert [start for start, _ in left] == [document.index(b"http")]
