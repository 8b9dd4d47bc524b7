"""``linkfix audit``: `command` parses options, `worker` audits one file, `run` orders and counts the findings."""

from linkfix.cli.audit.command import command

__all__ = ["command"]
