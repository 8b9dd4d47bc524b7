"""Output for terminals and files: escape harmful characters, keep diagnostics apart from data."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from linkfix.deferred import pattern
from linkfix.sites.lines import COMMAND

if TYPE_CHECKING:
    from linkfix.errors import LinkfixError

# Every character that could change what a terminal shows: controls, bidi formatting, zero-width and other
# invisible characters, line separators, surrogates, private use, tags and non-characters.
_HARMFUL = pattern(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


def _escaped(match: re.Match[str]) -> str:
    number = ord(match[0])
    if 0xDC80 <= number <= 0xDCFF:  # an octet of a file name that is not UTF-8
        return f"\\x{number - 0xDC00:02x}"
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{{{number:X}}}"


def has_colours(out: TextIO) -> bool:
    """Return whether colours are written: as ``--color`` says, else NO_COLOR and FORCE_COLOR, else on a terminal."""
    context = click.get_current_context(silent=True)
    wanted = None if context is None else context.color
    if wanted is None and os.environ.get("NO_COLOR"):
        wanted = False
    if wanted is None and os.environ.get("FORCE_COLOR"):
        wanted = True
    return out.isatty() and os.environ.get("TERM") != "dumb" if wanted is None else wanted


def styled(text: str, how: str) -> str:
    """Return a text in a colour, ``bold``, ``dim`` or ``reverse``, or in several of these with spaces between them."""
    words = how.split()
    flags = {word: True for word in words if word in {"bold", "dim", "reverse"}}
    colours = [word for word in words if word not in flags]
    return click.style(text, fg=colours[0] if colours else None, **flags) if words else text


def write_diff(diff: bytes, out: TextIO) -> None:
    """Write a unified diff, in colours if the output has some."""
    out.flush()
    out.buffer.write(coloured(diff) if has_colours(out) else diff)


def coloured(diff: bytes) -> bytes:
    """Return a unified diff in colours."""
    return b"".join(map(_coloured, diff.splitlines(keepends=True)))


def _coloured(line: bytes) -> bytes:
    code = next((code for mark, code in _OF_DIFF if line.startswith(mark)), b"")
    text = line.rstrip(b"\r\n")
    return b"\x1b[%bm%b\x1b[0m%b" % (code, text, line[len(text) :]) if code else line


#: How lines of a diff begin, each with its code of colour (ECMA-48, 8.3.117).
_OF_DIFF = ((b"+++ ", b"1"), (b"--- ", b"1"), (b"@@ ", b"36"), (b"+", b"32"), (b"-", b"31"))


def visible(text: str) -> str:
    r"""Write every character that a terminal could act on as ``\x1b`` or ``\u{202E}``."""
    return text if text.isascii() and text.isprintable() else _HARMFUL.sub(_escaped, text)


def disarm(*pieces: str) -> list[str]:
    r"""Return the pieces of a line with no command for a CI runner in them: ``\x3a:``, ``#\x23[``."""
    line = "".join(pieces)
    if "::" not in line and "##" not in line:
        return list(pieces)
    disarmed = list(pieces)
    for match in reversed([*COMMAND.finditer(line)]):
        at = match.start(match.lastindex or 0)
        piece = 0
        while at >= len(pieces[piece]):
            at -= len(pieces[piece])
            piece += 1
        text = disarmed[piece]
        disarmed[piece] = f"{text[:at]}\\x{ord(text[at]):02x}{text[at + 1 :]}"
    return disarmed


def escape(text: str) -> str:
    """Return a text that is harmless to terminals (`visible`) and to CI runners (`disarm`)."""
    return disarm(visible(text))[0]


def escape_lines(text: str) -> str:
    """Escape text of several lines, whose line feeds stay."""
    return "\n".join(map(escape, text.split("\n")))


def prints(char: str) -> bool:
    """Return whether the charset of standard output has a character."""
    try:
        char.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def write(text: str, *, nl: bool = True) -> None:
    """Write data, with a line end by default; escape characters that the terminal's charset lacks."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if not text.isascii():
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    # click.echo() would leave out escape sequences of terminals, which are part of the data.
    sys.stdout.write(text + "\n" if nl else text)
    sys.stdout.flush()


def csv_cell(value: Any) -> Any:
    """Escape a value of a table that a spreadsheet would execute as a formula (CWE-1236)."""
    if not isinstance(value, str):
        return value
    (text,) = disarm(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def csv_row(cells: Iterable[Any]) -> str:
    """Return a row of a table (RFC 4180), in which no cell acts in a spreadsheet."""
    import csv

    row = io.StringIO(newline="")
    csv.writer(row, lineterminator="\r\n").writerow(map(csv_cell, cells))
    return row.getvalue()


def shown_row(cells: Iterable[Any]) -> str:
    """Return a row of a table that is harmless to terminals too."""
    return csv_row(escape(each) if isinstance(each, str) else each for each in cells)


def check_destination(path: str) -> None:
    """Refuse a file that `destination` could not create, before the work for it begins.

    Raises:
        UnreadableError: its folder is not there, or cannot be written to.

    """
    from linkfix.files.access import is_special
    from linkfix.files.local import failing
    from linkfix.files.paths import is_remote

    folder = os.path.dirname(path) or os.curdir  # noqa: PTH120 - bytes in names
    with failing(path, "cannot write it"):
        if not (is_special(path) or is_remote(path) or os.access(folder, os.W_OK | os.X_OK)):
            os.stat(folder)  # noqa: PTH116 - bytes in names
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextlib.contextmanager
def destination(path: str | None, *, charset: str | None = None) -> Iterator[TextIO]:
    """Open the text stream for data.

    Args:
        path: of a file, which is written in UTF-8, whole or not at all; or of a device or a named pipe, which
            is written at once; None for standard output.
        charset: of standard output; None for the terminal's, with the characters escaped that it lacks.

    Raises:
        UnreadableError: the file cannot be written, or is a document that linkfix did not write.

    """
    if path is None:
        settings = {} if charset is None else {"encoding": charset, "newline": ""}
        sys.stdout.reconfigure(errors="backslashreplace", **settings)  # type: ignore[union-attr]
        yield sys.stdout
        sys.stdout.flush()
        return
    from linkfix.files.access import creating, is_special
    from linkfix.files.local import check_output, unreadable

    check_destination(path)
    check_output(path)
    try:
        with Path(path).open("wb") if is_special(path) else creating(path) as sink:
            text = io.TextIOWrapper(sink, encoding="utf-8", errors="backslashreplace", newline="")
            try:
                yield text
                text.flush()
            finally:
                text.detach()
    except OSError as error:
        raise unreadable(path, "cannot write it", error) from error


def log(path: str | None) -> contextlib.AbstractContextManager[TextIO | None]:
    """Open the file of an option as `destination` does; None without a file."""
    return contextlib.nullcontext() if path is None else destination(path)


def is_verbose() -> bool:
    """Return whether the user asked for more messages."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get("verbose"))


def complain(error: LinkfixError | str, trace: str = "") -> None:
    """Write a diagnostic to standard error.

    Args:
        error: what is wrong.
        trace: the traceback of an unexpected exception, written with --debug; "" if the error has it, or
            there is none.

    """
    lines = [f"linkfix: {error}"]
    context = click.get_current_context(silent=True)
    if context is not None and context.find_root().params.get("debug"):
        lines += (trace or getattr(error, "trace", "")).splitlines()
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    for line in lines:
        click.echo(escape(line).encode(encoding, "backslashreplace").decode(encoding), err=True)


def say(text: str) -> None:
    """Write what was done to standard error, unless the user asked for quiet."""
    context = click.get_current_context(silent=True)
    if context is None or not context.params.get("quiet"):
        complain(text)


def number(count: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
