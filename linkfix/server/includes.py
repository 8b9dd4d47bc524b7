"""Instructions of Apache that put another file into a document (mod_include: ``<!--#include virtual="…" -->``)."""

import os
import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

_INCLUDE = re.compile(
    rb"""<!--#include\s+(virtual|file)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')""", re.IGNORECASE
)
#: How many bytes of an instruction are looked at.
_LONGEST = 4096


class Include(NamedTuple):
    """An instruction.

    Attributes:
        offset: of its first byte in the document.
        line: its line, from 1.
        name: what it names, percent escapes decoded, without a query.
        is_rooted: whether that is a path from the root of the site; otherwise it is one from the folder of the document.

    """

    offset: int
    line: int
    name: str
    is_rooted: bool

    def target(self, path: str) -> str:
        """Return the path from the root of the site of what it names in the document at a path."""
        folder = "" if self.is_rooted else posixpath.dirname(path)
        return posixpath.normpath(posixpath.join("/", folder, self.name)).lstrip("/")


class IncludeScanner:
    """Find the instructions of one document.

    Attributes:
        window: the bytes that were looked at last.

    """

    def __init__(self) -> None:
        self.window: bytes = b""
        self._offset = 0
        self._line = 1

    def feed(self, data: bytes) -> Iterator[Include]:
        """Yield the instructions in the next bytes, which are ASCII where markup is; some of them twice."""
        kept = max(self.window.rfind(b"<!--#"), len(self.window) - _LONGEST, 0)
        self._offset += kept
        self._line += self.window.count(b"\n", 0, kept)
        self.window = self.window[kept:][:_LONGEST] + data
        for match in _INCLUDE.finditer(self.window):
            name = os.fsdecode(unquote_to_bytes((match[2] or match[3] or b"").partition(b"?")[0]))
            is_rooted = name.startswith("/") and match[1].lower() == b"virtual"
            start = match.start()
            line = self._line + self.window.count(b"\n", 0, start)
            yield Include(self._offset + start, line, name, is_rooted)
