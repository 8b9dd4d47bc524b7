"""The Unicode character database, in one version on every Python.

Whatever in linkfix asks for a property of a character or for a normalization form asks here: the module ``unicodedata``
of Python is that of another Unicode version in each version of Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import unicodedata2

from linkfix.deferred import pattern

#: The version of Unicode.
VERSION: Final[str] = unicodedata2.unidata_version

#: General_Category of a character.
category: Final[Callable[[str], str]] = unicodedata2.category
#: Bidi_Class of a character, "" of a code point that is none.
bidirectional: Final[Callable[[str], str]] = unicodedata2.bidirectional
#: Canonical_Combining_Class of a character.
combining: Final[Callable[[str], int]] = unicodedata2.combining
#: East_Asian_Width of a character.
east_asian_width: Final[Callable[[str], str]] = unicodedata2.east_asian_width
#: The normalization form of a text; the same object where the quick check of UAX #15 says that it is in that form.
normalize: Final[Callable[[Literal["NFC", "NFD", "NFKC", "NFKD"], str], str]] = (
    unicodedata2.normalize
)


#: So many characters in a row may be marks, which `normalize` sorts in quadratic time.
_MOST_MARKS: Final = 64
_MANY: Final = pattern(f"[\u0300-\U0010ffff]{{{_MOST_MARKS}}}")
#: Characters that are no marks by their class and are made of two; NFC has none of them.
MADE_OF_TWO: Final = pattern("[\u0f73\u0f75\u0f81]")


def is_nfc(text: str) -> bool:
    """Return whether a text is in Normalization Form C, in linear time."""
    may_be_many = len(text) >= _MOST_MARKS and _MANY.search(text)
    if may_be_many and (MADE_OF_TWO.search(text) or not _are_sorted(text)):
        return False
    return normalize("NFC", text) == text


def _are_sorted(text: str) -> bool:
    """Return whether marks in a row are in canonical order (Unicode Standard, 3.11, D108)."""
    before = 0
    for char in text:
        after = combining(char)
        if 0 < after < before:
            return False
        before = after
    return True
