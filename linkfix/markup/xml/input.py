"""The buffered part of a document, and expat, which parses it at the offsets of the document, with its charset checked.

Input: source and view. Output: what expat calls, and the view as far as it is checked. expat decodes UTF-16 itself. A whole document
in UTF-8 is first passed to it as it is; most have only names that expat knows, those of the editions before the fifth.
All others expat reads in the encoding ``linkfix-octets``. There each octet from 0x80 is a letter, and no offset shifts.
This module checks the rest: whether the bytes are characters of their charset, whether XML allows these
characters (XML 1.0, 2.2), and whether names follow the fifth edition (2.3). The cost is one pass of a decoder.
"""

from __future__ import annotations

import codecs
import re
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


class Input:
    """Buffer a document, and let expat parse it chunk by chunk.

    Args:
        charset: charset of the document.
        is_utf_8: whether expat reads the document as UTF-8, and nothing else checks it.

    Attributes:
        parser: expat's parser.
        is_utf_8: whether expat reads the document as UTF-8.
        view: the view of the part that is buffered and checked, with different masks for different names beyond ASCII, and
            no ASCII in them.
        base: offset of its first unit in the view of the document.
        malformed: offset in the view of a character after that part that is malformed or that XML does not allow; None
            for none.
        why: what is wrong there.

    """

    def __init__(self, charset: Charset, *, is_utf_8: bool = False) -> None:
        self._charset = charset
        self.is_utf_8 = is_utf_8
        #: Whether expat reads the octets; else it reads the view.
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
        self.view: bytes = b""
        self.base: int = 0
        self.malformed: int | None = None
        self._source = b""
        #: The octets that are not checked yet, and their view.
        self._rest = bytearray()
        self._rest_view = bytearray()
        self._state = 0

    @property
    def index(self) -> int:
        """The offset in the view up to which expat has read; after an error, of the error."""
        return max(self.parser.CurrentByteIndex, 0) // self._scale

    @property
    def end(self) -> int:
        """The offset in the view at which the checked part ends."""
        return self.base + len(self.view)

    def parse(self, source: bytes, view: bytes, *, final: bool = False) -> None:
        """Let expat parse what can be parsed after the next bytes of the document.

        Args:
            source: the bytes.
            view: the same bytes in the view.
            final: whether the document ends with them.

        Raises:
            xml.parsers.expat.ExpatError: expat refuses it.

        """
        piece, shown = self._next(source, view, final=final)
        self.add(piece, shown)
        final &= self.malformed is None
        self.parser.Parse(piece if self._reads_source else shown, final)

    def _next(self, source: bytes, view: bytes, *, final: bool) -> tuple[bytes, bytes]:
        """Return the next octets that can be parsed, and their view; the arguments are those of `parse`."""
        if self._own_view and not self._rest:
            if self.is_utf_8 or source.isascii():
                return source, source
            if final:
                return self._checked(source, source)
        self._rest += source
        self._rest_view += view
        unit = self._charset.unit
        cut = len(self._rest_view) if final else self._cut(len(view))
        stop = len(self._rest) if final else cut * unit
        piece = bytes(self._rest[:stop])
        shown = piece if self._own_view else bytes(self._rest_view[:cut])
        del self._rest[:stop], self._rest_view[:cut]
        return self._checked(piece, shown)

    def add(self, source: bytes, view: bytes) -> None:
        """Append octets to the checked part, and the same octets in the view."""
        same = source is view and self._source is self.view
        self.view = self.view + view if self.view else view
        self._source = self.view if same else self._source + source

    def restart(self, offset: int) -> None:
        """Keep the document from an offset in the view on, with its own octets, checked or not."""
        self.forget(offset)
        self._source += self._rest
        self.view = self._source if self._own_view else self.view + self._rest_view

    def forget(self, offset: int) -> None:
        """Discard everything before an offset in the view."""
        keep = offset - self.base
        same = self._source is self.view
        self.view = self.view[keep:]
        self._source = self.view if same else self._source[keep * self._charset.unit :]
        self.base = offset

    def text(self, start: int, end: int) -> str:
        """Return the characters between two indexes of `view`."""
        unit = self._charset.unit
        return self._charset.decode(self._source[start * unit : end * unit])

    def group(self, match: re.Match[bytes], group: int | str) -> str:
        """Return the characters of a group of a match in `view`."""
        raw = match[group]
        return raw.decode() if raw.isascii() else self.text(*match.span(group))

    def _cut(self, new: int) -> int:
        """Return the index after the last character that is certainly whole."""
        start = len(self._rest_view) - new
        cut = max(self._rest_view.rfind(mark, start) for mark in _CUTS) + 1
        return cut if cut > start else 0

    def _checked(self, piece: bytes, shown: bytes) -> tuple[bytes, bytes]:
        """Return octets and their view up to the first malformed character."""
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
            self._rest[:0] = piece[units * unit :]
            self._rest_view[:0] = (piece if self._own_view else shown)[units:]
            self.malformed = self.end + units
            return piece[: units * unit], shown[:units]
        # ISO-2022-JP: a piece ends in ASCII or in JIS X 0201 Roman.
        if self._charset.has_states and b"\x1b(" in piece:
            self._state = int(piece.rfind(b"\x1b(J") > piece.rfind(b"\x1b(B"))
        return piece, shown

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

    def characters(self, text: str) -> str:
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
