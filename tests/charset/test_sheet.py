"""Which charset a style sheet or a script is in (CSS Syntax Level 3, 3.2; HTML, 8.1.4.2)."""

from __future__ import annotations

from typing import Literal

import pytest

from linkfix.charset import Sniffed, named, sniff
from linkfix.errors import UnknownCharsetError, UnsupportedCharsetError

RULE = b'@charset "shift_jis";'


def answer(
    data: bytes,
    label: str | None = None,
    environment: str | None = None,
    type: Literal["css", "text"] = "css",
) -> tuple[str, str, int]:
    found = sniff(data, type=type, label=label, environment=environment, final=True)
    assert found is not None
    return found.charset.name, found.step, found.bom


@pytest.mark.parametrize(
    ("data", "label", "environment", "expected"),
    [
        (b"a{}", None, None, ("UTF-8", "default", 0)),
        (b"a{}", None, "koi8-r", ("KOI8-R", "environment", 0)),
        (b"a{}", "big5", "koi8-r", ("Big5", "label", 0)),
        (RULE, None, "koi8-r", ("Shift_JIS", "charset-rule", 0)),
        (RULE, "big5", None, ("Big5", "label", 0)),
        (b"\xef\xbb\xbf" + RULE, "big5", "koi8-r", ("UTF-8", "bom", 3)),
        (b"\xff\xfea\0", None, None, ("UTF-16LE", "bom", 2)),
        # What a style sheet cannot truly say of itself, what names nothing, what is no declaration.
        (b'@charset "utf-16be";', None, "koi8-r", ("UTF-8", "charset-rule", 0)),
        (b'@charset "nonsense";', None, "koi8-r", ("KOI8-R", "environment", 0)),
        (b"@charset 'shift_jis';", None, None, ("UTF-8", "default", 0)),
        (b'@CHARSET "shift_jis";', None, None, ("UTF-8", "default", 0)),
        (b'@charset  "shift_jis";', None, None, ("UTF-8", "default", 0)),
        (b"/**/" + RULE, None, None, ("UTF-8", "default", 0)),
        (b'@charset "' + b" " * 1002 + b'big5";', None, None, ("Big5", "charset-rule", 0)),
        (b'@charset "' + b" " * 1020 + b'big5";', None, None, ("UTF-8", "default", 0)),
    ],
)
def test_style_sheets(
    data: bytes, label: str | None, environment: str | None, expected: tuple[str, str, int]
) -> None:
    assert answer(data, label, environment) == expected


def test_a_script_has_no_declaration() -> None:
    assert answer(RULE, type="text") == ("UTF-8", "default", 0)
    assert answer(RULE, environment="koi8-r", type="text") == ("KOI8-R", "environment", 0)
    assert answer(b"\xef\xbb\xbf", environment="koi8-r", type="text") == ("UTF-8", "bom", 3)


def test_what_is_refused() -> None:
    with pytest.raises(UnknownCharsetError):
        answer(b"", environment="nonsense")
    with pytest.raises(UnsupportedCharsetError):
        answer(b'@charset "hz-gb-2312";')


def test_the_answer_waits_for_enough_bytes() -> None:
    data = RULE + b" " * 2000
    for size in range(1024):
        assert sniff(data[:size], type="css") is None
    assert sniff(data[:1024], type="css") == sniff(data, type="css", final=True)


def test_what_has_no_charset_but_that_of_its_format() -> None:
    found = sniff(b"{}", type="json", final=True)
    assert found == Sniffed(named("UTF-8"), "default", certain=True)
    assert found.declared
    css = sniff(b"a {}", type="css", final=True)
    assert css is not None
    assert not css.declared
