"""The targets of references."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri.resolution import resolved
from linkfix.iri.url import parse_url

_PIECES = st.sampled_from(
    ["a", "B", "/", "//", ".", "..", "../", "?", "#", ":", "|", "c:", "C|", "%2e", "%41", "http:", "http://", "[", "9", "e.example", "file:", "x:", "@", ";"]
)  # fmt: skip
_BASES = (
    "file:///", "file:///a/b.html", "file:///c:/a/b", "file:///a|/b", "file:///%2e/a", "file:////a/b",
    "http://e.example/a/b?c", "http://e.example", "https://e.example/a/./b",
)  # fmt: skip


@pytest.mark.parametrize("base", _BASES)
@given(pieces=st.lists(_PIECES, max_size=6))
def test_a_web_address_leads_where_the_url_standard_says(base: str, pieces: list[str]) -> None:
    reference = "".join(pieces)
    found, expected = resolved(reference, base), parse_url(reference, base)
    if found is None or expected is None:
        assert found is None
    else:
        assert parse_url(found) == expected
