"""What follows malformed octets in EUC-JP: as the decoder of Chromium and WebKit reads it, and the standard's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import rewritten
from tiers import examples

from linkfix.charset import lookup
from linkfix.charset.legacy import EucJpView


def doubts(data: bytes) -> list[int]:
    """The offsets of the pairs that are read with the flag of a malformed sequence, octet by octet.

    The decoder of the Encoding Standard (13.1.1) twice, once with a flag that only a pair clears.
    """
    found = []
    lead, flag, leaked, start, position = 0, False, False, 0, 0
    while position < len(data):
        octet = data[position]
        if lead == 0x8E and 0xA1 <= octet <= 0xDF:
            lead = 0
        elif lead == 0x8F and 0xA1 <= octet <= 0xFE:
            lead, flag = octet, True
        elif lead:
            is_pair = 0xA1 <= lead <= 0xFE and 0xA1 <= octet <= 0xFE
            if is_pair:
                if leaked and not flag:
                    found.append(start)
                leaked = False
            else:
                leaked = leaked or flag
            lead, flag = 0, False
            if octet < 0x80:
                continue  # it is read again
        elif octet in {0x8E, 0x8F} or 0xA1 <= octet <= 0xFE:
            lead, start = octet, position
        position += 1
    return found


OCTETS = st.sampled_from([b"a", b"<", b"\x80", b"\x8e", b"\x8f", b"\xa1", b"\xb0", b"\xdf", b"\xe0", b"\xfe", b"\xff", b"\xc6\xfc", b"\x8f\xb0z"])  # fmt: skip


@settings(max_examples=examples(2_000))
@given(st.lists(OCTETS, max_size=24).map(b"".join), st.data())
def test_the_pairs_in_doubt(data: bytes, cut: st.DataObject) -> None:
    view = EucJpView()
    at = cut.draw(st.integers(0, len(data)))
    assert view.feed(data[:at]) + view.feed(data[at:]) == data
    assert view.doubts == doubts(data)
    single = EucJpView()
    for octet in data:
        single.feed(bytes([octet]))
    assert single.doubts == view.doubts


def test_what_is_known_of_the_charset_stays() -> None:
    assert lookup("euc-jp").is_own_view
    view = EucJpView()
    view.feed(b"\x8f\xb0z\xc6\xfc\x8f\xb0z\xc6\xfc")
    assert view.doubts == [3, 8]
    view.forget(4)
    assert view.doubts == [8]


@pytest.mark.parametrize(
    ("before", "value", "left"),
    [
        (b"\x8f\xb0z", b"/\xc6\xfc.html", True),
        (b"\x8f\xb0z", b"/a|b", False),
        (b"\x8f\xb0z\xc6\xfc", b"/\xc6\xfc.html", False),
        (b"\x8f\xb0\xc6z", b"/\xc6\xfc.html", False),
        (b"", b"/\x8f\xb0\xff\xc6\xfc.html", True),
    ],
)
def test_links_in_doubt_are_left(before: bytes, value: bytes, *, left: bool) -> None:
    page = b"<meta charset=euc-jp><p>%b<a href='%b'>\xc6\xfc</a><a href='\xc6\xfc'>" % (
        before,
        value,
    )
    for cuts in ([], [*range(len(page))]):
        new, [first, second] = rewritten(page, "uri", cuts=cuts)
        assert (first.new is None, bool(first.kept)) == (left, left)
        assert second.new == b"%E6%97%A5"
        assert (b"href='%b'" % value in new) == left
