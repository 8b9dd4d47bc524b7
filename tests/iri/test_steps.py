"""The steps of the drafts, and their old names."""

from __future__ import annotations

import pytest

from linkfix import iri
from linkfix.iri.steps import (
    from_octets,
    leiri_to_iri,
    split_list,
    uri_to_iri_steps,
    web_address_to_iri,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\r\n", []),
        ("  a  b\tc \n", ["a", "b\tc"]),
        ("\xa0a b", ["\xa0a", "b"]),
    ],
)
def test_lists_are_split_at_spaces(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in split_list(text)] == expected


def test_nfc_is_for_legacy_charsets() -> None:
    assert from_octets("e\u0301".encode("utf-16"), "utf-16") == "e\u0301"
    assert from_octets(b"\xea\xf2", "windows-1258") == "\u1ec7"
    assert from_octets(b"\xea\xf2", "windows-1258", nfc=False) == "ê\u0323"
    assert from_octets(b"\xff", "utf-8") == "\ufffd"
    with pytest.raises(LookupError):
        from_octets(b"", "no such charset")


def test_octets_of_marks_take_no_time() -> None:
    text = from_octets(b"x" + b"\xec\xf2" * 500_000, "windows-1258")
    assert text == "x" + "\u0323" * 500_000 + "\u0301" * 500_000


@pytest.mark.parametrize("character", ["\ud800", "\ufffe", "\uffff"])
def test_some_code_points_are_in_no_leiri(character: str) -> None:
    found = leiri_to_iri(f"/a{character}")
    assert (found.ok, found.text, found.edits) == (False, f"/a{character}", ())
    assert (found.problems[0].start, found.problems[0].end) == (2, 3)


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("http:a", "http://h/", "a"),
        ("http:a:b", "http://h/", "./a:b"),
        ("http:/a", "http://h/", "/a"),
        ("http:a", "https://h/", "http://a"),
        ("http:////a", None, "http://a"),
        ("\\\\a\\b", None, "//a/b"),
        ("file://C|/x", None, "file:///C:/x"),
        ("file:C|/x", "file://h/y", "/C:/x"),
        ("/%C3%A9", None, "/%C3%A9"),
        ("http://xn--bcher-kva/%41", None, "http://xn--bcher-kva/%41"),
        ("http://b%C3%BCcher/", None, "http://bücher/"),
        ("http:a b", None, None),
    ],
)
def test_web_addresses_become_iris_that_the_generic_syntax_reads_alike(
    text: str, base: str | None, expected: str | None
) -> None:
    found = web_address_to_iri(text, base=base)
    assert (found.text if found.ok else None) == expected


def test_steps_show_what_each_step_leaves() -> None:
    assert uri_to_iri_steps("/%41%C3%A9%C3%2f%e2%80%ae")[1:] == (
        "/A<c3><a9><c3>%2F<e2><80><ae>",
        "/A<c3><a9>%C3%2F<e2><80><ae>",
        "/A<c3><a9>%C3%2f%E2%80%AE",
        "/Aé%C3%2f%E2%80%AE",
        "/Aé%C3%2f%E2%80%AE",
    )


@pytest.mark.parametrize("name", [*iri.steps.__all__, "parse_url"])
def test_old_names_work_and_say_the_new_one(name: str) -> None:
    new = iri.URL.parse if name == "parse_url" else getattr(iri.steps, name)
    with pytest.warns(
        DeprecationWarning, match=rf"linkfix\.iri\.{name} is linkfix\.iri\.\w+\.\w+ now"
    ):
        assert getattr(iri, name) == new
    assert name not in dir(iri)


def test_there_is_no_other_name() -> None:
    with pytest.raises(AttributeError, match="'parse_uri'"):
        iri.parse_uri  # noqa: B018
