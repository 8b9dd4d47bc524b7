"""Comments that suppress findings, wherever and in whatever charset they stand.

``<!-- linkfix: ignore ENC001 -->``
    for the next element: the attributes of the next start tag, and the text after it.
``<!-- linkfix: off ENC SIT -->`` … ``<!-- linkfix: on ENC SIT -->``
    for the region between the two; ``on`` by itself ends every region.

Rules are named by codes, beginnings of codes or names, separated by spaces or commas; none means
all of them. The comments are looked for in the ASCII view of the document, in which they look the
same in every charset; text of a script or style that looks like one counts as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkfix.auditing.selection import matches

if TYPE_CHECKING:
    from linkfix.auditing.rule import Rule

__all__ = ["Suppressions"]

_MARK = b"linkfix:"
_COMMENT = re.compile(
    rb"<!--[\t\n\f\r ]*linkfix:[\t\n\f\r ]*(ignore|off|on)\b([\t\n\f\r ,A-Za-z0-9_-]{0,400}?)-->",
    re.IGNORECASE,
)
#: The next start tag and the text after it.
_ELEMENT = re.compile(
    rb"""(?:[^<]++|<(?![A-Za-z]))*+<[A-Za-z](?:[^"'>]++|"[^"]*"|'[^']*')*+>[^<]*+(?=<)"""
)
#: The longest comment that is looked for, and the farthest end of an element, in units.
_LONGEST_COMMENT = 512
_LONGEST_ELEMENT = 64 * 1024


@dataclass(slots=True)
class _Region:
    """Where findings are suppressed, as offsets in the view; `end` is None while it is open."""

    selectors: tuple[str, ...]
    start: int
    end: int | None = None
    element: bool = False


class Suppressions:
    """Read the comments of one document and tell which findings they suppress."""

    def __init__(self) -> None:
        self._regions: list[_Region] = []
        self._kept = b""  # of the view: what may begin a comment, or belong to an element
        self._offset = 0  # where that begins
        self._read = 0  # up to where the comments have been taken
        self._bom = 0
        self._unit = 1

    def locate(self, bom: int, unit: int) -> None:
        """Say how byte offsets and offsets in the view belong together.

        Args:
            bom: length of the byte order mark.
            unit: bytes in one unit of the view.

        """
        self._bom = bom
        self._unit = unit

    def feed(self, view: bytes) -> None:
        """Take the next bytes of the view."""
        buffer = self._kept + view
        if _MARK in buffer.lower():
            for comment in _COMMENT.finditer(buffer, max(0, self._read - self._offset)):
                self._take(comment)
        end = self._offset + len(buffer)
        keep = max(self._read, end - _LONGEST_COMMENT)
        for region in self._regions:
            if region.element and region.end is None:
                element = _ELEMENT.match(buffer, region.start - self._offset)
                if element is not None:
                    region.end = self._offset + element.end()
                elif end - region.start > _LONGEST_ELEMENT:
                    region.end = end
                else:
                    keep = min(keep, region.start)
        self._kept = buffer[max(0, keep - self._offset) :]
        self._offset = end - len(self._kept)

    def _take(self, comment: re.Match[bytes]) -> None:
        verb = comment[1].lower()
        selectors = tuple(re.findall(r"[A-Za-z0-9_-]+", comment[2].decode("ascii")))
        self._read = self._offset + comment.end()
        if verb == b"on":
            for region in self._regions:
                if region.end is None and (not selectors or region.selectors == selectors):
                    region.end = self._offset + comment.start()
        else:
            self._regions.append(_Region(selectors, self._read, element=verb == b"ignore"))

    def covers(self, offset: int, rule: Rule) -> bool:
        """Tell whether a finding of a rule is suppressed at a byte offset of the source."""
        if not self._regions:
            return False
        at = (offset - self._bom) // self._unit
        return any(
            region.start <= at
            and (region.end is None or at < region.end)
            and (not region.selectors or matches(rule, region.selectors))
            for region in self._regions
        )
