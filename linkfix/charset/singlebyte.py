"""Charsets in which a byte is a character: ISO-8859, Windows, KOI8, DOS, Macintosh and EBCDIC pages."""

import codecs
from functools import cache
from typing import Any

from .model import Charset, Missing, encode_each
from .view import MASK, TranslatedView, View


class SingleByte(Charset):
    """A single-byte encoding (Encoding Standard, section 9, and x-user-defined, 14.5)."""

    __slots__ = ()

    def decode(self, data: bytes, state: int = 0) -> str:
        """Decode bytes, as `Charset.decode`."""
        del state
        return codecs.charmap_decode(data, "replace", table(self.name))[0]

    def encode(
        self, text: str, state: int = 0, *, end: int | None = None, missing: Missing | None = None
    ) -> bytes:
        """Encode text, as `Charset.encode`."""
        del state, end
        try:
            return codecs.charmap_encode(text, "strict", _encoding(self.name))[0]
        except UnicodeEncodeError:
            return encode_each(self.name, text, _bytes(self.name).get, missing)

    def offsets(self, data: bytes, state: int = 0) -> list[int]:
        """Return offsets, as `Charset.offsets`."""
        del state
        return list(range(len(data) + 1))

    def view(self) -> View:
        """Return the view, as `Charset.view`; EBCDIC is translated."""
        mask = _mask(self.name)
        return View() if mask is None else TranslatedView(mask)


#: The mark in a table for a byte without a character, as `codecs.charmap_decode` expects it.
UNDEFINED = "\ufffe"


@cache
def table(name: str) -> str:
    """Load the 256 characters of a charset, U+FFFE where there is none."""
    from .tables.single_byte import EBCDIC, EBCDIC_037, LOWER, UPPER_HALVES

    is_ascii = name in UPPER_HALVES
    characters = [*map(chr, range(0x80)), *UPPER_HALVES[name]] if is_ascii else list(EBCDIC_037)
    for record in (LOWER.get(name, "") if is_ascii else EBCDIC[name]).split():
        byte, point = record.split("=")
        characters[int(byte, 16)] = chr(int(point, 16))
    return "".join(characters)


@cache
def _encoding(name: str) -> Any:  # what Python makes for `codecs.charmap_encode`
    return codecs.charmap_build(table(name))


@cache
def _bytes(name: str) -> dict[str, bytes]:
    """Return the encoder's table, for text with characters that the charset lacks."""
    return {
        character: bytes([byte])
        for byte, character in enumerate(table(name))
        if character != UNDEFINED
    }


@cache
def _mask(name: str) -> bytes | None:
    """Make the translation from bytes to the ASCII view; None for a superset of ASCII."""
    characters = table(name)
    if characters[:0x80] == "".join(map(chr, range(0x80))):
        return None
    return bytes(ord(character) if character.isascii() else MASK for character in characters)
