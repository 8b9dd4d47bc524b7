"""New files put in the place of old ones: each whole or not at all, several at a time.

A new file is written under a temporary name and, once it is whole, *added* to a group. When the group is
*settled*, all of its files are synchronized side by side, which for many small ones takes little longer than for
one; the journal is told of all, and synchronized once; each is renamed; each folder is synchronized once. The
order of these steps is what makes it safe, for every file of the group as for one alone.
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING, BinaryIO, Protocol

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.site.leftovers import claim, sweep
from linkfix.site.names import temporary_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from pathlib import Path

__all__ = [
    "Group",
    "NewFile",
    "Steps",
    "has_changed",
    "unreadable",
]

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
#: How many files are synchronized at the same time.
_SIDE_BY_SIDE = 16


def has_changed(before: os.stat_result, now: os.stat_result) -> bool:
    """Tell whether a file is another than it was, or has other bytes.

    The time of the last change of the inode, which nobody can set back, tells of edits that keep size and
    time. It changes as well when a hard link goes, so it is not compared where there are several.
    """
    same = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns) == (
        before.st_dev,
        before.st_ino,
        before.st_size,
        before.st_mtime_ns,
    )
    return not same or (before.st_nlink == 1 and now.st_ctime_ns != before.st_ctime_ns)


class Steps(Protocol):
    """Somebody who takes note of how a file comes about: the journal."""

    def begin(self, target: str, temporary: str) -> None:
        """Take note of a temporary file that is about to be made, and is to become `target`."""
        ...

    def intend(self, before: os.stat_result | None, after: os.stat_result) -> None:
        """Take note that the temporary file, `after`, is whole and is to take the place of `before`."""
        ...

    def keep(self) -> None:
        """See to it that what was intended, by others of the group too, survives a failure of power."""
        ...

    def give_up(self) -> None:
        """Take note that it did not take that place, and is gone."""
        ...


class NewFile:
    """A file on its way to its place.

    Args:
        name: of its place, as it is called in messages.
        target: its place.
        before: what stood there when it was read; None where that does not matter.
        back_up: called before something else is replaced; None for no backup.
        steps: takes note of each step before it is done; None for nobody.

    """

    def __init__(
        self,
        name: str,
        target: Path,
        before: os.stat_result | None,
        back_up: Callable[[], None] | None,
        steps: Steps | None,
    ) -> None:
        self.name = name
        self.target = target
        self.error: LinkfixError | None = None
        self._temporary = target.with_name(temporary_name())
        self._before = before
        self._back_up = back_up
        self._steps = steps
        self._file: BinaryIO | None = None

    @property
    def steps(self) -> Steps | None:
        """Who takes note of the steps."""
        return self._steps

    def make(self) -> BinaryIO:
        """Make the temporary file, and give it.

        Raises:
            OSError: it cannot be made.

        """
        if self._steps is not None:
            self._steps.begin(str(self.target), str(self._temporary))
        sweep(self.target.parent)
        self._file = os.fdopen(os.open(self._temporary, _NEW, 0o600), "wb")
        claim(self._file.fileno())
        return self._file

    def finish(self, mode: int | None) -> None:
        """Give the file its attributes; it is whole.

        Args:
            mode: permissions of a file that takes no other's place; None for those that the umask gives.

        Raises:
            OSError: it cannot be written.
            UnreadableError: the file that it is to replace is read-only.

        """
        assert self._file is not None  # noqa: S101 - `make` was called
        self._file.flush()
        if self._before is None:
            os.fchmod(self._file.fileno(), 0o666 & ~_umask() if mode is None else mode)
        else:
            _check_writable(self._before, self.name)
            _keep_attributes(self.target, self._before, self._file.fileno())

    def synchronize(self) -> None:
        """Wait until its bytes would survive a failure of power."""
        if self._file is not None:
            with self._failing():
                os.fsync(self._file.fileno())

    def intend(self) -> None:
        """Have it noted that it is about to take its place."""
        if self._file is not None and self._steps is not None:
            with self._failing():
                self._steps.intend(self._before, os.fstat(self._file.fileno()))

    def put(self) -> None:
        """Let it take its place."""
        with self._failing():
            if self._before is not None:
                _check_unchanged(self.target, self._before, self.name)
            if self._back_up is not None:
                self._back_up()
            self._temporary.replace(self.target)
            self._close()

    def fail(self, error: OSError | LinkfixError) -> None:
        """Give up because of an error, which is kept."""
        self.error = unreadable(self.name, "cannot write it", error)
        self.drop()

    def drop(self) -> None:
        """Remove the temporary file, if it is still there."""
        if self._file is None:
            return
        self._close()
        # A journal that cannot be written says what was intended; that nothing came of it is seen.
        with contextlib.suppress(OSError):
            self._temporary.unlink()
            if self._steps is not None:
                self._steps.give_up()

    def _close(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):  # of bytes that found no space, which was said
                file.close()

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, LinkfixError) as error:
            self.fail(error)


class Group:
    """New files that take their places together."""

    def __init__(self) -> None:
        self._waiting: list[NewFile] = []
        self._threads: Executor | None = None

    def __len__(self) -> int:
        """Count the files that are whole and wait for being settled."""
        return len(self._waiting)

    def add(self, file: NewFile) -> None:
        """Add a file that is whole."""
        self._waiting.append(file)

    def settle(self) -> list[LinkfixError | None]:
        """Let all files take their places.

        Returns:
            For each file in the order in which they were added None, or why its place is as it was.

        """
        files = self._waiting
        try:
            self._synchronize()
            for file in files:
                file.intend()
            self._keep()
            for file in self._ready():
                file.put()
            for folder in {file.target.parent for file in files if file.error is None}:
                _sync_folder(folder)
            return [file.error for file in files]
        finally:
            self.drop()

    def drop(self) -> None:
        """Give up on the files that have not taken their places."""
        for file in self._waiting:
            file.drop()
        self._waiting = []

    def _synchronize(self) -> None:
        if len(self._waiting) < 2:
            for file in self._waiting:
                file.synchronize()
            return
        if self._threads is None:
            from concurrent.futures import ThreadPoolExecutor

            self._threads = ThreadPoolExecutor(_SIDE_BY_SIDE)
        list(self._threads.map(NewFile.synchronize, self._waiting))

    def _ready(self) -> list[NewFile]:
        return [file for file in self._waiting if file.error is None]

    def _keep(self) -> None:
        ready = self._ready()
        steps = ready[-1].steps if ready else None
        if steps is None:
            return
        try:
            steps.keep()
        except OSError as error:
            for file in ready:
                file.fail(error)


def unreadable(name: str, what: str, error: Exception) -> LinkfixError:
    """Say what an error of the operating system means for a file; another is given as it is."""
    if isinstance(error, LinkfixError):
        return error
    reason = getattr(error, "strerror", None) or str(error)
    hints: dict[type[Exception], str] = {
        FileNotFoundError: "check the name",
        PermissionError: "check its permissions",
    }
    hint = hints.get(type(error), "")
    failure = UnreadableError(f"{what}: {reason}", hint=hint, file=name or None)
    failure.__cause__ = error
    return failure


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _check_writable(before: os.stat_result, name: str) -> None:
    if not before.st_mode & 0o222:
        raise UnreadableError(
            "the file is read-only; it was left as it is",
            hint="make it writable, for example with chmod u+w",
            file=name,
        )


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
    if has_changed(before, target.stat()):
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
