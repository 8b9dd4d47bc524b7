"""Remove temporary files that a killed run has left beside its targets.

A process locks (`flock`) a temporary file until the commit; so a free lock means that its process is gone. A file is
removed if its name has linkfix's form, it is a regular file of this user, its lock is free, and nobody has written to
it for an hour. The hour protects a file between its creation and its lock. A folder is searched once in a process, when
the first file is created there. Without working locks nothing is removed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import time
from pathlib import Path

from linkfix.files.names import is_temporary

#: How long nobody has written to what is removed, in seconds.
_AGE = 3600.0
_OPEN = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK

_swept: set[str] = set()


def claim(file: int) -> None:
    """Lock a temporary file that this process has made; without effect where locks do not work."""
    with contextlib.suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
        is_own = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
        if is_own and time.time() - status.st_mtime > _AGE:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(status, path.lstat()):
                path.unlink()
    finally:
        os.close(file)
