"""Lines and columns, counted forwards, so that each byte of a document is counted once."""

from __future__ import annotations

from linkfix.charset import Charset


class Position:
    """A position that moves forwards in a document.

    A line ends at LF, CR LF or CR. Columns count code points. Both are from 1.

    Args:
        charset: charset of the document.

    Attributes:
        line: line of the position.
        column: column of the position.

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
        """Move over the next bytes of the document, which are whole characters.

        Args:
            source: bytes of the document.
            start: index of the first byte to move over.
            end: index after the last one.
            state: state of the charset's decoder at `start`.
            cr: whether one of the bytes may be a CR.

        """
        if start == end:
            return
        if self._wide:
            self._advance(self._charset.decode(source[start:end]))
            return
        # No other character contains the octets of LF and CR. So only the bytes after the last line end are decoded.
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
        is_ascii = tail.isascii() and not (self._has_states and (state or b"\x1b" in tail))
        self.column += len(tail) if is_ascii else len(self._charset.decode(tail, state))

    def each(
        self, source: bytes, start: int, ends: list[int], *, cr: bool = True
    ) -> tuple[list[int], list[int]]:
        """Move to several positions, one after the other; return their lines and their columns.

        Args:
            source: bytes of the document, in a charset without states.
            start: index of the first byte to move over.
            ends: index of each position, ascending, between whole characters.
            cr: whether one of the bytes may be a CR.

        """
        lines: list[int] = []
        columns: list[int] = []
        if not ends:
            return lines, columns
        count, rfind, until = source.count, source.rfind, ends[-1]
        ends_lines = cr and count(b"\r", start, until) != count(b"\r\n", start, until)
        if self._wide or ends_lines or self._after_cr:  # a CR without LF ends a line
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
            column += len(tail) if tail.isascii() else len(self._charset.decode(tail))
            start = end
            lines.append(line)
            columns.append(column)
        self.line, self.column = line, column
        return lines, columns

    def _advance(self, text: str) -> None:
        lines = text.count("\n") + text.count("\r") - text.count("\r\n")
        self.line += lines - (self._after_cr and text.startswith("\n"))
        self._after_cr = text.endswith("\r")
        last = max(text.rfind("\n"), text.rfind("\r")) + 1
        if last:
            self.column = 1
        self.column += len(text) - last
