from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri import lookalikes, skeleton
from linkfix.iri.unicode import lookalike_data, ucd, uts46


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("http://example.com/rosé", []),
        ("http://пример.example/", []),
        ("http://p\u0430ypal.com/", [("mixed-script-label", 7, 13)]),
        ("http://\u0430\u0441\u0435.com/", [("ascii-lookalike-label", 7, 10)]),
        ("http://日本語テストabc.jp/", []),
        ("http://\u30a2\u1100.jp/", [("mixed-script-label", 7, 9)]),
        ("http://h/\uff41\uff76", [("full-width-form", 9, 10), ("full-width-form", 10, 11)]),
        (
            "http://h/?\ufb01#\u2460",
            [("compatibility-character", 10, 11), ("compatibility-character", 12, 13)],
        ),
        ("/\u0430", []),
        ("http://example.com\u2215login.evil.org/", [("delimiter-lookalike", 18, 19)]),
        (
            "http://a\u2044b/\ua789",
            [("delimiter-lookalike", 8, 9), ("delimiter-lookalike", 11, 12)],
        ),
        ("http://\u0261oogle.com/", [("latin-lookalike-label", 7, 13)]),
        ("http://paypa\u0131.com/", [("latin-lookalike-label", 7, 13)]),
        (
            "/p\u0430ypal?\u0430b#c\u0434",
            [
                ("mixed-script-word", 1, 7),
                ("mixed-script-word", 8, 10),
                ("mixed-script-word", 11, 13),
            ],
        ),
        ("/\u043d\u043e\u0432-news/%D0%B0b", []),
    ],
)
def test_findings(text: str, rules: list[tuple[str, int, int]]) -> None:
    assert [(found.rule, found.start, found.end) for found in lookalikes(text)] == rules


def test_a_label_is_looked_at_in_its_unicode_form() -> None:
    alabel = uts46.to_ascii("\u0430\u0441\u0435")
    (found,) = lookalikes(f"http://{alabel}.com/")
    assert found.rule == "ascii-lookalike-label"
    assert "'ace'" in found.message


def test_a_skeleton_is_what_a_text_looks_like() -> None:
    assert skeleton("p\u0430yp\u0430\u0131") == "paypai"
    assert skeleton("\u65e5a") == "\u65e5a"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # UTS #39, 4, and its tables
        ("paypal", "p\u0430yp\u0430l"),
        ("scope", "\u0455\u0441\u043e\u0440\u0435"),
        ("rn", "m"),
        ("1", "l"),
        ("0", "O"),
        ("I", "|"),
        ("\u0572\u0585", "\u0572o"),
        ("\u00c5", "A\u030a"),
        ("a\u200bb", "ab"),
        ("a\U000e0041", "a"),
        ("\u2126", "\u03a9"),
        ("\u3007", "0"),
        ("\U00016eb6", "b"),  # Unicode 17
    ],
)
def test_what_looks_alike_has_the_same_skeleton(one: str, other: str) -> None:
    assert skeleton(one, "whole") == skeleton(other, "whole")


def test_the_profile_of_ascii_tells_ascii_apart() -> None:
    for one, other in (("rn", "m"), ("1", "l"), ("0", "O"), ("I", "l")):
        assert skeleton(one) != skeleton(other)
    assert skeleton("\u0627\u05e1") == "\u0627\u05e1"  # written from right to left
    assert skeleton("a\u200b") == "a\u200b"


@given(st.text())
def test_a_skeleton_is_its_own(text: str) -> None:
    once = skeleton(text, "whole")
    assert skeleton(once, "whole") == once
    assert skeleton(skeleton(text)) == skeleton(text)


def test_the_table_has_the_version_of_unicode() -> None:
    assert lookalike_data.VERSION == ucd.VERSION
    with pytest.raises(ValueError, match="profile='all' is none of"):
        skeleton("a", "all")  # type: ignore[arg-type]
