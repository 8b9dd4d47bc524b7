"""What the tests of commands share."""

from __future__ import annotations

import processes
import pytest


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    """Compile patterns once in this process: else each worker that a command forks here compiles them anew."""
    processes.warm_up()
