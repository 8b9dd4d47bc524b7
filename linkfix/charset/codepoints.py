"""Where in the bytes of a value its code points are."""

from linkfix.charset.model import REPLACEMENT, Charset

#: The first byte of an escape sequence of ISO-2022-JP; its other bytes look like ASCII.
_ESCAPE = b"\x1b"


class CodePoints:
    """The byte offsets of code points; requests in ascending order are the fastest.

    Escape sequences before the first code point belong to it.

    Args:
        charset: of the bytes.
        data: the bytes.
        text: the decoded bytes.
        state: of the decoder at their beginning.

    """

    __slots__ = ("_at", "_byte", "_charset", "_data", "_offsets", "_same_size", "_state", "_text")

    def __init__(self, charset: Charset, data: bytes, text: str, state: int = 0) -> None:
        self._charset = charset
        self._data = data
        self._text = text
        self._state = state
        self._same_size = data.isascii() and not state and _ESCAPE not in data
        self._offsets: list[int] | None = None
        #: A code point whose byte offset is known.
        self._at = self._byte = 0

    def __getitem__(self, index: int) -> int:
        """Return the offset of the first byte of a code point; the length of the bytes for the end."""
        if self._same_size:
            return index * self._charset.unit
        if index in {0, len(self._text)}:
            return index and len(self._data)
        if self._charset.is_unicode and REPLACEMENT not in self._text:
            if index < self._at:
                self._at = self._byte = 0
            self._byte += len(self._charset.encode(self._text[self._at : index]))
            self._at = index
            return self._byte
        if self._offsets is None:
            self._offsets = self._charset.offsets(self._data, self._state)
        return self._offsets[index]
