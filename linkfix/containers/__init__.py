"""Containers: files that hold documents, such as EPUB, OpenDocument, Office and ZIP files, tar archives, and messages.

A container is read from an open file, and written to one. Its members are named by their paths in it. A member that does not
change keeps its octets, its header included; so do the order of the members and what is between them. Nothing is unpacked
to a path that a container names. The weak spot: a member is decompressed as a whole before it is read.
"""

from typing import BinaryIO

from linkfix.containers.members import Changes, Container
from linkfix.markup.detect import container_kind

__all__ = ["Changes", "Container", "opened"]


def opened(file: BinaryIO, name: str) -> Container:
    """Return the container in a file.

    Args:
        file: it can be read again, and stays open as long as the container is used.
        name: of the file, for its kind.

    Raises:
        LinkfixError: it is damaged, or goes over a limit.

    """
    kind = container_kind(name)
    if kind == "message":
        from linkfix.containers.messages import MessageContainer

        return MessageContainer(file)
    from linkfix.containers.archives import TarContainer, ZipContainer

    return (TarContainer if kind == "tar" else ZipContainer)(file)
