"""What goes to the terminal: made harmless, in a stable form, diagnostics apart from data."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.errors import LinkfixError

__all__ = ["complain", "csv_cell", "destination", "escape", "json_line", "write"]

# Controls, bidi formatting, zero-width and other invisible characters, line separators,
# surrogates, private use, tags and non-characters: whatever could change what a terminal shows.
_HARMFUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


def _escaped(match: re.Match[str]) -> str:
    number = ord(match[0])
    if 0xDC80 <= number <= 0xDCFF:  # an octet of a file name that is not UTF-8
        return f"\\x{number - 0xDC00:02x}"
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{{{number:X}}}"


def escape(text: str) -> str:
    r"""Write every character that a terminal could act on as ``\x1b`` or ``\u{202E}``."""
    return text if text.isascii() and text.isprintable() else _HARMFUL.sub(_escaped, text)


def write(text: str, *, nl: bool = True) -> None:
    """Write data, with a line end unless told otherwise; what the terminal's charset lacks is escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=nl)


def json_line(record: dict[str, Any]) -> str:
    """Write a record as one line of JSON in ASCII."""
    return json.dumps(record, ensure_ascii=True)


def csv_cell(value: Any) -> Any:
    """Make a value of a table harmless: a spreadsheet would take some for formulas (CWE-1236)."""
    risky = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if risky else value


@contextlib.contextmanager
def destination(path: str | None, *, charset: str | None = None) -> Iterator[TextIO]:
    """Give the text stream that data goes to.

    Args:
        path: of a file, which is written whole or not at all, in UTF-8, or of a device or a named
            pipe, which is written as it comes; None for standard output.
        charset: of standard output; None for the one that the terminal has, in which characters
            that it lacks are escaped.

    Raises:
        UnreadableError: the file cannot be written.

    """
    if path is None:
        settings = {} if charset is None else {"encoding": charset, "newline": ""}
        sys.stdout.reconfigure(errors="backslashreplace", **settings)  # type: ignore[union-attr]
        yield sys.stdout
        sys.stdout.flush()
        return
    from linkfix.site.files import creating, is_special

    with Path(path).open("wb") if is_special(path) else creating(path) as sink:
        text = io.TextIOWrapper(sink, encoding="utf-8", errors="backslashreplace", newline="")
        yield text
        text.flush()
        text.detach()


def complain(error: LinkfixError | str) -> None:
    """Write a diagnostic to standard error."""
    text = f"linkfix: {error}"
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    click.echo(escape(text).encode(encoding, "backslashreplace").decode(encoding), err=True)
