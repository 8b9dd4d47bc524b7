"""Go through the documents that a command was given; one that fails does not stop the others."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, BinaryIO

from linkfix.cli.output import complain
from linkfix.errors import LinkfixError
from linkfix.site.files import open_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["STANDARD_INPUT", "each", "opened"]

#: What standard input is called in messages and data.
STANDARD_INPUT = "<stdin>"


def each(paths: Sequence[str], work: Callable[[str], None]) -> int:
    """Do the work for every document, and give the exit status: 0, or 3 where one failed.

    Args:
        paths: of the documents; none, or ``-`` among them, stands for standard input.
        work: what to do, given a path or ``-``.

    """
    status = 0
    for path in paths or ("-",):
        try:
            work(path)
        except LinkfixError as error:
            error.file = error.file or (STANDARD_INPUT if path == "-" else path)
            complain(error)
            status = 3
        except BrokenPipeError:
            # Whoever read the output has enough of it: nothing to complain about.
            with contextlib.suppress(OSError):
                sys.stdout.close()
            raise SystemExit(status) from None
    return status


@contextlib.contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a document, or standard input for ``-``.

    Raises:
        UnreadableError: it cannot be read.

    """
    if path == "-":
        yield sys.stdin.buffer
    else:
        with open_document(path) as file:
            yield file
