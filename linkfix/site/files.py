"""Open documents, and replace them whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import filecmp
import os
import shutil
import stat
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from linkfix.errors import UnreadableError
from linkfix.site.names import OWN_PREFIX, is_own
from linkfix.site.placing import Group, NewFile, unreadable
from linkfix.site.sink import LateFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkfix.site.placing import Steps

__all__ = [
    "CHUNK",
    "SMALL",
    "chunks",
    "content",
    "creating",
    "inside",
    "is_folder",
    "is_special",
    "make_folder",
    "open_document",
    "replacing",
]

#: How many bytes are read at a time.
CHUNK = 256 * 1024
#: Up to how many bytes a file is read at once.
SMALL = 1024 * 1024


def open_document(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file to read its bytes.

    Raises:
        UnreadableError: it is missing, is a folder, or may not be read.

    """
    name = os.fspath(path)
    try:
        return Path(name).open("rb")
    except IsADirectoryError as error:
        raise UnreadableError(
            "this is a folder, not a document",
            hint=f"name the files in it, for example {name.rstrip('/')}/*.html",
            file=name,
        ) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise unreadable(name, "cannot read it", error) from error


def content(source: BinaryIO) -> bytes | None:
    """Give all of a small file; None for a large one, and for what is no file.

    Raises:
        UnreadableError: reading fails half-way.

    """
    if isinstance(source, BytesIO):
        return source.read()
    try:
        status = os.fstat(source.fileno())
    except (OSError, AttributeError):
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > SMALL:
        return None
    return b"".join(chunks(source))


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
            raise unreadable(str(getattr(source, "name", "")), "cannot read it", error) from error
        if not data:
            return
        yield data


@contextlib.contextmanager
def replacing(
    path: str | os.PathLike[str],
    *,
    backup: str = "",
    steps: Steps | None = None,
    group: Group | None = None,
) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Give a document to read and a file to write that takes its place when the block is done.

    The new bytes go to a temporary file in the same folder, which is synchronized and renamed
    over the document, so that the document is at every moment the old bytes or the new. Mode,
    owner and extended attributes are kept; a symbolic link stays one, and what it points at is
    replaced. Where the block raises, or writes nothing, the document stays as it was, and no
    file was made.

    Args:
        path: of the document.
        backup: what is put behind its name for the name that the old bytes keep; "" for none. A
            backup that is there already is never replaced.
        steps: takes note of each step before it is done; None for nobody.
        group: that the new file takes its place with, when it is settled; None for at once.

    Raises:
        UnreadableError: the document cannot be read or replaced, is read-only, or changed
            meanwhile, or another backup is in the way.

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
        with creating(name, before, backup=backup, steps=steps, group=group) as sink:
            yield source, sink


@contextlib.contextmanager
def creating(
    path: str | os.PathLike[str],
    before: os.stat_result | None = None,
    *,
    mode: int | None = None,
    follow: bool = True,
    backup: str = "",
    steps: Steps | None = None,
    group: Group | None = None,
) -> Iterator[BinaryIO]:
    """Give a file to write that comes to stand at `path` when the block is done, or not at all.

    Args:
        path: where it goes.
        before: what the file was when it was read; its attributes are kept, a file that has
            changed since is left alone, and so is one for which the block writes nothing.
        mode: permissions of a file that is new; None for those that the umask gives.
        follow: whether a symbolic link at `path` is followed; otherwise the file takes its place.
        backup: what is put behind the name of the file that was there; "" for no backup.
        steps: takes note of each step before it is done; None for nobody.
        group: that the file takes its place with, when it is settled; None for at once.

    Raises:
        UnreadableError: it cannot be written, or is a device or another special file, which no
            file may take the place of.

    """
    name = os.fspath(path)
    new: NewFile | None = None

    def make() -> BinaryIO:
        nonlocal new
        target = _place(name, follow)
        kept = target.with_name(target.name + backup)
        back_up = partial(_back_up, target, kept, name) if backup else None
        new = NewFile(name, target, before, back_up, steps)
        return new.make()

    try:
        if before is None:
            _check_replaceable(Path(name), follow, name)
        with LateFile(make) as late:
            yield cast("BinaryIO", late)
            is_written = before is None or late.tell() > 0
            if is_written:
                late.release()
        if new is None or not is_written:
            if new is not None:
                new.drop()
            return
        new.finish(mode)
        if group is not None:
            group.add(new)
            return
        alone = Group()
        alone.add(new)
        for error in alone.settle():
            if error is not None:
                raise error
    except BaseException as error:
        if new is not None:
            new.drop()
        if isinstance(error, OSError):
            raise unreadable(name, "cannot write it", error) from error
        raise


def inside(folder: str | os.PathLike[str], relative: str) -> Path:
    """Give the place of a file in a folder, with the folders on the way made, and never outside.

    Args:
        folder: that the file is to be in.
        relative: its path from there, with slashes.

    Returns:
        The path, to be written with `creating` and ``follow=False``.

    Raises:
        UnreadableError: the path has ``..`` or other segments that are no names, leads out of the
            folder by a symbolic link, or is one of linkfix's own files, or the folders cannot be made.

    """
    root = Path(os.path.realpath(folder))
    *folders, last = relative.split("/")
    if any(step in {"", ".", ".."} or "\0" in step for step in (*folders, last)):
        raise UnreadableError(
            f"this path could lead out of {os.fspath(folder)}",
            hint="nothing was written for it",
            file=relative,
        )
    if is_own(relative):
        raise UnreadableError(
            f"linkfix keeps names that begin with {OWN_PREFIX} for its own files",
            hint="call it otherwise; nothing was written for it",
            file=relative,
        )
    make_folder(root)
    place = root
    try:
        for step in folders:
            place /= step
            place.mkdir(exist_ok=True)
            if place.is_symlink() and not Path(os.path.realpath(place)).is_relative_to(root):
                raise UnreadableError(
                    f"a symbolic link leads out of {os.fspath(folder)}",
                    hint="remove the link; nothing was written for it",
                    file=str(place),
                )
    except OSError as error:
        raise unreadable(str(place), "cannot make this folder", error) from error
    return place / last


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder and those that it is in, where they are missing.

    Raises:
        UnreadableError: that fails, for instance because there is a file of its name.

    """
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unreadable(os.fspath(path), "cannot make this folder", error) from error


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether a path leads to a folder; False where the system does not say, as of a name that is too long."""
    try:
        return stat.S_ISDIR(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False


def is_special(path: str | os.PathLike[str]) -> bool:
    """Tell whether something is a device, a named pipe or a socket: to be written, never replaced."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _place(name: str, follow: bool) -> Path:
    """Give the path at which a file is to stand, wherever the process goes meanwhile."""
    if follow and Path(name).is_symlink():
        return Path(os.path.realpath(name))
    return Path.cwd() / name


def _check_replaceable(target: Path, follow: bool, name: str) -> None:
    if (follow or not target.is_symlink()) and is_special(target):
        raise UnreadableError(
            "it is a device or another special file, which must not be replaced",
            hint="name a regular file",
            file=name,
        )


def _back_up(target: Path, backup: Path, name: str) -> None:
    """Let the bytes that are about to be replaced keep another name."""
    if os.path.lexists(backup):
        # A run that was killed may have made it; one with other bytes is an earlier one.
        if not filecmp.cmp(target, backup, shallow=False):
            raise UnreadableError(
                f"an earlier backup is in the way, {backup.name}; the file was left as it is",
                hint="move the backup away, or name another suffix",
                file=name,
            )
        return
    try:
        os.link(target, backup)
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS}:
            raise
        # There are no hard links here.
        with target.open("rb") as source, creating(backup, follow=False) as copy:
            shutil.copyfileobj(source, copy)
        shutil.copystat(target, backup)
