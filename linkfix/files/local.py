"""Files of this machine: open one to read, and say what is wrong with it."""

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from linkfix.deferred import pattern
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.system import flags
from linkfix.markup.detect import looks_like_markup, type_of_name

#: The largest link map or baseline in bytes: all of it is in memory.
LARGEST_GIVEN = 256 * 1024 * 1024
#: How many bytes of a file show what it is, and what only the reports, graphs and redirects of linkfix have there.
_BEGIN = 4096
_OWN = pattern(
    rb'linkfix|<graphml |<!-- Redirects for |<title>([^<]*)</title><link rel="canonical" href="\1"><meta http-equiv="refresh"'
)
_TO_READ = flags("RDONLY", "CLOEXEC", "NONBLOCK")
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


def found_content(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the first bytes of a local file that was found, at most so many; none of what is missing or no regular file.

    Raises:
        UnreadableError: a read failed.

    """
    try:
        descriptor = os.open(path, _TO_READ)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file, failing(os.fspath(path)):
        return file.read(most) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""


def given_content(path: str) -> bytes:
    """Return the bytes of a local file or stream that the user, or settings, name.

    Raises:
        OSError: it cannot be read, or has more than `LARGEST_GIVEN` bytes.

    """
    with Path(path).open("rb") as file:
        data = file.read(LARGEST_GIVEN + 1)
    if len(data) > LARGEST_GIVEN:
        raise OSError(errno.EFBIG, f"it has more than {LARGEST_GIVEN >> 20} MiB")
    return data


def check_output(path: str | os.PathLike[str]) -> None:
    """Refuse to write a report or a table where there is a document, unless linkfix wrote it.

    Raises:
        UnreadableError: a document is there.

    """
    begin = found_content(path, _BEGIN)
    is_document = type_of_name(os.fspath(path)) is not None or looks_like_markup(begin)
    if begin and is_document and _OWN.search(begin) is None:
        why = "this is a document, and no report or table of linkfix; it was left as it is"
        raise UnreadableError(why, hint="name another file", file=os.fspath(path))


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
