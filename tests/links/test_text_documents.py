"""Plain text as a document: the IRIs in it (3987bis, 8.3; RFC 3986, Appendix C), and the invariants on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invariants import PRESCAN, check, rewritten
from tiers import examples

import linkfix
from linkfix.charset import lookup, names
from linkfix.errors import NoDocumentError
from linkfix.iri import find
from linkfix.links import LinkStream
from linkfix.links.builder import Builder
from linkfix.links.scope import EVERYTHING, Scope
from linkfix.links.selectors import Pattern
from linkfix.links.text import PlainText

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """Siehe <http://bücher.example/é?q=é>, (cf. http://h.example/a_(b)).
詳細はhttp://ex.example/表 を。「http://ex.example/ソ」 Note: 12:30 www.example.org
<URL:ftp://a.example/b>
"""


def links(source: bytes, **settings: str) -> list[linkfix.Link]:
    stream = LinkStream(type="text", **settings)  # type: ignore[arg-type]
    return stream.feed(source) + stream.close()


def test_links_with_their_places() -> None:
    source = TEXT.encode()
    found = links(source)
    assert [(x.line, x.column, x.value) for x in found] == [
        (1, 8, "http://bücher.example/é?q=é"),
        (1, 43, "http://h.example/a_(b)"),
        (2, 4, "http://ex.example/表"),
        (2, 27, "http://ex.example/ソ"),
        (2, 60, "www.example.org"),
        (3, 6, "ftp://a.example/b"),
    ]
    assert all(source[x.start : x.end].decode() == x.value for x in found)
    assert {(x.element, x.attribute, x.syntax) for x in found} == {("#text", "", "web")}
    # Whether the third one ends in front of its character beyond ASCII nobody can tell.
    assert [x.kind for x in found] == ["text", "text", "text-unsure", "text", "www", "text"]


def test_a_rewrite() -> None:
    new, _ = rewritten(TEXT.encode(), "uri", type="text")
    assert new.decode() == (
        TEXT.replace("bücher", "xn--bcher-kva")
        .replace("/é?q=é", "/%C3%A9?q=%C3%A9")
        .replace("/ソ", "/%E3%82%BD")
    )


def test_a_query_in_a_legacy_charset_is_left() -> None:
    """A mailer sends UTF-8, a browser that shows the text the octets of its charset."""
    source = "http://a.example/é?q=é".encode("latin-1")
    new, [outcome] = rewritten(source, "uri", type="text", charset="latin1")
    assert new == source
    assert "disagree" in outcome.kept


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<http://bü\ncher.example/>", True),
        ("<URL:http://a.example/é b>", True),
        ("<http://a.example/é>", False),
        ("a < http://a.example/é b", False),
        ("é<http://a.example/é", True),
    ],
)
def test_a_reference_over_several_lines_is_left(text: str, *, left: bool) -> None:
    new, [outcome] = rewritten(text.encode(), "uri", type="text")
    assert (new == text.encode(), bool(outcome.kept)) == (left, left)


def test_what_would_not_be_found_again_stays_percent_encoded() -> None:
    source = b"http://a.example/%e3%80%82 http://a.example/a%C2%ABb%C3%A9. http://a.example/%EF%BC%88x http://a.example/x%E8%A1%A8"
    new, outcomes = rewritten(source, "iri", type="text")
    assert new == source.replace(b"%C3%A9", "é".encode())
    assert [bool(outcome.kept) for outcome in outcomes] == [False, False, False, True]


@pytest.mark.parametrize(
    ("text", "expected", "kinds"),
    [
        (
            "详见http://example.org，然后http://example.org/文档。更多",
            "详见http://example.org，然后http://example.org/文档。更多",
            ["text", "text-unsure"],
        ),
        ("http://例え.jp。次", "http://xn--r8jz45g.jp。次", ["text"]),
        (
            "http://a.b/é,http://例え.jp",
            "http://a.b/%C3%A9,http://xn--r8jz45g.jp",
            ["text", "text"],
        ),
        ("`http://a.b/é`x", "`http://a.b/%C3%A9`x", ["text"]),
        ("www.例え.jp/é 例え.jp/é é@例え.jp", None, ["www", "domain", "mail"]),
        ("http://web.example/http://例え.jp/", None, ["text-unsure"]),
        ("请看http://a.b/é查看 在http://a.b/x查看", None, ["text-unsure", "text-unsure"]),
        ("http://a.b/é|x http://例え/", None, ["text-unsure", "text-unsure"]),
        ("普遍适用测试。我爱你", None, ["domain"]),
    ],
)
def test_only_what_is_certain_is_rewritten(
    text: str, expected: str | None, kinds: list[str]
) -> None:
    assert [x.kind for x in links(text.encode())] == kinds
    new, _ = rewritten(text.encode(), "uri", type="text")
    assert new.decode() == (expected or text)


def test_what_has_no_scheme_leads_nowhere_and_has_no_findings() -> None:
    found = [*linkfix.extract(b"www.a.com/e.html x@a.com", type="text", base="http://h/")]
    assert [(x.kind, x.resolved) for x in found] == [("www", None), ("mail", None)]
    assert not [*linkfix.audit(b"www.a.com/%zz x@a.com", type="text", base="http://h/")]


def test_the_charset_is_the_mark_the_label_or_utf_8() -> None:
    text = "http://a.example/é"
    assert [x.value for x in links(b"\xff\xfe" + text.encode("utf-16-le"))] == [text]
    assert [x.value for x in links(text.encode("koi8-r", "replace"), charset="koi8-r")] == [
        "http://a.example/"
    ]
    new, _ = rewritten(text.encode("latin-1"), "uri", type="text")
    assert new == text.encode("latin-1")


def test_no_file_is_plain_text_unless_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    with pytest.raises(NoDocumentError):
        [*linkfix.extract(tmp_path / "a.txt")]
    assert len([*linkfix.extract(tmp_path / "a.txt", type="text")]) == 6


def test_a_choice_of_elements() -> None:
    stream = LinkStream(type="text", scope=Scope(select=(Pattern.parse("a@href"),)))
    assert stream.whole(TEXT.encode()) == []


def test_a_word_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkfix.links.text.MAX_TAG", 10)
    charset = lookup("utf-8")
    text = PlainText(Builder(charset, charset.view(), 0), EVERYTHING)
    assert [*text.links(b"x" * 10, final=False)] == []
    with pytest.raises(linkfix.LimitExceededError):
        [*text.links(b"x", final=False)]


WORDS = ["http://", "HTTPS:", "mailto:", "urn:", "URL:", "www.", "a.example", "bücher.example", "/", "é", "表", "ソ", "詳細は", "。", "「", "」", "«", "»", "<", ">", '"', "(", ")", "[", "]", "{", "}", " ", "\n", "\r\n", "\t", "\0", "\x7f", "\xa0", "\\", "?", "#", "%", "%41", "%C3%A9", "%E3%80%82", "&", "|", ":", ".", ",", "'", "*", "@", "80", "\ufffd", "😀", "{{x}}"]  # fmt: skip
VALUES = st.lists(st.sampled_from(WORDS), max_size=14).map("".join)


@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(VALUES, max_size=4).map(" http://".join), st.sampled_from(names(xml=False)), st.data()
)
def test_the_invariants_hold(text: str, charset: str, data: st.DataObject) -> None:
    encoding = lookup(charset)
    text = " " * PRESCAN + "".join(char if encoding.encodable(char) else "x" for char in text)
    source = encoding.encode(text) + data.draw(
        st.sampled_from([b"", b"\xff", b" \x1b", b"\x8f\xa1 http://x/"])
    )
    cuts = data.draw(st.lists(st.integers(0, len(source)), max_size=6).map(sorted))
    for to in ("uri", "iri"):
        check(source, to, type="text", charset=charset, cuts=(cuts, [*range(PRESCAN, len(source))]))


@settings(max_examples=examples(200), deadline=None)
@given(VALUES, st.sampled_from(["utf-8", "utf-16le"]))
def test_the_links_are_those_of_the_engine(text: str, codec: str) -> None:
    """What `find` returns for the whole text, whatever the words it is cut into."""
    source = text.encode(codec)
    expected = [text[x.start : x.end] for x in find(text)]
    assert [x.value for x in links(source, charset=codec)] == expected
