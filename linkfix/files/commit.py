"""Commit new files: each one whole or not at all, several at a time.

A new file is written under a temporary name and, once it is whole, *added* to a group. The *commit* of a group has
four steps: all files are synchronized in parallel, which for many small ones takes little longer than for one; the
journal records all, and is synchronized once; each file is renamed; each folder is synchronized once. This order is
safe for every file: a failure of power or a kill leaves the old file or the new one. A file that fails is
*discarded*, and the others are not affected.

A new remote file is written to a temporary file of this machine. Nothing is sent before the commit, which uploads
several at a time.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO, TYPE_CHECKING, BinaryIO, TypeVar, cast

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.local import unreadable
from linkfix.files.paths import is_temporary, temporary_name
from linkfix.files.system import CLOSES_FIRST, flags, identity, is_own, keep_owner, lock, set_mode

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from _typeshed import ReadableBuffer

    from linkfix.files.journal import Task


# --- Remove temporary files that a killed run has left beside its targets -------------------------
# A process locks (`flock`) a temporary file until the commit; so a free lock means that its process is gone. A file is
# removed if its name has linkfix's form, it is a regular file of this user, its lock is free, and nobody has written to
# it for an hour. The hour protects a file between its creation and its lock. A folder is searched once in a process, when
# the first file is created there. Without working locks nothing is removed.

#: How long nobody has written to what is removed, in seconds.
_AGE = 3600.0
_OPEN = flags("RDWR", "CLOEXEC", "NOFOLLOW", "NONBLOCK")

_swept: set[str] = set()


def sweep(folder: Path) -> None:
    """Remove what killed runs have left in a folder, unless this process has done so before."""
    if str(folder) in _swept:
        return
    _swept.add(str(folder))
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_temporary(entry.name):
                with contextlib.suppress(OSError):
                    _remove(Path(entry.path))


def _remove(path: Path) -> None:
    """Remove a temporary file that nobody works on.

    Raises:
        OSError: it cannot be opened, locked or removed, or somebody works on it.

    """
    file = os.open(path, _OPEN)
    try:
        status = os.fstat(file)
        is_ours = stat.S_ISREG(status.st_mode) and is_own(status)
        if is_ours and time.time() - status.st_mtime > _AGE:
            lock(file)
            if os.path.samestat(status, path.lstat()):
                path.unlink()
    finally:
        os.close(file)


# --- A file that is created late: the first bytes are buffered in memory ----------------------------

#: How many bytes are buffered in memory.
_LITTLE = 1024 * 1024


class LateFile(SpooledTemporaryFile[bytes]):
    """A binary file to write, created once there is much to write, or `rollover` is called; until then it is in memory.

    Args:
        create: creates the file, open for reading and writing.

    """

    _file: IO[bytes]
    _rolled: bool

    def __init__(self, create: Callable[[], BinaryIO]) -> None:
        super().__init__(_LITTLE)
        self._create = create
        self._failure: OSError | None = None

    def rollover(self) -> None:
        """Create the file with the bytes so far.

        Raises:
            OSError: it cannot be created or written, now or at an earlier try.

        """
        with self._failing():
            if not self._rolled:
                written, self._file = self._file, self._create()
                self._rolled = True
                written.seek(0)
                self._file.write(written.read())
            self._file.flush()

    def release(self) -> None:
        """Create the file with the bytes so far, and leave it open for its creator."""
        self.rollover()
        self._file = BytesIO()

    def write(self, data: ReadableBuffer, /) -> int:
        """Write bytes, and return their number."""
        with self._failing():
            return super().write(data)

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        """Keep an error, and raise it again at each later try."""
        if self._failure is not None:
            raise self._failure
        try:
            yield
        except OSError as error:
            self._failure = error
            raise


# --------------------------------------------------------------------------------------------------

New = TypeVar("New")

_NEW = flags("RDWR", "CREAT", "EXCL", "CLOEXEC")
#: How many files are synchronized, or uploaded, at the same time.
_SIDE_BY_SIDE = 16


def has_changed(before: os.stat_result, now: os.stat_result) -> bool:
    """Return whether a file was replaced, or its bytes changed.

    The time of the last change of the inode, which nobody can set back, shows edits that keep size and time. The
    removal of a hard link changes it too, so it is not compared for a file with several.
    """
    is_other = identity(now) != identity(before)
    return is_other or (before.st_nlink == 1 and now.st_ctime_ns != before.st_ctime_ns)


def check_unchanged(before: os.stat_result, now: os.stat_result, name: str | None) -> None:
    """Refuse to replace a file, which has a name in messages, if it changed between two statuses.

    Raises:
        UnreadableError: it has changed.

    """
    if has_changed(before, now):
        why = "the file changed while it was being read; it was left as it is"
        raise UnreadableError(why, hint="run linkfix again", file=name)


@dataclass(eq=False)
class NewObject:
    """A new remote file, or member of a container, before its commit. Repeating its work does no harm, so that nothing is recorded.

    Args:
        name: its URL or path.
        steps: records what is done; None for no record.
        put: is called with its content for the commit.

    Attributes:
        error: why it is discarded; None if it is not.
        folder: the folder to synchronize after the commit; None for none.

    """

    name: str
    steps: Task | None
    put: Callable[[BinaryIO], None] | None = None
    error: LinkfixError | None = None
    folder: Path | None = None
    _file: BinaryIO | None = None

    def make(self) -> BinaryIO:
        """Create the temporary file, and return it.

        Raises:
            OSError: it cannot be created.

        """
        self._file = cast("BinaryIO", TemporaryFile())  # noqa: SIM115 - closed by discard()
        return self._file

    def finish(self, mode: int | None) -> None:
        """Set the attributes of the file, which is whole now; an object has none.

        Args:
            mode: permissions of a file that replaces none; None for the umask's.

        Raises:
            OSError: it cannot be written.
            UnreadableError: the file that it would replace is read-only.

        """

    def intend(self) -> None:
        """Record the coming replacement."""

    def replace(self) -> None:
        """Replace the target: upload the object."""
        if self._file is not None and self.put is not None:
            with self._failing():
                self.put(self._file)
            self.discard()

    def fail(self, error: OSError | LinkfixError) -> None:
        """Discard the file because of an error, which is kept."""
        self.error = unreadable(self.name, "cannot write it", error)
        self.discard()

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):  # a full disk, reported before
                file.close()

    @contextlib.contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, LinkfixError) as error:
            self.fail(error)


@dataclass(eq=False, kw_only=True)
class NewFile(NewObject):
    """A new file of this machine before its commit.

    Args:
        name: of the target in messages.
        steps: records each step in advance; None for no record.
        target: the path that it will have.
        before: the status of the old file when it was read; None if that does not matter.
        back_up: called before an old file is replaced; None for no backup.

    """

    target: Path
    before: os.stat_result | None
    back_up: Callable[[], None] | None

    def __post_init__(self) -> None:
        self.folder: Path | None = self.target.parent
        self._temporary = self.target.with_name(temporary_name())

    def make(self) -> BinaryIO:
        """Create the temporary file beside the target, and return it."""
        if self.steps is not None:
            self.steps.begin(str(self.target), str(self._temporary))
        sweep(self.target.parent)
        self._file = os.fdopen(os.open(self._temporary, _NEW, 0o600), "w+b")
        with contextlib.suppress(OSError):  # locks do not work everywhere
            lock(self._file.fileno())
        return self._file

    def finish(self, mode: int | None) -> None:
        """Set the attributes of the file, which is whole now."""
        assert self._file is not None  # noqa: S101 - `make` was called
        self._file.flush()
        if self.before is None:
            set_mode(self._file.fileno(), 0o666 & ~umask() if mode is None else mode)
        else:
            if not self.before.st_mode & 0o222:
                raise UnreadableError(
                    "the file is read-only; it was left as it is",
                    hint="make it writable, for example with chmod u+w",
                    file=self.name,
                )
            keep_attributes(self.target, self.before, self._file.fileno())

    def synchronize(self) -> None:
        """Synchronize the file, so that its bytes survive a failure of power."""
        if self._file is not None:
            with self._failing():
                os.fsync(self._file.fileno())

    def intend(self) -> None:
        """Record the coming replacement."""
        if self._file is not None and self.steps is not None:
            with self._failing():
                self.steps.intend(self.before, os.fstat(self._file.fileno()))

    def replace(self) -> None:
        """Rename the file to its target."""
        with self._failing():
            if self.before is not None:
                check_unchanged(self.before, self.target.stat(), self.name)
            if self.back_up is not None:
                self.back_up()
            if CLOSES_FIRST and self._file is not None:
                self._file.close()
            self._temporary.replace(self.target)
            super().discard()

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        if self._file is None:
            return
        super().discard()
        # If the journal cannot be written, it has the intention only; the files show that nothing happened.
        with contextlib.suppress(OSError):
            self._temporary.unlink()
            if self.steps is not None:
                self.steps.discard()


class Group:
    """New files that are committed together."""

    def __init__(self) -> None:
        self._waiting: list[NewObject] = []
        #: For each document that is not committed, whether it has a file in the group.
        self._ended: list[tuple[Task | None, bool]] = []
        self._threads: Executor | None = None

    def __len__(self) -> int:
        """Return the number of files that wait for the commit."""
        return len(self._waiting)

    def add(self, file: NewObject) -> None:
        """Add a file that is whole."""
        self._waiting.append(file)

    def end(self, steps: Task | None, waiting: int) -> None:
        """Say that the work on a document is over, before which so many files waited."""
        self._ended.append((steps, len(self) > waiting))

    def finish(self) -> list[LinkfixError | None]:
        """Commit all files; record the documents that are done.

        Returns:
            For each document whose work is over None, or the error that left its target unchanged.

        """
        ended, self._ended = self._ended, []
        errors = iter(self.commit() if self._waiting else ())
        failures = [next(errors) if is_new else None for _, is_new in ended]
        for (steps, _), failure in zip(ended, failures, strict=True):
            if steps is not None and failure is None:
                steps.done()
        return failures

    def commit(self) -> list[LinkfixError | None]:
        """Commit all files.

        Returns:
            For each file, in the order of `add`, None or the error that left its target unchanged.

        """
        files = self._waiting
        try:
            self._do_for_all(NewFile.synchronize, [x for x in files if isinstance(x, NewFile)])
            for file in files:
                file.intend()
            ready = [file for file in files if file.error is None]
            if ready and (steps := ready[-1].steps) is not None:
                try:
                    steps.synchronize()
                except OSError as error:
                    for file in ready:
                        file.fail(error)
                    ready = []
            for file in ready:
                if isinstance(file, NewFile):
                    file.replace()
            objects = [x for x in ready if not isinstance(x, NewFile)]
            self._do_for_all(NewObject.replace, objects)
            for folder in {file.folder for file in files if file.error is None}:
                if folder is not None:
                    sync_folder(folder)
            return [file.error for file in files]
        finally:
            self.discard()

    def discard(self) -> None:
        """Discard the files that are not committed."""
        for file in self._waiting:
            file.discard()
        self._waiting, self._ended = [], []

    def _do_for_all(self, step: Callable[[New], None], files: list[New]) -> None:
        """Do a step for files, several at a time."""
        if len(files) < 2:
            for file in files:
                step(file)
            return
        if self._threads is None:
            from concurrent.futures import ThreadPoolExecutor

            self._threads = ThreadPoolExecutor(_SIDE_BY_SIDE)
        list(self._threads.map(step, files))


def umask() -> int:
    """Return the mask of this process: the permissions that new files do not get."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def keep_attributes(source: Path | int, before: os.stat_result, descriptor: int) -> None:
    """Give a new file the mode, the owner and the extended attributes of another one, as far as the system allows.

    Args:
        source: path or descriptor of the other file.
        before: its status.
        descriptor: of the new file.

    """
    # Not every user may change owners, and not every file system has attributes.
    with contextlib.suppress(OSError):
        keep_owner(descriptor, before)
    set_mode(descriptor, stat.S_IMODE(before.st_mode))  # another owner takes bits of it away
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for attribute in os.listxattr(source):
                os.setxattr(descriptor, attribute, os.getxattr(source, attribute))


def sync_folder(folder: Path) -> None:
    """Have the names in a folder survive a failure of power, where the file system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
