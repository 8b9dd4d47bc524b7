"""An ordinary value stays as it is, whatever it is converted to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ordinary_values import VALUES
from tiers import examples

from linkfix.iri import convert
from linkfix.iri.quick import has_references, not_ordinary, values_of
from linkfix.markup.layers import html_attribute


@settings(max_examples=examples(1000), deadline=None)
@given(
    VALUES,
    st.sampled_from(["uri", "iri"]),
    st.sampled_from(["web", "leiri", "iri"]),
    st.sampled_from([None, "http://h.example/a/b?c", "https://h.example"]),
)
def test_no_conversion_changes_it(value: str, to: str, syntax: str, base: str | None) -> None:
    conversion = convert(value, to=to, syntax=syntax, base=base)  # type: ignore[arg-type]
    assert conversion.ok
    assert not conversion.edits


@pytest.mark.parametrize(
    ("views", "values"),
    [
        ([], []),
        ([b"a"], ["a"]),
        ([b"", b"b&amp;c", b"d'e"], ["", "b&c", "d'e"]),
        ([b"?&#64;a&amp;b&#x7E;", b"&amp;#64;", b"&#38;lt;"], ["?@a&b~", "&#64;", "&#38;lt;"]),
    ],
)
def test_the_values_of_links_by_their_bytes(views: list[bytes], values: list[str]) -> None:
    assert values_of(views) == values


@pytest.mark.parametrize("view", [b"a", b"&amp;lt;", b"?a=1&b=2", b"&#97;", b"&amp;amp;&lt="])
def test_values_without_references(view: bytes) -> None:
    assert not has_references(view)


@pytest.mark.parametrize(
    "view",
    [b"&lt;", b"&#38;", b"&#32;", b"&#X41;", b"&#97", b"&#127;", b"a&amp;b&copy", b"&a-", b"&"],
)
def test_values_that_may_have_references(view: bytes) -> None:
    assert has_references(view)


@given(
    st.lists(
        st.one_of(
            st.integers(0, 300).map("&#{};".format),
            st.integers(0, 300).map("&#x{:x};".format),
            st.sampled_from(["&amp;", "amp;", "&", "#64;", "a", "=", "lt", ";"]),
        )
    ).map("".join)
)
def test_a_value_without_references_is_the_one_that_html_gives(source: str) -> None:
    view = source.encode()
    if not has_references(view):
        assert values_of([view]) == [html_attribute(source).value]


def test_among_many_values() -> None:
    values = ["/a", "b c", "", "http://h.example/", "é", "HTTP://h.example/", "x?y=%20#z", "%zz"]
    assert not_ordinary(values) == {"b c", "", "é", "HTTP://h.example/", "%zz"}
    assert not_ordinary([]) == set()
