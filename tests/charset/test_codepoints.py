from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.charset import Charset, lookup
from linkfix.charset.model import CodePoints

PIECES = st.lists(
    st.sampled_from(["a", "/", "é", "あ", "\u20ac", "\U0001f600", "\ufffd", "ж"]), max_size=12
)


def expected(charset: Charset, source: bytes, state: int = 0) -> list[int]:
    """An escape sequence before the first code point belongs to it."""
    return [0, *charset.offsets(source, state)[1:]]


@pytest.mark.parametrize(
    "label",
    ["utf-8", "utf-16le", "utf-16be", "windows-1251", "shift_jis", "gb18030", "iso-2022-jp"],
)
@given(pieces=PIECES, malformed=st.booleans(), data=st.data())
def test_offsets_are_those_of_the_charset_in_any_order(
    label: str, pieces: list[str], malformed: bool, data: st.DataObject
) -> None:
    charset = lookup(label)
    source = charset.encode("".join(pieces), missing=lambda _char: b"??")
    source += b"\xff\x61\xfe" if malformed else b""
    offsets = expected(charset, source)
    places = CodePoints(charset, source)
    order = data.draw(st.permutations(range(len(offsets))))
    assert [places[index] for index in order] == [offsets[index] for index in order]
    assert [places[index] for index in range(len(offsets))] == offsets


def test_escape_sequences_are_no_code_points() -> None:
    charset = lookup("iso-2022-jp")
    source = charset.encode("aあb")
    assert source.isascii()
    places = CodePoints(charset, source)
    assert [places[index] for index in range(4)] == expected(charset, source)


def test_a_value_may_begin_in_a_state() -> None:
    charset = lookup("iso-2022-jp")
    view = charset.view()
    whole = charset.encode("ああ")
    view.feed(whole)
    state = view.state(5)
    source = whole[5:]
    text = charset.decode(source, state)
    places = CodePoints(charset, source, state)
    assert text == "あ"
    assert [places[index] for index in range(2)] == expected(charset, source, state)
