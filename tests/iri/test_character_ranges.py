"""The character classes against the table of every code point (3987bis, 2.2, 7.1 to 7.3)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from conformance_data import conformance

from linkfix import iri
from linkfix.iri import chars

IN_UCSCHAR = re.compile(f"[{chars.UCSCHAR}{chars.BIDI_FORMATTING}]")
IN_IPRIVATE = re.compile(f"[{chars.IPRIVATE}]")
IN_LEIRI_ONLY = re.compile(f"[{chars.LEIRI_ONLY}]")


def ranges() -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = json.loads(
        conformance("rfc", "iri-character-ranges.json").read_text("utf-8")
    )
    return table


def ends(row: dict[str, Any]) -> tuple[int, int]:
    return int(row["first"].removeprefix("U+"), 16), int(row["last"].removeprefix("U+"), 16)


def samples(row: dict[str, Any]) -> list[str]:
    """Both ends and the middle of a range."""
    first, last = ends(row)
    return [chr(point) for point in sorted({first, (first + last) // 2, last})]


def test_the_productions_hold_exactly_their_ranges() -> None:
    for row in ranges():
        first, last = ends(row)
        characters = "".join(map(chr, range(first, last + 1)))
        for pattern, column in ((IN_UCSCHAR, "ucschar"), (IN_IPRIVATE, "iprivate")):
            expected = len(characters) if row[column] else 0
            assert len(pattern.findall(characters)) == expected, row
        if not row["leiri_ucschar"]:
            assert not IN_LEIRI_ONLY.search(characters), row


def test_violations_follow_the_table() -> None:
    for row in ranges():
        for character in samples(row):
            if row["iri"] == "allowed" and not character.isascii():
                assert not iri.violations(f"/{character}"), row
            if row["iri"] == "query-only":
                assert iri.violations(f"/{character}"), row
                assert not iri.violations(f"/?{character}"), row
            if row["iri"] == "not-allowed":
                assert iri.violations(f"/?{character}"), row


def test_leiri_processing_follows_the_table() -> None:
    for row in ranges():
        for character in samples(row):
            found = iri.steps.leiri_to_iri(f"http://example.com/{character}x")
            match row["leiri_to_iri"]:
                case "keep":
                    assert found.text == f"http://example.com/{character}x", row
                case "percent-encode":
                    assert found.text == f"http://example.com/{chars.quote(character)}x", row
                case "not-allowed":
                    assert not found.ok, row
                case "conflict":  # settled by 4.1: an IRI must not contain them
                    assert found.text == f"http://example.com/{chars.quote(character)}x", row


@pytest.mark.parametrize("component", ["/a{}b", "/?a{}b", "/#a{}b"])
def test_web_address_processing_follows_the_table(component: str) -> None:
    for row in ranges():
        for character in samples(row):
            found = iri.steps.web_address_to_iri(component.format(character))
            encoded = component.format(chars.quote(character))
            assert found.ok, row
            match row["web_address"]:
                case "percent-encode":
                    private = "private use" in row["group"] and "?" in component
                    assert found.text == (component.format(character) if private else encoded), row
                case "percent-encode-if-bare":
                    assert found.text == component.format("%25"), row
                case "trim-else-percent-encode":
                    assert found.text == (encoded if character == " " else component.format("")), (
                        row
                    )
                case "conflict" if character == "\\":
                    expected = component.format("/") if component[1] == "a" else encoded
                    assert found.text == expected, row
                case "conflict":
                    assert found.text == encoded, row
                case "not-allowed":
                    known = "\ufffd" if "\ud800" <= character <= "\udfff" else character
                    assert found.text == component.format(chars.quote(known)), row
                case "keep" if not character.isascii():
                    assert found.text == component.format(character), row


@pytest.mark.parametrize("name", chars.ICOMPONENT)
def test_a_class_and_its_complement_are_those_of_the_bracket(name: str) -> None:
    for characters in (chars.COMPONENT[name], chars.ICOMPONENT[name] + "\\\\"):
        plain = re.compile(f"[{characters}]")
        some = re.compile(chars.one_of(characters, but=r"a\-b"))
        others = re.compile(chars.none_of(characters))
        for point in (*range(0x3000), *range(0xD000, 0x10003), *range(0xDFFF0, 0x110000, 7)):
            char = chr(point)
            is_one = plain.match(char) is not None
            assert (some.match(char) is not None) == (is_one and char not in "a-b")
            assert (others.match(char) is not None) != is_one
