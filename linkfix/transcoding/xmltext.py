"""The text of well-formed XML in which references are read: character data and tags.

Comments, CDATA sections, processing instructions and the document type declaration are passed over.
"""

import re

from linkfix.errors import LimitExceededError
from linkfix.markup.html.tokenizer import MAX_TAG
from linkfix.markup.references import MAX_REFERENCE, references_in_xml, unfinished_reference
from linkfix.markup.xml.tags import MARKS
from linkfix.transcoding.report import TranscodingReport
from linkfix.transcoding.tags import Edit
from linkfix.transcoding.unescape import unescaped

_TAG = re.compile(rb"""<(?:[^"'>]++|"[^"]*"|'[^']*')*+>""")
#: XML 1.0, 2.8 [28] and [28b]: literals, comments and instructions may contain brackets.
_DOCTYPE = re.compile(
    rb"""<!DOCTYPE(?:[^"'\[>]++|"[^"]*"|'[^']*')*+"""
    rb"""(?:\[(?:[^\]"'<]++|"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|<(?!!--|\?))*+\][\t\n\r ]*+)?+>""",
    re.DOTALL,
)


class XMLCharacters:
    """Find the character references of a document in UTF-8 that become characters.

    Args:
        report: records them.

    Attributes:
        offset: the byte offset before which all edits have been returned.

    """

    def __init__(self, report: TranscodingReport) -> None:
        self.offset: int = 0
        self._report = report
        self._held = b""
        self._wanted = 0
        self._until = b""

    def feed(self, data: bytes) -> list[Edit]:
        """Read the next bytes; return the edits that they complete.

        Raises:
            LimitExceededError: a tag is too long to wait for.

        """
        self._held += data
        return [] if len(self._held) < self._wanted else self._edits(final=False)

    def close(self) -> list[Edit]:
        """End the document; return the last edits."""
        return self._edits(final=True)

    def _edits(self, *, final: bool) -> list[Edit]:
        held, position, waits = self._held, 0, False
        edits: list[Edit] = []
        while position < len(held) and not waits:
            start, position, waits = self._step(held, position, final=final)
            piece, after = held[start:position], held[position : position + MAX_REFERENCE + 3]
            if b"&" in piece:
                edits += unescaped(piece, self.offset + start, references_in_xml, after)
        self._report.references += len(edits)
        position = len(held) if final else position
        self._held = held[position:]
        self.offset += position
        if len(self._held) > MAX_TAG:
            raise LimitExceededError(
                f"a tag is longer than {MAX_TAG} bytes",
                hint="look for a missing quote there",
                offset=self.offset,
            )
        self._wanted = len(self._held) * 3 // 2 + 1
        return edits

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
        for start, until in MARKS.items():
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
