"""Where the public test data is: beside the project, or in the cache folder of `tools/conformance.py`; our own is in `tests/conformance/`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

OURS = Path(__file__).parent / "conformance"
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "conformance"
#: As `cache` of the tool computes it.
CACHE = Path(
    os.environ.get("LINKFIX_CONFORMANCE")
    or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "linkfix" / "conformance"
)
ROOTS = (OURS, BESIDE, CACHE)


def conformance(*parts: str) -> Path:
    """Return a path in the test data; the test is skipped where it is missing, and says what brings it."""
    for root in ROOTS:
        path = root.joinpath(*parts)
        if path.exists():
            return path
    pytest.skip(f"no public test data in {parts[0]}/: python tools/conformance.py brings it")
