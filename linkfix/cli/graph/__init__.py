"""``linkfix graph``: `command` parses options, `worker` reads one document, `run` writes each node once, `formats` render."""

from __future__ import annotations

from linkfix.cli.graph.command import command

__all__ = ["command"]
