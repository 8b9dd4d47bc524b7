"""Start the driver with the shim; the tests and `tools/inject_faults.py` share it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["compile_shim", "inject"]

_HERE = Path(__file__).parent
#: More bytes than the plan that the shim maps has.
_PLAN = 1 << 17


def compile_shim(folder: Path) -> Path:
    """Compile the shim into a folder, and return its path.

    Raises:
        OSError, subprocess.CalledProcessError: there is no C compiler, or it is not for this system.

    """
    shim = folder / "shim.so"
    options = ["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(shim)]
    subprocess.run(
        ["gcc", *options, str(_HERE / "shim.c"), "-ldl"], check=True, capture_output=True
    )
    return shim


def inject(shim: Path, names: list[str], most: int | None) -> dict[str, Any]:
    """Run commands with faults; return the number of runs, and the errors of each.

    Args:
        shim: the library.
        names: of commands of the driver; none for all.
        most: see `faults` in the driver.

    """
    memory = "/dev/shm"  # synchronizing is fast there
    with tempfile.TemporaryDirectory(dir=memory if os.path.isdir(memory) else None) as folder:  # noqa: PTH112
        plan, runs = Path(folder, "plan"), Path(folder, "runs")
        plan.write_bytes(bytes(_PLAN))
        runs.mkdir()
        paths = [str(_HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        settings = {"LD_PRELOAD": str(shim), "FAULTS": str(plan), "PYTHONPATH": ":".join(paths)}
        done = subprocess.run(
            [sys.executable, str(_HERE / "driver.py"), str(runs), str(most or 0), *names],
            env=os.environ | settings,
            stdout=subprocess.PIPE,
            check=True,
            timeout=None if most is None else 500,
        )
    result: dict[str, Any] = json.loads(done.stdout)
    return result
