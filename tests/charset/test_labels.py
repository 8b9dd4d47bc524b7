"""Labels (Encoding Standard, 4.2) and the names that only XML documents may use."""

from __future__ import annotations

import codecs
import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from conformance_data import conformance

from linkfix.charset import known, lookup, named, names
from linkfix.errors import UnknownCharsetError, UnsupportedCharsetError

XML_ONLY = tuple(name for name in names() if name not in names(xml=False))


@pytest.mark.conformance
def test_every_label_of_the_standard_finds_its_encoding() -> None:
    groups = json.loads(conformance("encoding", "encodings.json").read_bytes())
    encodings = {e["name"]: e["labels"] for group in groups for e in group["encodings"]}
    count = 0
    for name, labels in encodings.items():
        for label in labels:
            for spelling in (label, label.upper(), f"\t\n\f\r {label.title()} \n"):
                if name == "replacement":
                    with pytest.raises(UnsupportedCharsetError, match="iconv"):
                        lookup(spelling)
                else:
                    assert lookup(spelling).name == name
                    assert lookup(spelling, xml=True).name == name
            count += 1
    assert set(names(xml=False)) == set(encodings) - {"replacement"}
    print(f"{count} labels of {len(encodings)} encodings")


@pytest.mark.parametrize(
    "label",
    ["", " ", "utf-9", "utf 8", "\u00a0utf-8", "\vutf-8", "\u212aoi8-r", "utf-7", "a" * 100_000],
)
def test_what_is_no_label_is_unknown(label: str) -> None:
    with pytest.raises(UnknownCharsetError) as caught:
        lookup(label)
    assert caught.value.hint
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "label", ["utf-8", "sjis", "x-user-defined", "utf-7", "cp037", "1", "utf 8", ""]
)
def test_a_label_is_what_is_found(label: str) -> None:
    try:
        lookup(label)
    except (UnknownCharsetError, UnsupportedCharsetError):
        assert known(label) is None
    else:
        assert known(label) is not None


def test_the_hint_names_a_label_that_is_near() -> None:
    with pytest.raises(UnknownCharsetError, match="did you mean 'shift-jis'"):
        lookup("shift-jiss")


@pytest.mark.parametrize("name", XML_ONLY)
def test_xml_names_count_in_xml_only(name: str) -> None:
    assert lookup(name, xml=True).name == name
    assert lookup(name.lower(), xml=True) is lookup(name, xml=True)
    with pytest.raises(UnknownCharsetError, match="only an XML document"):
        lookup(name)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("cp037", "IBM037"),
        ("CP37", "IBM037"),
        ("ebcdic-cp-us", "IBM037"),
        ("IBM-1047", "IBM1047"),
        ("IBM01140", "IBM1140"),
        ("CCSID01140", "IBM1140"),
        ("csIBM500", "IBM500"),
        ("cp855", "IBM855"),
        ("855", "IBM855"),
        ("IBM00858", "IBM858"),
        ("IBM866", "IBM866"),
        ("UTF-32", "UTF-32BE"),
        ("ISO-10646-UCS-4", "UTF-32BE"),
        ("ISO-10646-UCS-2", "UTF-16LE"),
        ("MacCyrillic", "x-mac-cyrillic"),
    ],
)
def test_registered_aliases(label: str, name: str) -> None:
    assert lookup(label, xml=True).name == name


@pytest.mark.parametrize(
    "page", [37, 500, 1026, 1140, 437, 775, 850, 852, 855, 857, 858, 860, 861, 862, 863, 865, 869]
)  # fmt: skip
def test_code_pages_are_those_of_python(page: int) -> None:
    charset = lookup(f"cp{page:03}", xml=True)
    for byte in range(256):
        data = bytes([byte])
        text = data.decode(f"cp{page:03}", "replace")
        assert charset.decode(data) == text
        if text != "\ufffd":
            assert charset.encode(text) == data


@pytest.mark.parametrize(
    ("page", "data", "text"),
    [
        (273, b"\x4a\xe0\x5a\xa1\x43\xdc\xfc\x63\xb5\x7c\xbc", "ÄÖÜß{}][@§¯"),
        (277, b"\x7b\x7c\x5b\xc0\xd0\x6a\x9c\x47\x9e\x9f\x80", "ÆØÅæåø{}[]@"),
        (278, b"\x71\xe0\x7b\x7c\x5b\xec", "\\ÉÄÖÅ@"),
        (285, b"\x5b\x4a\xb1\xa1\xbc", "£$[¯~"),
        (871, b"\x4a\xc0\xbe\x8e\x9c\xac", "Þþ\\{}@"),
        (1140, b"\x9f", "€"),
        (1143, b"\x5a\x71\xec", "€\\@"),
    ],
)
def test_national_characters_of_ebcdic(page: int, data: bytes, text: str) -> None:
    assert lookup(f"cp{page}", xml=True).decode(data) == text
    assert lookup(f"cp{page}", xml=True).encode(text) == data


def test_ebcdic_1047_is_037_with_three_pairs_exchanged() -> None:
    pairs = {0x5F: 0xB0, 0xAD: 0xBA, 0xBB: 0xBD}
    swapped = pairs | {there: here for here, there in pairs.items()}
    data = bytes(range(256))
    expected = bytes(swapped.get(byte, byte) for byte in data)
    assert lookup("IBM1047", xml=True).decode(data) == lookup("IBM037", xml=True).decode(expected)


@pytest.mark.parametrize("name", names())
def test_there_is_one_instance_of_each_charset(name: str) -> None:
    charset = named(name)
    assert named(name) is charset
    assert pickle.loads(pickle.dumps(charset)) is charset
    assert copy.deepcopy(charset) is copy.copy(charset) is charset
    assert {charset: 1}[named(name)] == 1
    assert charset != named("UTF-8" if name != "UTF-8" else "UTF-16LE")
    assert charset.is_unicode == name.startswith("UTF-")
    assert charset.unit == {"UTF-16": 2, "UTF-32": 4}.get(name[:6], 1)


def test_an_unknown_name_has_no_charset() -> None:
    with pytest.raises(UnknownCharsetError):
        named("utf-8")  # a label, not a name


def test_charsets_can_be_used_by_several_threads_at_once() -> None:
    text = "日本語のリンク"
    expected = {"Shift_JIS": "cp932", "EUC-JP": "euc_jp", "ISO-2022-JP": "iso2022_jp"}
    with ThreadPoolExecutor(8) as pool:
        jobs = [*expected] * 50
        results = pool.map(lambda name: named(name).encode(text), jobs)
        assert [*results] == [codecs.encode(text, expected[name]) for name in jobs]


@pytest.mark.parametrize(
    ("label", "web", "name"),
    [
        ("us-ascii", "windows-1252", "US-ASCII"),
        ("Latin1", "windows-1252", "ISO-8859-1"),
        ("cp1252", "windows-1252", "windows-1252"),
        ("ms-ansi", "windows-1252", "windows-1252"),
        ("windows_1252", "windows-1252", "windows-1252"),
        ("winbaltrim", "windows-1257", "windows-1257"),
        ("GB_2312-80", "GBK", "GB2312"),
        ("cp936", "GBK", "GBK"),
        ("sjis", "Shift_JIS", "Shift_JIS"),
        ("cp932", "Shift_JIS", "Windows-31J"),
        ("ks_c_5601-1987", "EUC-KR", "EUC-KR"),
        ("cp874", "windows-874", "windows-874"),
        ("tis-620", "windows-874", "TIS-620"),
        ("koi8-ru", "KOI8-U", "KOI8-RU"),
        ("macroman", "macintosh", "macintosh"),
    ],
)
def test_xml_labels_name_charsets_of_the_registry(label: str, web: str, name: str) -> None:
    charset = lookup(label, xml=True)
    assert charset.name == web
    assert charset.iana is not None
    assert charset.iana.name == name
    assert pickle.loads(pickle.dumps(charset)) is charset
    assert lookup(name, xml=True) is charset


@pytest.mark.parametrize(("label", "name"), [("viscii", "VISCII"), ("TCVN5712", "TCVN"), ("koi8-t", "KOI8-T"), ("MacGreek", "MacGreek"), ("latin2", "ISO-8859-2"), ("koi8-r", "KOI8-R")])  # fmt: skip
def test_charsets_that_all_readers_have_alike(label: str, name: str) -> None:
    charset = lookup(label, xml=True)
    assert charset.name == name
    assert charset is named(name) or charset.iana is not None
