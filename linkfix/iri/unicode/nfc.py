"""Normalization Form C as edits of a text."""

from typing import Final

from linkfix.deferred import pattern
from linkfix.iri.edits import difference
from linkfix.iri.model import Edit
from linkfix.iri.unicode import ucd

#: The last digit of a percent-encoding is part of an octet, and composes with nothing.
_NOT_ASCII: Final = pattern(r"(?:(?!(?<=%[0-9A-Fa-f])[0-9A-Fa-f])[\x00-\x7f])?[^\x00-\x7f]+")


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
                new = ucd.to_nfc(part)
                edits += difference(part, new, found.start() + start)
                start = i
    return edits


def _is_boundary(before: str, after: str) -> bool:
    """Return whether normalization never crosses the boundary between two characters."""
    return ucd.combining(after) == 0 and ucd.normalize("NFC", before + after) == ucd.normalize(
        "NFC", before
    ) + ucd.normalize("NFC", after)
