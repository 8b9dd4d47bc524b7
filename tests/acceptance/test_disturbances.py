"""Commands do their work on a whole site while other processes keep every core busy, and after they were killed."""

from __future__ import annotations

import shutil
import signal
import time
from typing import TYPE_CHECKING

import pytest

from .commands import busy, differences, kill, start
from .sidebyside import once, side_by_side

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.acceptance

_WRITERS = {"rewrite": ("rewrite", "-i", "site"), "migrate": ("migrate", "site", "new")}
#: How many bytes a journal has once some documents are done.
_SOME = 20_000


@pytest.mark.parametrize(
    "command", ["extract --format jsonl", "audit --format jsonl", "rewrite -o new"]
)
def test_under_load(site: Path, work: Path, command: str) -> None:
    with busy():
        side_by_side(site, work, *command.split(), "{site}")


@pytest.mark.parametrize("arguments", _WRITERS.values(), ids=_WRITERS.keys())
def test_a_killed_run_goes_on(site: Path, work: Path, arguments: tuple[str, ...]) -> None:
    """The result of `--resume` is the result of an undisturbed run."""
    for folder in (work / "whole", work / "killed"):
        shutil.copytree(site, folder / "site", symlinks=True)
    whole = once(*arguments, folder=work / "whole")
    killed = start([*arguments, "-j", "2"], work / "killed")
    journal = work / "killed" / arguments[-1] / ".linkfix-journal"
    while killed.process.poll() is None and size(journal) < _SOME:
        time.sleep(0.01)
    kill(killed)
    assert killed.status == -signal.SIGKILL, "it ended before it was killed"
    assert journal.exists()
    on = once(*arguments, "-j", "2", "--resume", folder=work / "killed", name="on")
    assert on.status == whole.status
    unlike = differences(work / "whole" / arguments[-1], work / "killed" / arguments[-1])
    assert not unlike, (on.command, unlike)


def size(path: Path) -> int:
    """Return the size of a file in bytes, 0 while it is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
