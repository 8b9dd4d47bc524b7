"""The input of expat: octets at the offsets of the document, with their charset checked.

Input: source and view. Output: bytes that expat parses (`Checked`). expat decodes UTF-16 itself. A whole document
in UTF-8 is first passed to it as it is; most have only names that expat knows, those of the editions before the fifth.
All others expat reads in the encoding ``linkfix-octets``. There each octet from 0x80 is a letter, and no offset shifts.
This module checks the rest: whether the bytes are characters of their charset, whether XML allows these
characters (XML 1.0, 2.2), and whether names follow the fifth edition (2.3). The cost is one pass of a decoder.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import cache
from xml.parsers import expat

from linkfix.charset import Charset
from linkfix.deferred import pattern

_OCTETS = "linkfix-octets"
#: Letters in all editions of XML 1.0: rare Hangul syllables.
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


_NAME = pattern(f"[{_START}][{_START}0-9.\xb7\u0300-\u036f\u203f-\u2040-]*")


def is_name(text: str) -> bool:
    """Return whether a text is a Name (XML 1.0, fifth edition, 2.3 [5])."""
    return _NAME.fullmatch(text) is not None


#: Charsets whose trail bytes can be ASCII punctuation, such as "]", which expat would read as such.
ASCII_TRAILS = frozenset({"Shift_JIS", "Big5", "GBK", "gb18030", "EUC-KR"})
_NOT_ASCII = re.compile("[\x80-\U0010ffff]")
#: The characters that XML does not allow, and what malformed bytes become too.
_REFUSED = "\ufffe\uffff"
_SUSPECT = "\ufffd" + _REFUSED
#: A beginning that expat takes neither for a byte order mark nor for UTF-16.
_BEGINS_AS_UTF_8 = re.compile(rb"[<\t\n\r ][^\0]")
#: Octets that are never part of a longer character and are in every document.
_CUTS = (b"\n", b" ", b"/")


@dataclass(frozen=True, slots=True)
class Checked:
    """A piece of a document that expat can parse now.

    Attributes:
        source: its octets.
        shown: the same octets in the view, with different masks for different names, and no ASCII in them.
        malformed: offset in the view of a character after the piece that is malformed or that XML does not allow;
            None for none.

    """

    source: bytes
    shown: bytes
    malformed: int | None = None


class _Masks(dict[int, str]):
    """Maps each character beyond ASCII to as many letters, made from its bits, as it has units in the view."""

    def __init__(self, charset: Charset) -> None:
        self._charset = charset

    def __missing__(self, number: int) -> str:
        letters = chr(number)
        if number > 0x7F:
            try:
                units = len(self._charset.encode(letters)) // self._charset.unit
            except UnicodeEncodeError:  # U+FFFD for what is malformed
                units = 1
            letters = _letters(number, units)
        self[number] = letters
        return letters


def _letters(number: int, units: int) -> str:
    return "".join(chr(0x80 | number >> 7 * place & 0x7F) for place in range(units))


_masks = cache(_Masks)


def may_be_utf_8(document: bytes, charset: Charset) -> bool:
    """Return whether expat may read a whole document as UTF-8."""
    is_named = charset.name == "UTF-8" or (charset.is_own_view and document.isascii())
    return is_named and _BEGINS_AS_UTF_8.match(document) is not None


class ExpatInput:
    """Convert a document to the input of expat, chunk by chunk.

    Args:
        charset: charset of the document.
        is_utf_8: whether expat reads the document as UTF-8, and nothing else checks it.

    Attributes:
        parser: expat's parser.
        is_utf_8: whether expat reads the document as UTF-8.
        why: what is wrong at `Checked.malformed`.

    """

    def __init__(self, charset: Charset, *, is_utf_8: bool = False) -> None:
        self._charset = charset
        self.is_utf_8 = is_utf_8
        #: Whether expat reads `Checked.source`; else it reads `Checked.shown`.
        self._reads_source = charset.unit == 2 or is_utf_8
        self._own_view = charset.is_own_view
        #: expat, libxml2 and Xerces all refuse other octets there (XML 1.0, 4.3.3).
        self._only_ascii = charset.iana is not None and charset.iana.name == "US-ASCII"
        self.why: str = "these bytes are no characters that XML allows"
        if self._only_ascii:
            self.why = "this octet is not in US-ASCII; say with --charset what the document is in"
        #: Whether the input has every octet of the document.
        self._faithful = self._own_view and charset.name not in ASCII_TRAILS
        #: Bytes of the input for each unit of the view.
        self._scale = charset.unit if self._reads_source else 1
        self.parser: expat.XMLParserType = expat.ParserCreate(
            "UTF-8" if is_utf_8 else charset.name if self._reads_source else _OCTETS
        )
        self.parser.ordered_attributes = self.parser.buffer_text = True
        self._source = bytearray()
        self._view = bytearray()
        self._state = 0
        self._done = 0

    @property
    def index(self) -> int:
        """The offset in the view up to which expat has read; after an error, of the error."""
        return max(self.parser.CurrentByteIndex, 0) // self._scale

    def parse(self, piece: Checked, *, final: bool) -> None:
        """Let expat read the next piece; with `final` the document ends there."""
        self.parser.Parse(piece.source if self._reads_source else piece.shown, final)

    @property
    def rest(self) -> tuple[bytes, bytes]:
        """The octets that have not been returned, as octets and in the view."""
        return bytes(self._source), bytes(self._view)

    def feed(self, source: bytes, view: bytes, *, final: bool = False) -> Checked:
        """Return the piece that can be parsed after the next bytes of the document.

        Args:
            source: the bytes.
            view: the same bytes in the view.
            final: whether the document ends with them.

        """
        if self._own_view and not self._source:
            if self.is_utf_8 or source.isascii():
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
        """Return the index after the last character that is certainly whole."""
        start = len(self._view) - new
        cut = max(self._view.rfind(mark, start) for mark in _CUTS) + 1
        return cut if cut > start else 0

    def _checked(self, piece: bytes, shown: bytes) -> Checked:
        text, bad = self._charset.decode(piece, self._state), None
        if self._only_ascii:
            bad = next((at for at, octet in enumerate(piece) if octet > 0x7F), None)
        elif any(map(text.__contains__, _SUSPECT)):
            found = self._charset.malformed(piece, text, self._state, _REFUSED)
            bad = next((start for start, _ in found), None)
        if not self._faithful and not self._reads_source:
            shown = self._mask(text, piece, shown)
        if bad is not None:
            unit = self._charset.unit
            units = bad // unit
            self._source[:0] = piece[units * unit :]
            self._view[:0] = (piece if self._own_view else shown)[units:]
            return Checked(piece[: units * unit], shown[:units], self._done + units)
        self._done += len(shown)
        # ISO-2022-JP: a piece ends in ASCII or in JIS X 0201 Roman.
        if self._charset.has_states and b"\x1b(" in piece:
            self._state = int(piece.rfind(b"\x1b(J") > piece.rfind(b"\x1b(B"))
        return Checked(piece, shown)

    def _mask(self, text: str, piece: bytes, shown: bytes) -> bytes:
        """Return a view with letters for all units of characters beyond ASCII; different names stay different."""
        charset = self._charset
        masked = text.translate(_masks(charset))
        if len(masked) == len(shown) and not charset.has_states:
            return masked.encode("latin-1")
        # Some octets are two characters together (Encoding Standard, 12.1.1), escape sequences, or malformed.
        starts = [offset // charset.unit for offset in charset.offsets(piece, self._state)]
        out = bytearray(shown)
        for match in _NOT_ASCII.finditer(text):
            start, end = starts[match.start()], starts[match.end()]
            out[start:end] = _letters(ord(match[0]), end - start).encode("latin-1")
        return bytes(out)

    def text(self, text: str) -> str:
        """Return the characters for expat's letters.

        Args:
            text: a text that expat has reported.

        Returns:
            The characters, U+FFFD for unknown ones.

        """
        if self._reads_source or text.isascii():
            return text
        if self._faithful:
            # A reference such as &#233; is a character, not an octet.
            return _LETTERS.sub(self._decode, text)
        return _LETTER.sub("\ufffd", text)

    def _decode(self, match: re.Match[str]) -> str:
        return self._charset.decode(bytes(_OCTET_BACK[ord(c)] for c in match[0]))


_LETTER = re.compile(f"[{chr(_FIRST_LETTER + 0x80)}-{chr(_FIRST_LETTER + 0xFF)}]")
_LETTERS = re.compile(f"{_LETTER.pattern}+")
