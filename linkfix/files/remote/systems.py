"""The file systems of URLs: their packages, their errors and what is refused; read and write their files."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import threading
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urlsplit

from linkfix.errors import LinkfixError, UnreadableError
from linkfix.files.local import open_local
from linkfix.files.paths import ARCHIVES, UNLISTED, is_remote, scheme_of, split, temporary_name

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: The packages of common file systems, by their schemes.
_PACKAGES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "http": "aiohttp", "https": "aiohttp",
             "abfs": "adlfs", "az": "adlfs", "hdfs": "pyarrow", "sftp": "paramiko", "ssh": "paramiko", "smb": "smbprotocol"}  # fmt: skip
#: How many code points of another package's message are quoted.
_QUOTED = 300


def check(url: str) -> None:
    """Refuse a remote path that cannot be used: a missing package, a password; load its package.

    Raises:
        UnreadableError: the reason, and the way out.

    """
    scheme = scheme_of(url)
    with contextlib.suppress(ValueError):
        authority = urlsplit(url).netloc
        if "@" in authority and ":" in authority.rpartition("@")[0]:
            user, _, rest = authority.rpartition("@")
            masked = url.replace(authority, f"{user.partition(':')[0]}:***@{rest}", 1)
            raise UnreadableError(
                "a password in a URL is shown to everyone who lists processes",
                hint="set it in the environment or in the configuration of fsspec",
                file=masked,
            )
    if scheme in {"file", "local"}:
        raise UnreadableError("this file is on this machine", hint="name its path", file=url)
    if scheme in ARCHIVES and not split(url)[1]:
        raise UnreadableError(
            "this names no archive",
            hint=f"put it after two colons: {scheme}://::archive.{scheme}",
            file=url,
        )
    if scheme in ARCHIVES and is_remote(outer := split(url)[1][2:]):
        check(outer)
    kind_of(url)


def kind_of(url: str) -> Any:
    """Return the class of the file system of a URL.

    Raises:
        UnreadableError: its package is not installed.

    """
    scheme = scheme_of(url)
    package = _PACKAGES.get(scheme)
    try:
        import fsspec

        return fsspec.get_filesystem_class(scheme)
    except (ImportError, ValueError) as error:
        needed = f"the packages fsspec and {package}" if package else "another package"
        raise UnreadableError(
            f"{scheme}:// needs {needed}: {error}",
            hint=f"pip install 'linkfix[remote]' {package or ''}".rstrip(),
            file=url,
        ) from error


@contextlib.contextmanager
def failing(url: str, what: str) -> Iterator[None]:
    """Convert every exception of a file system to an UnreadableError about a URL."""
    try:
        yield
    except (LinkfixError, MemoryError):
        raise
    except Exception as error:
        raise _failure(url, what, error) from error


def _failure(url: str, what: str, error: Exception) -> UnreadableError:
    cause = error
    # Whatever fails, the file system of HTTP says that there is no file.
    is_any = scheme_of(url) in UNLISTED and isinstance(error, FileNotFoundError)
    if is_any and isinstance(error.__cause__, Exception):
        cause = error.__cause__
    kind = type(cause).__name__
    text = " ".join(str(getattr(cause, "strerror", None) or cause).split())
    hint = ""
    if "Credentials" in kind:
        hint = "set them in the environment, or in the configuration of the package of this scheme"
    elif isinstance(cause, FileNotFoundError):
        hint = "check the name"
        if text in url or "://" in text:  # a path, or the URL of the request, and no message
            text = "there is no such file"
    elif isinstance(cause, PermissionError):
        hint = "check the permissions of these credentials"
    elif isinstance(cause, UnicodeEncodeError):
        text, hint = "its name is not UTF-8", "rename it"
    elif isinstance(cause, OSError) and text.startswith("Unable to load lib"):
        hint = "hdfs:// needs Java and Hadoop: set JAVA_HOME, HADOOP_HOME and CLASSPATH"
    elif scheme_of(url) in ARCHIVES and isinstance(
        cause, AttributeError | KeyError | RecursionError
    ):
        # fsspec opens every member of an archive as a file.
        text = "it is no regular file, and no link to one in this archive"
        hint = "unpack the archive, or leave the file out with --exclude"
    elif isinstance(cause, TypeError):  # an argument of the file system is missing
        hint = "set it in the configuration of fsspec"
    else:
        text = f"{kind}: {text}" if text else kind
    text = text.removesuffix(".")
    text = f"{text[:_QUOTED]}…" if len(text) > _QUOTED else text
    return UnreadableError(f"{what}: {text}", hint=hint, file=url)


# --- Read remote files as streams -----------------------------------------------------------------

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
                opening = open_remote if is_remote(archive[2:]) else open_local
                settings = {"fo": opening(archive[2:])}
            _systems[key] = (version, kind(**settings))
    return _systems[key][1], kind._strip_protocol(head)


def _version(archive: str) -> tuple[int, ...]:
    """Return numbers that differ if an archive on this machine does."""
    if archive and not is_remote(archive):
        with contextlib.suppress(OSError, ValueError):
            found = os.stat(archive)  # noqa: PTH116 - names that Path would change
            return found.st_ino, found.st_size, found.st_mtime_ns
    return ()


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


# --- Write remote files: each one whole or not at all ---------------------------------------------

#: How many bytes are uploaded at once; a smaller object needs one request.
_PART = 16 * 1024 * 1024
#: File systems that show an object once it is whole, and not before.
_OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "memory"})


def check_writable(url: str) -> None:
    """Refuse a URL of a file system that linkfix does not write to.

    Raises:
        UnreadableError: it is one of a web server, or of an archive.

    """
    if (scheme := scheme_of(url)) in UNLISTED | ARCHIVES:
        raise UnreadableError(
            f"nothing can be written to {scheme}://",
            hint="name a folder of this machine, or of an object store",
            file=url,
        )


def upload(url: str, file: BinaryIO) -> None:
    """Make an object of the bytes of a file; the target has its old bytes or all of the new ones.

    An object store shows an object once it is whole. On any other file system a temporary file is renamed.

    Args:
        url: of the object.
        file: open for reading and seeking.

    Raises:
        UnreadableError: it cannot be written; the target is as it was, and the unfinished upload is aborted.

    """
    check_writable(url)
    scheme = scheme_of(url)
    with failing(url, "cannot write it"):
        system, path = system_of(url)
        size = file.seek(0, io.SEEK_END)
        file.seek(0)
        if scheme in _OBJECT_STORES:
            _put(system, path, file, size)
            return
        folder = path.rpartition("/")[0]
        system.makedirs(folder, exist_ok=True)
        temporary = f"{folder}/{temporary_name()}"
        try:
            _put(system, temporary, file, size)
            system.mv(temporary, path)
        except BaseException:
            with contextlib.suppress(Exception):
                system.rm_file(temporary)
            raise


def _put(system: Any, path: str, file: BinaryIO, size: int) -> None:
    if size <= _PART:
        system.pipe_file(path, file.read())
        return
    target = system.open(path, "wb", block_size=_PART)
    try:
        shutil.copyfileobj(file, target, _PART)
        target.close()
    except BaseException:
        # Its close() would complete the upload with what there is.
        with contextlib.suppress(Exception):
            target.discard()
        with contextlib.suppress(Exception):
            target.closed = True
        raise
