"""Compressed data is read to its end, and not a byte further."""

from __future__ import annotations

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.warc.frames import PIECE, Stream, inflated

WBITS = {"gzip": zlib.MAX_WBITS + 16, "zlib": zlib.MAX_WBITS, "raw": -zlib.MAX_WBITS}


def compressed(data: bytes, wbits: int) -> bytes:
    deflater = zlib.compressobj(wbits=wbits)
    return deflater.compress(data) + deflater.flush()


@given(
    st.integers(0, 3 * PIECE),
    st.integers(0, 400),
    st.binary(max_size=100),
    st.sampled_from(sorted(WBITS)),
    st.integers(1, 5000),
)
def test_what_follows_is_left(size: int, noise: int, rest: bytes, form: str, step: int) -> None:
    """For any compression of the data, and any pieces."""
    data = random.Random(size).randbytes(noise) + b"A" * size
    whole = compressed(data, WBITS[form]) + rest
    raw = Stream(whole[at : at + step] for at in range(0, len(whole), step))
    assert b"".join(inflated(raw, WBITS[form])) == data
    assert raw.peek(len(rest) + 1) == rest


@pytest.mark.parametrize("size", [PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 10 * PIECE])
def test_a_member_of_one_letter_ends_where_the_next_begins(size: int) -> None:
    raw = Stream(iter([compressed(b"A" * size, WBITS["gzip"]) + compressed(b"B", WBITS["gzip"])]))
    member = Stream(inflated(raw))
    assert sum(len(piece) for piece in iter(lambda: member.take(PIECE), b"")) == size
    assert Stream(inflated(raw)).take(PIECE) == b"B"
