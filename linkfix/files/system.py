"""What operating systems do in ways of their own: flags of files, locks, owners.

No other module of the package names what only some systems have: no `fcntl`, no flag of `os.open`, no owner. Locks are those of
`flock` on POSIX, and of one byte far beyond the end of the file on Windows.
"""

import errno
import os
import sys
from collections.abc import Callable

if sys.platform == "win32":
    import msvcrt
else:
    try:
        import fcntl
    except ImportError:  # WebAssembly
        fcntl = None  # type: ignore[assignment]

#: The byte that is locked on Windows, where nobody else can read a locked byte.
_PLACE = 1 << 40
#: Whether a file can get a new name only after it is closed.
CLOSES_FIRST = sys.platform == "win32"


def flags(*names: str) -> int:
    """Return the flags of `os.open` of these names, such as ``CLOEXEC``; without those that the system lacks."""
    found = getattr(os, "O_BINARY", 0)
    for name in names:
        found |= getattr(os, f"O_{name}", 0)
    return found


def lock(file: int) -> None:
    """Lock a file for this process until it is closed.

    Raises:
        BlockingIOError: another process has the lock.
        OSError: there are no locks here.

    """
    if sys.platform == "win32":
        before = os.lseek(file, 0, os.SEEK_CUR)
        os.lseek(file, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from None
        finally:
            os.lseek(file, before, os.SEEK_SET)
    elif fcntl is None:
        raise OSError(errno.ENOTSUP, "this system has no locks")
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_own(status: os.stat_result) -> bool:
    """Return whether a file is of this user, where files have owners."""
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def identity(status: os.stat_result) -> list[int]:
    """Return the device, the inode, the size and the time of the last change of a file, which differ where its content does."""
    return [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns]


def set_mode(file: int, mode: int) -> None:
    """Set the permissions of an open file, where it has any."""
    if hasattr(os, "fchmod"):
        os.fchmod(file, mode)


def keep_owner(file: int, before: os.stat_result) -> None:
    """Give an open file the owner of another one.

    Raises:
        OSError: this user may not.

    """
    if hasattr(os, "fchown"):
        os.fchown(file, before.st_uid, before.st_gid)


def read_at(file: int, length: int, place: int) -> bytes:
    """Read bytes at a place of an open file; its position stays."""
    if hasattr(os, "pread"):
        return os.pread(file, length, place)
    before = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, place, os.SEEK_SET)
    data = os.read(file, length)
    os.lseek(file, before, os.SEEK_SET)
    return data


def can_seek(file: object) -> bool:
    """Return whether a file can be read again."""
    seekable: Callable[[], bool] | None = getattr(file, "seekable", None)
    return seekable is not None and seekable()
