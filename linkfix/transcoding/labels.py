"""The labels of charsets in declarations, and what is written instead of them."""

import re

from linkfix.charset import lookup
from linkfix.charset.prescan import CHARSET_RULE
from linkfix.errors import LinkfixError
from linkfix.links.link import Markup
from linkfix.transcoding.report import Declared, TranscodingReport

#: HTML standard, 2.5.4 "extracting a character encoding from a meta element": the label alone.
CONTENT_LABEL = re.compile(
    r"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))",
    re.IGNORECASE | re.ASCII,
)
#: XML 1.0, 4.3.3 [80]; HTML standard, 13.2.3.2 "get an XML encoding".
_XML_ENCODING = re.compile(
    rb"<\?xml[\t\n\r ][^>]*?[\t\n\r \"']encoding[\x00-\x20]*=[\x00-\x20]*(?:\"([^\">]*)\"|'([^'>]*)')"
)
#: The longest XML declaration in bytes that is waited for.
_LIMIT = 1024
_RULE = b'@charset "utf-8";'


def is_utf8(label: str) -> bool:
    """Return whether a label names UTF-8."""
    try:
        return lookup(label, xml=True).name == "UTF-8"
    except LinkfixError:
        return False


class Prolog:
    """Correct the beginning of a document in UTF-8: its XML declaration, or its ``@charset``.

    Args:
        markup: the kind of document.
        report: records the changes.
        marked: whether a byte order mark precedes the document.

    """

    def __init__(self, markup: Markup, report: TranscodingReport, *, marked: bool) -> None:
        self._markup = markup
        self._marked = marked
        self._report = report
        self._held: bytes | None = b""

    def feed(self, data: bytes) -> bytes:
        """Read the next bytes; return the finished ones."""
        if self._held is None:
            return data
        self._held += data
        if self._markup == "css":  # whether it needs a declaration shows only at its end
            return b""
        start = self._held[:_LIMIT]
        if len(start) < _LIMIT and b">" not in start and b"<?xml".startswith(start[:5]):
            return b""
        return self.close()

    def close(self) -> bytes:
        """End the document; return the buffered bytes."""
        held, self._held = self._held, None
        if not held:
            return b""
        if self._markup == "css":
            return self._style_sheet(held)
        found = _XML_ENCODING.match(held, 0, _LIMIT)
        if found is None:
            return held
        start, end = found.span(found.lastindex or 1)
        label = held[start:end].decode("latin-1")
        if is_utf8(label):
            return held
        self._report.declarations.append(Declared("xml-declaration", label, "UTF-8"))
        return held[:start] + b"UTF-8" + held[end:]

    def _style_sheet(self, sheet: bytes) -> bytes:
        found = CHARSET_RULE.match(sheet)
        if found is not None:
            label = found[1].decode("latin-1")
            if is_utf8(label):
                return sheet
            self._report.declarations.append(Declared("@charset", label, "utf-8"))
            return _RULE + sheet[found.end() :]
        if sheet.isascii() or self._marked:
            return sheet
        self._report.declarations.append(Declared("@charset", "", "utf-8"))
        line_end = b"\r\n" if b"\r\n" in sheet else b"\n"
        return _RULE + line_end + sheet
