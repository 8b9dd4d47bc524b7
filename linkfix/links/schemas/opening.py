"""Open the files of schemas and catalogs: local, regular files and nothing else.

A catalog or a schema can name any file. A named pipe would make the run wait for ever and a device never
end, so neither is opened; nothing is fetched from a network. This is the one module left of `linkfix.site` that
opens files: what a schema includes is known only while it is compiled.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from linkfix.errors import UnreadableError

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["is_inside", "local_path", "local_uri", "open_file", "parse"]

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


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
    """Tell whether a path leads into a folder, once symbolic links are followed.

    Args:
        path: of a file that need not be there.
        folder: path of the folder, or of a file in it; a slash at the end tells them apart.

    """
    root = os.path.realpath(folder if folder.endswith("/") else os.path.dirname(folder))  # noqa: PTH120 - a slash counts
    return Path(os.path.realpath(path)).is_relative_to(root)


def open_file(path: str) -> BinaryIO:
    """Open a regular file.

    Raises:
        UnreadableError: there is none.

    """
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableError(f"cannot read it: {reason}", file=path) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableError("cannot read it: this is no regular file", file=path)
    return os.fdopen(descriptor, "rb")


def parse(path: str, what: str, **options: Any) -> Any:
    """Parse an XML file; entities are not resolved.

    Args:
        path: of the file.
        what: it is called in messages.
        options: more of ``lxml.etree.XMLParser``.

    Returns:
        The tree of lxml.

    Raises:
        UnreadableError: there is no such file, or it is not well-formed.

    """
    from lxml import etree

    parser = etree.XMLParser(no_network=True, resolve_entities=False, **options)
    with open_file(path) as file:
        try:
            return etree.parse(file, parser, base_url=path)
        except (OSError, etree.XMLSyntaxError) as error:
            raise UnreadableError(f"cannot read this {what}: {error}", file=path) from None
