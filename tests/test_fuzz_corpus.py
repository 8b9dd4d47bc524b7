"""Every input that is kept for the coverage fuzzer keeps the invariants (tools/fuzz_coverage.py)."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

TOOL = runpy.run_path(
    str(Path(__file__).parents[1] / "tools" / "fuzz_coverage.py"), run_name="tool"
)
INPUTS = sorted(Path(__file__).with_name("fuzzing").glob("*/*"))


def test_every_target_has_inputs() -> None:
    assert {path.parent.name for path in INPUTS} == {*TOOL["TARGETS"]}


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_breaks_nothing(path: Path) -> None:
    TOOL["target"](path.parent.name)(path.read_bytes())
