"""`Link.resolved` is what the URL Standard serializes, for whoever asks and whenever."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import examples

import linkfix
from linkfix.iri import convert
from linkfix.iri.resolution import serialized
from linkfix.iri.url import parse_url

BASE = "http://h.example/d/page.html?q"
#: References that tools read otherwise than browsers do, and what browsers serialize.
REFERENCES = {
    "///example.com/x": "http://example.com/x",
    "http:///example.com/x": "http://example.com/x",
    "https:example.org/y": "https://example.org/y",
    "HTTP://EX.com": "http://ex.com/",
    "http://EX.com:80/a/../b": "http://ex.com/b",
    "file:": "file:///",
    "\\a\\b": "http://h.example/a/b",
    "  ": "http://h.example/d/page.html?q",
    "\t\n": "http://h.example/d/page.html?q",
    "": "http://h.example/d/page.html?q",
    "?": "http://h.example/d/page.html?",
    "#f": "http://h.example/d/page.html?q#f",
    "mailto:A@x.example": "mailto:A@x.example",
    "http://0x7f.1/": "http://127.0.0.1/",
    "http://b\u00fccher.example/\u00e9?\u00e9": "http://xn--bcher-kva.example/%C3%A9?%C3%A9",
    "http://[x/": None,
    "http://a b/": None,
}
PIECES = st.lists(
    st.sampled_from(["a", "B", "/", "//", ".", "..", "../", "?", "#", ":", "|", "c:", "%2e", "%41", "%zz", "http:", "HTTPS://", "ws:", "[", "9",
                     "e.example", "EX.com", ":80", ":", "file:", "x:", "mailto:", "@", ";", "\\", " ", "\t", "é", "ß", "xn--a", "'", "^", "127.1", "~"]),
    max_size=7,
).map("".join)  # fmt: skip


def page(value: str) -> bytes:
    escaped = "".join(f"&#{ord(char)};" for char in value)
    return f'<meta charset=utf-8><a href="{escaped}">'.encode()


@pytest.mark.parametrize("value", REFERENCES)
def test_what_browsers_serialize(value: str) -> None:
    (link,) = linkfix.extract(page(value), base=BASE)
    assert link.resolved == REFERENCES[value]


@settings(max_examples=examples(400), deadline=None)
@given(PIECES, st.sampled_from([BASE, "https://h.example", "file:///a/b", None]))
@example("http://e.example/a/%2E/b", None)
def test_it_is_the_url_standard_s_or_none(value: str, base: str | None) -> None:
    (link,) = linkfix.extract(page(value), base=base)
    expected = parse_url(value, base)
    if link.resolved is not None:
        assert expected is not None
        # Only the spelling of percent-encoding is that of the conversion.
        assert parse_url(convert(value, to="uri", base=base).text, base) == parse_url(link.resolved)
        again = parse_url(link.resolved)
        assert again is not None
        assert link.resolved == again.href
    elif expected is not None and value.isascii() and base is not None:
        assert not convert(value, to="uri", base=base).ok


@given(st.lists(st.sampled_from(["http://", "https://", "HTTP://", "a", "Z", ".", "..", "/", "?", "#", ":", "80", "%2e", "%41", "-", "xn--", "_", "0", "'", "@", "e.example"]), max_size=8).map("".join))  # fmt: skip
def test_the_short_way_returns_what_the_serializer_returns(uri: str) -> None:
    url = parse_url(uri)
    assert serialized(uri) == (None if url is None else url.href)


@pytest.mark.parametrize("text", ["http:a", "http:///x", "https:", "file:a"])
def test_xml_readers_mean_no_url_without_its_authority(text: str) -> None:
    source = f"<r xmlns:l='http://www.w3.org/1999/xlink'><a l:href='{text}'/></r>".encode()
    links = [link for link in linkfix.extract(source, type="xml") if link.attribute == "l:href"]
    assert [link.resolved for link in links] == [None]


def test_hooks_that_select_links_know_where_they_lead() -> None:
    source = b"<meta charset=utf-8><a href='/a b'><base href='/c/'><a href='d e'><a href='//x.example/f g'>"
    asked: list[Any] = []

    def each(link: linkfix.Link) -> type[linkfix.Keep] | None:
        asked.append(link.resolved)
        return None if str(link.resolved).startswith("http://h.example/") else linkfix.Keep

    new = linkfix.rewrite(source, base=BASE, each=each)
    expected = ["http://h.example/a%20b", "http://h.example/c/", "http://h.example/c/d%20e", "http://x.example/f%20g"]  # fmt: skip
    assert asked == expected
    assert new == source.replace(b"/a b", b"/a%20b").replace(b"d e", b"d%20e")
    told: list[Any] = []

    def wants(outcome: linkfix.Outcome) -> bool:
        told.append(outcome.link.resolved)
        return True

    hooks: dict[str, Any] = {
        "wants": wants,
        "on_outcome": lambda outcome: told.append(outcome.link.resolved),
        "on_change": lambda outcome: told.append(outcome.link.resolved),
    }
    for name, hook in hooks.items():
        told.clear()
        rewriter = linkfix.Rewriter(source=linkfix.Source(base=BASE), **{name: hook})
        rewriter.feed(source)
        rewriter.close()
        changed = [each for each in expected if "%20" in each]
        assert told == (expected if name == "on_outcome" else changed), name
    assert [finding.link.resolved for finding in linkfix.audit(source, base=BASE) if finding.link and finding.code == "DEL002"] == changed  # fmt: skip


def test_links_that_are_alike_are_equal() -> None:
    source = b"<meta charset=utf-8><a href=x>"
    one, other = ([*linkfix.extract(source, base=BASE)] for _ in range(2))
    assert one == other
    assert hash(one[0]) == hash(other[0])
    assert one != [*linkfix.extract(source)]


def test_nothing_is_computed_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    from linkfix.policy import bases

    real = bases.resolved_link

    def resolved(link: linkfix.Link, *rest: Any) -> str | None:
        asked.append(link.value)
        return real(link, *rest)

    monkeypatch.setattr(bases, "resolved_link", resolved)
    links = [*linkfix.extract(b"<meta charset=utf-8><a href=x><a href=y><a href=y>", base=BASE)]
    assert asked == []
    assert [links[1].resolved, links[2].resolved] == ["http://h.example/d/y"] * 2
    assert asked == ["y"]
