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
        self._wide = charset.unit > 1
        self._has_states = charset.has_states
        self._after_cr = False

    def advance(
        self, source: bytes, start: int, end: int, state: int = 0, *, cr: bool = True
    ) -> None:
        """Move over the next bytes of the document.

        Args:
            source: bytes of the document.
            start: where in them those begin that are moved over, whole characters.
            end: where they end.
            state: of the charset's decoder at `start`.
            cr: whether there may be a CR among them.

        """
        if start == end:
            return
        if self._wide:
            self._advance(self._charset.decode(source[start:end]))
            return
        # No character but LF and CR themselves holds those octets, so only what comes after the
        # last line end has to be decoded.
        lines = source.count(b"\n", start, end)
        last = source.rfind(b"\n", start, end) if lines else -1
        if self._after_cr or (cr and source.find(b"\r", start, end) >= 0):
            lines += source.count(b"\r", start, end) - source.count(b"\r\n", start, end)
            lines -= self._after_cr and source.startswith(b"\n", start)
            self._after_cr = source.endswith(b"\r", start, end)
            last = max(last, source.rfind(b"\r", start, end))
        if last >= 0:
            self.line += lines
            self.column = 1
            start, state = last + 1, 0  # a line begins in ASCII
        tail = source[start:end]
        # In ISO-2022-JP two octets in ASCII may be one code point, after an escape sequence.
        plain = tail.isascii() and not (self._has_states and (state or b"\x1b" in tail))
        self.column += len(tail) if plain else self._length(tail, state)

    def each(
        self, source: bytes, start: int, ends: list[int], *, cr: bool = True
    ) -> tuple[list[int], list[int]]:
        """Move over the next bytes to several places, and give their lines and their columns.

        Args:
            source: bytes of the document, in a charset without states.
            start: where in them those begin that are moved over, whole characters.
            ends: where they end, one after the other.
            cr: whether there may be a CR among them.

        """
        lines: list[int] = []
        columns: list[int] = []
        if not ends:
            return lines, columns
        count, rfind, until = source.count, source.rfind, ends[-1]
        ends_lines = cr and count(b"\r", start, until) != count(b"\r\n", start, until)
        if self._wide or ends_lines or self._after_cr:  # a CR by itself does
            for end in ends:
                self.advance(source, start, end, cr=cr)
                lines.append(self.line)
                columns.append(self.column)
                start = end
            return lines, columns
        line, column = self.line, self.column
        for end in ends:
            new = count(b"\n", start, end)
            if new:
                line += new
                column = 1
                start = rfind(b"\n", start, end) + 1
            tail = source[start:end]
            column += len(tail) if tail.isascii() else self._length(tail, 0)
            start = end
            lines.append(line)
            columns.append(column)
        self.line, self.column = line, column
        return lines, columns

    def _length(self, tail: bytes, state: int) -> int:
        return len(self._charset.decode(tail, state))

    def _advance(self, text: str) -> None:
        lines = text.count("\n") + text.count("\r") - text.count("\r\n")
        self.line += lines - (self._after_cr and text.startswith("\n"))
        self._after_cr = text.endswith("\r")
        last = max(text.rfind("\n"), text.rfind("\r")) + 1
        if last:
            self.column = 1
        self.column += len(text) - last
