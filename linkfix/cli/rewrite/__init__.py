"""``linkfix rewrite``: `command` parses options, `worker` rewrites one file, `run` orders and counts the results."""

from __future__ import annotations

from linkfix.cli.rewrite.command import command

__all__ = ["command"]
