"""Find the links of plain text (UTS #58; 3987bis, 8.3).

Input: the ASCII view of a document. Output: its links. White space, controls, ``<`` and ``>``, which end a link in any
charset, split the view into words. Each word with a colon or a full stop is decoded by itself and searched, so that
chunks make no difference. The weak spot: a document without such a character is one word, which is buffered whole.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from linkfix.charset import Charset
from linkfix.charset.model import MASK
from linkfix.errors import LimitExceededError
from linkfix.iri import Found, find
from linkfix.links.builder import Builder, Target
from linkfix.links.link import WITHOUT_SCHEME, Kind, Link
from linkfix.links.scope import Scope
from linkfix.markup.html.tokenizer import MAX_TAG
from linkfix.markup.layers import RAW_TEXT

_NAME: Final = "#text"
_TARGET: Final = Target(_NAME, "", "", "text")
#: The bytes that end a word in the view, in no charset a part of another character.
_DELIMITERS: Final = bytes(range(0x21)) + b"<>\x7f"
#: Every delimiter becomes a space.
_TO_SPACES: Final = bytes.maketrans(_DELIMITERS, b" " * len(_DELIMITERS))
_NO_SCHEME: Final = "it has no scheme"
_UNSURE: Final = "in plain text it is not certain where it ends"
_BROKEN: Final = "its angle brackets contain more than it, as if a line breaks inside a reference"


class PlainText:
    """Find the links of plain text.

    Args:
        builder: source and lines of the document.
        scope: which values count as links.

    Attributes:
        offset: the offset in the view before which every byte has been read.

    """

    def __init__(self, builder: Builder, scope: Scope) -> None:
        self.offset: int = 0
        self._builder = builder
        self._is_left_out = not (scope.links and scope.allows_name(_NAME))
        #: The beginning of a word that has not ended.
        self._held: list[bytes] = []
        self._size = 0
        #: The delimiter in front of `offset`; empty at the start of the document.
        self._before = b""
        self._mark = _mark(builder.charset)

    def links(self, view: bytes, *, final: bool) -> Iterator[Link]:
        """Read the next bytes of the view and yield the links that they complete, in order.

        Args:
            view: the bytes.
            final: whether the document ends with them.

        Raises:
            LimitExceededError: a word is longer than `MAX_TAG`.

        """
        if self._is_left_out:
            self.offset += len(view)
            return
        end = len(view) if final else view.translate(_TO_SPACES).rfind(b" ") + 1
        if not end and not final:
            self._hold(view)
            return
        piece = b"".join((*self._held, view[:end]))
        self._held.clear()
        self._size = 0
        self._hold(view[end:])
        start, before = self.offset, self._before
        self.offset += len(piece)
        self._before = piece[-1:]
        yield from self._found(start, before + piece, len(before))

    def _hold(self, view: bytes) -> None:
        self._held.append(view)
        self._size += len(view)
        if self._size > MAX_TAG:
            raise LimitExceededError(
                f"a word of the text is longer than {MAX_TAG} bytes",
                hint="break it into lines",
                offset=self._builder.byte_offset(self.offset),
            )

    def _found(self, offset: int, piece: bytes, position: int) -> Iterator[Link]:
        """Yield the links of whole words.

        Args:
            offset: offset in the view of the byte at `position`.
            piece: a piece of the view.
            position: index in `piece` of the first word.

        """
        words = piece.translate(_TO_SPACES)
        shift = offset - position
        while mark := self._mark.search(words, position):
            start = words.rfind(b" ", position, mark.start()) + 1 or position
            end = words.find(b" ", mark.end())
            position = end = len(words) if end < 0 else end
            if end == mark.start() + 1:
                continue
            is_broken = piece[max(0, start - 1) : start] == b"<" and piece[end : end + 1] != b">"
            yield from self._links_of_word(start + shift, end + shift, is_broken=is_broken)

    def _links_of_word(self, start: int, end: int, *, is_broken: bool) -> Iterator[Link]:
        """Yield the links of the word between two offsets in the view."""
        value = self._builder.value(start, end, RAW_TEXT)
        text = value.slot.value
        for found in find(text):
            kind = _kind(found)
            link = value.link(value.slot.part(found.start, found.end), _TARGET, kind, "disputed")
            if kind is not Kind.TEXT:
                link = link._replace(fixed=_NO_SCHEME if kind in WITHOUT_SCHEME else _UNSURE)
            elif is_broken and text[: found.start].upper() in {"", "URL:"}:
                link = link._replace(fixed=_BROKEN)
            yield link


def _kind(found: Found) -> Kind:
    if found.kind != "iri":
        return Kind(found.kind)
    return Kind.TEXT if found.certainty == "certain" else Kind.UNSURE


@cache
def _mark(charset: Charset) -> re.Pattern[bytes]:
    """Return a pattern for what every link in plain text has one of: a colon, or a full stop of UTS #46."""
    dots = [charset.encode(dot) for dot in "\u3002\uff0e\uff61" if charset.encodable(dot)]
    return re.compile(b"|".join([b"[:.%c]" % MASK, *map(re.escape, dots)]))
