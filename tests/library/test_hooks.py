"""`each` decides about every link; `edits` says what a rewrite would change; without a sink the document is returned."""

from __future__ import annotations

import io
import random
from typing import TYPE_CHECKING, Any, Literal

import lxml.html
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

import linkfix
from linkfix import Keep, Link, LinkfixError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BASE = "http://www.example.jp/a/"
PAGE = (
    '<meta charset="shift_jis"><a href="/検索?q=空">a</a><a href="b c">b</a>'
    '<a href="http://other.example/é d">c</a>'
).encode("shift_jis", "xmlcharrefreplace")


def test_without_a_sink_the_new_document_is_returned(tmp_path: Path) -> None:
    sink = io.BytesIO()
    report = linkfix.rewrite(PAGE, sink)
    assert isinstance(report, linkfix.Report)
    assert linkfix.rewrite(PAGE) == sink.getvalue() != PAGE
    assert linkfix.rewrite(b"", type="html") == b""
    (tmp_path / "a.html").write_bytes(PAGE)
    assert linkfix.rewrite(tmp_path / "a.html") == sink.getvalue()
    assert linkfix.transcode(PAGE).decode().startswith('<meta charset="utf-8">')


def moved(link: Link) -> str | type[Keep] | None:
    if link.resolved and link.resolved.startswith("http://www.example.jp/a/"):
        return link.resolved.replace("/a/", "/new/")
    return Keep if link.value.startswith("http://other.example/") else None


def test_a_hook_gives_new_targets_keeps_links_and_leaves_the_rest_to_the_policy() -> None:
    new = linkfix.rewrite(PAGE, base=BASE, each=moved)
    assert new == PAGE.replace(b'"b c"', b'"../new/b%20c"').replace(
        "/検索?q=空".encode("shift_jis"), b"/%E6%A4%9C%E7%B4%A2?q=%8B%F3"
    )
    assert linkfix.rewrite(PAGE, base=BASE, each=lambda _: Keep) == PAGE


@pytest.mark.parametrize(
    "build",
    [lxml.html.fromstring, lambda data: BeautifulSoup(data, "lxml", from_encoding="shift_jis")],
)
def test_trees_ask_the_same_hook(build: Callable[[bytes], Any]) -> None:
    tree = build(PAGE)
    assert linkfix.trees.rewrite_links(tree, base=BASE, each=moved) == 2
    values = [link.value for link in linkfix.trees.iter_links(tree)]
    assert values == ["/%E6%A4%9C%E7%B4%A2?q=%8B%F3", "../new/b%20c", "http://other.example/é d"]


def test_a_conversion_to_utf_8_asks_it_once_for_each_link() -> None:
    asked: list[str] = []

    def each(link: Link) -> str | type[Keep] | None:
        asked.append(link.value)
        return moved(link)

    new = linkfix.transcode(PAGE, base=BASE, to="iri", each=each).decode()
    assert asked == ["/検索?q=空", "b c", "http://other.example/é d"]
    assert '"../new/b%20c"' in new
    assert '"/検索?q=%8B%F3"' in new


def test_a_link_that_cannot_be_resolved_or_converted_gets_the_target_that_it_is_given() -> None:
    for value in ("x", "", "http://[", "http://ex ample/", "?é", "#a b"):
        page = f'<meta charset="utf-8"><a href="{value}">'.encode()
        new = linkfix.rewrite(page, each=lambda _: "https://new.example/é")
        assert new == page.replace(f'href="{value}"'.encode(), b'href="https://new.example/%C3%A9"')
    template = b'<meta charset="utf-8"><a href="{{ x }}">'
    kept: list[str] = []
    assert (
        linkfix.rewrite(
            template,
            each=lambda _: "https://new.example/",
            on_outcome=lambda outcome: kept.append(outcome.kept),
        )
        == template
    )
    assert "template" in kept[0]


@pytest.mark.parametrize("answer", ["/relative", "javascript:x", "", "a b"])
def test_what_it_returns_is_held_to_what_a_map_is_held_to(answer: str) -> None:
    with pytest.raises(LinkfixError, match="refused") as caught:
        linkfix.rewrite(PAGE, each=lambda _: answer)
    assert (caught.value.line, caught.value.offset) == (1, 35)
    assert str(caught.value).startswith("line 1, column 36: the target of ")


def test_another_answer_and_an_exception_name_the_link() -> None:
    with pytest.raises(LinkfixError, match="none of an absolute IRI, Keep and None") as caught:
        linkfix.rewrite(PAGE, each=lambda _: 1)  # type: ignore[arg-type,return-value]
    assert caught.value.offset == 35

    def each(link: Link) -> None:
        raise KeyError(link.value)

    with pytest.raises(KeyError) as raised:
        linkfix.rewrite(PAGE, each=each)
    assert raised.value.__notes__ == ["line 1, column 36: /検索?q=空"]


UNITS: tuple[Literal["byte", "codepoint", "utf-16"], ...] = ("byte", "codepoint", "utf-16")


@given(
    st.lists(
        st.sampled_from(["é", "𝒳", "空", "<a href='空 𝒳?é'>", "<a href=b%20c>", "\n"]), max_size=9
    ),
    st.sampled_from(["utf-8", "utf-16le", "shift_jis", "iso-2022-jp", "gb18030"]),
    st.sampled_from(["uri", "iri"]),
)
def test_edits_make_the_document_that_a_rewrite_writes(
    parts: list[str], charset: str, to: Literal["uri", "iri"]
) -> None:
    source = "".join(["<p>", *parts]).encode(charset, "xmlcharrefreplace")
    new = linkfix.rewrite(source, to=to, charset=charset, type="html")
    for unit in UNITS:
        found = linkfix.edits(source, unit=unit, to=to, charset=charset, type="html")
        if unit == "byte":
            done = source
            for edit in reversed(found):
                done = done[: edit.start] + edit.new + done[edit.end :]
            assert done == new
            continue
        width = 4 if unit == "codepoint" else 2
        encoding = "utf-32-le" if unit == "codepoint" else "utf-16-le"
        units = source.decode(charset).encode(encoding)
        for edit in reversed(found):
            start, end = edit.start * width, edit.end * width
            units = units[:start] + edit.text.encode(encoding) + units[end:]
        assert units.decode(encoding) == new.decode(charset)


def test_edits_of_a_long_page_are_in_order() -> None:
    chance = random.Random(7)
    source = "".join(chance.choice(["<a href='é 空'>", "𝒳", "x\n"]) for _ in range(3000)).encode()
    found = linkfix.edits(source, unit="utf-16", charset="utf-8", type="html")
    places = [place for edit in found for place in (edit.start, edit.end)]
    assert places == sorted(places)
    assert len(found) > 500
