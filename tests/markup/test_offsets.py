from __future__ import annotations

import pickle
import sys
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.markup.layers import HTML_DOUBLE
from linkfix.markup.offsets import Offsets

#: How many code points each code point of a value is spelled with.
WIDTHS = st.lists(st.integers(0, 4), max_size=30)


def made(widths: list[int]) -> tuple[list[int], Offsets]:
    """The offsets of a value, as a list and as they are held."""
    starts = list(accumulate(widths, initial=0))
    return starts, Offsets(
        len(widths), ((index, start - index) for index, start in enumerate(starts))
    )


@given(WIDTHS)
def test_offsets_are_those_of_a_list(widths: list[int]) -> None:
    starts, offsets = made(widths)
    assert list(offsets) == starts
    assert len(offsets) == len(starts)
    assert [offsets[index] for index in range(len(starts))] == starts
    assert [offsets[~index] for index in range(len(starts))] == starts[::-1]
    with pytest.raises(IndexError):
        offsets[len(starts)]


@given(WIDTHS, st.data())
def test_a_part_begins_at_its_own_spelling(widths: list[int], data: st.DataObject) -> None:
    starts, offsets = made(widths)
    for _ in range(2):  # a part of a part
        first = data.draw(st.integers(0, len(starts) - 1))
        last = data.draw(st.integers(first, len(starts) - 1))
        starts = [start - starts[first] for start in starts[first : last + 1]]
        offsets = offsets.part(first, last)
        assert list(offsets) == starts
        assert [offsets[index] for index in range(len(starts))] == starts
        copy = pickle.loads(pickle.dumps(offsets))
        assert copy == offsets
        assert list(copy) == starts


@given(WIDTHS, st.data())
def test_a_spelling_may_stand_in_another(widths: list[int], data: st.DataObject) -> None:
    inner_starts, inner = made(widths)
    size = inner_starts[-1]
    outer_starts, outer = made(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    starts = [outer_starts[start] for start in inner_starts]
    both = inner.within(outer)
    assert list(both) == [both[index] for index in range(len(starts))] == starts
    assert inner.within(None) == inner
    first = data.draw(st.integers(0, len(starts) - 1))
    part = both.part(first, len(starts) - 1)
    assert list(part) == [start - starts[first] for start in starts[first:]]
    assert pickle.loads(pickle.dumps(part)) == part


def test_what_is_spelled_as_itself_takes_no_memory() -> None:
    offsets = HTML_DOUBLE.read(f"&amp;{'a' * 100_000}").starts
    assert offsets is not None
    assert offsets[100_000] == 100_004
    assert sum(sys.getsizeof(held) for held in (offsets._at, offsets._by)) < 1000


def test_other_offsets_are_not_equal() -> None:
    _, offsets = made([1, 5, 1])
    _, same = made([1, 5, 1])
    _, others = made([5, 1, 1])
    assert offsets == same
    assert hash(offsets) == hash(same)
    assert offsets != others


def test_a_pickled_part_leaves_the_rest_out() -> None:
    whole = HTML_DOUBLE.read("&amp;" * 10_000).starts
    assert whole is not None
    assert len(pickle.dumps(whole.part(5_000, 5_003))) < 1000
    assert all(end - start == 5 for start, end in pairwise(whole))
