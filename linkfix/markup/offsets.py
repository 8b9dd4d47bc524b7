"""Map each code point of a value to the offset of its spelling.

Most code points are spelled as themselves. So between two references the difference between an offset in the value
and the offset in its spelling is constant. Only its changes, the *shifts*, are stored: the memory grows with the
references alone. A look-up costs a binary search.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator


class Offsets:
    """The offset of the spelling of each code point of a value, and the spelling's length last.

    Args:
        length: length of the value in code points.
        shifts: the code points at which the difference changes, ascending, each with the difference from there on; of
            two for one code point the last counts. It is read for the first look-up.

    """

    __slots__ = ("_at", "_by", "_length", "_shifts")

    def __init__(self, length: int, shifts: Iterable[tuple[int, int]]) -> None:
        self._length = length
        self._shifts: Iterable[tuple[int, int]] | None = shifts

    def _read(self) -> array[int]:
        """Return the code points at which the difference changes."""
        if self._shifts is not None:
            shifts, self._shifts = [*self._shifts], None
            self._at = array("Q", [at for at, _ in shifts])
            self._by = array("q", [by for _, by in shifts])
        return self._at

    def shifts(self) -> Iterator[tuple[int, int]]:
        """Yield the code points at which the difference changes, each with the difference."""
        return zip(self._read(), self._by, strict=True)

    def part(self, first: int, last: int) -> Offsets:
        """Return the offsets of a part of the value, relative to its first code point.

        Args:
            first: code point of the value at which the part begins.
            last: code point after its last one.

        """

        def shifts() -> Iterator[tuple[int, int]]:
            origin, at = self[first] - first, self._read()
            for number in range(bisect_right(at, first), bisect_right(at, last)):
                yield at[number] - first, self._by[number] - origin

        return Offsets(last - first, shifts())

    def within(self, outer: Offsets | None) -> Offsets:
        """Return the offsets in the spelling of the spelling.

        Args:
            outer: the offsets of the spelling as a value; None if it is spelled as itself.

        """
        if outer is None:
            return self

        def shifts() -> Iterator[tuple[int, int]]:
            points = range(self._length + 1)
            inner = (bisect_left(points, at, key=self.__getitem__) for at in outer._read())
            for start in sorted({*self._read(), *inner}):
                if start <= self._length:
                    yield start, outer[self[start]] - start

        return Offsets(self._length, shifts())

    def __getitem__(self, index: int) -> int:
        index = range(self._length + 1)[index]
        number = bisect_right(self._read() if self._shifts is not None else self._at, index)
        return index + self._by[number - 1] if number else index

    def __iter__(self) -> Iterator[int]:
        start = shift = 0
        for at, by in self.shifts():
            yield from range(start + shift, at + shift)
            start, shift = at, by
        yield from range(start + shift, self._length + 1 + shift)

    def __len__(self) -> int:
        return self._length + 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Offsets) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self._length)

    def __reduce__(self) -> tuple[type[Offsets], tuple[int, list[tuple[int, int]]]]:
        return Offsets, (self._length, [*self.shifts()])
