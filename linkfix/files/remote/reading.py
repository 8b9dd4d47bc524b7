"""Read remote files as streams."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO

from linkfix.files.local import open_local
from linkfix.files.paths import ARCHIVES, UNLISTED, is_remote, scheme_of, split
from linkfix.files.remote.systems import failing, kind_of

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: The largest file in bytes that is requested at once.
_SMALL = 1024 * 1024
#: How many bytes of a larger one are requested at a time.
_READ = 8 * 1024 * 1024
#: The largest download of a server without ranges that stays in memory, in bytes.
_SPOOL = 1024 * 1024


#: The file systems of this process, which a fork does not use; those of archives each with its version.
_systems: dict[tuple[Any, ...], tuple[Any, Any]] = {}
_lock = threading.RLock()


def system_of(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path there.

    The URL is not split at ``::`` as fsspec does it, except at the end of the path in an archive: a name in a listing could
    name any file system then.
    """
    kind, scheme = kind_of(url), scheme_of(url)
    head, archive = split(url)
    head = scheme + head[len(scheme) :]
    if scheme in ARCHIVES:
        settings: dict[str, Any] = {"fo": archive[2:]}
    else:
        settings = kind._get_kwargs_from_urls(head)
    # fsspec has one for each thread; the threads of an upload share one.
    key = (os.getpid(), scheme, *sorted(settings.items()))
    version = _version(archive[2:])
    with _lock:
        if _systems.get(key, (None, None))[0] != version:
            if scheme in ARCHIVES:
                settings = {"fo": _opened(archive[2:])}
            _systems[key] = (version, kind(**settings))
    return _systems[key][1], kind._strip_protocol(head)


def _version(archive: str) -> tuple[int, ...]:
    """Return numbers that differ if an archive on this machine does."""
    if archive and not is_remote(archive):
        with contextlib.suppress(OSError, ValueError):
            found = os.stat(archive)  # noqa: PTH116 - names that Path would change
            return found.st_ino, found.st_size, found.st_mtime_ns
    return ()


def _opened(path: str) -> BinaryIO:
    """Open an archive."""
    return open_remote(path) if is_remote(path) else open_local(path)


class _Raw(io.RawIOBase):
    """A file of fsspec whose errors name its URL."""

    def __init__(self, url: str, file: Any) -> None:
        self.name = url
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        with failing(self.name, "cannot read it"):
            data = self._file.read(len(view))
        view[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        with failing(self.name, "cannot read it"):
            self._file.seek(offset, whence)
            return int(self._file.tell())

    def close(self) -> None:
        if not self.closed:
            with contextlib.suppress(Exception):
                self._file.close()
        super().close()


class RemoteReader(io.BufferedReader):
    """A remote file, open for reading.

    Attributes:
        name: its URL.
        size: in bytes.

    """

    def __init__(self, url: str, file: Any, size: int) -> None:
        super().__init__(_Raw(url, file), io.DEFAULT_BUFFER_SIZE)
        self.size = size


def _small(system: Any, path: str) -> bytes | None:
    """Return the bytes of a small file by a single request; None for a large one, and where that fails."""
    try:
        data: bytes = system.cat_file(path, start=0, end=_SMALL + 1)
    except (FileNotFoundError, PermissionError, ConnectionError, TimeoutError):
        raise
    except OSError:  # an empty file has no first byte
        return None
    return data if len(data) <= _SMALL else None


def open_remote(url: str) -> RemoteReader:
    """Open a remote file to read its bytes; a large one is never in memory as a whole.

    A file of a server that cannot be asked for parts (HTTP) is downloaded to a temporary file first.

    Raises:
        UnreadableError: it is missing, or cannot be read.

    """
    with failing(url, "cannot read it"):
        system, path = system_of(url)
        if scheme_of(url) in UNLISTED:
            spool = SpooledTemporaryFile(_SPOOL)  # noqa: SIM115 - closed by the reader
            try:
                system.get_file(path, spool)
                size = spool.tell()
                spool.seek(0)
            except BaseException:
                spool.close()
                raise
            return RemoteReader(url, spool, size)
        if scheme_of(url) not in ARCHIVES and (data := _small(system, path)) is not None:
            return RemoteReader(url, io.BytesIO(data), len(data))
        file = system.open(path, "rb", block_size=_READ)
        known: int | None = getattr(file, "size", None)
        return RemoteReader(url, file, system.size(path) if known is None else known)
