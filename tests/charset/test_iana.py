"""The charsets of XML as its own readers have them."""

from __future__ import annotations

import pytest

from linkfix.charset import lookup, names
from linkfix.charset.tables.labels import LABELS
from linkfix.charset.tables.registry import REGISTRY
from linkfix.charset.tables.xml import DISPUTED


def test_the_registry_divides_the_labels_of_the_encoding_standard() -> None:
    divided: dict[str, list[str]] = {}
    for web, _, labels in REGISTRY.values():
        divided.setdefault(web, []).extend(labels.split())
    for web, together in divided.items():
        if together:
            assert set(LABELS[web].split()) <= set(together), web
        assert len(together) == len(set(together))
    assert set(DISPUTED) <= set(REGISTRY) | set(names())


@pytest.mark.parametrize(
    ("label", "char"),
    [
        ("us-ascii", "é"),
        ("iso-8859-1", "\u20ac"),
        ("iso-8859-9", "\u20ac"),
        ("koi8-u", "ў"),
        ("shift_jis", "\uff5e"),
        ("shift_jis", "①"),
        ("shift_jis", "~"),
        ("shift_jis", "\\"),
        ("euc-jp", "①"),
        ("gb2312", "镕"),
        ("euc-kr", "갂"),
        ("big5", "碁"),
        ("tis-620", "\u20ac"),
        ("macintosh", "\u20ac"),
        ("iso-2022-jp", "日"),
    ],
)
def test_what_readers_have_at_other_octets_is_not_written(label: str, char: str) -> None:
    assert lookup(label).encodable(char)
    assert not lookup(label, xml=True).encodable(char)


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("us-ascii", "a~"),
        ("iso-8859-1", "é\xa0"),
        ("windows-1252", "\u20ac’"),
        ("koi8-u", "я"),
        ("shift_jis", "日ｱ表"),
        ("euc-jp", "日ｱ"),
        ("iso-2022-jp", "~\\"),
        ("gb2312", "中"),
        ("gbk", "镕"),
        ("euc-kr", "가"),
        ("windows-949", "갂"),
        ("big5", "十中"),
        ("big5-hkscs", "碁"),
        ("tis-620", "ก"),
    ],
)
def test_what_they_agree_on_is_written(label: str, text: str) -> None:
    charset = lookup(label, xml=True)
    assert all(map(charset.encodable, text))
    assert charset.agrees(charset.encode(text)) or "\\" in text
    assert not charset.disputes(text)


@pytest.mark.parametrize(
    ("label", "octets", "web", "own"),
    [
        ("iso-8859-1", b"\xe9\x80", "é€", "é\x80"),
        ("koi8-u", b"\xae", "ў", "╝"),
        ("shift_jis", b"\x81\x60\x87\x40\x93\xfa", "～①日", "〜①日"),
        ("gb2312", b"\x81\x40\xd6\xd0", "丂中", "丂中"),
        ("big5", b"\x88\x62\xa4\xa4", "Ê̄中", "Ê̄中"),
        ("us-ascii", b"a\xe9", "aé", "aé"),
    ],
)
def test_octets_that_readers_decode_differently(label: str, octets: bytes, web: str, own: str) -> None:  # fmt: skip
    charset = lookup(label, xml=True)
    assert not charset.agrees(octets)
    assert charset.decode(octets) == web
    assert charset.decode_xml(octets) == own
    assert lookup(label).agrees(octets)


def test_an_octet_that_only_an_alternative_has_counts_octet_by_octet() -> None:
    big5 = lookup("big5", xml=True)
    assert big5.decode(b"\xa4\x51") == big5.decode(b"\xa2\xcc") == "十"
    assert big5.agrees(b"\xa4\x51")
    assert not big5.agrees(b"\xa2\xcc")


def test_a_tilde_is_kept_and_a_backslash_is_disputed() -> None:
    shift_jis = lookup("shift_jis", xml=True)
    assert shift_jis.agrees(b"/~user/")
    assert not shift_jis.agrees(b"a\\b")
    assert shift_jis.agrees("表".encode("cp932"))  # whose trail octet is 5C
