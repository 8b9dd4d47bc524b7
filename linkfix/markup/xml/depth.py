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
        # As many of the last tags are end tags as elements are open or begin there.
        if final and (self._open + view.count(b"<", start, end)) // 2 < self._limit:
            return None
        tags = view[start:end]
        if b"<!" in tags or b"<?" in tags:
            tags = _NO_TAGS.sub(lambda found: b" " * len(found[0]), tags)
        at = 0
        while at < len(tags):
            stop = tags.find(b"<", at + _STRETCH)
            stop = len(tags) if stop < 0 else stop
            both, ends = tags.count(b"<", at, stop), tags.count(b"</", at, stop)
            empty = tags.count(b"/>", at, stop)
            # With a ">" in text or in a value the tags themselves are counted.
            is_sure = not empty or tags.count(b">", at, stop) == both
            if is_sure and self._open + both - ends <= self._limit:
                self._open += both - 2 * ends - empty
            else:
                for found in _TAG.finditer(tags, at, stop):
                    if found[1]:
                        self._open -= 1
                    elif self._open and self._open >= self._limit:
                        return start + found.start()
                    else:
                        self._open += not found[2]
            at = stop
        return None
