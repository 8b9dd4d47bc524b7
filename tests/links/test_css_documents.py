"""Style sheets as documents: their links, and the invariants on them."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invariants import check, rewritten
from tiers import examples

import linkfix
from linkfix.charset import lookup, names
from linkfix.links import LinkStream
from linkfix.links.builder import Builder
from linkfix.links.documents import Whole, links_of_sheet
from linkfix.links.scope import EVERYTHING

SHEET = """@charset "shift_jis";
@import "表.css?q=表" screen; @import url(b.css);
@namespace n url(http://names.example/表);
p { background: url( /表?q=表 ), url('?q=a'); content: "url(no)" }
""".encode("shift_jis")


def links(source: bytes, **settings: str) -> list[linkfix.Link]:
    stream = LinkStream(type="css", **settings)  # type: ignore[arg-type]
    return stream.feed(source) + stream.close()


def test_links_with_their_places() -> None:
    assert [(x.line, x.column, x.element, x.value, x.query) for x in links(SHEET)] == [
        (2, 10, "@import", "表.css?q=表", "utf-8"),
        (2, 41, "@import", "b.css", "utf-8"),
        (4, 22, "url()", "/表?q=表", "disputed"),
        (4, 37, "url()", "?q=a", "disputed"),
    ]
    assert all(link.syntax == "web" and link.kind == "css" for link in links(SHEET))


def test_a_rewrite_leaves_what_browsers_disagree_on() -> None:
    new, outcomes = rewritten(SHEET, "uri", type="css")
    assert b'"%E8%A1%A8.css?q=%E8%A1%A8"' in new
    assert [outcome.kept != "" for outcome in outcomes] == [False, False, True, False]


@pytest.mark.parametrize("spelling", ["url(\\a)", "url('\\9 ')", 'src("\\d\\20 ")'])
def test_white_space_is_not_made_an_empty_string(spelling: str) -> None:
    source = f"a{{b:{spelling}}}".encode()
    for to in ("uri", "iri"):
        check(source, to, type="css")
        new, outcomes = rewritten(source, to, type="css")
        assert new == source
        assert outcomes[0].kept


def test_the_charset_of_the_page() -> None:
    source = "a{b:url(/é)}".encode("latin-1")
    assert [x.value for x in links(source, environment="windows-1252")] == ["/é"]
    assert [x.value for x in links(source)] == ["/\ufffd"]
    assert [x.value for x in linkfix.extract(source, type="css", environment="koi8-r")] == ["/И"]


def test_the_extension_tells() -> None:
    stream = LinkStream(name="style/main.CSS")
    stream.feed(b"a{b:url(<b)}")
    assert [x.value for x in stream.close()] == ["<b"]


def test_a_style_sheet_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkfix.links.documents.MAX_TAG", 10)
    charset = lookup("utf-8")
    found = partial(links_of_sheet, EVERYTHING)
    sheet = Whole(Builder(charset, charset.view(), 0), found)
    assert list(sheet.links(b"x" * 10, final=False)) == []
    with pytest.raises(linkfix.LimitExceededError):
        list(sheet.links(b"x", final=True))


WORDS = ["a", "é", "表", "ソ", "\\", "\\e9 ", "\\a", "/", "?", "#", "%", "&", " ", "|", "(", ")", "'", '"', "\n", "\\22", "http://", "例え.jp", "😀"]  # fmt: skip
VALUES = st.lists(st.sampled_from(WORDS), max_size=8).map("".join)


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(st.tuples(VALUES, st.sampled_from(
        ["a{{b:url({})}}", "a{{b:url('{}')}}", '@import "{}";', "c{{d:image-set('{}' 1x)}}", "/*{}*/", "{}"]
    )), max_size=4),
    st.sampled_from(names(xml=False)),
    st.data(),
)  # fmt: skip
def test_invariants(parts: list[tuple[str, str]], charset: str, data: st.DataObject) -> None:
    text = "".join(template.format(value) for value, template in parts)
    source = lookup(charset).encode(text, missing=lambda char: b"\\%x " % ord(char))
    cut = sorted(data.draw(st.lists(st.integers(0, len(source)), max_size=3)))
    for to in ("uri", "iri"):
        check(source, to, type="css", charset=charset, cuts=(cut, list(range(1, len(source)))))
