"""The Unicode character database, in one version on every Python.

Whatever in linkfix asks for a property of a character or for a normalization form asks here: the module ``unicodedata``
of Python is that of another Unicode version in each version of Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

import unicodedata2

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


def is_nfc(text: str) -> bool:
    """Return whether a text is in Normalization Form C."""
    return normalize("NFC", text) == text
