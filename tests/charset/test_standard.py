"""The decoders and encoders against the Encoding Standard's steps and indexes, completely."""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from linkfix.charset import Charset, named, names

from . import standard

pytestmark = pytest.mark.conformance

STANDARD = names(xml=False)
STATEFUL = ("ISO-2022-JP",)
WIDE = ("UTF-16LE", "UTF-16BE")
MULTI_BYTE = ("UTF-8", "Big5", "EUC-JP", "EUC-KR", "GBK", "Shift_JIS", "gb18030")
SINGLE_BYTE = tuple(name for name in STANDARD if name not in (*STATEFUL, *WIDE, *MULTI_BYTE))

ONE_BYTE = [bytes([byte]) for byte in range(256)]
TWO_BYTES = [bytes(pair) for pair in product(range(256), repeat=2)]
SCALAR_VALUES = [*range(0xD800), *range(0xE000, 0x110000)]


def differences(charset: Charset, sequences: list[bytes], state: int = 0) -> list[bytes]:
    return [
        data
        for data in sequences
        if charset.decode(data, state) != standard.decoder(charset.name, state).decode(data)
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*MULTI_BYTE, *WIDE])
def test_every_sequence_of_one_and_two_bytes_is_decoded_as_the_standard_says(name: str) -> None:
    sequences = [*ONE_BYTE, *TWO_BYTES]
    assert differences(named(name), sequences) == []
    print(f"{name}: {len(sequences)} of {len(sequences)} sequences equal")


@pytest.mark.nightly
@pytest.mark.parametrize("state", range(8))
def test_every_short_sequence_of_iso_2022_jp_is_decoded_in_every_state(state: int) -> None:
    sequences = [*ONE_BYTE, *TWO_BYTES] if state < 4 else ONE_BYTE
    assert differences(named("ISO-2022-JP"), sequences, state) == []
    print(f"ISO-2022-JP in state {state}: {len(sequences)} of {len(sequences)} sequences equal")


@pytest.mark.parametrize("name", SINGLE_BYTE)
@pytest.mark.parametrize("share", [8, pytest.param(85, marks=pytest.mark.nightly)])
def test_every_byte_of_a_single_byte_encoding_is_decoded_as_the_index_says(
    name: str, share: int
) -> None:
    charset = named(name)
    characters = [standard.decoder(name).decode(data) for data in ONE_BYTE]
    assert [charset.decode(data) for data in ONE_BYTE] == characters
    # Two bytes are two characters, whatever they are. All pairs are tried at night; 85 is prime to 256.
    pairs = [pair for pair in TWO_BYTES if sum(pair) % 85 < share]
    expected = "".join(characters[a] + characters[b] for a, b in pairs)
    assert charset.decode(b"".join(pairs)) == expected
    print(f"{name}: {256 + len(pairs)} of {256 + len(pairs)} sequences equal")


@pytest.mark.nightly
def test_every_three_byte_sequence_of_euc_jp_is_decoded_as_the_standard_says() -> None:
    sequences = [b"\x8f" + pair for pair in TWO_BYTES if pair[0] >= 0x80]
    assert differences(named("EUC-JP"), sequences) == []
    print(f"EUC-JP: {len(sequences)} of {len(sequences)} three-byte sequences equal")


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["gb18030", "GBK"])
def test_every_four_byte_sequence_of_gb18030_is_decoded_as_the_ranges_say(name: str) -> None:
    place = standard.Gb18030.ranges_code_point
    linear = range(126 * 10 * 126 * 10)
    data = b"".join(
        bytes((a, b, c, d))
        for a in range(0x81, 0xFF)
        for b in range(0x30, 0x3A)
        for c in range(0x81, 0xFF)
        for d in range(0x30, 0x3A)
    )
    text = named(name).decode(data)
    assert len(text) == len(linear)
    rows = [*standard.ranges(), [len(linear), 0]]
    for (offset, base), (end, _) in pairwise(rows):
        # Within a row the code points follow one another up to the end of what has one.
        last = {39394: 39420, 189000: 1237576}.get(offset, end)
        expected = [*map(chr, range(base, base + last - offset))] + ["\ufffd"] * (end - last)
        if offset <= 7457 < end:
            expected[7457 - offset] = "\ue7c7"
        assert text[offset:end] == "".join(expected)
    sample = random.Random(1).sample(linear, 2000)  # the standard's own steps agree
    assert [text[pointer] for pointer in sample] == [
        "\ufffd" if (point := place(pointer)) is None else chr(point) for pointer in sample
    ]
    print(f"{name}: {len(linear)} of {len(linear)} four-byte sequences equal")


def written(charset: Charset, points: list[int]) -> tuple[bytes, list[int]]:
    """The bytes of code points in a charset, and the missing code points."""
    lacking: list[int] = []

    def missing(char: str) -> bytes:
        lacking.append(ord(char))
        return b""

    return charset.encode("".join(map(chr, points)), missing=missing), lacking


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*SINGLE_BYTE, *MULTI_BYTE[1:]])
def test_every_code_point_is_encoded_as_the_standard_says(name: str) -> None:
    charset = named(name)
    expected = standard.encoder(name)
    data, lacking = written(charset, SCALAR_VALUES)
    assert data == b"".join(expected.get(point, b"") for point in SCALAR_VALUES)
    assert lacking == [point for point in SCALAR_VALUES if point not in expected]
    # In text that lacks nothing, and alone, a character is written the same way.
    encodable = sorted(expected)
    assert charset.encode("".join(map(chr, encodable))) == b"".join(
        map(expected.__getitem__, encodable)
    )
    if len(expected) < 100_000:
        assert {point: charset.encode(chr(point)) for point in encodable} == expected
    print(f"{name}: {len(SCALAR_VALUES)} of {len(SCALAR_VALUES)} code points equal")


@pytest.mark.nightly
def test_every_code_point_is_encoded_in_iso_2022_jp_as_the_standard_says() -> None:
    charset = named("ISO-2022-JP")

    def reference(char: str) -> bytes:
        return b"&#%d;" % (0xFFFD if char in "\x0e\x0f\x1b" else ord(char))

    points = [point for point in SCALAR_VALUES if point < 0x30000]
    for point in points:
        char = chr(point)
        assert charset.encode(char, missing=reference) == standard.encode_iso_2022_jp(char)
    _, lacking = written(charset, SCALAR_VALUES[len(points) :])
    assert lacking == SCALAR_VALUES[len(points) :]  # the index ends before them
    print(f"ISO-2022-JP: {len(SCALAR_VALUES)} of {len(SCALAR_VALUES)} code points equal")


@pytest.mark.parametrize("name", ["UTF-8", *WIDE])
@pytest.mark.parametrize("step", [61, pytest.param(1, marks=pytest.mark.nightly)])
def test_every_code_point_makes_the_round_trip_in_unicode(name: str, step: int) -> None:
    """With a step, every code point at which an encoding gets longer, and some of each length."""
    points = {*SCALAR_VALUES[::step], *range(0x900), *range(0xD7FF, 0xE001, 0x801)}
    text = "".join(map(chr, sorted(points | {0xFFFF, 0x10000, 0x10FFFF})))
    assert named(name).decode(named(name).encode(text)) == text
    _, lacking = written(named(name), [*range(0xD800, 0xE000)])
    assert lacking == [*range(0xD800, 0xE000)]


#: Bytes on which decoders branch.
TURNS = (
    b"\x00 09A@[\\a~\x7f\x80\x81\x8e\x8f\x90\xa0\xa1\xa2\xa8\xb7\xbc\xc2\xc7\xd8\xdc\xdf\xe0\xed"
    b"\xf0\xf4\xf9\xfc\xfd\xfe\xff\x1b($BJI\x0e\x0f\n"
)
BYTES = st.one_of(
    st.binary(max_size=24),
    st.lists(st.sampled_from([*TURNS]), max_size=24).map(bytes),
    st.lists(st.sampled_from([b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$B", b"\x1b$@", b"%\x1b", b"!!", b"\\", b"\n"]), max_size=12).map(b"".join),
)  # fmt: skip
LEGACY = st.sampled_from((*MULTI_BYTE, *WIDE, *STATEFUL))


@given(name=LEGACY, data=BYTES, state=st.integers(0, 7))
@settings(max_examples=examples(3000), deadline=None)
def test_any_bytes_are_decoded_as_the_standard_says(name: str, data: bytes, state: int) -> None:
    assert named(name).decode(data, state) == standard.decoder(name, state).decode(data)


@given(text=st.text(st.sampled_from("a\\~\n日本語ソ¥‾ｱﾞ−－～\u301c\u2225\x1bあéж😀"), max_size=12))
@settings(max_examples=examples(500), deadline=None)
def test_any_text_is_encoded_in_iso_2022_jp_as_the_standard_says(text: str) -> None:
    def reference(char: str) -> bytes:
        return b"&#%d;" % (0xFFFD if char == "\x1b" else ord(char))

    encoded = named("ISO-2022-JP").encode(text, missing=reference)
    assert encoded == standard.encode_iso_2022_jp(text)


@given(
    name=st.sampled_from((*MULTI_BYTE[1:], "windows-1252", "windows-1251", "x-user-defined")),
    text=st.text(
        st.one_of(
            st.sampled_from(
                "aé日本語～〜∥‖−－¥‾ｱ\u00ca\u0304\u030c\u00eaⅰ纊㈱①￢￤／∕＼﹨\u20ac\ue5e5\ue7c7\u1e3f\ud800"
            ),
            st.characters(),
        ),
        max_size=12,
    ),
)
@settings(max_examples=examples(1500), deadline=None)
def test_any_text_is_encoded_as_its_characters_are(name: str, text: str) -> None:
    expected = standard.encoder(name)
    lacking = next((index for index, char in enumerate(text) if ord(char) not in expected), None)
    if lacking is None:
        assert named(name).encode(text) == b"".join(expected[ord(char)] for char in text)
    else:
        with pytest.raises(UnicodeEncodeError) as caught:
            named(name).encode(text)
        assert (caught.value.start, caught.value.end) == (lacking, lacking + 1)
        assert caught.value.object == text


@pytest.mark.parametrize("name", STANDARD)
@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.nightly)])
def test_encodable_means_that_a_character_round_trips(name: str, step: int) -> None:
    charset = named(name)
    points = [*range(0x600), *range(0x600, 0x3000, step), *range(0x4E00, 0x5000, step), *range(0xE000, 0xE010), *range(0xE780, 0xE870, step), 0xE5E5, *range(0xFE00, 0xFF00, step), *range(0xFF00, 0x10010), 0x20021]  # fmt: skip
    if charset.is_unicode:
        assert all(charset.encodable(chr(point)) for point in points)
        assert not charset.encodable("\ud800")
        return
    decode = standard.decoder
    for point in points:
        if name == "ISO-2022-JP":
            data = standard.encode_iso_2022_jp(chr(point))
        else:
            data = standard.encoder(name).get(point, b"")
        round_trips = bool(data) and decode(name).decode(data) == chr(point)
        assert charset.encodable(chr(point)) == round_trips, hex(point)
