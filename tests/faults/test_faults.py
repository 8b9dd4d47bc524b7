"""Every command ends as documented when a system call fails, and leaves no file torn."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from faults.injection import compile_shim, inject

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not sys.platform.startswith("linux"):
        pytest.skip("the shim is for Linux")
    try:
        return compile_shim(tmp_path_factory.mktemp("shim"))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the shim cannot be compiled: {error}")


def test_each_call_of_each_command_may_fail(shim: Path) -> None:
    result = inject(shim, [], most=4)
    assert result["runs"] > 100
    assert result["wrong"] == []


def test_the_shim_is_at_work(shim: Path) -> None:
    result = inject(shim, ["rules"], most=2)
    assert result["calls"]["rules"].count("w") > 50
