"""Runs of linkfix of which one stream is a terminal."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["on_a_terminal"]


def on_a_terminal(*arguments: str | Path, stream: str, cwd: Path) -> str:
    """The output of a command to one of its streams that is a terminal."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "linkfix", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | {stream: follower}
    environment = {"TERM": "xterm-256color", "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    environment |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    process = subprocess.Popen(command, cwd=cwd, env=environment, **pipes)
    os.close(follower)
    text = b""
    with contextlib.suppress(OSError):  # Linux says EIO at the end
        while data := os.read(leader, 65536):
            text += data
    process.communicate(timeout=60)
    os.close(leader)
    return text.decode("utf-8")
