from __future__ import annotations

import pytest

from linkfix.iri import lookalikes, skeleton
from linkfix.iri.unicode import uts46


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
