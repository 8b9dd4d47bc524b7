"""What holds of every normal form and key, and normal forms and targets beside ada-url."""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from .strategies import links

TOOLS = Path(__file__).parents[2] / "tools" / "differential"
TOOL = runpy.run_path(str(TOOLS / "normal_forms.py"))


@settings(max_examples=examples(300), deadline=None)
@given(links, links, st.randoms(use_true_random=False))
def test_what_holds_of_every_normal_form(text: str, other: str, rng: object) -> None:
    for second in (other, TOOL["spelled_otherwise"](text, rng)):
        assert [*TOOL["faults_of"](text, second)] == []


def test_normal_forms_lead_where_ada_url_goes() -> None:
    """The tool reads as many texts as one likes; see its beginning."""
    assert [*TOOL["faults"](3_000, 11)] == []


def test_links_resolve_to_what_ada_url_serializes() -> None:
    outcomes = Counter[str]()
    tool = runpy.run_path(str(TOOLS / "conversion.py"))
    assert [*tool["faults_of_links"](150, 7, outcomes)] == []
    assert outcomes["links"] > 600
