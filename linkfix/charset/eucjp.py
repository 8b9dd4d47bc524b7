"""The ASCII view of EUC-JP, and where decoders of browsers differ from the standard's.

Input: the bytes of a document. Output: offsets. After 0x8F, a lead byte and no trail byte, Chromium and WebKit decode
the next two bytes in JIS X 0212 however far they are; Firefox and the Encoding Standard (13.1.1, step 4) decode them
in JIS X 0208. Cost: a search for 0x8F; where it occurs, one match of a pattern for each sequence that is malformed.
"""

from __future__ import annotations

import re
from typing import Final

from .view import View

_PAIR: Final = rb"[\xa1-\xfe][\xa1-\xfe]"
_THREE: Final = rb"\x8f[\xa1-\xfe][\xa1-\xfe]"
#: What changes the meaning of the next pair. A byte beyond ASCII is consumed, ASCII is read again.
_LEAK: Final = rb"\x8f[\xa1-\xfe](?:[\x80-\xa0\xff]|(?=[\x00-\x7f]))"
#: Any other lead byte.
_LEAD: Final = rb"(?:[\x8e\xa1-\xfe]|\x8f(?![\xa1-\xfe]))(?:[\x80-\xff]|(?=[\x00-\x7f]))"
_SINGLE: Final = rb"[\x00-\x8d\x90-\xa0\xff]"
_SOUND: Final = re.compile(rb"(?:%b++|%b|%b)*+" % (_SINGLE, _THREE, _LEAD))
_UP_TO_PAIR: Final = re.compile(rb"(?:%b++|%b|(?!%b)%b)*+" % (_SINGLE, _LEAK, _PAIR, _LEAD))
_IS_LEAK: Final = re.compile(_LEAK)
_IS_PAIR: Final = re.compile(_PAIR)
_IS_THREE: Final = re.compile(_THREE)


class EucJpView(View):
    """The document itself; `doubts` are the offsets of pairs of bytes that browsers decode differently."""

    __slots__ = ("_fed", "_leaks", "_pending", "doubts")

    def __init__(self) -> None:
        self.doubts: list[int] = []
        self._fed = 0  # offset of the first byte that has not been looked at
        self._pending = b""  # the beginning of a sequence
        self._leaks = False  # whether browsers disagree on the next pair

    def feed(self, data: bytes) -> bytes:
        """See `View.feed`."""
        unread = self._pending + data
        position = 0
        if not self._leaks and b"\x8f" not in unread:
            # ASCII ends every sequence, so that nothing before it matters.
            position = max(0, len(unread) - 2)
            while position and unread[position - 1] >= 0x80:
                position -= 1
        while True:
            pattern = _UP_TO_PAIR if self._leaks else _SOUND
            if (found := pattern.match(unread, position)) is not None:
                position = found.end()
            if self._leaks and _IS_PAIR.match(unread, position):
                self.doubts.append(self._fed + position)
                position += 2
                self._leaks = False
            elif self._leaks and _IS_THREE.match(unread, position):
                position += 3
                self._leaks = False
            elif (found := _IS_LEAK.match(unread, position)) is not None:
                position = found.end()
                self._leaks = True
            else:
                break
        self._fed += position
        self._pending = unread[position:]
        return data

    def forget(self, offset: int) -> None:
        """See `View.forget`."""
        if self.doubts:
            self.doubts = [doubt for doubt in self.doubts if doubt >= offset]
