"""Parts of a WARC file have the records of the whole file, whatever is in it."""

from __future__ import annotations

import gzip
from io import BytesIO
from itertools import pairwise

from crawls import record
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.errors import UnreadableError
from linkfix.warc import Span, borders
from linkfix.warc.frames import frames

Read = list[tuple[int, bytes, bytes, str]]
URI = "http://a.example/"


def read(data: bytes, span: Span) -> Read:
    """The records that begin in a part of a file: offset, header, what can be read of the block, error."""
    found = []
    for frame in frames(BytesIO(data), span=span):
        block = bytearray()
        try:
            for piece in frame.block():
                block += piece
        except UnreadableError as error:
            found.append((frame.offset, frame.head, bytes(block), error.message))
        else:
            found.append((frame.offset, frame.head, bytes(block), ""))
    return found


def spans(data: bytes, parts: int) -> list[Span]:
    """The parts of a file."""
    starts = [0, *borders(BytesIO(data), len(data), parts)]
    return [*(Span(*each) for each in pairwise(starts)), Span(starts[-1])]


plain = st.binary(max_size=300).map(lambda body: record(URI, body))
#: Level 0 leaves the bytes as they are, so that what is in the block is found in the file.
members = st.builds(gzip.compress, plain, st.sampled_from([0, 6]), mtime=st.just(0))
archives = st.lists(st.one_of(plain, members), min_size=1, max_size=4).map(b"".join)
nested = archives.map(lambda data: record(URI, data, "application/warc"))
damaged = st.builds(
    lambda data, at, noise: data[: at % len(data)] + noise + data[at % len(data) :],
    st.one_of(nested, members),
    st.integers(0, 10_000),
    st.sampled_from(
        [b"\xff\0\xff\0", b"\r\n\r\nWARC/1.0\r\n", gzip.compress(b"WARC/1.1\r\n", mtime=0)]
    ),
)
cut = st.builds(lambda data, at: data[: at % len(data)], st.one_of(plain, members), st.integers(1))
pieces = st.one_of(
    plain, members, nested, st.builds(gzip.compress, nested, st.just(0)), archives.map(gzip.compress), damaged, cut,
)  # fmt: skip


@settings(max_examples=examples(150))
@given(st.lists(pieces, min_size=2, max_size=12).map(b"".join), st.integers(2, 6))
def test_parts_have_the_records_of_the_whole(data: bytes, parts: int) -> None:
    found = spans(data, parts)
    assert len(found) <= parts
    assert [each for span in found for each in read(data, span)] == read(data, Span())


def test_a_file_in_a_record_has_no_border() -> None:
    """Not even where a gzip member in it is whole, and begins as a WARC file does."""
    inner = b"".join(gzip.compress(record(URI, b"%d" % n), mtime=0) for n in range(50))
    for outer, copies in ((gzip.compress(record(URI, inner), 0, mtime=0), 1), (record(URI, inner * 20), 20)):  # fmt: skip
        assert inner * copies in outer
        data = outer * 4
        size = len(outer)
        assert spans(data, 4) == [Span(0, size), Span(size, 2 * size), Span(2 * size, 3 * size), Span(3 * size)]  # fmt: skip
        assert spans(data, 40) == spans(data, 4)


def test_a_file_that_was_compressed_as_a_whole_is_one_part() -> None:
    data = gzip.compress(record(URI, b"<p>") * 50, mtime=0)
    assert spans(data, 5) == [Span()]
