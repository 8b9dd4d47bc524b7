"""Map each code point of a value to the offset of its spelling.

Most code points are spelled as themselves. So between two references the difference between an offset in the value
and the offset in its spelling is constant. Only its changes are stored: the memory grows with the references alone. A
look-up costs a binary search.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import partial


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
        """Return the differences for the code points from `start` to `end`, between a part and its own spelling."""
        origin = self[start] - start
        first, last = bisect_right(self._at, start), bisect_right(self._at, end)
        return Shifts(
            (at - start for at in self._at[first:last]),
            (by - origin for by in self._by[first:last]),
        )

    def within(self, outer: Shifts, length: int) -> Shifts:
        """Return the differences for a value of a length whose spelling is itself a value, with its own shifts `outer`."""
        points, made = range(length + 1), Shifts()
        inner = (bisect_left(points, at, key=self.__getitem__) for at in outer._at)
        for start in sorted({*self._at, *inner}):
            made.add(start, outer[self[start]] - start)
        return made


class Offsets:
    """The offset of the spelling of each code point of a value, and the spelling's length last.

    Args:
        length: length of the value in code points.
        find: returns the shifts; called for the first look-up.

    """

    __slots__ = ("_find", "_length", "_shifts")

    def __init__(self, length: int, find: Callable[[], Shifts]) -> None:
        self._length = length
        self._find = find
        self._shifts: Shifts | None = None

    def shifts(self) -> Shifts:
        """Return the shifts."""
        if self._shifts is None:
            self._shifts = self._find()
        return self._shifts

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the offsets of two code points, of which one may be the end of the value."""
        shifts = self.shifts()
        return shifts[first], shifts[last]

    def part(self, first: int, last: int) -> Offsets:
        """Return the offsets of a part of the value, relative to its first code point.

        Args:
            first: code point of the value at which the part begins.
            last: code point after its last one.

        """
        return Offsets(last - first, partial(self.shifts().part, first, last))

    def within(self, outer: Offsets | None) -> Offsets:
        """Return the offsets in the spelling of the spelling.

        Args:
            outer: the offsets of the spelling as a value; None if it is spelled as itself.

        """
        if outer is None:
            return self
        return Offsets(self._length, partial(self.shifts().within, outer.shifts(), self._length))

    def __getitem__(self, index: int) -> int:
        return self.shifts()[range(self._length + 1)[index]]

    def __iter__(self) -> Iterator[int]:
        return map(self.shifts().__getitem__, range(self._length + 1))

    def __len__(self) -> int:
        return self._length + 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Offsets) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self._length)

    def __reduce__(self) -> tuple[type[Offsets], tuple[int, Callable[[], Shifts]]]:
        return Offsets, (self._length, partial(copy, self.shifts()))
