"""Map each code point of a value to the offset of its spelling.

Most code points are spelled as themselves. So between two references the difference between an offset in the value
and the offset in its spelling is constant. Only its changes are stored: the memory grows with the references alone. A
look-up costs a binary search.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator


class Shifts:
    """The differences between offsets in a spelling and offsets in its value.

    Args:
        starts: the code points at which the difference changes, ascending.
        shifts: the difference from each of these code points on.

    """

    __slots__ = ("_at", "_by")

    def __init__(self, starts: Iterable[int] = (), shifts: Iterable[int] = ()) -> None:
        self._at = array("Q", starts)
        self._by = array("q", shifts)

    def add(self, start: int, shift: int) -> None:
        """Set the difference from the code point `start` on, which is after all others."""
        if shift != (self._by[-1] if self._by else 0):
            self._at.append(start)
            self._by.append(shift)

    def __getitem__(self, index: int) -> int:
        number = bisect_right(self._at, index)
        return index + self._by[number - 1] if number else index

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield the code points at which the difference changes, each with the difference."""
        return zip(self._at, self._by, strict=True)

    def part(self, start: int, end: int) -> Shifts:
        """Return the differences for the code points from `start` to `end` alone."""
        first = max(0, bisect_right(self._at, start) - 1)
        last = bisect_right(self._at, end)
        part = Shifts()
        part._at, part._by = self._at[first:last], self._by[first:last]
        return part


class Offsets:
    """The offset of the spelling of each code point of a value, and the spelling's length last.

    Args:
        length: length of the value in code points.
        find: returns the shifts; called for the first look-up.

    """

    __slots__ = ("_find", "_first", "_length", "_origin", "_outer", "_shifts")

    def __init__(self, length: int, find: Callable[[], Shifts]) -> None:
        self._find: Callable[[], Shifts] | None = find
        self._shifts = Shifts()
        self._length = length + 1
        #: The first code point of a part in the whole value, and the offset of its spelling.
        self._first = self._origin = 0
        #: The offsets of the spelling, if it is a value with a spelling itself.
        self._outer: Offsets | None = None

    def _own(self, index: int) -> int:
        """Return an offset in the spelling itself."""
        if self._find is not None:
            self._shifts, self._find = self._find(), None
        return self._shifts[index + self._first] - self._origin

    def shifts(self) -> Shifts:
        """Return the shifts of a whole value that is spelled in the document itself."""
        self._own(0)
        return self._shifts

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the offsets of two code points, of which one may be the end of the value."""
        first, last = self._own(first), self._own(last)
        return (first, last) if self._outer is None else self._outer.span(first, last)

    def part(self, first: int, last: int) -> Offsets:
        """Return the offsets of a part of the value, relative to its first code point.

        Args:
            first: code point of the value at which the part begins.
            last: code point after its last one.

        """
        start, end = self._own(first), self._own(last)
        outer = None if self._outer is None else self._outer.part(start, end)
        return self._with(first + self._first, last + 1 - first, start + self._origin, outer)

    def within(self, outer: Offsets | None) -> Offsets:
        """Return the offsets in the spelling of the spelling.

        Args:
            outer: the offsets of the spelling as a value; None if it is spelled as itself.

        """
        self._own(0)
        return self._with(self._first, self._length, self._origin, outer)

    def _with(self, first: int, length: int, origin: int, outer: Offsets | None) -> Offsets:
        new = Offsets.__new__(Offsets)
        new._find, new._shifts = None, self._shifts
        new._first, new._length, new._origin, new._outer = first, length, origin, outer
        return new

    def __getitem__(self, index: int) -> int:
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            raise IndexError(index)
        own = self._own(index)
        return own if self._outer is None else self._outer[own]

    def __iter__(self) -> Iterator[int]:
        return map(self.__getitem__, range(self._length))

    def __len__(self) -> int:
        return self._length

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Offsets) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self._length)

    def __getstate__(self) -> tuple[object, ...]:
        self._own(0)
        first, end = self._first, self._first + self._length
        return self._shifts.part(first, end), first, self._length, self._origin, self._outer

    def __setstate__(self, state: tuple[Shifts, int, int, int, Offsets | None]) -> None:
        self._find = None
        self._shifts, self._first, self._length, self._origin, self._outer = state
