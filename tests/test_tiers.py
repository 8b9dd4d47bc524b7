"""The profiles `quick` and `full` draw the same examples in every run."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path


def drawn() -> list[tuple[str, int]]:
    found = []

    @settings(max_examples=300, derandomize=True, database=None)
    @given(st.text(), st.integers())
    def draw(text: str, number: int) -> None:
        found.append((text, number))

    draw()
    return found


def test_the_same_examples_whatever_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hypothesis takes examples from the constants of the modules that a process happens to have loaded."""
    if not settings().derandomize:
        pytest.skip("this profile draws others each time")
    before = drawn()
    path = tmp_path / "constants.py"
    path.write_text(
        "".join(f"a{n} = {n}_{n}77, 'odd constant {n}'\n" for n in range(1, 60)), "utf-8"
    )
    module = ModuleType("linkfix_constants")
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "linkfix_constants", module)
    assert drawn() == before


def test_profiles() -> None:
    for name in ("quick", "full"):
        profile = settings.get_profile(name)
        assert profile.derandomize
        assert profile.deadline is None
        assert profile.database is None
