"""The part of a document that tree construction may have to look back at.

A document that is at hand is kept whole, which costs nothing. Of one that comes in chunks so much is kept as
`MAX_PAST` allows, from the last place on where tree construction knew every token.
"""

from __future__ import annotations

from linkfix.errors import LimitExceededError

__all__ = ["Past"]

#: How far tree construction can look back in a document that comes in chunks, in units of the view.
MAX_PAST = 8 * 1024 * 1024


class Past:
    """Keep what has come of a view.

    Args:
        unit: how many bytes of the source a unit of the view stands for.

    """

    def __init__(self, unit: int) -> None:
        #: The offset in the view before which tree construction knows every token.
        self.known = 0
        self._unit = unit
        self._kept: bytes | bytearray | None = bytearray()
        self._start = 0

    def add(self, view: bytes) -> None:
        """Take the next bytes of the view."""
        if isinstance(self._kept, bytearray):
            self._kept += view

    def hold(self, view: bytes) -> None:
        """Take all of the view, instead of adding it."""
        self._kept = view

    def forget(self, offset: int) -> None:
        """Forget what nobody can look back at, once all before an offset has been dealt with."""
        if isinstance(self._kept, bytearray):
            del self._kept[: self.known - self._start]
            self._start = self.known
            if offset - self.known > MAX_PAST:
                self._kept = None

    def before(self, offset: int) -> bytes:
        """Return what stands between `known` and an offset.

        Raises:
            LimitExceededError: it comes in chunks, and is longer than `MAX_PAST`.

        """
        is_at_hand = isinstance(self._kept, bytes)
        if self._kept is None or (not is_at_hand and offset - self.known > MAX_PAST):
            raise LimitExceededError(
                "whether svg or math ends here depends on tags that are more than"
                f" {MAX_PAST * self._unit} bytes back",
                hint="close each svg and math element inside the element that it begins in",
                offset=offset * self._unit,
            )
        return bytes(self._kept[self.known - self._start : offset - self._start])
