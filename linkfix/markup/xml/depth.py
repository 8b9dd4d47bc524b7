"""Count the open elements without a match of each tag.

Input: stretches of markup that expat has found well-formed. Output: the index of a tag that exceeds the limit.
Start tags, end tags and empty-element tags are counted by their octets, which is much faster than matching them. If a
stretch may exceed the limit, its tags are matched one by one.
"""

from __future__ import annotations

import re

#: Comments, CDATA sections and instructions, which can contain the octets of tags (XML 1.0, 2.5, 2.6, 2.7).
_NO_TAGS = re.compile(rb"<(?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?)>", re.DOTALL)
_TAG = re.compile(rb"""<(/?)[^\t\n\r />]++(?:[^"'>/]++|"[^"]*+"|'[^']*+'|/(?!>))*+(/?)>""")
#: The length of a stretch in bytes.
_STRETCH = 32 * 1024


class Depth:
    """Count the elements that are open in a document.

    Args:
        limit: the most elements that may be open.

    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._open = 0

    def add(self, view: bytes, start: int, end: int, *, final: bool) -> int | None:
        """Count the next whole tags of the document.

        Args:
            view: the view of the document.
            start: index at which the tags begin.
            end: index at which they end.
            final: whether these are the last tags.

        Returns:
            The index of the tag that exceeds the limit; None for no such tag.

        """
        if final and self._open + view.count(b"<", start, end) <= self._limit:
            return None
        tags = view[start:end]
        if b"<!" in tags or b"<?" in tags:
            tags = _NO_TAGS.sub(_blank, tags)
        at = 0
        while at < len(tags):
            stop = tags.find(b"<", at + _STRETCH)
            stop = len(tags) if stop < 0 else stop
            found = self._add_stretch(tags, at, stop)
            if found is not None:
                return start + found
            at = stop
        return None

    def _add_stretch(self, tags: bytes, start: int, end: int) -> int | None:
        ends = tags.count(b"</", start, end)
        starts = tags.count(b"<", start, end) - ends
        if self._open + starts > self._limit:
            return self._add_each(tags, start, end)
        self._open += starts - ends - _empty(tags, start, end)
        return None

    def _add_each(self, tags: bytes, start: int, end: int) -> int | None:
        for found in _TAG.finditer(tags, start, end):
            if found[1]:
                self._open -= 1
                continue
            if self._open and self._open >= self._limit:
                return found.start()
            self._open += not found[2]
        return None


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _empty(tags: bytes, start: int, end: int) -> int:
    """Return the number of empty-element tags."""
    count = tags.count(b"/>", start, end)
    if count and tags.count(b">", start, end) != tags.count(b"<", start, end):
        # There is a ">" in text or in a value: count the tags themselves.
        return sum(1 for found in _TAG.finditer(tags, start, end) if found[2])
    return count
