"""The ASCII view of a document, which the markup scanners read (ARCHITECTURE.md, "The ASCII view").

The view has one byte for each unit of the source: the byte of an ASCII character, or 0xFF for any other unit. Only a
charset that is its own view keeps all its bytes. So an offset in the
view times the size of a unit is an offset in the source.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from typing import Literal

from linkfix.deferred import pattern

#: The byte for every unit that is not ASCII.
MASK = 0xFF
_NOT_ASCII = pattern("[^\x00-\x7f]")


class View:
    """The view of a charset in which every byte below 0x80 is that ASCII character, or a digit.

    It is the document itself: of all multi-byte charsets, only gb18030 has trail bytes below 0x40, and
    those are digits. The other views are subclasses.

    Attributes:
        doubts: the offsets in the source of what browsers decode differently, as far as they are known.

    """

    __slots__ = ()
    doubts: Sequence[int] = ()

    def feed(self, data: bytes, *, final: bool = False) -> bytes:
        """Read the next bytes of the source; return the view of the units that they complete.

        Args:
            data: the bytes.
            final: whether the source ends with them, so that the view of buffered bytes is returned too.

        """
        del final
        return data

    def state(self, offset: int) -> int:
        """Return the state of the decoder before the byte at `offset` (from the start of the source).

        `offset` is not after the bytes that were fed, and not before the offset of the last `forget`.
        """
        del offset
        return 0

    def forget(self, offset: int) -> None:
        """Promise never to ask for a state before `offset`, so that memory stays bounded."""


def text_view(text: str) -> bytes:
    """Return the view of text, in which each code point is one unit."""
    return (text if text.isascii() else _NOT_ASCII.sub("\xff", text)).encode("latin-1")


class WideView(View):
    """The view of UTF-16 and UTF-32: one byte for each code unit."""

    __slots__ = ("_low", "_pending", "_unit")

    def __init__(self, unit: int, order: Literal["little", "big"]) -> None:
        self._unit = unit
        self._low = 0 if order == "little" else unit - 1
        self._pending = b""

    def feed(self, data: bytes, *, final: bool = False) -> bytes:
        """Read bytes, as `View.feed`; bytes of an incomplete unit are buffered, and are one masked byte at the end."""
        if self._pending:
            data = self._pending + data
        unit = self._unit
        end = len(data) - len(data) % unit
        self._pending = data[end:]
        high_to_mask, low_to_mask = _masks()
        # A unit is masked if any of its bytes says so: the planes of bytes are combined as big integers.
        view = int.from_bytes(data[self._low : end : unit].translate(low_to_mask), "big")
        for plane in range(unit):
            if plane != self._low:
                view |= int.from_bytes(data[plane:end:unit].translate(high_to_mask), "big")
        return view.to_bytes(end // unit, "big") + bytes([MASK] * (final and end < len(data)))


@cache
def _masks() -> tuple[bytes, bytes]:
    """Make translations of the high bytes of a unit (only zero is ASCII) and of its lowest byte."""
    return bytes([0]) + bytes([MASK]) * 255, bytes(range(0x80)) + bytes([MASK]) * 0x80


class TranslatedView(View):
    """The view of a single-byte charset that is no superset of ASCII (EBCDIC)."""

    __slots__ = ("_table",)

    def __init__(self, table: bytes) -> None:
        self._table = table

    def feed(self, data: bytes, *, final: bool = False) -> bytes:
        """Read bytes, as `View.feed`."""
        del final
        return data.translate(self._table)


#: The escape sequences of ISO-2022-JP, each with the state that it sets (Encoding Standard, 12.2.1).
ESCAPES = {b"\x1b(B": 0, b"\x1b(J": 1, b"\x1b(I": 2, b"\x1b$@": 3, b"\x1b$B": 3}
#: A whole escape sequence; the decoder obeys it in every state.
ESCAPE = pattern(rb"\x1b(?:\([BJI]|\$[@B])")
#: Added to the state straight after an escape sequence: a second one there is an error.
AFTER_ESCAPE = 4


class Iso2022JpView(View):
    """The view of ISO-2022-JP: escape sequences and whatever is not ASCII are masked byte by byte.

    States: 0 ASCII, 1 Roman, 2 katakana, 3 JIS X 0208, and 4 more straight after an escape sequence.
    """

    __slots__ = ("_changes", "_fed", "_pending", "_states")

    def __init__(self) -> None:
        self._pending = b""  # the beginning of what may become an escape sequence
        self._fed = 0  # source offset of the first byte that has no view yet
        self._changes = [0]  # source offsets from which the states at the same index hold
        self._states = [0]

    def feed(self, data: bytes, *, final: bool = False) -> bytes:
        """Read bytes, as `View.feed`; the possible beginning of an escape sequence is buffered."""
        data = self._pending + data
        partial = None if final else re.search(rb"\x1b[($]?\Z", data)
        end = partial.start() if partial else len(data)
        self._pending = data[end:]
        return self._mask(data[:end])

    def _mask(self, data: bytes) -> bytes:
        """Mask bytes at `_fed` that have only whole escape sequences."""
        tables = _iso_2022_jp_masks()
        out = []
        position = 0
        state = self._states[-1] % AFTER_ESCAPE
        for escape in ESCAPE.finditer(data):
            out.append(data[position : escape.start()].translate(tables[state]))
            out.append(bytes([MASK]) * 3)
            position = escape.end()
            state = ESCAPES[escape[0]]
            self._changes += (self._fed + position, self._fed + position + 1)
            self._states += (state + AFTER_ESCAPE, state)
        out.append(data[position:].translate(tables[state]))
        self._fed += len(data)
        return b"".join(out)

    def state(self, offset: int) -> int:
        """Return the state, as `View.state`; inside an escape sequence, the state before it."""
        return self._states[bisect_right(self._changes, offset) - 1]

    def forget(self, offset: int) -> None:
        """Forget states, as `View.forget`."""
        keep = bisect_right(self._changes, offset) - 1
        if keep > 0:
            del self._changes[:keep], self._states[:keep]


@cache
def _iso_2022_jp_masks() -> tuple[bytes, bytes, bytes, bytes]:
    """Make the translations of bytes outside escape sequences to the view, by state."""
    ascii_ = bytearray(range(0x80)) + bytes([MASK]) * 0x80
    for refused in (0x0E, 0x0F, 0x1B):
        ascii_[refused] = MASK
    roman = bytearray(ascii_)
    roman[0x5C] = roman[0x7E] = MASK  # yen sign and overline
    masked = bytes([MASK]) * 256
    return bytes(ascii_), bytes(roman), masked, masked
