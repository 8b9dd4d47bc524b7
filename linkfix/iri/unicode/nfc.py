"""Normalization Form C as edits of a text."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from linkfix.deferred import pattern
from linkfix.iri.edits import difference
from linkfix.iri.unicode import ucd

if TYPE_CHECKING:
    from linkfix.iri.model import Edit

#: How many marks in a row are soon sorted whatever their order.
_FEW = 64

#: The last digit of a percent-encoding is part of an octet, and composes with nothing.
_NOT_ASCII: Final = pattern(r"(?:(?!(?<=%[0-9A-Fa-f])[0-9A-Fa-f])[\x00-\x7f])?[^\x00-\x7f]+")


def to_nfc(text: str) -> str:
    """Normalize a text to NFC in linear time, with marks in any order.

    The standard library needs quadratic time for marks in a row, unless they are in canonical order (Unicode
    Standard, 3.11, D108).
    """
    if len(text) > _FEW:
        text = ucd.MADE_OF_TWO.sub(lambda found: ucd.normalize("NFD", found[0]), text)
        text = "".join(
            "".join(sorted(run, key=ucd.combining) if are_marks else run)
            for are_marks, run in groupby(text, lambda char: ucd.combining(char) != 0)
        )
    return ucd.normalize("NFC", text)


def nfc_edits(text: str) -> list[Edit]:
    """Return the edits that put ``text`` in NFC (3987bis, 3.1 and 5.3.2.2)."""
    if ucd.is_nfc(text):
        return []
    edits: list[Edit] = []
    for found in _NOT_ASCII.finditer(text):
        run = found[0]
        if ucd.is_nfc(run):
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
    return ucd.combining(after) == 0 and ucd.normalize("NFC", before + after) == ucd.normalize(
        "NFC", before
    ) + ucd.normalize("NFC", after)
