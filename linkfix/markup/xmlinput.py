"""What expat reads: octets at the offsets of the document, their charset checked.

expat knows UTF-16. Everything else it reads under an encoding of our own, ``linkfix-octets``, in
which each octet from 0x80 is a letter: markup is found where it is, and no offset ever shifts. What
expat then cannot know, and what it does not look at in UTF-16, is checked here: that the bytes are characters of their charset, that XML
allows these characters (XML 1.0, 2.2), and that names have the letters of the fifth edition (2.3).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from linkfix.charset.view import MASK

if TYPE_CHECKING:
    from xml.parsers import expat

    from linkfix.charset import Charset

__all__ = ["Checked", "ExpatInput", "is_name"]

_OCTETS = "linkfix-octets"
#: Letters in all editions of XML 1.0: Hangul syllables that hardly occur.
_FIRST_LETTER = 0xD600
_OCTET_TABLE = "".join(chr(o if o < 0x80 else _FIRST_LETTER + o) for o in range(256))
_OCTET_BACK = {_FIRST_LETTER + o: o for o in range(0x80, 0x100)}


def _find_codec(name: str) -> codecs.CodecInfo | None:
    if name.replace("_", "-") != _OCTETS:
        return None
    return codecs.CodecInfo(
        encode=lambda text, errors="strict": codecs.charmap_encode(text, errors, _OCTET_BACK),
        decode=lambda data, errors="strict": codecs.charmap_decode(
            bytes(data), errors, _OCTET_TABLE
        ),
        name=_OCTETS,
    )


codecs.register(_find_codec)

_START = (
    ":A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)


@cache
def _name() -> re.Pattern[str]:
    return re.compile(f"[{_START}][{_START}0-9.\xb7\u0300-\u036f\u203f-\u2040-]*")


def is_name(text: str) -> bool:
    """Return whether a text is a Name (XML 1.0, fifth edition, 2.3 [5])."""
    return _name().fullmatch(text) is not None


#: Charsets whose trail bytes can be ASCII punctuation, "]" for one, that expat would read as such.
_ASCII_TRAILS = frozenset({"Shift_JIS", "Big5", "GBK", "gb18030", "EUC-KR"})
_NOT_ASCII = re.compile("[\x80-\U0010ffff]")
_SUSPECT = re.compile("[\ufffd-\uffff]")
#: Translations of a view: what its masks let through of the document, and what else there is.
_KEEP = bytes(MASK) + b"\x7f"
_CLEAR = bytes(range(MASK)) + b"\x80"
#: Octets that are never part of a longer character and are in every document.
_CUTS = (b"\n", b" ", b"/")


#: How many octets are decoded at a time.
_STEP = 16 * 1024
#: How U+FFC0 to U+FFFF begin in UTF-8.
_LAST_OF_PLANE = b"\xef\xbf"


@dataclass(frozen=True, slots=True)
class Checked:
    """A piece of a document that can be read now.

    Attributes:
        source: its octets.
        shown: the same of its view, with masks that keep names apart and contain no ASCII.
        malformed: the offset in the view of the first character after that which is malformed or not
            allowed in XML; None for none.

    """

    source: bytes
    shown: bytes
    malformed: int | None = None


class _Masks(dict[int, str]):
    """For each character beyond ASCII as many letters as it has octets, of its low bits."""

    def __init__(self, charset: Charset) -> None:
        self._charset = charset

    def __missing__(self, number: int) -> str:
        letters = chr(number)
        if number > 0x7F:
            try:
                octets = len(self._charset.encode(letters))
            except UnicodeEncodeError:  # U+FFFD for what is malformed
                octets = 1
            letters = _letters(number, octets)
        self[number] = letters
        return letters


def _letters(number: int, octets: int) -> str:
    return "".join(chr(0x80 | number >> 7 * place & 0x7F) for place in range(octets))


@cache
def _masks(charset: Charset) -> _Masks:
    return _Masks(charset)


class ExpatInput:
    """Make expat's input of a document, chunk by chunk.

    Args:
        charset: of the document.

    Attributes:
        encoding: the one that expat is to be created with.
        reads_source: whether it reads the octets of the document, or what is shown of them.
        scale: how many bytes of what it reads stand for one unit of the view.

    """

    def __init__(self, charset: Charset) -> None:
        self._charset = charset
        self.reads_source = charset.unit == 2
        self._own_view = charset.is_own_view
        self._masked = charset.name in _ASCII_TRAILS
        #: Whether expat sees every octet of the document.
        self._faithful = self._own_view and not self._masked
        self.encoding = charset.name if self.reads_source else _OCTETS
        self.scale = charset.unit if self.reads_source else 1
        self._source = bytearray()
        self._view = bytearray()
        self._state = 0
        self._done = 0

    def index(self, parser: expat.XMLParserType) -> int:
        """Return the offset in the view up to which a parser has read this input."""
        return max(parser.CurrentByteIndex, 0) // self.scale

    @property
    def rest(self) -> bytes:
        """The part of the view that has not been returned."""
        return bytes(self._view)

    def feed(self, source: bytes, view: bytes, *, final: bool = False) -> Checked:
        """Return what can be read once the next bytes of the document have come."""
        if self._own_view and not self._source:
            if source.isascii():
                self._done += len(view)
                return Checked(source, source)
            if final:
                return self._checked(source, source)
        self._source += source
        self._view += view
        unit = self._charset.unit
        cut = len(self._view) if final else self._cut(len(view))
        stop = len(self._source) if final else cut * unit
        piece = bytes(self._source[:stop])
        shown = piece if self._own_view else bytes(self._view[:cut])
        del self._source[:stop], self._view[:cut]
        return self._checked(piece, shown)

    def _cut(self, new: int) -> int:
        """Return where the last character ends that is certain to be whole."""
        start = len(self._view) - new
        cut = max(self._view.rfind(mark, start) for mark in _CUTS) + 1
        return cut if cut > start else 0

    def _checked(self, piece: bytes, shown: bytes) -> Checked:
        text = None if self._is_plain_utf8(piece) else self._charset.decode(piece, self._state)
        bad = None
        if text is not None:
            bad = self._first_bad(text, piece) if _SUSPECT.search(text) else None
            if self._masked:
                shown = self._mask(text, piece)
            elif not self._own_view and not self.reads_source:
                shown = self._unmask(shown, piece)
        if bad is not None:
            unit = self._charset.unit
            units = bad // unit
            self._view[:0] = (piece if self._own_view else shown)[units:]
            return Checked(piece[: units * unit], shown[:units], self._done + units)
        self._done += len(shown)
        # ISO-2022-JP: a piece ends in ASCII or in JIS X 0201 Roman.
        if self._charset.has_states and b"\x1b(" in piece:
            self._state = int(piece.rfind(b"\x1b(J") > piece.rfind(b"\x1b(B"))
        return Checked(piece, shown)

    def _is_plain_utf8(self, piece: bytes) -> bool:
        """Return whether these are octets of UTF-8 for characters that XML allows, as most are."""
        if self._charset.name != "UTF-8":
            return False
        # One octet is found much sooner than two.
        if _LAST_OF_PLANE[:1] in piece and _LAST_OF_PLANE in piece:
            return False
        # Step by step, so that no memory is taken for the characters of all of it.
        octets, at = memoryview(piece), 0
        try:
            while at < len(octets):
                step = octets[at : at + _STEP]
                at += codecs.utf_8_decode(step, "strict", at + _STEP >= len(octets))[1]
        except UnicodeDecodeError:
            return False
        return True

    def _first_bad(self, text: str, piece: bytes) -> int | None:
        offsets = self._charset.offsets(piece, self._state)
        for match in _SUSPECT.finditer(text):
            start, end = offsets[match.start()], offsets[match.end()]
            if match[0] != "\ufffd" or not self._encodes_to(match[0], piece[start:end]):
                return start
        return None

    def _encodes_to(self, char: str, octets: bytes) -> bool:
        try:
            return self._charset.encode(char) == octets
        except UnicodeEncodeError:
            return False

    def _mask(self, text: str, piece: bytes) -> bytes:
        """Make letters of all octets of characters beyond ASCII, so that names stay apart."""
        masked = text.translate(_masks(self._charset))
        if len(masked) == len(piece):
            return masked.encode("latin-1")
        # Some octets stand for two characters (Encoding Standard, 12.1.1), or are malformed.
        offsets = self._charset.offsets(piece)
        out = bytearray(piece)
        for match in _NOT_ASCII.finditer(text):
            start, end = offsets[match.start()], offsets[match.end()]
            out[start:end] = _letters(ord(match[0]), end - start).encode("latin-1")
        return bytes(out)

    def _unmask(self, shown: bytes, piece: bytes) -> bytes:
        """Put the low seven bits of the document's octets where the view has a mask."""
        unit = self._charset.unit
        low = 0 if self._charset.name.endswith("LE") else unit - 1
        octets = piece[low::unit]
        if len(octets) != len(shown):  # an incomplete unit at the end, which is malformed
            return shown
        held = int.from_bytes(shown.translate(_KEEP), "big") & int.from_bytes(octets, "big")
        held |= int.from_bytes(shown.translate(_CLEAR), "big")
        return held.to_bytes(len(shown), "big")

    def text(self, text: str, raw: bytes | None = None) -> str:
        """Return the characters that expat's letters mean.

        Args:
            text: that expat gave.
            raw: its octets in the view, if it is spelled there as itself.

        Returns:
            The characters, U+FFFD for those that are not known.

        """
        if self.reads_source or text.isascii():
            return text
        if self._own_view and raw is not None and b"&" not in raw:
            return self._charset.decode(raw)
        if self._faithful:
            # A reference such as &#233; means a character that is no octet.
            return _LETTERS.sub(self._decode, text)
        return _LETTER.sub("\ufffd", text)

    def _decode(self, match: re.Match[str]) -> str:
        return self._charset.decode(bytes(_OCTET_BACK[ord(c)] for c in match[0]))


_LETTER = re.compile(f"[{chr(_FIRST_LETTER + 0x80)}-{chr(_FIRST_LETTER + 0xFF)}]")
_LETTERS = re.compile(f"{_LETTER.pattern}+")
