"""Decoding and encoding the values of a document: offsets, states, what is lacking, and time."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.charset import named, names

STATELESS = [name for name in names() if name != "ISO-2022-JP"]


@given(
    name=st.sampled_from(STATELESS),
    data=st.one_of(
        st.binary(max_size=20),
        st.lists(st.sampled_from([*b"a0\x80\x81\x8e\x8f\xa1\xc2\xd8\xe0\xed\xf0\xfe\xff\x62\x88"]), max_size=20).map(bytes),
    ),
)  # fmt: skip
def test_offsets_cut_where_code_points_begin(name: str, data: bytes) -> None:
    charset = named(name)
    text = charset.decode(data)
    offsets = charset.offsets(data)
    assert len(offsets) == len(text) + 1
    assert offsets[-1] == len(data)
    assert [*offsets] == sorted(offsets)
    edges = sorted({0, *offsets})
    assert "".join(charset.decode(data[a:b]) for a, b in itertools.pairwise(edges)) == text
    for edge in edges[:-1]:
        assert charset.decode(data[edge:]) == text[offsets.index(edge) :]


def test_two_code_points_of_one_sequence_begin_at_the_same_offset() -> None:
    assert named("Big5").decode(b"a\x88\x62b") == "a\u00ca\u0304b"
    assert named("Big5").offsets(b"a\x88\x62b") == [0, 1, 1, 3, 4]


def test_an_escape_sequence_belongs_to_no_code_point() -> None:
    charset = named("ISO-2022-JP")
    assert charset.offsets(b"a\x1b$B%=%=\x1b(Bb") == [0, 4, 6, 11, 12]


@pytest.mark.parametrize("state", range(4))
@pytest.mark.parametrize("text", ["", "a", "\\", "¥", "日本", "aソ¥b~", "ｱ−"])
def test_iso_2022_jp_starts_in_a_state_and_returns_to_it(state: int, text: str) -> None:
    charset = named("ISO-2022-JP")
    data = charset.encode(text, state)
    view = charset.view()
    start = {0: b"", 1: b"\x1b(J", 2: b"\x1b(I", 3: b"\x1b$B"}[state]
    before = {0: b"a", 1: b"a", 2: b"1", 3: b"%="}[state]
    view.feed(start + before + data)
    assert view.state(len(start + before + data)) % 4 == state
    read = charset.decode(data, state)
    assert read == text.translate({0xFF71: 0x30A2, 0x2212: 0xFF0D})


@pytest.mark.parametrize("name", names())
def test_missing_answers_for_each_character_that_is_lacking(name: str) -> None:
    charset = named(name)
    lacking: list[str] = []

    def missing(char: str) -> bytes:
        lacking.append(char)
        return charset.encode(f"&#{ord(char)};")

    data = charset.encode("a\ud800b\udfff\ud800", missing=missing)
    assert lacking == ["\ud800", "\udfff", "\ud800"]
    assert charset.decode(data) == "a&#55296;b&#57343;&#55296;"


@pytest.mark.parametrize("name", names())
def test_an_error_says_where(name: str) -> None:
    with pytest.raises(UnicodeEncodeError) as caught:
        named(name).encode("aa\udc80bb\ud800")
    assert (caught.value.start, caught.value.end) == (2, 3)
    assert caught.value.object == "aa\udc80bb\ud800"
    assert caught.value.encoding == name


def test_iso_2022_jp_returns_to_ascii_for_what_is_lacking() -> None:
    charset = named("ISO-2022-JP")
    data = charset.encode("日é日\x1b", missing=lambda char: b"%%26%%23%d%%3B" % ord(char))
    assert data == b"\x1b$BF|\x1b(B%26%23233%3B\x1b$BF|\x1b(B%26%2327%3B"


#: Values that are hard on each encoding: what is malformed, added to Python's codec, or lacking.
HARD = {
    "Shift_JIS": (b"\x83\x5c\xfd\xa0", "ソé"),
    "EUC-JP": (b"\xa1\xc1\x8f\xa2\xb7\xff", "～é"),
    "Big5": (b"\xa2\x41\x87\x7a\x80", "／é"),
    "EUC-KR": (b"\xb0\xa1\xff", "가é"),
    "gb18030": (b"\xa8\xbc\x81\x30\x81\xff", "\u1e3f\ue5e5"),
    "GBK": (b"\xa8\xbc\x80\x81\x30\xff", "€😀"),
    "ISO-2022-JP": (b"\x1b$B%=\x1b(B\x1b\xff", "ソé"),
    "UTF-8": (b"\xe3\x81\xff\xc3\xa9", "é\ud800"),
    "UTF-16LE": (b"\x00\xd8a\x00", "é\ud800"),
    "windows-1252": (b"\x81\xe9", "é日"),
}


#: Each reads in another way; the others read as one of them does, and are for the night.
_WAYS = {"GBK", "ISO-2022-JP", "UTF-8", "windows-1252"}


@pytest.mark.parametrize(
    "name",
    [name if name in _WAYS else pytest.param(name, marks=pytest.mark.nightly) for name in HARD],
)
def test_time_grows_no_faster_than_the_value(name: str) -> None:
    charset = named(name)
    data, text = HARD[name]

    def seconds(count: int) -> float:
        start = time.process_time()
        charset.decode(data * count)
        charset.offsets(data * count)
        charset.encode(text * count, missing=lambda _: b"?")
        return time.process_time() - start

    seconds(10)
    # Sixteen times as much; quadratic growth would need 256 times as much processor time. A busy machine gets three tries.
    assert any(seconds(8_000) < 128 * max(seconds(500), 0.001) for _ in range(3))
