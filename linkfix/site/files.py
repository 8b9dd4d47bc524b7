"""Open documents, and replace them whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from linkfix.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CHUNK", "chunks", "creating", "open_document", "replacing"]

#: How many bytes are read at a time.
CHUNK = 256 * 1024


def open_document(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file to read its bytes.

    Raises:
        UnreadableError: it is missing, is a folder, or may not be read.

    """
    name = os.fspath(path)
    try:
        if Path(name).is_dir():
            raise UnreadableError(
                "this is a folder, not a document",
                hint=f"name the files in it, for example {name.rstrip('/')}/*.html",
                file=name,
            )
        return Path(name).open("rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise _unreadable(name, "cannot read it", error) from error


def chunks(source: BinaryIO) -> Iterator[bytes]:
    """Give the bytes of a file, some at a time.

    Raises:
        UnreadableError: reading fails half-way.

    """
    # read1 gives what there is, so that a pipe flows.
    read = getattr(source, "read1", source.read)
    while True:
        try:
            data = read(CHUNK)
        except OSError as error:
            raise _unreadable(str(getattr(source, "name", "")), "cannot read it", error) from error
        if not data:
            return
        yield data


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Give a document to read and a file to write that takes its place when the block is done.

    The new bytes go to a temporary file in the same folder, which is synchronized and renamed
    over the document, so that the document is at every moment the old bytes or the new. Mode,
    owner and extended attributes are kept; a symbolic link stays one, and what it points at is
    replaced. Where the block raises, or writes nothing, the document stays as it was.

    Raises:
        UnreadableError: the document cannot be read or replaced, or changed meanwhile.

    """
    name = os.fspath(path)
    with open_document(path) as source:
        before = os.fstat(source.fileno())
        if not stat.S_ISREG(before.st_mode):
            raise UnreadableError(
                "it is not a regular file, so it cannot be replaced",
                hint="read it from standard input instead",
                file=name,
            )
        with creating(name, before) as sink:
            yield source, sink


@contextlib.contextmanager
def creating(
    path: str | os.PathLike[str], before: os.stat_result | None = None
) -> Iterator[BinaryIO]:
    """Give a file to write that comes to stand at `path` when the block is done, or not at all.

    Args:
        path: where it goes; a symbolic link is followed.
        before: what the file was when it was read; its attributes are kept, a file that has
            changed since is left alone, and so is one for which the block writes nothing.

    Raises:
        UnreadableError: it cannot be written.

    """
    name = os.fspath(path)
    target = Path(os.path.realpath(name))
    temporary: Path | None = None
    try:
        descriptor, temporary_name = tempfile.mkstemp(
            prefix=".linkfix-", suffix=".tmp", dir=target.parent
        )
        temporary = Path(temporary_name)
        with os.fdopen(descriptor, "wb") as sink:
            yield sink
            sink.flush()
            if before is None:
                os.fchmod(sink.fileno(), 0o666 & ~_umask())
            elif sink.tell():
                _keep_attributes(target, before, sink.fileno())
            else:
                return
            os.fsync(sink.fileno())
        if before is not None:
            _check_unchanged(target, before, name)
        temporary.replace(target)
        temporary = None
        _sync_folder(target.parent)
    except OSError as error:
        raise _unreadable(name, "cannot write it", error) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _keep_attributes(target: Path, before: os.stat_result, descriptor: int) -> None:
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
    # Not everyone may give files away, and not every file system has these.
    with contextlib.suppress(OSError):
        os.fchown(descriptor, before.st_uid, before.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for attribute in os.listxattr(target):
                os.setxattr(descriptor, attribute, os.getxattr(target, attribute))


def _check_unchanged(target: Path, before: os.stat_result, name: str) -> None:
    now = target.stat()
    if (now.st_ino, now.st_size, now.st_mtime_ns) != (
        before.st_ino,
        before.st_size,
        before.st_mtime_ns,
    ):
        raise UnreadableError(
            "the file changed while it was being read; it was left as it is",
            hint="run linkfix again",
            file=name,
        )


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _unreadable(name: str, what: str, error: Exception) -> UnreadableError:
    reason = getattr(error, "strerror", None) or str(error)
    hints: dict[type[Exception], str] = {
        FileNotFoundError: "check the name",
        PermissionError: "check its permissions",
    }
    hint = hints.get(type(error), "")
    return UnreadableError(f"{what}: {reason}", hint=hint, file=name or None)
