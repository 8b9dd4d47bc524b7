"""Text of XML that is itself a document, read in one go, and the way back to where it is spelled.

What is most often escaped in such a text are the characters that markup is made of, by references to
the predefined entities (XML 1.0, 4.6). These are replaced in bytes. To find where a character of the
outcome is spelled then takes no list of references: wherever each of these characters is spelled in
one way throughout, their number before it tells.
"""

from __future__ import annotations

import re

__all__ = ["TextView"]

#: What is replaced, longer by so much than the character; the ampersand last, so that what it is part of
#: is not read again. Numbers are what some programs write for quotes.
_NUMBERED = ((b"&#34;", b'"', 4), (b"&#39;", b"'", 4), (b"&#039;", b"'", 5), (b"&#x22;", b'"', 5), (b"&#x27;", b"'", 5))  # fmt: skip
_NAMED = ((b"&lt;", b"<", 3), (b"&gt;", b">", 3), (b"&quot;", b'"', 5), (b"&apos;", b"'", 5), (b"&amp;", b"&", 4))  # fmt: skip
_ALL = _NUMBERED + _NAMED
#: A reference to a character beyond ASCII.
_BEYOND_ASCII = re.compile(
    rb"&#(?:0*+(?:12[89]|1[3-9][0-9]|[2-9][0-9]{2}|[1-9][0-9]{3,})"
    rb"|x0*+(?:[89A-Fa-f][0-9A-Fa-f]|[1-9A-Fa-f][0-9A-Fa-f]{2,}));"
)
_MASK = b"\xff"


class TextView:
    """The ASCII view of the characters that a text without markup is read as.

    Attributes:
        view: it; for a character that a reference to its number stands for, as many bytes that are
            not ASCII as that has.

    """

    __slots__ = ("_at", "_replaced", "_shift", "view")

    def __init__(self, view: bytes, replaced: list[tuple[bytes, int, int]]) -> None:
        self.view = view
        #: Each character that stands for a reference, how much longer that is, and how often.
        self._replaced = replaced
        self._at = self._shift = 0

    @classmethod
    def of(cls, content: bytes) -> TextView | None:
        """Read a text.

        Args:
            content: the text as it is spelled, in a charset that is its own ASCII view.

        Returns:
            The view; None where there are references to other entities or characters.

        """
        left, size = content.count(b"&"), len(content)
        replaced: list[tuple[bytes, int, int]] = []
        if left:
            known: tuple[tuple[bytes, bytes, int], ...] = _NAMED
            if b"&#" in content:
                content, masked = _BEYOND_ASCII.subn(_masked, content)
                left, known = left - masked, _ALL
            for reference, char, longer in known:
                content = content.replace(reference, char)
                if len(content) < size:
                    number = (size - len(content)) // longer
                    replaced.append((char, longer, number))
                    left -= number
                    size = len(content)
        return None if left else cls(content, replaced)

    def tells_spellings(self) -> bool:
        """Tell whether each character is spelled in one way throughout, so that `spelling` finds it."""
        return all(self.view.count(char) == number for char, _, number in self._replaced)

    def spelling(self, at: int) -> int:
        """Give the index in the text of the spelling of a byte of the view, none being before the last one."""
        view, last = self.view, self._at
        for char, longer, _ in self._replaced:
            self._shift += longer * view.count(char, last, at)
        self._at = at
        return at + self._shift


def _masked(found: re.Match[bytes]) -> bytes:
    return _MASK * len(found[0])
