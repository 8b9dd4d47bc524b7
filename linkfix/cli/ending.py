"""How the command line ends: the exit status and the message for every fault (docs/exit-status.md).

Standard output is replaced by a stream that raises an exception of its own, `OutputError`. So a full disk or a
closed pipe never counts as the fault of a document. Faults of standard error are ignored: the exit status shows
them too. A closed stream (``>&-``) becomes one that cannot be read or written; so its number never belongs to
a file that is opened later.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from signal import SIG_IGN, SIGINT, signal
from typing import TYPE_CHECKING, Any, TextIO

import click

from linkfix.cli.output import complain, escape_lines
from linkfix.errors import LinkfixError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: The exit status if something could not be read, processed or written.
FAILED = 3
#: The exit status if the reader closed the pipe: the same as of a program ended by SIGPIPE.
UNWANTED = 141


def run() -> None:
    """Run the command line in this process, and end the process."""
    install()
    try:
        status = _status()
        if not sys.stdout.closed:  # by the language server, when the editor ends it
            sys.stdout.flush()
        signal(SIGINT, SIG_IGN)  # nothing is left to stop
    except KeyboardInterrupt:  # after the command
        status = _stopped()
    except OutputError as error:
        status = UNWANTED
        if not error.is_unwanted:
            complain(f"cannot write standard output: {error.reason}")
            status = FAILED
    # An interrupt of `exec` (a class of data is made by it) sets a mark of Python, by which ``python -m`` ends by
    # the signal, whatever the status is. The next string that runs removes the mark.
    exec("")  # noqa: S102
    sys.exit(status)


def _status() -> int:
    """Run the command line and return its exit status; report an exception that ended it."""
    try:
        from linkfix.cli.group import cli

        status = cli.main(prog_name="linkfix", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        # Names of files and settings can have any character.
        vars(error)["message"] = escape_lines(error.message)
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):  # the latter before click runs
        return _stopped()
    except LinkfixError as error:
        complain(error)
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        complain(f"{place}{error.strerror or error}")
    except MemoryError:
        complain("there is not enough memory")
    except Exception as error:  # noqa: BLE001 - the last handler
        if isinstance(
            error.__cause__, KeyboardInterrupt
        ):  # Python wraps one that comes in `__set_name__`
            return _stopped()
        import traceback

        traceback.print_exc()
        complain("this is a fault of linkfix; please report it with the lines above")
    return FAILED


def _stopped() -> int:
    """Say that the user has stopped the command; return the exit status."""
    signal(SIGINT, SIG_IGN)
    from linkfix.cli.batch import STOPPED

    complain("stopped")
    return STOPPED


class OutputError(BaseException):
    """Standard output cannot be written. It derives from BaseException, so that no handler for documents catches it.

    Attributes:
        is_unwanted: whether its reader has closed the pipe.
        reason: of the operating system.

    """

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.is_unwanted: bool = error.errno == errno.EPIPE
        self.reason: str = error.strerror or str(error)


class _Output(io.FileIO):
    """Standard output: its first fault is raised, and nothing is written after it."""

    _has_failed = False

    def write(self, data: ReadableBuffer, /) -> int:
        if not self._has_failed:
            try:
                return super().write(data)
            except OSError as error:
                self._has_failed = True
                raise OutputError(error) from error
        return memoryview(data).nbytes


class _Keyboard(io.FileIO):
    """Standard input from a terminal: the first read says so, and one end is the end."""

    _has_begun = _has_ended = False

    def readinto(self, buffer: Any, /) -> int | None:
        if not self._has_begun:
            self._has_begun = True
            keys = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
            complain(f"reading from the terminal; {keys} at the start of a line ends it")
        count = 0 if self._has_ended else super().readinto(buffer)
        self._has_ended = not count
        return count


class _Messages(io.FileIO):
    """Standard error, which has no faults."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def install() -> None:
    """Replace the standard streams of this process."""
    # In this order each gets its own number; the modes make the first use of the first two fail.
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        # Another program may share the stream and have made it non-blocking, which looks like its end.
        with suppress(OSError, AttributeError):
            os.set_blocking(number, True)
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
    elif sys.stdin.isatty():
        keyboard = io.BufferedReader(_Keyboard(0, closefd=False))
        sys.stdin = io.TextIOWrapper(keyboard, sys.stdin.encoding, "surrogateescape")
    sys.stdout = _text(_Output(1, "w", closefd=False), sys.stdout)
    sys.stderr = _text(_Messages(2, "w", closefd=False), sys.stderr, errors="backslashreplace")


def _text(raw: io.FileIO, before: TextIO | None, **settings: Any) -> TextIO:
    """Return the text stream over a file, with the settings of the one that was there."""
    if isinstance(before, io.TextIOWrapper):
        settings = {
            "encoding": before.encoding,
            "errors": before.errors,
            "line_buffering": before.line_buffering,
            "write_through": before.write_through,
        }
    return io.TextIOWrapper(io.BufferedWriter(raw), **settings)
