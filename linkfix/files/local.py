"""Files of this machine: open one to read, as its document is read, and say what is wrong with it."""

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, BinaryIO, cast

from linkfix.deferred import pattern
from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.system import can_seek, flags
from linkfix.markup.detect import has_gzip_name, looks_like_markup, type_of_name

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
    """Convert an error of the operating system, a NUL in a name or a closed file to a LinkfixError about a file.

    A LinkfixError that is about no file is about this one.
    """
    try:
        yield
    except LinkfixError as error:
        error.file = error.file or name or None
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


# --- Codecs: what is between the octets of a document and those of its file ------------------------
# A codec opens and creates. `decoded` returns a file as its document is read; `encoded` returns what a document is written to,
# so that the new file is coded as the one that was read. Neither asks what the document is. A file that is read as its document
# has ``made_as``, which returns what is written as a file of its kind; that has ``finish_document``, and ``discard_document``,
# which discards the file with the document. There is one codec so far, gzip (RFC 1952), and all other files are their documents.
# A document that does not change has the very octets of its file again. The weak spot: where a file cannot be read again
# (standard input), such a document is compressed anew.

#: How a gzip member begins: its magic number and the one method there is (RFC 1952, 2.3.1).
GZIP = b"\x1f\x8b\x08"


def decoded(file: BinaryIO, name: str = "", *, owned: bool = False) -> BinaryIO:
    """Return a file as its document is read: the file itself, or one that decompresses it.

    Args:
        file: at its beginning; it stays there.
        name: of the file; "" for one without a name, in which any compressed document is read, but no archive.
        owned: whether to close the file with what is returned.

    Raises:
        OSError: it cannot be read.

    """
    if name and not has_gzip_name(name):
        return file
    prefix = _prefix(file)
    if not prefix.startswith(GZIP):
        return file
    from linkfix.files.gzipped import GzipReader, begins_archive, header

    if not name and begins_archive(prefix):
        return file
    reader = GzipReader(file, header(prefix))
    reader.myfileobj = file if owned else None  # type: ignore[assignment]
    return cast("BinaryIO", reader)


def encoded(sink: IO[bytes], like: object) -> IO[bytes]:
    """Return what a document is written to, so that its file is coded as another one.

    Args:
        sink: the new file.
        like: the other one, as `decoded` returned it.

    """
    made_as: Callable[[IO[bytes]], IO[bytes]] | None = getattr(like, "made_as", None)
    return sink if made_as is None else made_as(sink)


def finish(sink: object) -> None:
    """Write what is left of a document to its file; its document is whole."""
    finish_document: Callable[[], None] | None = getattr(sink, "finish_document", None)
    if finish_document is not None:
        finish_document()


def discard(sink: IO[bytes]) -> None:
    """Discard what was written of a document; nothing more is."""
    discard_document: Callable[[], None] | None = getattr(sink, "discard_document", None)
    if discard_document is not None:
        discard_document()
    else:
        sink.seek(0)
        sink.truncate()


def _prefix(file: BinaryIO) -> bytes:
    peek: Callable[[int], bytes] | None = getattr(file, "peek", None)
    if peek is not None:
        return peek(_BEGIN)[:_BEGIN]
    if not can_seek(file):
        return b""
    at = file.tell()
    prefix = file.read(_BEGIN)
    file.seek(at)
    return prefix
