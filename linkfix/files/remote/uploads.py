"""Write remote files: each one whole or not at all."""

import contextlib
import io
import shutil
from typing import Any, BinaryIO

from linkfix.errors import UnreadableError
from linkfix.files.paths import ARCHIVES, UNLISTED, parent, scheme_of, temporary_name
from linkfix.files.remote.reading import system_of
from linkfix.files.remote.systems import failing

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
        folder = parent(path)
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
