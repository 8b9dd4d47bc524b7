"""The Unicode character database, in one version on every Python.

Whatever in linkfix asks for a property of a character or for a normalization form asks here: the module ``unicodedata``
of Python is that of another Unicode version in each version of Python.
"""

import re
from collections.abc import Callable
from itertools import groupby
from typing import Final, Literal

import unicodedata2

from linkfix.deferred import pattern
from linkfix.iri import chars
from linkfix.iri.model import Edit, difference, need, need_text

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
_MANY: Final = pattern("[^\0-\u02ff]{64}")
#: Characters that are no marks by their class and are made of two; NFC has none of them.
_MADE_OF_TWO: Final = pattern("[\u0f73\u0f75\u0f81]")


def to_nfc(text: str) -> str:
    """Normalize a text to NFC in linear time, with marks in any order (Unicode Standard, 3.11, D108)."""
    if _MANY.search(text):
        text = _MADE_OF_TWO.sub(lambda found: normalize("NFD", found[0]), text)
        text = "".join(
            "".join(sorted(run, key=combining) if are_marks else run)
            for are_marks, run in groupby(text, lambda char: combining(char) != 0)
        )
    return normalize("NFC", text)


#: Letters with two cases since Unicode 15, which only newer Pythons fold, and what they are folded to.
_FOLDED: Final = {
    **str.maketrans("\u1c89\ua7cb\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc", "\u1c8a\u0264\ua7cd\ua7cf\ua7d3\ua7d5\ua7db\u019b"),
    **{point: point + 0x20 for point in range(0x10D50, 0x10D66)},
    **{point: point + 0x1B for point in range(0x16EA0, 0x16EB9)},
}  # fmt: skip


def folded(text: str) -> str:
    """Return the key that is equal for texts that differ in letter case or composition only, as names of files may."""
    text = to_nfc(text)
    return text.lower() if text.isascii() else to_nfc(text.casefold().translate(_FOLDED))


def is_nfc(text: str) -> bool:
    """Return whether a text is in Normalization Form C, in linear time."""
    return to_nfc(text) == text


#: The last digit of a percent-encoding is part of an octet, and composes with nothing.
_NOT_ASCII: Final = pattern(r"(?:(?!(?<=%[0-9A-Fa-f])[0-9A-Fa-f])[\x00-\x7f])?[^\x00-\x7f]+")


def nfc_edits(text: str) -> list[Edit]:
    """Return the edits that put ``text`` in NFC (3987bis, 3.1 and 5.3.2.2)."""
    if is_nfc(text):
        return []
    edits: list[Edit] = []
    for found in _NOT_ASCII.finditer(text):
        run = found[0]
        if is_nfc(run):
            continue
        start = 0
        for i in range(1, len(run) + 1):
            if i == len(run) or _is_boundary(run[i - 1], run[i]):
                part = run[start:i]
                new = to_nfc(part)
                edits += difference(part, new, found.start() + start)
                start = i
    return edits


def _is_boundary(before: str, after: str) -> bool:
    """Return whether normalization never crosses the boundary between two characters."""
    return combining(after) == 0 and normalize("NFC", before + after) == normalize(
        "NFC", before
    ) + normalize("NFC", after)


# --- What people type (3987bis, 8.2); nothing is looked up ----------------------------------------

#: Formatting characters of 4.1 and the ones that Unicode has got since.
_CONTROLS: Final = pattern(f"[{chars.BIDI_FORMATTING}\u061c\u2066-\u2069]+")
#: Full-width forms of ASCII, half-width forms of others, and the ideographic space.
_WIDTHS: Final = pattern("[\uff01-\uffee\u3000]+")


def typed(
    text: str,
    *,
    nfc: bool = True,
    widths: bool = True,
    controls: bool = True,
    blanks: Literal["keep", "remove"] = "keep",
) -> str:
    """Return the reference that a person entered (3987bis, 3.1 and 8.2; url-i18n-07, 4.2; weber, 4).

    Args:
        text: from a keyboard, a clipboard or paper.
        nfc: normalize it to Normalization Form C, as 3.1 demands for text from paper or speech.
        widths: write full-width forms of ASCII as ASCII, half-width forms of other scripts in full.
        controls: remove the characters that only control the display of text.
        blanks: ``remove`` to remove blocks of inner white space, the traces of a line break (weber, 4.2).

    Returns:
        The text without white space at its ends.

    """
    need(("keep", "remove"), blanks=blanks)
    need_text(text=text)
    if controls:
        text = _CONTROLS.sub("", text)
    if widths:
        text = _WIDTHS.sub(lambda found: normalize("NFKC", found[0]), text)
    text = text.strip(" \t\n\r\f")
    if blanks == "remove":
        text = re.sub("[ \t\n\r\f]+", "", text)
    # The last step: what was apart can be composed once nothing is between.
    return to_nfc(text) if nfc else text
