"""Strings of JSON, with the names that lead to them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.markup.json import JSON_STRING, strings
from linkfix.markup.layers import write_layers


def found(text: str, *, names: bool = False) -> list[tuple[tuple[str, ...], str]]:
    return [
        (tuple(path), JSON_STRING.read(text[a:b]).value)
        for path, a, b, is_name in strings(text)
        if names or not is_name
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"a"', [((), "a")]),
        ('{"url": "a", "b": {"c": ["d", "e"], "f": 1}, "g": "h"}', [(("url",), "a"), (("b", "c"), "d"), (("b", "c"), "e"), (("g",), "h")]),
        ('[{"x": "1"}, {"x": "2"}, "3"]', [(("x",), "1"), (("x",), "2"), ((), "3")]),
        (r'{"u\u0072l": "\u00e9\ud83d\ude00\/\n"}', [(("url",), "é😀/\n")]),
        ('{"a": true, "b": null, "c": -1.5e3, "d": "x"}', [(("d",), "x")]),
        ('{"a": "b" oops', [(("a",), "b")]),
        ("not json", []),
        ("", []),
    ],
)  # fmt: skip
def test_strings(text: str, expected: list[tuple[tuple[str, ...], str]]) -> None:
    assert found(text) == expected


VALUES = st.recursive(
    st.text() | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_agrees_with_the_standard_library(value: object, ascii_only: bool) -> None:
    def walk(item: object, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
        if isinstance(item, str):
            return [(path, item)]
        if isinstance(item, list):
            return [each for inner in item for each in walk(inner, path)]
        if isinstance(item, dict):
            pairs = [((*path, name), name, inner) for name, inner in item.items()]
            return [each for own, name, inner in pairs for each in [(own, name), *walk(inner, own)]]
        return []

    assert found(json.dumps(value, ensure_ascii=ascii_only), names=True) == walk(value, ())


@given(st.text())
def test_what_is_written_is_read_again(text: str) -> None:
    assert JSON_STRING.read(write_layers(text, [JSON_STRING], str.isascii)).value == text
