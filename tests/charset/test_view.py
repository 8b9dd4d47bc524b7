"""The ASCII view: one byte for each unit, however the source is cut."""

from __future__ import annotations

import itertools
import random

import pytest
from conformance_data import conformance
from hypothesis import given
from hypothesis import strategies as st

from linkfix.charset import Charset, named, names

MARKUP = "<a href=\"?q=日本\\~é\" title='ｱ[\\]'>&amp;ソ表予</a>\r\n\t<b/>𠮷"
MASKED = 0xFF


def text_for(charset: Charset) -> str:
    return "".join(char for char in MARKUP if charset.encodable(char))


def in_pieces(charset: Charset, data: bytes, cuts: list[int]) -> bytes:
    view = charset.view()
    edges = [0, *sorted(cuts), len(data)]
    pieces = [data[a:b] for a, b in itertools.pairwise(edges)]
    return b"".join(map(view.feed, pieces)) + view.feed(b"", final=True)


def whole(charset: Charset, data: bytes) -> bytes:
    return in_pieces(charset, data, [])


def check_against_text(charset: Charset, data: bytes) -> None:
    """Every ASCII character of the text is in the view at its offset, and nothing else is markup."""
    view = whole(charset, data)
    assert len(view) == -(-len(data) // charset.unit)
    text = charset.decode(data)
    offsets = charset.offsets(data)
    taken = set()
    for char, offset in zip(text, offsets, strict=False):
        if char.isascii():
            assert view[offset // charset.unit] == ord(char)
            taken.add(offset // charset.unit)
    rest = {byte for index, byte in enumerate(view) if index not in taken}
    if charset.unit > 1 or charset.name == "ISO-2022-JP" or charset.name.startswith("IBM"):
        assert all(byte >= 0x80 for byte in rest)
    else:  # the document itself: trail bytes, of which only digits are below 0x40
        structural = b"\t\n\f\r !\"#&'()*+,-./:;<=>?"
        assert not rest & {*structural}


@pytest.mark.parametrize("name", names())
def test_ascii_characters_are_where_they_are_in_the_source(name: str) -> None:
    charset = named(name)
    check_against_text(charset, charset.encode(text_for(charset)))


@pytest.mark.parametrize("name", names())
def test_the_view_does_not_depend_on_the_cuts(name: str) -> None:
    charset = named(name)
    data = charset.encode(text_for(charset)) + b"\x1b$"
    expected = whole(charset, data)
    assert in_pieces(charset, data, [*range(len(data))]) == expected
    for cut in range(len(data)):
        assert in_pieces(charset, data, [cut]) == expected


@given(
    name=st.sampled_from(["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-2022-JP", "IBM1047", "gb18030"]),
    data=st.lists(
        st.sampled_from([b"<", b"\x00", b"\x1b", b"(", b"$", b"B", b"J", b"I", b"@", b"\xff", b"\xd8", b"\x1b$B", b"\x1b(B", b"\x1b(J", b"\\", b"~", b"\n", b"0", b"\x81"]),
        max_size=30,
    ).map(b"".join),
    seed=st.integers(0, 9),
)  # fmt: skip
def test_malformed_bytes_have_a_view_of_the_same_length(name: str, data: bytes, seed: int) -> None:
    charset = named(name)
    check_against_text(charset, data)
    cuts = random.Random(seed).choices(range(len(data) + 1), k=4)
    assert in_pieces(charset, data, cuts) == whole(charset, data)


def test_the_view_of_a_superset_of_ascii_is_the_very_same_object() -> None:
    data = bytes(range(256)) * 2
    for name in ("UTF-8", "windows-1252", "Shift_JIS", "gb18030", "IBM855"):
        assert named(name).view().feed(data) is data


def test_wide_units_are_masked_unless_they_are_ascii() -> None:
    text = "\ufeff<\u3c00\u003c\u013c\U0001f600\x7f\x80"
    expected = b"\xff<\xff<\xff\xff\xff\x7f\xff"
    assert whole(named("UTF-16LE"), text.encode("utf-16-le")) == expected
    assert whole(named("UTF-16BE"), text.encode("utf-16-be")) == expected
    expected = b"\xff<\xff<\xff\xff\x7f\xff"
    assert whole(named("UTF-32LE"), text.encode("utf-32-le")) == expected
    assert whole(named("UTF-32BE"), text.encode("utf-32-be")) == expected


@pytest.mark.parametrize("rest", [b"<", b"<\0\0"])
def test_an_incomplete_unit_at_the_end_is_one_masked_byte(rest: bytes) -> None:
    assert whole(named("UTF-32LE"), b"a\0\0\0" + rest) == b"a\xff"
    assert whole(named("UTF-16LE"), b"a\0" + rest[:1]) == b"a\xff"


def test_iso_2022_jp_shows_no_markup_in_two_byte_runs() -> None:
    charset = named("ISO-2022-JP")
    data = b'<a \x1b$B<a>"&;\x1b(B> \x1b(J\\~<\x1b(B'
    view = whole(charset, data)
    assert (
        view
        == b"<a \xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff> \xff\xff\xff\xff\xff<\xff\xff\xff"
    )


@given(st.lists(st.sampled_from([b"\x1b$B", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"%=", b"a", b"\x1b", b"\\", b"%"]), max_size=16).map(b"".join))  # fmt: skip
def test_a_slice_of_iso_2022_jp_is_decoded_with_the_state_of_its_offset(data: bytes) -> None:
    charset = named("ISO-2022-JP")
    view = charset.view()
    view.feed(data)
    view.feed(b"", final=True)
    offsets = charset.offsets(data)
    text = charset.decode(data)
    assert len(offsets) == len(text) + 1
    for index, offset in enumerate(offsets):
        assert charset.decode(data[offset:], view.state(offset)) == text[index:]


def test_forgotten_states_need_no_memory() -> None:
    charset = named("ISO-2022-JP")
    view = charset.view()
    piece = charset.encode("リンク<a>") * 100
    offset = 0
    for _ in range(50):
        view.feed(piece)
        offset += len(piece)
        view.forget(offset)
        assert view.state(offset) == 0
    assert len(view._states) == len(view._changes) == 1  # type: ignore[attr-defined]


def test_states_of_iso_2022_jp() -> None:
    view = named("ISO-2022-JP").view()
    data = b"a\x1b$B%=\x1b(J\\\x1b(I1\x1b(Bz"
    for index in range(len(data)):
        view.feed(data[index : index + 1])
    states = [view.state(offset) for offset in range(len(data) + 1)]
    assert states == [0, 0, 0, 0, 7, 3, 3, 3, 3, 5, 1, 1, 1, 6, 2, 2, 2, 4, 0]
    assert named("UTF-8").view().state(12) == 0


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("folder", "name"),
    [("UTF-16LE", "UTF-16LE"), ("UTF-16BE", "UTF-16BE"), ("UTF-32LE", "UTF-32LE"), ("UTF-32BE", "UTF-32BE")],
)  # fmt: skip
def test_documents_have_a_view(folder: str, name: str) -> None:
    for path in conformance("documents", folder).iterdir():
        data = path.read_bytes()
        expected = bytes(
            ord(char) if char.isascii() else MASKED for char in data.decode(name, "surrogatepass")
        )
        if name.startswith("UTF-32"):
            assert whole(named(name), data) == expected
        else:
            # Beyond the Basic Multilingual Plane a character is two units.
            assert whole(named(name), data).replace(b"\xff", b"") == expected.replace(b"\xff", b"")
