"""Replace character references with their characters, where that is safe.

These references stay: ASCII, which markup needs; characters that are invisible or look alike (white space, controls,
formatting characters, private use); characters that are not stable under NFC, or combine with a neighbour (Unicode
Standard Annex 15).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from linkfix.iri.unicode import ucd
from linkfix.transcoding.tags import Edit

if TYPE_CHECKING:
    #: Yields each character reference of a text: its first and last code point, and its meaning.
    References = Callable[[str], Iterator[tuple[int, int, str]]]

_KEPT = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn", "Cs", "Mn", "Mc", "Me"})
#: Letters and symbols without a shape: Hangul fillers, the blank pattern of Braille; and U+FFFD.
_SHAPELESS = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffc\ufffd")
#: Hangul vowels and final consonants, which join the syllable before them.
_JOINING_JAMO = (("\u1160", "\u11ff"), ("\ud7b0", "\ud7ff"))


def unescaped(
    source: bytes, start: int, references: References, after: bytes = b""
) -> Iterator[Edit]:
    """Return the edits that replace references with characters.

    Args:
        source: text in UTF-8 as it is spelled, or an attribute's value; malformed bytes are allowed.
        start: byte offset of it in the document.
        references: of the syntax.
        after: the text after it, as far as it is known; it may end inside a character.

    """
    # Each malformed byte is one code point, so that offsets can be counted back.
    own = source.decode("utf-8", "surrogateescape")
    text = own + after.decode("utf-8", "ignore")
    found = list(references(text))
    position = offset = 0
    for number, (first, last, meaning) in enumerate(found):
        if last > len(own):
            return
        then = found[number + 1] if number + 1 < len(found) else None
        following = then[2] if then is not None and then[0] == last else text[last : last + 1]
        if may_stand(meaning) and not _joins(following[:1]):
            offset += len(text[position:first].encode("utf-8", "surrogateescape"))
            position = first
            yield start + offset, start + offset + (last - first), meaning.encode()


def may_stand(char: str) -> bool:
    """Return whether a character may be written as itself."""
    return (
        len(char) == 1
        and not char.isascii()
        and char not in _SHAPELESS
        and ucd.category(char) not in _KEPT
        and not _joins(char)
        and ucd.is_nfc(char)
    )


def _joins(char: str) -> bool:
    """Return whether a character may combine with the one before it."""
    if not char or char.isascii():
        return False
    jamo = any(first <= char <= last for first, last in _JOINING_JAMO)
    return jamo or ucd.category(char)[0] == "M"
