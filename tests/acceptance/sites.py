"""The sites of the tests: a generated one, and one of Debian packages, which needs longer.

The first case of a test reads both; its other cases read the packages as well with ``LINKFIX_ACCEPTANCE=full``,
when there are more of them.
"""

from __future__ import annotations

import os

import pytest

__all__ = ["FULL", "on_sites"]

#: Whether every command reads the packages, and all of them.
FULL = os.environ.get("LINKFIX_ACCEPTANCE") == "full"


def on_sites(name: str, *values: object) -> pytest.MarkDecorator:
    """Return a decorator for a test that has the fixture ``site`` and a parameter of this name."""
    cases = [
        pytest.param(site, value, id=f"{site}-{number if isinstance(value, tuple) else value}")
        for number, value in enumerate(values)
        for site in (("generated", "debian") if FULL or not number else ("generated",))
    ]
    return pytest.mark.parametrize(("site", name), cases, indirect=["site"])
