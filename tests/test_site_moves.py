"""Things move inside a generated site, and every link leads where it led (tools/differential/moves.py)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

TOOL = Path(__file__).parents[1] / "tools" / "differential" / "moves.py"


@pytest.mark.nightly
def test_the_graph_of_links_stays() -> None:
    done = subprocess.run(
        [sys.executable, TOOL, "--documents", "49", "--moves", "1", "--seed", "2", "--json"],
        capture_output=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    sums = json.loads(done.stdout)
    assert sums["moves"] == 2
    assert sums["rewritten"] > 2
