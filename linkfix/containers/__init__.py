"""Containers: files that hold documents, such as EPUB, OpenDocument, Office and ZIP files, and tar archives.

A container is read from an open file, and written to one. Its members are named by their paths in it. A member that does not
change keeps its octets, its header included; so do the order of the members and what is between them. Nothing is unpacked
to a path that a container names. The weak spot: a member is decompressed as a whole before it is read.
"""

from __future__ import annotations

from linkfix.containers.members import Container, opened

__all__ = ["Container", "opened"]
