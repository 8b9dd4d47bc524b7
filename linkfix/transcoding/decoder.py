"""From any charset to UTF-8, chunk by chunk, as the Encoding Standard decodes the document whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkfix.charset.model import REPLACEMENT

if TYPE_CHECKING:
    from linkfix.charset import Charset

__all__ = ["UTF8Decoder"]

#: Bytes that a decoder of a charset without states may look at to tell one character.
_LONGEST = 4
#: Octets that are no part of a longer character in any charset of which the view is the document.
_CUTS = (b"\n", b"\r", b" ", b">", b"<")


class UTF8Decoder:
    """Turn the bytes of a document into UTF-8.

    A document in UTF-8 passes as it is, malformed bytes included.

    Args:
        charset: of the document.

    Attributes:
        replaced: how many malformed sequences have become U+FFFD.

    """

    def __init__(self, charset: Charset) -> None:
        self.replaced = 0
        self._charset = charset
        self._view = charset.view()
        self._held = b""
        self._offset = 0

    def feed(self, data: bytes) -> bytes:
        """Take the next bytes after the byte order mark; give the characters that they complete."""
        if self._charset.name == "UTF-8":
            return data
        self._view.feed(data)
        self._held += data
        end = self._boundary()
        return self._decode(end) if end > 0 else b""

    def close(self) -> bytes:
        """Say that the document has ended and give its last characters."""
        self._view.close()
        return self._decode(len(self._held))

    def _boundary(self) -> int:
        """Give an offset before which what follows changes nothing."""
        data, charset = self._held, self._charset
        if charset.is_unicode:
            end = len(data) - len(data) % charset.unit
            high = (
                data[end - 1 if charset.name.endswith("LE") else end - charset.unit] if end else 0
            )
            # The first half of a surrogate pair waits for the second.
            return end - charset.unit if charset.unit == 2 and high & 0xFC == 0xD8 else end
        cut = max(data.rfind(octet) for octet in _CUTS)
        # In ISO-2022-JP these octets may be part of a character.
        if cut >= 0 and charset.name != "ISO-2022-JP":
            return cut + 1
        decided = len(data) - 2 * _LONGEST
        if decided <= 0:
            return 0
        starts = charset.offsets(data, self._view.state(self._offset))
        return max((start for start in starts[-3 * _LONGEST :] if start <= decided), default=0)

    def _decode(self, end: int) -> bytes:
        data, self._held = self._held[:end], self._held[end:]
        state = self._view.state(self._offset)
        text = self._charset.decode(data, state)
        if REPLACEMENT in text:
            self.replaced += self._malformed(data, text, state)
        self._offset += end
        self._view.forget(self._offset)
        return text.encode()

    def _malformed(self, data: bytes, text: str, state: int) -> int:
        """Count the U+FFFD that do not stand in the document themselves."""
        try:
            own = self._charset.encode(REPLACEMENT)
        except UnicodeEncodeError:
            return text.count(REPLACEMENT)
        starts = self._charset.offsets(data, state)
        return sum(
            char == REPLACEMENT and data[starts[n] : starts[n + 1]] != own
            for n, char in enumerate(text)
        )
