"""What holds of every normal form and key, and normal forms beside ada-url."""

from __future__ import annotations

import runpy
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from .strategies import links

TOOL = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "differential" / "normal_forms.py"))


@settings(max_examples=300, deadline=None)
@given(links, links, st.randoms(use_true_random=False))
def test_what_holds_of_every_normal_form(text: str, other: str, rng: object) -> None:
    for second in (other, TOOL["spelled_otherwise"](text, rng)):
        assert [*TOOL["faults_of"](text, second)] == []


def test_normal_forms_lead_where_ada_url_goes() -> None:
    """The tool reads as many texts as one likes; see its beginning."""
    assert [*TOOL["faults"](3_000, 11)] == []
