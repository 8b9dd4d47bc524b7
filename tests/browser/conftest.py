"""The browser that every test of this folder shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .harness import Browser, missing_programs

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if missing := missing_programs():
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
    with Browser() as started:
        yield started
