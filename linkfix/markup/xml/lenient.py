"""Read the tags of XML that is not well-formed.

Input: the view from the error on, and the open elements of the strict reader. Output: tags for `Elements`. No
standard defines how to read such a document. The aim is to find the links that its author intended, if their bytes are
certain. The weak spot: the content of an unclosed comment or value is read as markup.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from linkfix.markup.xml.tags import MARKS, Tag

if TYPE_CHECKING:
    from linkfix.charset import Charset
    from linkfix.markup.xml.elements import Elements

_NAME = rb"[^\t\n\r />!?=<\"'][^\t\n\r />=<]*+"
_WHOLE = re.compile(
    rb"<(?:(?P<skipped>![^-\[<>][^<>]*>)"
    rb"|/(?P<end>[^\t\n\r <>]*)[^<>]*>"
    rb"|(?P<start>" + _NAME + rb")(?:[^\"'<>]|\"[^\"<]*\"|'[^'<]*')*+>)"
)
#: A start tag in which quotes are missing.
_BROKEN = re.compile(rb"<(?P<skipped>!)?(?P<start>" + _NAME + rb")[^<>]*>")
_LESS_THAN = re.compile(rb"<")
_STARTS = tuple(MARKS)
_LONGEST_START = max(map(len, _STARTS))
_ATTRIBUTE = re.compile(
    rb"""([^\t\n\r =/"'<>]+)[\t\n\r ]*=[\t\n\r ]*(?:"([^"<>]*)"|'([^'<>]*)'|([^\t\n\r "'<>]+))"""
)


class LenientXMLScanner:
    """Find tags and the text of elements in a document with errors.

    Args:
        charset: charset of the document.
        elements: turns tags into events.
        view: the buffered part of the view.
        base: offset in the view of its first unit.

    """

    def __init__(self, charset: Charset, elements: Elements, view: bytes, base: int) -> None:
        elements.is_lenient = True
        if elements.opened is not None and not elements.opened.literal:
            elements.opened = None
        self._charset = charset
        self._elements = elements
        self._most = elements.limits.token
        #: The names of the open elements, and the indices of each name in that list.
        self._open: list[bytes] = []
        self._indices: dict[bytes, list[int]] = {}
        self._view = view
        self._base = base
        #: The chunks after `_view`, the length of both, and the length from which the next scan is due.
        self._chunks: list[bytes] = []
        self._size = len(view)
        self._due = 0
        #: Opening marks of tokens that have no end in the rest of `_view`.
        self._endless: set[bytes] = set()

    @property
    def offset(self) -> int:
        """The offset in the view before which every byte has been read."""
        opened = self._elements.opened
        return self._base if opened is None else min(self._base, opened.start)

    def feed(self, view: bytes, *, final: bool = False) -> None:
        """Read the next units of the view."""
        self._chunks.append(view)
        self._size += len(view)
        if self._size < self._due and not final:
            return
        self._view = b"".join((self._view, *self._chunks))
        self._chunks.clear()
        self._endless.clear()
        position = 0
        while (position := self._view.find(b"<", position)) >= 0:
            end = self._end_of_long(position)
            if end >= 0:
                position = end
                continue
            match = self._token(position, final=final)
            if match is None:
                break
            self._read(match)
            position = match.end()
        keep = len(self._view) if position < 0 else position
        opened = self._elements.opened
        if opened is not None and self._base + keep - opened.start > self._most:
            self._elements.opened = None
        self._base += keep
        self._view = self._view[keep:]
        self._size = len(self._view)
        self._due = min(2 * self._size, self._most) + 1

    def _end_of_long(self, position: int) -> int:
        """Return the end of the whole token that begins here and can contain a "<"; -1 for no such token."""
        view = self._view
        for start, end in MARKS.items():
            if view.startswith(start, position) and start not in self._endless:
                found = view.find(end, position + len(start))
                if found >= 0:
                    return found + len(end)
                self._endless.add(start)
        return -1

    def _token(self, position: int, *, final: bool) -> re.Match[bytes] | None:
        """Return the token at a "<", or a match of that character for no token; None to wait for more bytes."""
        view = self._view
        match = _WHOLE.match(view, position)
        if match is not None:
            return match
        waits = len(view) - position <= self._most and not final
        if waits and (
            view.startswith(_STARTS, position)
            or any(
                start.startswith(view[position : position + _LONGEST_START]) for start in _STARTS
            )
            or view.find(b"<", position + 1) < 0
        ):
            return None
        return _BROKEN.match(view, position) or _LESS_THAN.match(view, position)

    def _read(self, match: re.Match[bytes]) -> None:
        groups = match.groupdict()
        if groups.get("skipped") is not None or match[0] == b"<":
            return
        if groups.get("end") is not None:
            self._end(groups["end"], self._base + match.start())
            return
        tag = Tag(match, self._base, self._group, _ATTRIBUTE, is_expanded=True)
        opened = self._elements.opened
        if opened is not None and opened.is_wanted:
            self._elements.content(tag.start, "", "", literal=True, is_whole=False)
        self._elements.start(tag)
        if tag.is_empty:
            self._elements.opened = None
        else:
            self._indices.setdefault(match["start"], []).append(len(self._open))
            self._open.append(match["start"])

    def _group(self, match: re.Match[bytes], group: int | str) -> str:
        return self._text(match[group])

    def _text(self, octets: bytes) -> str:
        if octets.isascii() or self._charset.unit > 1:
            return octets.decode("ascii", "replace")
        return self._charset.decode(octets)

    def _end(self, name: bytes, offset: int) -> None:
        """Close the last open element of a name, with all elements in it."""
        opened = self._elements.opened
        if opened is not None and self._text(name) == opened.element.name:
            self._elements.content(offset, "", "", literal=True)
        self._elements.opened = None
        indices = self._indices.get(name)
        if not indices:  # the element began before the error, or there is none
            self._elements.end(name.decode("latin-1"))
            return
        index = indices[-1]
        while len(self._open) > index:
            last = self._open.pop()
            self._elements.end(last.decode("latin-1"))
            self._indices[last].pop()
            if not self._indices[last]:  # documents can invent unlimited names
                del self._indices[last]
