"""The command line: options, formats and exit status, no logic of its own."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line with the arguments of this process."""
    from linkfix.cli.group import cli

    cli(prog_name="linkfix")
