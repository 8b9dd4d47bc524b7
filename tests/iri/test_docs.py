"""The examples of docs/iri.md give what they say."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix import iri

HOSTILE = st.lists(
    st.sampled_from(
        [*("\ud800", "\udcff", "\0", "\U0010ffff", "\u202e", "%", "é", "xn--", "http:", "mailto:", "urn:"), *"/\\{}:[]@?#|*+a1 "]
    ),
    max_size=8,
).map("".join)  # fmt: skip


def test_examples() -> None:
    page = Path(__file__).parents[2] / "docs" / "iri.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert tried > 10
    assert not failed


@pytest.mark.parametrize(
    "function",
    [
        lambda text: [iri.convert(text, to=to, idna=idna) for to in ("uri", "iri") for idna in ("uts46", "2008", "2003")],
        lambda text: iri.convert_many([text], to="iri", normalize="scheme"),
        *(iri.parse, iri.violations, iri.disputes, iri.normalize, iri.comparison_form, iri.bidi_violations),
        *(iri.display, iri.lookalikes, iri.skeleton, iri.typed, iri.find, iri.URL.parse, *map(iri.steps.__dict__.get, ("iri_to_uri", "uri_to_iri", "leiri_to_iri", "web_address_to_iri"))),
        lambda text: iri.skeleton(text, "whole"),
        lambda text: iri.equivalent(text, "http://h/", base="http://h/x"),
        lambda text: iri.resolve("http://h/", text),
        lambda text: iri.relativize("http://h/a", text),
    ],
)  # fmt: skip
@settings(max_examples=examples(100))
@given(HOSTILE)
def test_no_reference_raises(function: Callable[[str], object], text: str) -> None:
    function(text)


@pytest.mark.parametrize(
    "function",
    [
        lambda text: iri.resolve(text, "a"),
        lambda text: iri.resolve("http://h/", text, syntax="web"),
        lambda text: iri.relativize(text, "http://h/"),
        lambda text: [iri.path_to_uri(text, flavour) for flavour in ("posix", "windows")],
        iri.uri_to_path,
        iri.Template.parse,
    ],
)
@settings(max_examples=examples(100))
@given(HOSTILE)
def test_what_cannot_be_used_is_a_value_error(function: Callable[[str], object], text: str) -> None:
    with suppress(ValueError):
        function(text)
