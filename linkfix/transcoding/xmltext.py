"""The text of well-formed XML in which references are read: character data and tags.

Comments, CDATA sections, processing instructions and the document type declaration are passed over.
"""

import re

from linkfix.errors import LimitExceededError
from linkfix.markup.html.tokenizer import MAX_TAG
from linkfix.markup.references import MAX_REFERENCE, unfinished_reference

#: The beginning and the end of each construct without references.
_ENDS = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
_TAG = re.compile(rb"""<(?:[^"'>]++|"[^"]*"|'[^']*')*+>""")
#: XML 1.0, 2.8 [28] and [28b]: literals, comments and instructions may contain brackets.
_DOCTYPE = re.compile(
    rb"""<!DOCTYPE(?:[^"'\[>]++|"[^"]*"|'[^']*')*+"""
    rb"""(?:\[(?:[^\]"'<]++|"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|<(?!!--|\?))*+\][\t\n\r ]*+)?+>""",
    re.DOTALL,
)


class XMLText:
    """Find the pieces of a document in UTF-8 that have ampersands in them.

    Attributes:
        offset: the byte offset before which everything has been processed.

    """

    def __init__(self) -> None:
        self.offset: int = 0
        self._held = b""
        self._wanted = 0
        self._until = b""

    def feed(self, data: bytes) -> list[tuple[int, bytes, bytes]]:
        """Read the next bytes; return pieces as tuples: byte offset, piece, following text.

        Raises:
            LimitExceededError: a tag is too long to wait for.

        """
        self._held += data
        return [] if len(self._held) < self._wanted else self._run(final=False)

    def close(self) -> list[tuple[int, bytes, bytes]]:
        """End the document; return the last pieces."""
        return self._run(final=True)

    def _run(self, *, final: bool) -> list[tuple[int, bytes, bytes]]:
        held = self._held
        pieces: list[tuple[int, bytes, bytes]] = []
        position = 0
        while position < len(held):
            start, position, waits = self._step(held, position, final=final)
            if b"&" in held[start:position]:
                after = held[position : position + MAX_REFERENCE + 3]
                pieces.append((self.offset + start, held[start:position], after))
            if waits:
                break
        if final:
            position = len(held)
        self._held = held[position:]
        self.offset += position
        if len(self._held) > MAX_TAG:
            raise LimitExceededError(
                f"a tag is longer than {MAX_TAG} bytes",
                hint="look for a missing quote there",
                offset=self.offset,
            )
        self._wanted = len(self._held) * 3 // 2 + 1
        return pieces

    def _step(self, held: bytes, position: int, *, final: bool) -> tuple[int, int, bool]:
        """Read on from a position; return the piece up to the new one, and whether to wait there."""
        if self._until:
            end = held.find(self._until, position)
            if end < 0:
                end = max(position, len(held) - len(self._until) + 1)
                return end, end, True
            end += len(self._until)
            self._until = b""
            return end, end, False
        at = held.find(b"<", position)
        if at < 0 and not final:
            return position, unfinished_reference(held, position, len(held)), True
        if at != position:
            return position, at if at >= 0 else len(held), False
        for start, until in _ENDS.items():
            if held.startswith(start, at):
                self._until = until
                return at + len(start), at + len(start), False
            if start.startswith(held[at : at + len(start)]):
                return at, at, True
        is_declaration = held.startswith(b"<!", at)
        found = (_DOCTYPE if is_declaration else _TAG).match(held, at)
        if found is None:
            return at, at, True
        return found.end() if is_declaration else at, found.end(), False
