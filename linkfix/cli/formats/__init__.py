"""The formats in which an audit can be written."""

from importlib import import_module
from typing import TextIO

from linkfix.cli.formats.base import BaseWriter

#: The formats of groups.
GROUPED = ("text", "jsonl", "csv")

#: The modules and names of writers; any other is the `Writer` in the module of its name.
_WRITERS = {
    "text": ("lines", "Text"),
    "jsonl": ("lines", "JSONLines"),
    "csv": ("lines", "CSV"),
    "github": ("lines", "GitHub"),
}


def make(name: str, out: TextIO) -> BaseWriter:
    """Make a writer of a format.

    Args:
        name: a choice of ``--format``.
        out: where it writes to.

    """
    module, writer = _WRITERS.get(name, (name, "Writer"))
    made: BaseWriter = getattr(import_module(f"linkfix.cli.formats.{module}"), writer)(out)
    return made
