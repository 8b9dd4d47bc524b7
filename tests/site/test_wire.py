"""What a process yields arrives as it was, however the pipe cuts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from linkfix.jobs.wire import Decoder, framed, value

if TYPE_CHECKING:
    from linkfix.jobs.wire import Event

TEXT = st.text(st.characters(), max_size=5)
#: Short events and some that are longer than any buffer.
EVENTS = st.lists(
    st.binary(max_size=9)
    | st.sampled_from([b"x" * 300_000, "検索\n".encode() * 90_000])
    | st.lists(TEXT | st.integers(), max_size=3)
    | st.dictionaries(TEXT, TEXT | st.none(), max_size=2),
    max_size=5,
)


@given(EVENTS, st.integers(1, 400_000))
def test_events_arrive_as_they_were(events: list[Event], size: int) -> None:
    stream = b"".join(map(framed, events))
    size = max(size, len(stream) // 500)
    decoder, arrived = Decoder(), []
    for start in range(0, len(stream), size):
        arrived += [value(*each) for each in decoder.feed(stream[start : start + size])]
    assert arrived == events
