"""Keep a rewrite from moving a declaration of the charset across byte 1,024.

Browsers look for the declaration in the first 1,024 bytes of a document, and after them only in its head (HTML
Standard, 13.2.3.2). Links before it that grow or shrink move it; past the border another charset applies to the
whole page. So each new value is tested first: with the values so far, this one and the rest of the source, the
document must declare the charset of the source. After the first value that fails, no other one before the border is
written: otherwise a value that shrinks would make room for it in a second rewrite. Only links within the first 1,024
bytes of the output can matter, and the bytes that sniffing waits for are enough to know.
"""

from functools import cached_property

from linkfix.charset import PREFIX, PRESCAN, Charset, Sniffed, declaration_end, declared_charset

#: Why a link is left.
MOVES_DECLARATION = (
    "it, or a link before it, would move the declaration of the charset across byte 1,024"
)


class Border:
    """The first bytes of a rewritten HTML document.

    Args:
        source: the first bytes of the document, at least those from which the charset was sniffed.
        sniffed: the sniffed charset.

    """

    def __init__(self, source: bytes, sniffed: Sniffed) -> None:
        # With a label, sniffing waits for the prescan alone: chunks must make no difference here.
        self._source = source[: PRESCAN if sniffed.step == "label" else PREFIX]
        self._refused = False
        self._written = b""
        #: The part of the source that is rewritten so far.
        self._position = 0
        self._has_mark = bool(sniffed.bom)

    @cached_property
    def _declared(self) -> Charset | None:
        return declared_charset(self._source)

    @cached_property
    def _declaration(self) -> int | None:
        """Byte offset in the source at which the declaration ends; None for no declaration."""
        return declaration_end(self._source)

    @cached_property
    def _end(self) -> int:
        """Byte offset in the source from which on nothing can move a declaration."""
        if self._has_mark:  # nothing counts after it
            return 0
        if self._declaration is not None:
            return self._declaration
        # Nothing declares a charset without this word.
        return len(self._source) if b"charset" in self._source.lower() else 0

    def beyond(self, start: int) -> bool:
        """Return whether a link at this byte offset of the source is too late to matter."""
        return start >= self._end or len(self._written) + start - self._position >= PRESCAN

    def allows(self, start: int, end: int, new: bytes) -> bool:
        """Return whether the declaration is still found with new bytes for a link.

        Args:
            start: byte offset of the link in the source, after the links written so far.
            end: byte offset after it.
            new: the bytes.

        """
        if self.beyond(start):
            return True
        before = self._written + self._source[self._position : start]
        document = before + new + self._source[end:]
        # It has to be the same declaration, which no link may contain.
        expected = None
        if self._declaration is not None:
            expected = len(before) + len(new) + self._declaration - end
            expected = expected if expected <= PRESCAN else None
        self._refused = (
            self._refused
            or declared_charset(document) != self._declared
            or declaration_end(document) != expected
        )
        return not self._refused

    def write(self, start: int, end: int, new: bytes) -> None:
        """Record the new bytes of a link."""
        if not self.beyond(start):
            self._written += self._source[self._position : start] + new
            self._position = end
