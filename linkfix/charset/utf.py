"""UTF-8, UTF-16 and, for XML alone, UTF-32. Python's own codecs decode them as the standards say."""

import re
from functools import cache
from typing import Literal

from .model import Charset, Missing, encode_each
from .view import View, WideView


class Utf(Charset):
    """A Unicode encoding form (Encoding Standard, 8.1 and 14.2 to 14.4; for UTF-32 Unicode, 3.10)."""

    __slots__ = ()

    def decode(self, data: bytes, state: int = 0) -> str:
        """Decode bytes, as `Charset.decode`; malformed UTF-8 becomes one U+FFFD for each maximal subpart."""
        del state
        return data.decode(self.name, "replace")

    def encode(
        self, text: str, state: int = 0, *, end: int | None = None, missing: Missing | None = None
    ) -> bytes:
        """Encode text, as `Charset.encode`; only lone surrogates are missing."""
        del state, end
        try:
            return text.encode(self.name)
        except UnicodeEncodeError:
            return encode_each(self.name, text, self._encode_char, missing)

    def _encode_char(self, char: str) -> bytes | None:
        return None if "\ud800" <= char <= "\udfff" else char.encode(self.name)

    def offsets(self, data: bytes, state: int = 0) -> list[int]:
        """Return offsets, as `Charset.offsets`."""
        del state
        if self.unit == 1 and data.isascii():
            return list(range(len(data) + 1))
        if self.unit == 1 and _is_utf8(data):
            starts = [at for at, octet in enumerate(data) if octet & 0xC0 != 0x80]
            return [*starts, len(data)]
        return [*(match.start() for match in _sequences(self.name).finditer(data)), len(data)]

    def view(self) -> View:
        """Return the view, as `Charset.view`."""
        order: Literal["little", "big"] = "big" if self.name.endswith("BE") else "little"
        return View() if self.unit == 1 else WideView(self.unit, order)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
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
