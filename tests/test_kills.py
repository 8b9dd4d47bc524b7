"""Commands that write are killed at random moments, and lose nothing (tools/kills.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "kills.py"


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="children are found in /proc")
def test_twelve_kills() -> None:
    done = subprocess.run(
        [sys.executable, TOOL, "--count", "12", "--seed", "3", "--json"],
        capture_output=True, check=False, timeout=600,
    )  # fmt: skip
    sums = json.loads(done.stdout)
    assert done.returncode == 0, (sums, done.stderr)
    assert sums["kills"] + sums["too late"] == 12
    assert sums["torn"] == sums["lost"] == sums["dead ends"] == sums["different"] == 0
