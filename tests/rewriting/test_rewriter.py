"""What a rewrite leaves as it is, and why."""

from __future__ import annotations

from typing import Literal

import pytest
from invariants import check

import linkfix
from linkfix.links import LinkStream

#: Meta refreshes that reload their document: the URL in them is empty (HTML standard, 4.2.5.3).
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
    rewriter = linkfix.Rewriter(**options, on_outcome=outcomes.append)  # type: ignore[arg-type]
    new = rewriter.whole(source)
    uncounted = linkfix.Rewriter(**options, count=False)  # type: ignore[arg-type]
    assert uncounted.whole(source) == new
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
