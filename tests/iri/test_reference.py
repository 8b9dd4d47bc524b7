from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri import Reference, parse

from .strategies import links


@given(st.one_of(links, st.text()))
def test_the_components_put_together_are_the_text(text: str) -> None:
    reference = parse(text)
    assert str(reference) == text
    assert "".join(reference.parts()) == text


def test_absent_and_empty_components_differ() -> None:
    assert parse("") == Reference(None, None, None, None, "", None, None)
    assert parse("a://@:?#") == Reference("a", "", "", "", "", "", "")
    assert parse("//[::1]:8").host == "[::1]"
    assert parse("//h").authority == "h"
    assert parse("/h").authority is None
