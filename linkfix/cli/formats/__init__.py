"""The formats in which an audit can be written, one module each."""

from importlib import import_module
from typing import TextIO

from linkfix.cli.formats.base import BaseWriter, Summary

__all__ = ["GROUPED", "Summary", "make"]

#: The formats of groups.
GROUPED = ("text", "jsonl", "csv")


def make(name: str, out: TextIO) -> BaseWriter:
    """Make a writer of a format.

    Args:
        name: a choice of ``--format``; each has a module of its name with a `Writer`.
        out: where it writes to.

    """
    writer: BaseWriter = import_module(f"linkfix.cli.formats.{name}").Writer(out)
    return writer
