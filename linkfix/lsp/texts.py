"""The text of a document in an editor: its positions, and its bytes in the charset of its file.

Lines end at CR, LF or both, and nowhere else (Language Server Protocol 3.17, "Text Documents"). Columns count from 0, in the units
that client and server agreed on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Literal
from urllib.parse import unquote

from linkfix.charset import PREFIX, lookup, sniff
from linkfix.errors import LinkfixError
from linkfix.files.access import found_content
from linkfix.markup.detect import DocumentType, type_of_name

if TYPE_CHECKING:
    from linkfix.charset import Charset, Sniffed
    from linkfix.links import Link

#: The units of columns, as the protocol calls them: an encoding without a byte order mark, and its bytes for one unit.
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
#: The syntax of declarations of the charset, by the type of a document.
_SYNTAX: dict[DocumentType, Literal["html", "xml", "css", "json", "text", "http"]] = {
    "html": "html", "xhtml": "xml", "xml": "xml", "css": "css", "json": "json", "text": "text", "http": "http",
}  # fmt: skip
_LINE_END = re.compile(r"\r\n?|\n")
#: What stands for a character that the charset of the file lacks: one code point.
_MISSING = "?"


class _Named(BytesIO):
    """Bytes with the name of a file."""

    name = ""


@dataclass(frozen=True)
class Text:
    """The text of a document, as an editor holds it.

    Args:
        source: the characters, without a byte order mark.
        path: of its file.
        unit: of columns: ``utf-8``, ``utf-16`` or ``utf-32``.
        before: the charset of its earlier text, which an editor keeps; None for no earlier one.

    """

    source: str
    path: str
    unit: str = "utf-16"
    before: Charset | None = None

    @cached_property
    def _starts(self) -> list[int]:
        """The code points at which lines begin."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.source))]

    def _line(self, line: int) -> str:
        start = self._starts[line]
        return _LINE_END.split(self.source[start : self._end(line)], maxsplit=1)[0]

    def _end(self, line: int) -> int:
        return self._starts[line + 1] if line + 1 < len(self._starts) else len(self.source)

    def offset(self, line: int, column: int) -> int:
        """Return the code point at a position; a column behind the end of its line is that end."""
        if line >= len(self._starts):
            return len(self.source)
        codec, size = _UNITS[self.unit]
        octets = self._line(line).encode(codec, "surrogatepass")[: column * size]
        return self._starts[line] + len(octets.decode(codec, "ignore"))

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a code point."""
        line = bisect_right(self._starts, offset) - 1
        codec, size = _UNITS[self.unit]
        before = self.source[self._starts[line] : offset]
        return line, len(before.encode(codec, "surrogatepass")) // size

    @cached_property
    def _sniffed(self) -> Sniffed | None:
        """What says in which charset the file is: Unicode of more than one octet a unit, the text, or the file."""
        kind = _SYNTAX[type_of_name(self.path) or "html"]
        octets = found_content(self.path, PREFIX)
        try:
            stored = sniff(octets, type=kind, final=True) if octets else None
        except LinkfixError:
            stored = None
        if stored is not None and (stored.charset.unit > 1 or stored.bom):
            return stored
        octets = self.source[:PREFIX].encode("utf-8", "surrogatepass")
        try:
            written = sniff(octets, type=kind, final=True)
        except LinkfixError:
            return stored
        return written if stored is None or (written is not None and written.declared) else stored

    @property
    def charset(self) -> Charset:
        """The charset of the document; UTF-8 where neither text nor file says it."""
        sniffed = self._sniffed
        if self.before is not None and not (sniffed is not None and sniffed.declared):
            return self.before
        is_known = sniffed is not None and (sniffed.declared or sniffed.step == "detected")
        found = sniffed.charset if sniffed is not None and is_known else None
        return found or lookup("utf-8")

    @property
    def has_mark(self) -> bool:
        """Whether the file begins with a byte order mark."""
        return self._sniffed is not None and self._sniffed.bom > 0

    @cached_property
    def data(self) -> bytes:
        """The bytes of the document, as the editor would save them; "?" stands for characters that its charset lacks."""
        charset = self.charset
        text = "\ufeff" * self.has_mark + self.source
        return charset.encode(text, missing=lambda _: charset.encode(_MISSING))

    def file(self) -> BinaryIO:
        """Return a file of `data` with the name of the document."""
        file = _Named(self.data)
        file.name = self.path
        return file

    def span(self, link: Link) -> tuple[int, int]:
        """Return the first code point of the spelling of a link, and the one behind its last."""
        start = self._starts[link.line - 1] + link.column - 1
        octets = self.data[link.start : link.end]
        return start, start + len(link.charset.decode(octets, link.state))

    def named(self, fragment: str) -> int:
        """Return the code point at which the element with a name begins; 0 if there is none."""
        name = re.escape(unquote(fragment))
        found = re.search(rf"""<[^<>]*\b(?:id|name)\s*=\s*["']?{name}(?=["'\s>])""", self.source)
        return found.start() if found and fragment else 0
