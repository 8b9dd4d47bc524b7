"""ISO-2022-JP (Encoding Standard, 12.2): ASCII, Roman, katakana and JIS X 0208 between escapes.

States are those of `Iso2022JpView`: 0 ASCII, 1 Roman, 2 katakana, 3 JIS X 0208, and 4 more straight
after an escape sequence, where another one is an error. The two-byte runs are EUC-JP with the high bits
off, and read and written so.
"""

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import ClassVar

from linkfix.deferred import pattern

from .legacy import MultiByte, masked
from .model import AFTER_ESCAPE, MASK, REPLACEMENT, Charset, Missing, View, lacking

ASCII, ROMAN, KATAKANA, JIS = range(4)
_TO_STATE = {ASCII: b"\x1b(B", ROMAN: b"\x1b(J", KATAKANA: b"\x1b(I", JIS: b"\x1b$B"}
_EUC_JP = MultiByte("EUC-JP")
#: Two-byte characters in a row, or what is malformed.
_PAIRS = re.compile(
    rb"((?:[\x21-\x7E]{2})+) | [\x21-\x7E] [^\x1B\x21-\x7E]? | .", re.DOTALL | re.VERBOSE
)
_HIGH_BITS_ON = bytes(byte | 0x80 for byte in range(256))
_HIGH_BITS_OFF = bytes(byte & 0x7F for byte in range(256))


#: The escape sequences of ISO-2022-JP, each with the state that it sets (Encoding Standard, 12.2.1).
_ESCAPES = {b"\x1b(B": 0, b"\x1b(J": 1, b"\x1b(I": 2, b"\x1b$@": 3, b"\x1b$B": 3}
#: A whole escape sequence; the decoder obeys it in every state.
_ESCAPE = pattern(rb"\x1b(?:\([BJI]|\$[@B])")


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
        data, self._pending = data[:end], data[end:]
        out = []
        position = 0
        state = self._states[-1] % AFTER_ESCAPE
        for escape in _ESCAPE.finditer(data):
            out.append(data[position : escape.start()].translate(_masks()[state]))
            out.append(bytes([MASK]) * 3)
            position = escape.end()
            state = _ESCAPES[escape[0]]
            self._changes += (self._fed + position, self._fed + position + 1)
            self._states += (state + AFTER_ESCAPE, state)
        out.append(data[position:].translate(_masks()[state]))
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
def _masks() -> tuple[bytes, ...]:
    """Make the translations of bytes outside escape sequences to the view, by state."""
    return *map(masked, _tables()), bytes([MASK]) * 256


class Iso2022Jp(Charset):
    """ISO-2022-JP."""

    __slots__ = ()
    has_states: ClassVar[bool] = True

    def decode(self, data: bytes, state: int = 0) -> str:
        """Decode bytes, as `Charset.decode`."""
        return "".join(text for _, text, _ in _runs(data, state))

    def offsets(self, data: bytes, state: int = 0) -> Sequence[int]:
        """Return offsets, as `Charset.offsets`; an escape sequence belongs to no code point."""
        starts = (
            range(start, start + len(text) * width, width)
            for start, text, width in _runs(data, state)
        )
        return [*chain.from_iterable(starts), len(data)]

    def encode(
        self, text: str, state: int = 0, *, end: int | None = None, missing: Missing | None = None
    ) -> bytes:
        """Encode text, as `Charset.encode`.

        U+000E, U+000F and U+001B are missing here. The replacement of a missing character is written in the ASCII or
        Roman state. After an escape sequence (`state` of 4 or more) a text cannot begin with another one: the caller
        must begin it before that sequence.
        """
        out, now = list[bytes](), state % AFTER_ESCAPE
        last = (state if end is None else end) % AFTER_ESCAPE
        for needed, octets in chain(_pieces(text, missing), [(last, b"")]):
            if needed is None:
                needed = ROMAN if now == ROMAN else ASCII
            if needed != now:
                out.append(_TO_STATE[needed])
            out.append(octets)
            now = needed
        return b"".join(out)

    def view(self) -> View:
        """Return the view, as `Charset.view`."""
        return Iso2022JpView()


def _runs(data: bytes, state: int) -> Iterator[tuple[int, str, int]]:
    """Split bytes into (byte offset, text, bytes for each character of it)."""
    after_escape = state >= AFTER_ESCAPE
    state %= AFTER_ESCAPE
    position = 0
    for escape in _ESCAPE.finditer(data):
        if position < escape.start():
            yield from _segment(data[position : escape.start()], position, state)
            after_escape = False
        if after_escape:
            yield escape.start(), REPLACEMENT, 1
        after_escape = True
        state = _ESCAPES[escape[0]]
        position = escape.end()
    yield from _segment(data[position:], position, state)


def _segment(data: bytes, start: int, state: int) -> Iterator[tuple[int, str, int]]:
    """Do the same for bytes between escape sequences; `start` is their offset."""
    if state != JIS:
        yield start, codecs.charmap_decode(data, "replace", _tables()[state])[0], 1
        return
    for run in _PAIRS.finditer(data):
        if run[1]:
            yield start + run.start(), _EUC_JP.decode(run[1].translate(_HIGH_BITS_ON)), 2
        else:
            yield start + run.start(), REPLACEMENT, 1


@cache
def _tables() -> tuple[str, str, str]:
    """Make the decoding tables of the one-byte states; U+FFFE is malformed."""
    undefined = "\ufffe"
    ascii_ = "".join(undefined if byte in (0x0E, 0x0F, 0x1B) else chr(byte) for byte in range(0x80))
    roman = ascii_.replace("\\", "\u00a5").replace("~", "\u203e")
    katakana = undefined * 0x21 + "".join(map(chr, range(0xFF61, 0xFFA0)))
    return ascii_ + undefined * 0x80, roman + undefined * 0x80, katakana + undefined * 0xA0


#: A run of text in one state of the encoder.
_KINDS = pattern(
    r"(?P<either> [\x00-\x0D\x10-\x1A\x1C-\x5B\x5D-\x7D\x7F]+ ) | (?P<ascii> [\\~]+ )"
    r"| (?P<roman> [\u00A5\u203E]+ ) | (?P<other> [^\x00-\x7F\u00A5\u203E]+ ) | .",
    re.DOTALL | re.VERBOSE,
)


@cache
def _full_width() -> dict[int, int]:
    """Load the translation of half-width katakana, which the encoder does not write."""
    from .tables.multi_byte import KATAKANA as FULL_WIDTH

    return dict(enumerate(map(ord, FULL_WIDTH), 0xFF61))


def _pieces(text: str, missing: Missing | None) -> Iterator[tuple[int | None, bytes]]:
    """Yield the octets of a text, each after the state that they are in; None stands for ASCII and Roman."""
    for run in _KINDS.finditer(text):
        if run.lastgroup in {"either", "ascii", "roman"}:
            state = {"ascii": ASCII, "roman": ROMAN}.get(run.lastgroup)
            yield state, run[0].translate({0xA5: 0x5C, 0x203E: 0x7E}).encode("ascii")
            continue
        try:
            yield JIS, _jis(run[0])
        except UnicodeEncodeError:
            for index, char in enumerate(run[0], run.start()):
                try:
                    yield JIS, _jis(char)
                except UnicodeEncodeError:
                    if missing is None:
                        raise lacking("ISO-2022-JP", text, index) from None
                    yield None, missing(char)


def _jis(text: str) -> bytes:
    """Encode a run of `_KINDS` in JIS X 0208; raises UnicodeEncodeError, for controls too."""
    if text.isascii():
        raise lacking("ISO-2022-JP", text)
    return _EUC_JP.encode(text.translate(_full_width())).translate(_HIGH_BITS_OFF)
