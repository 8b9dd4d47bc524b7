"""The interface of charsets: decode, encode, locate code points, view as ASCII.

A `Charset` is one encoding of the Encoding Standard, or one of the few that only XML documents have. Each has one
instance, so that charsets are compared by identity. Tables are loaded for the first byte beyond ASCII.
"""

import codecs
import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple

from linkfix.charset.tables.registry import REGISTRY
from linkfix.deferred import pattern

# --- The charsets of XML, as its own readers have them (XML 1.0, 4.3.3: the names of IANA's registry) ---
# Browsers read most names as supersets (Encoding Standard, 4.2): ISO-8859-1 as windows-1252, GB2312 as gb18030. expat,
# libxml2 and Xerces read the charset that the name says. Input: a name or an alias of the registry. Output: the name of the
# encoding of browsers, and an `Iana`, which knows where the readers of XML differ from it, or from each other. Its tables are
# Python's codecs and `tables/xml.py`; ``tools/charset/xml_readers.py`` compares them with the readers themselves.


class Iana(NamedTuple):
    """A charset of IANA's registry.

    Attributes:
        name: its name there.
        codec: the codec of Python that decodes it as expat does; "" for linkfix's own table.
        disputed: the sequences of octets that libxml2 or Xerces reads as other characters, though the codec does not.

    """

    name: str
    codec: str
    disputed: frozenset[bytes]

    def decode(self, octets: bytes) -> str | None:
        """Return the characters of octets by the codec; None if it does not know them."""
        try:
            return octets.decode(self.codec)
        except UnicodeDecodeError:
            return None

    def reads(self, octets: bytes, text: str) -> bool:
        """Return whether octets are a text by the codec; without one they are."""
        return not self.codec or self.decode(octets) == text

    def encode(self, text: str, default: bytes | None) -> bytes | None:
        """Return the octets of a text by the codec, or `default` without one; None if it lacks a character."""
        try:
            return text.encode(self.codec) if self.codec else default
        except UnicodeEncodeError:
            return None


@cache
def registered(name: str) -> Iana | None:
    """Return what readers of XML have otherwise than linkfix's table; None for nothing, or an unknown name."""
    from .tables.xml import DISPUTED

    if name not in DISPUTED:
        return None
    _, codec, _ = REGISTRY.get(name, ("", "", ""))
    return Iana(name, codec, frozenset(map(bytes.fromhex, DISPUTED[name].split())))


# --- The ASCII view of a document, which the markup scanners read (ARCHITECTURE.md, "The ASCII view") ---
# The view has one byte for each unit of the source: the byte of an ASCII character, or 0xFF for any other unit. Only a
# charset that is its own view keeps all its bytes. So an offset in the view times the size of a unit is an offset in the
# source.

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


# --- The charsets of all documents -----------------------------------------------------------------

#: What a malformed byte sequence is decoded to (Encoding Standard, 4.1).
REPLACEMENT = "\ufffd"

#: The most bytes of one character in a charset with units of one byte.
_LONGEST = 4
#: Octets that are no part of a longer character in any ASCII-compatible charset.
_CUTS = (b"\n", b"\r", b" ", b">", b"<")
#: Called with each character that a charset lacks; returns the bytes (ASCII) that replace it.
Missing = Callable[[str], bytes]


@dataclass(frozen=True, slots=True, eq=False)
class Charset(ABC):
    """An encoding.

    Attributes:
        name: its name, as the Encoding Standard (or for XML-only ones the IANA registry) spells it.
        unit: bytes in one unit of the ASCII view: 1, 2 (UTF-16) or 4 (UTF-32).
        is_unicode: true for UTF-8, UTF-16 and UTF-32, in which queries go out as UTF-8.
        iana: the charset that an XML document declares, if its readers do not read all octets as browsers do; else
            None. `decode` and `encode` are those of browsers.

    """

    #: Whether what bytes mean depends on an escape sequence before them.
    has_states: ClassVar[bool] = False

    name: str
    unit: int = 1
    is_unicode: bool = False
    iana: Iana | None = None

    @abstractmethod
    def decode(self, data: bytes, state: int = 0) -> str:
        """Decode bytes that begin at a character boundary (Encoding Standard, "run the decoder").

        Each malformed sequence, and an incomplete one at the end, becomes U+FFFD. A byte order mark
        is a character like any other. `state` is what `View.state` says of the first byte; only
        ISO-2022-JP has states other than 0.
        """

    def encode(
        self, text: str, state: int = 0, *, end: int | None = None, missing: Missing | None = None
    ) -> bytes:
        """Encode text (Encoding Standard, "run the encoder"), starting in one state and ending in another.

        `state` is the result of `View.state` for the start of the text, `end` for its end; None to end in the state
        of the start. `missing` returns the replacement of each character that the charset lacks, lone surrogates
        included.

        Raises:
            UnicodeEncodeError: without `missing`, for the first such character, with its start and
                end as offsets in `text`.

        """
        del state, end
        try:
            return self._encoded(text)
        except UnicodeEncodeError:
            out = []
        for position, char in enumerate(text):
            try:
                out.append(self._encoded(char))
            except UnicodeEncodeError:
                if missing is None:
                    raise lacking(self.name, text, position) from None
                out.append(missing(char))
        return b"".join(out)

    def _encoded(self, text: str) -> bytes:
        """Encode text without states; raises UnicodeEncodeError where it has a character that the charset lacks."""
        return text.encode(self.name)

    def offsets(self, data: bytes, state: int = 0) -> Sequence[int]:
        """Where each code point of `decode(data, state)` begins, as byte offsets, and `len(data)` last."""
        del state
        return range(len(data) + 1)

    def settled(self, data: bytes, state: int = 0) -> int:
        """How many of the first bytes are whole characters, whatever bytes follow.

        The rest is a few bytes, or the bytes after the last space, line end or mark of a tag.
        """
        if self.unit > 1:
            end = len(data) - len(data) % self.unit
            high = data[end - 1 if self.name.endswith("LE") else end - self.unit] if end else 0
            # The first half of a surrogate pair waits for the second.
            return end - self.unit if self.unit == 2 and high & 0xFC == 0xD8 else end
        if not self.has_states and data.isascii():
            return len(data)
        # With states these octets may be part of a character.
        cut = -1 if self.has_states else max(data.rfind(octet) for octet in _CUTS)
        if cut >= 0:
            return cut + 1
        decided = len(data) - 2 * _LONGEST
        if decided <= 0:
            return 0
        text, starts = self.decode(data, state), self.offsets(data, state)
        last = bisect_right(starts, decided) - 1
        for count in range(last, max(last - 3 * _LONGEST, -1), -1):
            # Malformed bytes at an end are decoded otherwise than before more bytes.
            if self.decode(data[: starts[count]], state) == text[:count]:
                return starts[count]
        return 0

    def malformed(
        self, data: bytes, text: str, state: int = 0, refused: str = ""
    ) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each malformed sequence of bytes, and of each of certain characters.

        Args:
            data: the bytes.
            text: these bytes, decoded.
            state: the argument of `decode`.
            refused: the characters.

        """
        own, starts = self._octets(REPLACEMENT), self.offsets(data, state)
        for number, char in enumerate(text):
            start, end = starts[number : number + 2]
            if char in refused or (char == REPLACEMENT and data[start:end] != own):
                yield start, end

    def has(self, char: str) -> bool:
        """Return whether the encoder has bytes for a character; `decode` may return another for them."""
        return self._octets(char) is not None

    def encodable(self, char: str) -> bool:
        """Whether a character is the same after encoding and decoding, by every reader of the document.

        Some encoders map a character to another one: U+2212 becomes U+FF0D in Shift_JIS.
        """
        octets, iana = self._octets(char), self.iana
        if octets is None or self.decode(octets) != char:
            return False
        if iana is None or (char.isascii() and self.has_states):
            return True
        # expat reads a document with states as long as it is ASCII.
        return not self.has_states and octets not in iana.disputed and iana.reads(octets, char)

    def _octets(self, char: str) -> bytes | None:
        try:
            return self.encode(char)
        except UnicodeEncodeError:
            return None

    def agrees(self, data: bytes, state: int = 0) -> bool:
        """Return whether the readers of XML read bytes as browsers do; the arguments are those of `decode`.

        A tilde counts as one, since every rewrite keeps it.
        """
        iana = self.iana
        if iana is None or (data.isascii() and not self.has_states and b"\\" not in data):
            return True
        if self.has_states:
            data = self.encode("", end=state) + data
        text = self.decode(data)
        if not iana.reads(data, text):
            return False
        if not iana.disputed:
            return True
        if self.has_states:
            pieces = [*map(self._octets, text)]
        else:
            pieces = [data[start:end] for start, end in pairwise(self.offsets(data))]
        return all(piece not in iana.disputed or piece == b"~" for piece in pieces if piece)

    def decode_xml(self, data: bytes, state: int = 0) -> str:
        """Decode bytes as the readers of XML do; what they do not know as browsers do. The arguments are those of `decode`."""
        text = self.decode(data, state)
        iana = self.iana
        if iana is None or self.has_states or iana.reads(data, text):
            return text
        pieces = [iana.decode(data[start:end]) for start, end in pairwise(self.offsets(data))]
        # Two code points may have the same octets.
        return "".join(
            own if own is not None and len(own) == 1 else char
            for own, char in zip(pieces, text, strict=True)
        )

    def encode_xml(self, text: str) -> bytes:
        """Encode text as the readers of XML do.

        Raises:
            UnicodeEncodeError: for the first character that they have no octets for.

        """
        iana = self.iana
        return self.encode(text) if iana is None or not iana.codec else text.encode(iana.codec)

    def disputes(self, text: str) -> bool:
        """Return whether the readers of XML and browsers have other octets for a character beyond ASCII, or only some have any."""
        iana = self.iana
        return iana is not None and any(
            (octets := self._octets(char)) in iana.disputed or octets != iana.encode(char, octets)
            for char in set(text)
            if not char.isascii()
        )

    def view(self) -> View:
        """Start an ASCII view of a document in this charset."""
        return View()

    @property
    def is_own_view(self) -> bool:
        """Whether the ASCII view of a document is the document itself."""
        return type(self.view()) is View or self.name == "EUC-JP"

    def __repr__(self) -> str:
        return f"<Charset {self.name}>"


def lacking(name: str, text: str, at: int = 0) -> UnicodeEncodeError:
    """Return the error about a character of a text that a charset lacks."""
    return UnicodeEncodeError(name, text, at, at + 1, "the charset lacks the character")


# --- Unicode: Python's own codecs decode it as the standards say ------------------------------------


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


class Utf(Charset):
    """A Unicode encoding form (Encoding Standard, 8.1 and 14.2 to 14.4; for UTF-32 Unicode, 3.10)."""

    __slots__ = ()

    def decode(self, data: bytes, state: int = 0) -> str:
        """Decode bytes, as `Charset.decode`; malformed UTF-8 becomes one U+FFFD for each maximal subpart."""
        del state
        return data.decode(self.name, "replace")

    def offsets(self, data: bytes, state: int = 0) -> Sequence[int]:
        """Return offsets, as `Charset.offsets`."""
        text = self.decode(data, state)
        if len(text) * self.unit == len(data):
            return range(0, len(data) + 1, self.unit)
        if self.unit == 1 and REPLACEMENT not in text:
            starts = [at for at, octet in enumerate(data) if octet & 0xC0 != 0x80]
            return [*starts, len(data)]
        return [*(match.start() for match in _sequences(self.name).finditer(data)), len(data)]

    def view(self) -> View:
        """Return the view, as `Charset.view`."""
        order: Literal["little", "big"] = "big" if self.name.endswith("BE") else "little"
        return View() if self.unit == 1 else WideView(self.unit, order)


def is_utf8(data: bytes, *, final: bool = True) -> bool:
    """Return whether bytes are valid UTF-8; a character may be cut off at the end of what is not `final`."""
    try:
        codecs.utf_8_decode(data, "strict", final)
    except UnicodeDecodeError:
        return False
    return True


#: One match for each code point of the decoded text, so a malformed sequence matches as the decoder reads it.
_SEQUENCES = {
    "UTF-8": rb"""
        [\x00-\x7F]
        | [\xC2-\xDF] [\x80-\xBF]?
        | \xE0 (?: [\xA0-\xBF] [\x80-\xBF]? )?
        | [\xE1-\xEC\xEE\xEF] [\x80-\xBF]{0,2}
        | \xED (?: [\x80-\x9F] [\x80-\xBF]? )?
        | \xF0 (?: [\x90-\xBF] [\x80-\xBF]{0,2} )?
        | [\xF1-\xF3] [\x80-\xBF]{0,3}
        | \xF4 (?: [\x80-\x8F] [\x80-\xBF]{0,2} )?
        | .""",
    "UTF-16LE": rb".[\xD8-\xDB] (?: .[\xDC-\xDF] | .?\Z ) | ..?",
    "UTF-16BE": rb"[\xD8-\xDB]. (?: [\xDC-\xDF]. | .?\Z ) | ..?",
    "UTF-32LE": rb".{1,4}",
    "UTF-32BE": rb".{1,4}",
}


@cache
def _sequences(name: str) -> re.Pattern[bytes]:
    return re.compile(_SEQUENCES[name], re.DOTALL | re.VERBOSE)


#: Added to the state straight after an escape sequence: a second one there is an error.
AFTER_ESCAPE = 4


class CodePoints:
    """The byte offsets of code points, found when one is asked for.

    Escape sequences before the first code point belong to it.

    Args:
        charset: of the bytes.
        data: the bytes.
        state: of the decoder at their beginning.

    """

    __slots__ = ("_charset", "_data", "_offsets", "_state")

    def __init__(self, charset: Charset, data: bytes, state: int = 0) -> None:
        self._charset = charset
        self._data = data
        self._state = state
        self._offsets: Sequence[int] = ()

    def __getitem__(self, index: int) -> int:
        """Return the offset of the first byte of a code point; the length of the bytes for the end."""
        if not index:
            return 0
        if not self._offsets:
            self._offsets = self._charset.offsets(self._data, self._state)
        return self._offsets[index]
