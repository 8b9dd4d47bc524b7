"""The part of a document that tree construction may have to look back at.

A document that is at hand is kept whole, which costs nothing. Of one that comes in chunks so much is kept as
`MAX_PAST` allows, from the last place on where tree construction knew every token.
"""

from __future__ import annotations

from collections import deque

from linkfix.errors import LimitExceededError

__all__ = ["Past"]

#: How far tree construction can look back in a document that comes in chunks, in units of the view.
MAX_PAST = 8 * 1024 * 1024
#: Pieces that are shorter are put together.
_SMALL = 4096


class Past:
    """Keep what has come of a view.

    Args:
        unit: how many bytes of the source a unit of the view stands for.

    """

    def __init__(self, unit: int) -> None:
        #: The offset in the view before which tree construction knows every token.
        self.known = 0
        self._unit = unit
        #: Pieces one after the other, from `_start` in the view on; None once they are too long.
        self._pieces: deque[bytes] | None = deque()
        self._start = 0
        self._is_whole = False

    def add(self, view: bytes, *, is_whole: bool = False) -> None:
        """Take the next bytes of the view, or all of it."""
        if self._pieces is None:
            return
        self._is_whole = is_whole
        if len(view) < _SMALL and self._pieces and len(self._pieces[-1]) < _SMALL:
            view = self._pieces.pop() + view
        self._pieces.append(view)

    def forget(self, offset: int) -> None:
        """Forget what nobody can look back at, once all before an offset has been dealt with."""
        if self._pieces is None:
            return
        while self._pieces and self._start + len(self._pieces[0]) <= self.known:
            self._start += len(self._pieces.popleft())
        if offset - self.known > MAX_PAST and not self._is_whole:
            self._pieces = None

    def before(self, offset: int) -> bytes:
        """Return what stands between `known` and an offset.

        Raises:
            LimitExceededError: it comes in chunks, and is longer than `MAX_PAST`.

        """
        is_too_long = offset - self.known > MAX_PAST and not self._is_whole
        if self._pieces is None or is_too_long:
            raise LimitExceededError(
                "whether svg or math ends here depends on tags that are more than"
                f" {MAX_PAST * self._unit} bytes back",
                hint="close each svg and math element inside the element that it begins in",
                offset=offset * self._unit,
            )
        kept = b"".join(self._pieces)
        self._pieces = deque([kept])  # others may look back in the same chunk
        return kept[self.known - self._start : offset - self._start]
