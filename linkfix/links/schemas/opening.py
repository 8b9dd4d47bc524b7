"""Open the files of schemas and catalogs: local, regular files and nothing else.

A catalog or a schema can name any file. A named pipe can block the run, and a device can have no end; so neither is
opened. Nothing is fetched from a network. Of the folders up to `linkfix.policy`, only this module opens files: the
files that a schema includes are known only while it is compiled.
"""

import os
import stat
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote, urlsplit

from linkfix.errors import UnreadableError

#: The largest schema or catalog in bytes.
_LARGEST = 64 * 1024 * 1024
#: Windows has no special files that an `open` could wait for.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK"))


def local_path(uri: str) -> str | None:
    """Return the path of the local file that a ``file`` URI or a relative reference names, or None."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.netloc not in {"", "localhost"} or parts.scheme not in {"", "file"}:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    return path if path and "\0" not in path else None


def local_uri(path: str) -> str:
    """Return the ``file`` URI of a path."""
    return Path(path).absolute().as_uri()


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path is inside a folder after symbolic links are resolved.

    Args:
        path: path of a file, which need not exist.
        folder: path of the folder, with a slash at its end; or path of a file in it.

    """
    root = os.path.realpath(folder if folder.endswith("/") else os.path.dirname(folder))  # noqa: PTH120 - a slash counts
    return Path(os.path.realpath(path)).is_relative_to(root)


def open_file(path: str) -> BinaryIO:
    """Open a regular file.

    Raises:
        UnreadableError: there is none, or it is too large for a schema or a catalog.

    """
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableError(f"cannot read it: {reason}", file=path) from None
    status = os.fstat(descriptor)
    is_file = stat.S_ISREG(status.st_mode)
    if not is_file or status.st_size > _LARGEST:
        os.close(descriptor)
        why = f"it has more than {_LARGEST >> 20} MiB" if is_file else "this is no regular file"
        raise UnreadableError(f"cannot read it: {why}", file=path)
    return os.fdopen(descriptor, "rb")


def parse(path: str, what: str, **options: Any) -> Any:
    """Parse an XML file; entities are not resolved.

    Args:
        path: path of the file.
        what: the noun for the file in messages.
        options: further options of ``lxml.etree.XMLParser``.

    Returns:
        The tree of lxml.

    Raises:
        UnreadableError: there is no such file, or it is not well-formed.

    """
    from lxml import etree

    parser = etree.XMLParser(no_network=True, resolve_entities=False, **options)
    with open_file(path) as file:
        if path.lower().endswith((".rnc", ".dtd")):
            hint = "convert it to RELAX NG in XML, as trang does"
            raise UnreadableError(f"cannot read this {what}: it is not XML", hint=hint, file=path)
        try:
            return etree.parse(file, parser, base_url=path)
        except (OSError, etree.XMLSyntaxError) as error:
            raise UnreadableError(f"cannot read this {what}: {error}", file=path) from None
