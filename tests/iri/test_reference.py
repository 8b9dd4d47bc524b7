from __future__ import annotations

import pytest
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


@pytest.mark.parametrize(
    ("text", "host_port", "host_specific"),
    [
        ("http://u@h:80/p?q#f", "h", "/p?q#f"),
        ("http://h:81", "h:81", ""),
        ("https://h:80/", "h:80", "/"),
        ("//h:8/p", "h", "/p"),
        ("foo://h:8/", "h:8", "/"),
        ("http://h:/", "h", "/"),
        ("mailto:a@b", None, "mailto:a@b"),
    ],
)
def test_what_interfaces_ask_for(text: str, host_port: str | None, host_specific: str) -> None:
    """3987bis, 3.2: HOSTPORT and HOSTSPECIFIC."""
    assert (parse(text).host_port, parse(text).host_specific) == (host_port, host_specific)
