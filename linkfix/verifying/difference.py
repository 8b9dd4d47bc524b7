"""What a verification reports."""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    """The first thing in which two documents differ and must not.

    Attributes:
        what: the kind of difference: ``charset``, ``type``, ``links``, ``link``, ``tree`` or
            ``syntax``.
        place: the element, attribute or text that differs, for people.
        old: its value in the old document.
        new: its value in the new document.
        line: line of the link in the old document, from 1; None where no link is concerned.
        column: column of the link in code points, from 1; None likewise.
        offset: byte offset of the link in the old document; None likewise.

    """

    what: str
    place: str
    old: str
    new: str
    line: int | None = None
    column: int | None = None
    offset: int | None = None

    def __str__(self) -> str:
        return f"{self.what}: {self.place}: {_short(self.old)} became {_short(self.new)}"


def _short(text: str, most: int = 120) -> str:
    """Return a text in quotes, cut to `most` code points."""
    return ascii(text) if len(text) <= most else f"{text[:most]!a}…"
