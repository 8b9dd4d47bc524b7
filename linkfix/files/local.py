"""Files of this machine: open one to read, and say what is wrong with it."""

import contextlib
import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from linkfix.errors import LinkfixError, UnreadableError

#: How many files of a folder are compared with a name that is missing.
_MOST = 1000


def open_local(name: str) -> BinaryIO:
    """Open a file to read its bytes.

    Raises:
        UnreadableError: it is missing, is a folder, or may not be read.

    """
    with failing(name):
        try:
            return Path(name).open("rb")
        except IsADirectoryError as error:
            raise UnreadableError(
                "this is a folder, not a document",
                hint=f"name the files in it, for example {name.rstrip('/')}/*.html",
                file=name,
            ) from error


@contextlib.contextmanager
def failing(name: str, what: str = "cannot read it") -> Iterator[None]:
    """Convert an error of the operating system, a NUL in a name or a closed file to a LinkfixError about a file."""
    try:
        yield
    except LinkfixError:
        raise
    except (OSError, ValueError) as error:
        raise unreadable(name, what, error) from error


def unreadable(name: str, what: str, error: Exception) -> LinkfixError:
    """Convert an error of the operating system to a LinkfixError about a file; return a LinkfixError unchanged."""
    if isinstance(error, LinkfixError):
        return error
    reason = getattr(error, "strerror", None) or str(error)
    hints: dict[type[Exception], str] = {
        FileNotFoundError: "check the name",
        PermissionError: "check its permissions",
    }
    hint = hints.get(type(error), "")
    if isinstance(error, FileNotFoundError) and (near := _near(name)):
        hint = f"did you mean {near}?"
    failure = UnreadableError(f"{what}: {reason}", hint=hint, file=name or None)
    failure.__cause__ = error
    return failure


def _near(name: str) -> str:
    """Return the path of a file beside one that is missing whose name resembles it; "" for none."""
    from difflib import get_close_matches

    path = Path(name)
    with contextlib.suppress(OSError, ValueError), os.scandir(path.parent) as entries:
        listed = [
            entry.name
            for entry in islice(entries, _MOST)
            if not entry.name.startswith(".") and entry.name != path.name
        ]
        names = {name.casefold(): name for name in listed}
        if near := get_close_matches(path.name.casefold(), names, 1, 0.75):
            return str(path.with_name(names[near[0]]))
    return ""


def can_seek(file: object) -> bool:
    """Return whether a file can be read again."""
    seekable: Callable[[], bool] | None = getattr(file, "seekable", None)
    return seekable is not None and seekable()
