"""The part of a document that tree construction may read again.

A whole document is kept, which costs nothing. Of a document in chunks at most `MAX_PAST` is kept, from the last
position up to which tree construction has read every token.
"""

from __future__ import annotations

from collections import deque

from linkfix.errors import LimitExceededError

#: The part of a document in chunks that tree construction can read again, in units of the view.
MAX_PAST = 8 * 1024 * 1024
#: Shorter pieces are joined.
_SMALL = 4096


class Past:
    """Keep the last part of a view.

    Args:
        unit: bytes of the source for each unit of the view.

    Attributes:
        known: offset in the view before which tree construction has read every token.

    """

    def __init__(self, unit: int) -> None:
        self.known = 0
        self._unit = unit
        #: Adjacent pieces, from the offset `_start` in the view; None once they are too long.
        self._pieces: deque[bytes] | None = deque()
        self._start = 0
        self._is_whole = False

    def add(self, view: bytes, *, is_whole: bool = False) -> None:
        """Append the next bytes of the view, or the whole view."""
        if self._pieces is None:
            return
        self._is_whole = is_whole
        if len(view) < _SMALL and self._pieces and len(self._pieces[-1]) < _SMALL:
            view = self._pieces.pop() + view
        self._pieces.append(view)

    def forget(self, offset: int) -> None:
        """Discard what is no longer needed, once every byte before an offset has been tokenized."""
        if self._pieces is None:
            return
        while self._pieces and self._start + len(self._pieces[0]) <= self.known:
            self._start += len(self._pieces.popleft())
        if offset - self.known > MAX_PAST and not self._is_whole:
            self._pieces = None

    def before(self, offset: int) -> bytes:
        """Return the bytes between `known` and an offset.

        Raises:
            LimitExceededError: the document is in chunks, and they are more than `MAX_PAST`.

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
        self._pieces = deque([kept])  # another tag of this chunk may need them as well
        return kept[self.known - self._start : offset - self._start]
