"""Runs of linkfix of which one stream is a terminal."""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Literal

import processes
import pytest

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["on_a_terminal"]


def on_a_terminal(*arguments: str | Path, stream: Literal["stdout", "stderr"], cwd: Path) -> str:
    """The output of a command to one of its streams that is a terminal."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    environment = {"TERM": "xterm-256color", "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    with ThreadPoolExecutor(1) as threads:
        text = threads.submit(_read, leader)
        try:
            processes.run(*arguments, cwd=cwd, env=environment, **{stream: follower})
        finally:
            os.close(follower)
        shown = text.result().decode("utf-8")
    os.close(leader)
    return shown


def _read(leader: int) -> bytes:
    text = b""
    with contextlib.suppress(OSError):  # Linux says EIO at the end
        while data := os.read(leader, 65536):
            text += data
    return text
