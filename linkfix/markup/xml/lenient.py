"""Read the tags of XML that is not well-formed.

Input: the view from the error on, and the open elements of the strict reader. Output: tags for `Elements`. No
standard defines how to read such a document. The aim is to find the links that its author intended, if their bytes are
certain. The weak spot: the content of an unclosed comment or value is read as markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.markup.xml.tags import MARKS, Buffer

if TYPE_CHECKING:
    from linkfix.markup.xml.elements import Elements

_NAME = rb"[^\t\n\r />!?=<\"'][^\t\n\r />=<]*+"
_WHOLE = re.compile(
    rb"<(?:(?P<skipped>![^-\[<>][^<>]*>)"
    rb"|/(?P<end>[^\t\n\r <>]*)[^<>]*>"
    rb"|(?P<start>" + _NAME + rb")(?:[^\"'<>]|\"[^\"<]*\"|'[^'<]*')*+>)"
)
#: A start tag in which quotes are missing, or a "<" that begins none.
_BROKEN = re.compile(rb"<(?:(?P<skipped>!)?(?P<start>" + _NAME + rb")[^<>]*>)?")
_STARTS = tuple(MARKS)
_LONGEST_START = max(map(len, _STARTS))
_ATTRIBUTE = re.compile(
    rb"""([^\t\n\r =/"'<>]+)[\t\n\r ]*=[\t\n\r ]*(?:"([^"<>]*)"|'([^'<>]*)'|([^\t\n\r "'<>]+))"""
)


class LenientReader:
    """Find tags and the text of elements in a document with errors.

    Args:
        buffer: the buffered part of the document.
        elements: turns tags into events.

    Attributes:
        offset: offset in the view before which every byte has been read.

    """

    def __init__(self, buffer: Buffer, elements: Elements) -> None:
        elements.is_lenient = True
        if elements.opened is not None and not elements.opened.literal:
            elements.opened = None
        self._buffer = buffer
        self._elements = elements
        self._most = elements.limits.token
        self.offset: int = buffer.base
        #: The names of the open elements, and the indices of each name in that list.
        self._open: list[bytes] = []
        self._indices: dict[bytes, list[int]] = {}
        #: Opening marks of tokens that have no end in the rest of the view.
        self._endless: set[bytes] = set()

    def read(self, *, final: bool) -> None:
        """Read the tokens that are buffered; with `final` the document ends there."""
        view, base = self._buffer.view, self._buffer.base
        self._endless.clear()
        at = self.offset - base
        while (at := view.find(b"<", at)) >= 0:
            end = self._end_of_long(at)
            if end < 0:
                match = self._token(at, final=final)
                if match is None:
                    break
                self._read(match)
                end = match.end()
            at = end
        self.offset = base + (len(view) if at < 0 else at)
        opened = self._elements.opened
        if opened is not None and self.offset - opened.start > self._most:
            self._elements.opened = None

    def _end_of_long(self, position: int) -> int:
        """Return the end of the whole token that begins here and can contain a "<"; -1 for no such token."""
        view = self._buffer.view
        for start, end in MARKS.items():
            if view.startswith(start, position) and start not in self._endless:
                found = view.find(end, position + len(start))
                if found >= 0:
                    return found + len(end)
                self._endless.add(start)
        return -1

    def _token(self, position: int, *, final: bool) -> re.Match[bytes] | None:
        """Return the token at a "<", or a match of that character for no token; None to wait for more bytes."""
        view = self._buffer.view
        match = _WHOLE.match(view, position)
        if match is not None:
            return match
        if len(view) - position <= self._most and not final:
            begins = view[position : position + _LONGEST_START]
            is_long = begins.startswith(_STARTS) or any(s.startswith(begins) for s in _STARTS)
            if is_long or view.find(b"<", position + 1) < 0:
                return None
        return _BROKEN.match(view, position)

    def _read(self, match: re.Match[bytes]) -> None:
        groups, elements = match.groupdict(), self._elements
        if groups.get("end") is not None:
            self._end(match)
        if groups["skipped"] is not None or groups["start"] is None:
            return
        tag = self._buffer.tag(match, _ATTRIBUTE)
        elements.content(tag.start, "", "", literal=True, is_whole=False)
        elements.start(tag)
        if tag.is_empty:
            elements.opened = None
        else:
            self._indices.setdefault(match["start"], []).append(len(self._open))
            self._open.append(match["start"])

    def _end(self, match: re.Match[bytes]) -> None:
        """Close the last open element of a name, with all elements in it."""
        name, elements = match["end"], self._elements
        opened = elements.opened
        if opened is not None and self._buffer.text(*match.span("end")) == opened.element.name:
            elements.content(self._buffer.base + match.start(), "", "", literal=True)
        elements.opened = None
        indices = self._indices.get(name)
        if not indices:  # the element began before the error, or there is none
            elements.end(name.decode("latin-1"))
            return
        index = indices[-1]
        while len(self._open) > index:
            last = self._open.pop()
            elements.end(last.decode("latin-1"))
            self._indices[last].pop()
            if not self._indices[last]:  # documents can invent unlimited names
                del self._indices[last]
