"""Where the public test data is: beside the project, read in place."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "shared" / "conformance"


def conformance(*parts: str) -> Path:
    """Return a path in the public test data; the test is skipped where it is missing."""
    path = ROOT.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no public test data at {path}")
    return path
