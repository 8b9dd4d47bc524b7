"""From any charset to UTF-8, chunk by chunk, as the Encoding Standard decodes the document whole."""

from operator import ne

from linkfix.charset import Charset
from linkfix.charset.model import REPLACEMENT
from linkfix.errors import LossError


class UTF8Decoder:
    """Turn the bytes of a document into UTF-8.

    A document in UTF-8 passes as it is, malformed bytes included.

    Args:
        charset: of the document.
        xml: whether it is decoded as the readers of XML do (`Charset.decode_xml`).
        accept_losses: whether a malformed sequence becomes U+FFFD; otherwise it is an error.

    Attributes:
        replaced: how many malformed sequences have become U+FFFD.
        disputed: how many characters readers of XML and browsers decode differently.
        offset: how many bytes after the byte order mark are decoded.

    """

    def __init__(self, charset: Charset, *, xml: bool = False, accept_losses: bool = False) -> None:
        self.replaced: int = 0
        self.disputed: int = 0
        self._charset = charset
        self._accepts_losses = accept_losses
        self._is_xml = xml and charset.iana is not None
        self._view = charset.view()
        self._held = b""
        self.offset: int = 0

    def __call__(self, data: bytes, final: bool) -> bytes:
        """Read the next bytes; return the octets in UTF-8 that they complete.

        Args:
            data: the bytes.
            final: whether the document ends with them.

        Raises:
            LossError: some of them are malformed, and losses are not accepted.

        """
        if self._charset.name == "UTF-8":
            self.offset += len(data)
            return data
        self._view.feed(data)
        self._held += data
        if final:
            self._view.close()
            return self._decode(len(self._held))
        return self._decode(self._charset.settled(self._held, self._view.state(self.offset)))

    def _decode(self, end: int) -> bytes:
        data, self._held = self._held[:end], self._held[end:]
        state = self._view.state(self.offset)
        text = self._charset.decode(data, state)
        if REPLACEMENT in text:
            malformed = self._malformed(data, text, state)
            if malformed and not self._accepts_losses:
                raise self._loss(data, *malformed[0])
            self.replaced += len(malformed)
        if self._charset.iana is not None:
            own = self._charset.decode_xml(data, state)
            self.disputed += sum(map(ne, text, own))
            text = own if self._is_xml else text
        self.offset += end
        self._view.forget(self.offset)
        return text.encode()

    def _malformed(self, data: bytes, text: str, state: int) -> list[tuple[int, int]]:
        """Return the start and end of each sequence for which decoding inserted U+FFFD."""
        try:
            own = self._charset.encode(REPLACEMENT)
        except UnicodeEncodeError:
            own = b""
        starts = self._charset.offsets(data, state)
        return [
            (starts[n], starts[n + 1])
            for n, char in enumerate(text)
            if char == REPLACEMENT and data[starts[n] : starts[n + 1]] != own
        ]

    def _loss(self, data: bytes, start: int, end: int) -> LossError:
        octets = data[start:end].hex(" ").upper()
        return LossError(
            f"the octets {octets} are malformed in {self._charset.name}; in UTF-8 they would be lost",
            hint="name the right charset, correct them, or accept that they become U+FFFD",
            offset=self.offset + start,
        )
