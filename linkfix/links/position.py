"""Lines and columns, counted along a document without going over any byte twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkfix.charset import Charset

__all__ = ["Position"]


class Position:
    """A place in a document that moves forward.

    A line ends at LF, CR LF or CR. Columns count code points. Both are from 1.

    Args:
        charset: of the document.

    """

    def __init__(self, charset: Charset) -> None:
        self.line = 1
        self.column = 1
        self._charset = charset
        self._after_cr = False

    def advance(self, source: bytes, state: int = 0) -> None:
        """Move over the next bytes of the document.

        Args:
            source: whole characters.
            state: of the charset's decoder at their beginning.

        """
        if not source:
            return
        if self._charset.unit > 1:
            self._advance(self._charset.decode(source))
            return
        # No character but LF and CR themselves holds those octets, so only what comes after the
        # last line end has to be decoded.
        lines = source.count(b"\n")
        if b"\r" in source:
            lines += source.count(b"\r") - source.count(b"\r\n")
        self._count(lines, source.startswith(b"\n"), source.endswith(b"\r"))
        last = max(source.rfind(b"\n"), source.rfind(b"\r")) + 1
        if last:
            self.column = 1
            state = 0  # a line begins in ASCII
        tail = source[last:]
        # In ISO-2022-JP two octets in ASCII may be one code point, after an escape sequence.
        plain = tail.isascii() and not state and b"\x1b" not in tail
        self.column += len(tail) if plain else self._length(tail, state)

    def _length(self, tail: bytes, state: int) -> int:
        return len(self._charset.decode(tail, state))

    def _advance(self, text: str) -> None:
        lines = text.count("\n") + text.count("\r") - text.count("\r\n")
        self._count(lines, text.startswith("\n"), text.endswith("\r"))
        last = max(text.rfind("\n"), text.rfind("\r")) + 1
        if last:
            self.column = 1
        self.column += len(text) - last

    def _count(self, lines: int, begins_lf: bool, ends_cr: bool) -> None:
        self.line += lines - (self._after_cr and begins_lf)
        self._after_cr = ends_cr
