"""What single values become, and many at once."""

from __future__ import annotations

from base64 import b64encode
from typing import Literal, TypeAlias
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.charset import lookup
from linkfix.iri import (
    Violation,
    convert,
    convert_many,
    normalize,
    normalize_many,
    resolve,
    resolve_many,
)
from linkfix.iri.model import apply
from linkfix.iri.unicode.ucd import nfc_edits

from .browser import aligned, destination
from .strategies import UNKNOWN, links, many, syntaxes, targets

To: TypeAlias = Literal["uri", "iri"]


Syntax: TypeAlias = Literal["web", "leiri", "iri"]


@pytest.mark.parametrize(
    ("text", "uri", "iri"),
    [
        # href-strip, as the URL Standard settles it
        (" \t\nhttp://h/a\nb\x00 ", "http://h/ab", "http://h/ab"),
        ("\xa0/a\u3000", "%C2%A0/a%E3%80%80", "\xa0/a\u3000"),
        # what no URI holds
        ('/a b<c>"d"{e}|f^g`h[i]', "/a%20b%3Cc%3E%22d%22%7Be%7D%7Cf%5Eg%60h%5Bi%5D", None),
        ("/100%/%u1234/%zz", "/100%25/%25u1234/%25zz", None),
        ("#a#b", "#a%23b", None),
        ("/\x01\x7f\x85", "/%01%7F%C2%85", None),
        ("/\ud800\ufffd", "/%EF%BF%BD%EF%BF%BD", None),
        # text directives, in which a raw "-" marks a context, and what looks like one once it is decoded
        ("#:~:text=a%2D,b%2C%C3%A9%7E", "#:~:text=a%2D,b%2C%C3%A9%7E", "#:~:text=a%2D,b%2Cé~"),
        ("#a:%7E:b%2D", "#a:%7E:b%2D", "#a:%7E:b-"),
        ("/a:~:b%2D#%7E:%2D", "/a:~:b%2D#%7E:%2D", "/a:~:b-#~:-"),
        # backslashes
        ("\\\\h\\p?\\#\\", "//h/p?%5C#%5C", None),
        ("foo:/a\\b", None, None),
        ("mailto:a\\b", "mailto:a%5Cb", None),
        # a colon in the first segment
        ("a b:c", "./a%20b:c", None),
        ("1:2", "./1:2", None),
        ("é:b", "./%C3%A9:b", "./é:b"),
        # hosts
        ("http://Bücher.example/", "http://xn--bcher-kva.example/", "http://Bücher.example/"),
        (
            "http://xn--bcher-kva.example/",
            "http://xn--bcher-kva.example/",
            "http://bücher.example/",
        ),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/", "http://bücher.example/"),
        ("http://EXAMPLE.com/../x", "http://EXAMPLE.com/../x", "http://EXAMPLE.com/../x"),
        ("http://xn--a/", "http://xn--a/", "http://xn--a/"),
        ("http://\uff11\uff12\uff17.1/", "http://127.1/", "http://\uff11\uff12\uff17.1/"),
        ("http:/[::1]/", None, None),
        ("ftp:/[::1]/", "ftp://[::1]/", "ftp://[::1]/"),
        ("foo://é%41/", None, None),
        # userinfo
        ("http://a@b:c:d@h/", "http://a%40b:c:d@h/", "http://a%40b:c:d@h/"),
        # decoding, and what must not be decoded
        ("/%C3%A9%7E%2F%3F%25%20", "/%C3%A9%7E%2F%3F%25%20", "/é~%2F%3F%25%20"),
        ("/%2E%2e/a%2Eb/%2e", "/%2E%2e/a%2Eb/%2e", "/%2E%2e/a.b/%2e"),
        ("file:///%43:/x", "file:///%43:/x", "file:///%43:/x"),
        (
            "/%E2%80%AE%C2%A0%E3%80%80%EF%BB%BF%E2%80%8B",
            None,
            "/%E2%80%AE%C2%A0%E3%80%80%EF%BB%BF%E2%80%8B",
        ),
        ("/%EE%80%80?%EE%80%80", None, "/%EE%80%80?\ue000"),
        ("/%C0%AF%ED%A0%80%F4%90%80%80", None, "/%C0%AF%ED%A0%80%F4%90%80%80"),
        ("/%F0%90%8C%80", None, "/\U00010300"),
        ("/e%CC%81", "/e%CC%81", "/e%CC%81"),
        ("/%D9%85%DB%8C%E2%80%8C%D8%B1", None, "/می\u200cر"),
        ("\\%CC%81y", "/%CC%81y", "/\u0301y"),
        # octets of EUC-JP, of which some are UTF-8 by chance
        ("/%a4%ca%a4/%CA%A4/%41%ff", None, "/%a4%ca%a4/ʤ/%41%ff"),
        # schemes with rules of their own
        (
            "mailto:ü@example.com?subject=%C3%BC",
            "mailto:%C3%BC@example.com?subject=%C3%BC",
            "mailto:ü@example.com?subject=ü",
        ),
        ("data:,%C3%BC ü", "data:,%C3%BC%20%C3%BC", "data:,%C3%BC%20ü"),
        ("urn:a:%C3%BC", "urn:a:%C3%BC", "urn:a:%C3%BC"),
        ("tel:+1 (2)%31", "tel:+1%20(2)%31", "tel:+1%20(2)%31"),
        ("javascript:void(0)", "javascript:void(0)", "javascript:void(0)"),
        ("file:C|/a|b", None, None),
        ("file:///./C|/x", None, None),
    ],
)
def test_values(text: str, uri: str | None, iri: str | None) -> None:
    """A None stands for the text as it is for URIs, and for the URI's text for IRIs."""
    assert convert(text, to="uri").text == (uri or text)
    assert convert(text, to="iri").text == (iri or uri or text)


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("C|/x", "file:///d/f", "C|/x"),
        ("file:/\\C:", "file:///d/f", "file:/\\C:"),
        ("../../C|/x", "file:///a/b/c", "../../C|/x"),
        ("../C|/x", "file:///a/b/c", "../C|/x"),
        ("C|/x", "http://h/", "C%7C/x"),
        ("\\x", "foo://h/", "\\x"),
        ("http:a b", "http://h/", "http:a%20b"),
        ("http:[a]", "http://h/", "http:%5Ba%5D"),
        ("http:[::1]", "ftp://h/", "http://[::1]"),
    ],
)
def test_what_the_base_decides(text: str, base: str, expected: str) -> None:
    found = convert(text, to="uri", base=base)
    assert found.text == expected
    assert destination(found.text, base) == destination(text, base)


@pytest.mark.parametrize(
    ("text", "base", "rule", "component"),
    [
        ("http://1.2.3.256/", None, "ipv4-invalid", "host"),
        ("http://[::1/", None, "ip-literal-invalid", "host"),
        ("http://a b/", None, "host-forbidden-character", "host"),
        ("http://a%00b/", None, "host-forbidden-character", "host"),
        ("http://\u200b\u200b/", None, "host-missing", "host"),
        ("http://\ufffd/", None, "idna-invalid", "host"),
        ("http:///", None, "host-missing", "host"),
        ("http://h:65536/", None, "port-out-of-range", "port"),
        ("http://h:8o/", None, "port-invalid", "port"),
        ("http:a", None, "base-dependent", "reference"),
        ("javascript:a b", None, "scheme-opaque", "path"),
        ("data:,a\nb", None, "data-newline-disputed", "path"),
        ("x", "mailto:a", "base-opaque", "reference"),
        ("x", "http://a b/", "base-opaque", "reference"),
    ],
)
def test_what_cannot_be_converted(text: str, base: str | None, rule: str, component: str) -> None:
    found = convert(text, to="uri", base=base)
    if rule == "base-dependent":
        assert found.ok  # the same for both bases, as long as nothing changes
        return
    assert not found.ok
    assert [(problem.rule, problem.component) for problem in found.problems] == [(rule, component)]


def test_offsets_of_problems_are_those_of_the_text_given() -> None:
    found = convert(" ht\ntp://h:8\to/ ", to="uri")
    assert found.problems == (
        Violation(
            "port-invalid",
            "port",
            11,
            14,
            "URL Standard, 4.4",
            "a port is written in decimal digits",
        ),
    )


def test_nfc_leaves_percent_encoding_alone() -> None:
    # U+0301 would make the E of an octet an É.
    for text in ("/%C3%8E\u0301", "/\U0001fffe\u0301", "/%F0%9F%BF%BE%CC%81"):
        found = convert(text, to="iri", nfc=True)
        assert aligned(convert(found.text, to="uri").text) == aligned(convert(text, to="uri").text)


def test_nfc_is_part_of_the_edits() -> None:
    text = " /e\u0301x\u1100\u1161\u0301 "
    found = convert(text, to="uri", syntax="leiri", nfc=True)
    assert found.text == "%20/%C3%A9x%EA%B0%80%CC%81%20"
    assert apply(text, found.edits) == found.text
    assert [(edit.start, edit.end) for edit in found.edits] == [(0, 1), (2, 4), (5, 9)]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("?¥☎¥", "%1B(J%5C%26%239742%3B%5C%1B(B"),  # the state goes on (Encoding Standard, 12.2.2)
        ("?日☎日", "%1B$BF%7C%1B(B%26%239742%3B%1B$BF%7C%1B(B"),
        ("?\x01☎\x01x", "%01%26%239742%3B%01x"),
    ],
)
def test_a_lacking_character_between_states(text: str, query: str) -> None:
    converted = convert(text, to="uri", query_encoder=lookup("iso-2022-jp").encode)
    assert converted.text == "?" + query


@pytest.mark.parametrize("base", ["", "c", "//a/c", "http://", "http://a b/", "http://[::1"])
def test_no_base_is_refused(base: str) -> None:
    found = convert("d e", to="uri", base=base)
    assert (found.ok, found.text) == (False, "d e")
    assert found.problems
    assert convert("http://a/d e", to="uri", base=base).text == "http://a/d%20e"


@pytest.mark.parametrize(
    "text",
    ["/%41\u0338\u0301", "/%41\u030a", "a\u0338%CC%81", "%61\u0338%CC%81", "?a\u0338\u0316%CC%81#"],
)
def test_a_mark_is_judged_with_all_marks_in_front_of_it(text: str) -> None:
    once = convert(text, to="iri", nfc=True).text
    assert convert(once, to="iri", nfc=True).text == once
    assert not nfc_edits(once)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("?%41\u0301", "?A%CC%81"), ("/%41\u0301?\t%41\u0301\x85", "/%41\u0301?%09A%CC%81%C2%85")],
)
def test_a_query_that_is_mapped_in_utf_8_as_a_whole_is_converted_once(
    text: str, expected: str
) -> None:
    def converted(text: str) -> str:
        encoder = lookup("windows-1252").encode
        return convert(text, to="iri", syntax="iri", query_encoder=encoder).text

    assert converted(text) == expected
    assert converted(expected) == expected


@pytest.mark.parametrize("text", [".uno:Save", "1a:b", "é:b", "a b:c", "%41:b", "_:b?q#f"])
def test_what_is_no_reference_is_left_where_no_browser_reads_it(text: str) -> None:
    """RFC 3986, 4.2: a program's own name becomes no relative path by a dot segment."""
    for syntax in ("leiri", "iri"):
        for to in ("uri", "iri"):
            found = convert(text, to=to, syntax=syntax)
            assert (found.ok, found.text, found.edits) == (False, text, ())
            assert [problem.rule for problem in found.problems] == ["colon-in-first-segment"]
            assert convert(f"./{text}", to=to, syntax=syntax).ok
    assert convert(text, to="uri").text.startswith("./")


@many
@given(links, st.sampled_from(["leiri", "iri"]), targets)
def test_only_a_web_address_gets_a_dot_segment(text: str, syntax: Syntax, to: To) -> None:
    found = convert(text, to=to, syntax=syntax)
    assert not found.text.startswith("./") or text.startswith("./")


@pytest.mark.parametrize("syntax", ["web", "leiri"])
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("data:image/png;base64,iVBO Rw0K", "data-white-space"),
        ("data:image/png;base64, iVBORw0K", "data-white-space"),
        ("data:image/png; BASE64,iVBO  Rw0K", "data-header"),
        ("data:image/png; base64,iVBORw0K", "data-header"),
        ('data:text/html;charset="utf-8",é', "data-header"),
        ("data:text/html; charset=utf-8,é", "data-header"),
        ("data:a b", "data-header"),
        ("data:,é b", ""),
        ("data:text/html,<b>é b</b>", ""),
        ("data:image/svg+xml;utf8,<svg a='é'/>", ""),
        ("data:text/plain;charset=utf-8;x=base64,a b", ""),
    ],
)
def test_data(text: str, rule: str, syntax: Syntax) -> None:
    """Nobody decodes percent-encoding in the header, and not everybody in base64 (RFC 2397, 3)."""
    for to in ("uri", "iri"):
        found = convert(text, to=to, syntax=syntax)
        assert [problem.rule for problem in found.problems] == ([rule] if rule else [])
        assert found.ok == (not rule)
        assert (found.text == text) == bool(rule) or to == "iri"


@many
@given(
    st.sampled_from(["", "image/png", "text/html; charset=utf-8", 'x/y;a="b"']),
    st.sampled_from([";base64", "; base64", ";BASE64", ""]),
    st.binary(max_size=20),
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from(" \t\n\r\fé")), max_size=4),
    st.sampled_from(["web", "leiri"]),
    targets,
)
def test_readers_decode_the_same_data(
    media: str, mark: str, octets: bytes, more: list[tuple[int, str]], syntax: Syntax, to: To
) -> None:
    """By the Fetch Standard, 6, and as GLib decodes base64: without percent-decoding, skipping white space."""
    body = b64encode(octets).decode()
    for at, text in more:
        body = body[:at] + text + body[at:]
    value = f"data:{media}{mark},{body}"
    new = convert(value, to=to, syntax=syntax).text
    ends = " \t\n\r\f" if syntax == "web" else ""
    before, after = (each.rstrip(ends).partition(",") for each in (value, new))
    assert before[0] == after[0]
    if mark:
        skipped = str.maketrans("", "", " \t\n\r\f")
        assert before[2].translate(skipped) == unquote(after[2]).translate(skipped)
        assert "%20" not in after[2]
        assert "%0" not in after[2]
    elif "\n" not in value and "\t" not in value and "\r" not in value:
        assert unquote(after[2]) == unquote(before[2])


@pytest.mark.parametrize(
    "before", ["\u2126", "\u0958", "\u0344", "a\u2126", "\x85\u2126", "\ue000\u0344"]
)
@pytest.mark.parametrize("encoded", ["%C3%A9", "%CC%81", "%C3%A9%CC%81", "%E2%84%A6"])
def test_what_precedes_decoded_octets_need_not_be_in_nfc(before: str, encoded: str) -> None:
    once = convert(f"/{before}{encoded}", to="iri", syntax="web")
    again = convert(once.text, to="iri", syntax="web")
    assert again.text == once.text
    assert "%C3%A9" not in once.text


def test_what_stands_behind_octets_does_not_count_for_those_that_it_composes_nothing_with() -> None:
    once = convert("/%F0%9F%98%80%2e\u2126", to="iri").text
    assert once == "/😀.\u2126"
    assert convert(once, to="iri").text == once
    assert convert("/%61\u0301", to="iri").text == "/%61\u0301"
    assert convert("/%C3%A9a\u0301", to="iri").text == "/éa\u0301"


@given(st.lists(links, max_size=4), targets, st.sampled_from([None, *UNKNOWN]), syntaxes)
def test_many_values_become_what_each_becomes(
    texts: list[str], to: To, base: str | None, syntax: Syntax
) -> None:
    found = convert_many(iter(texts), to=to, base=base, syntax=syntax)
    assert found == [convert(text, to=to, base=base, syntax=syntax) for text in texts]


def test_columns_of_every_library_keep_what_is_missing() -> None:
    np, pd, pl, pa = map(pytest.importorskip, ("numpy", "pandas", "polars", "pyarrow"))
    values = ["http://例え.jp/a b", None, "HTTP://h/%7ea/../é", ""]
    wanted = [v if v is None else convert(v, to="uri") for v in values]
    normal = [v if v is None else normalize(v, "scheme", to="uri") for v in values]
    targets = [v if v is None else resolve("http://x/y/", v) for v in values]
    for column in (values, np.array(values, dtype=object), pd.Series(values), pl.Series(values), pa.array(values), pa.chunked_array([values])):  # fmt: skip
        assert convert_many(column, to="uri") == wanted
        assert normalize_many(column, "scheme", to="uri") == normal
        assert resolve_many("http://x/y/", column) == targets
    assert [type(each.text) for each in convert_many(np.array(["a b"]), to="uri")] == [str]
    missing = convert_many([float("nan"), pd.NA], to="uri")
    assert missing[0] != missing[0]
    assert missing[1] is pd.NA
    assert resolve_many("http://x/", ["http://[", "a"], syntax="web") == [None, "http://x/a"]
    with pytest.raises(ValueError, match="has no scheme"):
        resolve_many("x", ["a"])
    with pytest.raises(ValueError, match="level='nothing'"):
        normalize_many(["a"], "nothing")  # type: ignore[arg-type]


def test_one_string_is_not_many() -> None:
    with pytest.raises(TypeError, match="texts='http://h/' is one string"):
        convert_many("http://h/", to="uri")
    with pytest.raises(ValueError, match="idna='2007' is none of"):
        convert_many(["http://h/"], to="uri", idna="2007")


@pytest.mark.parametrize("level", ["syntax", "scheme"])
def test_a_text_directive_keeps_its_hyphens(level: Literal["syntax", "scheme"]) -> None:
    for to in ("uri", "iri"):
        assert (
            normalize("http://h/%2D#%2D:~:text=a%2d,b", level, to=to)
            == "http://h/-#-:~:text=a%2D,b"
        )
        assert normalize("http://h/#a:%7e:b", level, to=to) == "http://h/#a:%7E:b"
