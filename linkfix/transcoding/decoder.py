"""From any charset to UTF-8, chunk by chunk, as the Encoding Standard decodes the document whole."""

from __future__ import annotations

from operator import ne
from typing import TYPE_CHECKING

from linkfix.charset.model import REPLACEMENT

if TYPE_CHECKING:
    from linkfix.charset import Charset

__all__ = ["UTF8Decoder"]


class UTF8Decoder:
    """Turn the bytes of a document into UTF-8.

    A document in UTF-8 passes as it is, malformed bytes included.

    Args:
        charset: of the document.
        xml: whether it is decoded as the readers of XML do (`Charset.decode_xml`).

    Attributes:
        replaced: how many malformed sequences have become U+FFFD.
        disputed: how many characters readers of XML and browsers decode differently.

    """

    def __init__(self, charset: Charset, *, xml: bool = False) -> None:
        self.replaced = 0
        self.disputed = 0
        self._charset = charset
        self._is_xml = xml and charset.iana is not None
        self._view = charset.view()
        self._held = b""
        self._offset = 0

    def feed(self, data: bytes) -> bytes:
        """Decode the next bytes after the byte order mark; return the characters that they complete."""
        if self._charset.name == "UTF-8":
            return data
        self._view.feed(data)
        self._held += data
        end = self._charset.settled(self._held, self._view.state(self._offset))
        return self._decode(end) if end > 0 else b""

    def close(self) -> bytes:
        """End the document; return its last characters."""
        self._view.close()
        return self._decode(len(self._held))

    def _decode(self, end: int) -> bytes:
        data, self._held = self._held[:end], self._held[end:]
        state = self._view.state(self._offset)
        text = self._charset.decode(data, state)
        if REPLACEMENT in text:
            self.replaced += self._malformed(data, text, state)
        if self._charset.iana is not None:
            own = self._charset.decode_xml(data, state)
            self.disputed += sum(map(ne, text, own))
            text = own if self._is_xml else text
        self._offset += end
        self._view.forget(self._offset)
        return text.encode()

    def _malformed(self, data: bytes, text: str, state: int) -> int:
        """Count the U+FFFD that decoding inserted."""
        try:
            own = self._charset.encode(REPLACEMENT)
        except UnicodeEncodeError:
            return text.count(REPLACEMENT)
        starts = self._charset.offsets(data, state)
        return sum(
            char == REPLACEMENT and data[starts[n] : starts[n + 1]] != own
            for n, char in enumerate(text)
        )
