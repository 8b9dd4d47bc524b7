"""The interface of charsets: decode, encode, locate code points, view as ASCII.

A `Charset` is one encoding of the Encoding Standard, or one of the few that only XML documents have. Each has one
instance, so that charsets are compared by identity. Tables are loaded for the first byte beyond ASCII.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from .eucjp import EucJpView
from .view import View

__all__ = ["REPLACEMENT", "Charset", "Missing"]

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

    """

    name: str
    unit: int = 1
    is_unicode: bool = False

    @abstractmethod
    def decode(self, data: bytes, state: int = 0) -> str:
        """Decode bytes that begin at a character boundary (Encoding Standard, "run the decoder").

        Each malformed sequence, and an incomplete one at the end, becomes U+FFFD. A byte order mark
        is a character like any other. `state` is what `View.state` says of the first byte; only
        ISO-2022-JP has states other than 0.
        """

    @abstractmethod
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

    @abstractmethod
    def offsets(self, data: bytes, state: int = 0) -> list[int]:
        """Where each code point of `decode(data, state)` begins, as byte offsets, and `len(data)` last."""

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
        starts = self.offsets(data, state)
        return max((start for start in starts[-3 * _LONGEST :] if start <= decided), default=0)

    def has(self, char: str) -> bool:
        """Return whether the encoder has bytes for a character; `decode` may return another for them."""
        try:
            self.encode(char)
        except UnicodeEncodeError:
            return False
        return True

    def encodable(self, char: str) -> bool:
        """Whether a character is the same after encoding and decoding.

        Some encoders map a character to another one: U+2212 becomes U+FF0D in Shift_JIS.
        """
        try:
            return self.decode(self.encode(char)) == char
        except UnicodeEncodeError:
            return False

    @property
    def has_states(self) -> bool:
        """Whether what bytes mean depends on an escape sequence before them."""
        return False

    def view(self) -> View:
        """Start an ASCII view of a document in this charset."""
        return View()

    @property
    def is_own_view(self) -> bool:
        """Whether the ASCII view of a document is the document itself."""
        return type(self.view()) in {View, EucJpView}

    def __reduce__(self) -> tuple[Callable[[str], Charset], tuple[str]]:
        """Pickle and copy by name, so that there stays one instance for each encoding."""
        from .labels import named

        return named, (self.name,)

    def __repr__(self) -> str:
        return f"<Charset {self.name}>"


def encode_each(
    charset: str, text: str, encode: Callable[[str], bytes | None], missing: Missing | None
) -> bytes:
    """Encode text character by character, for text with characters that a charset lacks.

    `encode` returns None for such a character. Offsets in the UnicodeEncodeError are in `text`.
    """
    out = []
    for position, char in enumerate(text):
        data = encode(char)
        if data is None:
            if missing is None:
                raise UnicodeEncodeError(
                    charset, text, position, position + 1, "the charset lacks the character"
                )
            data = missing(char)
        out.append(data)
    return b"".join(out)
