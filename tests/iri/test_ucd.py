"""One version of Unicode, whatever Python runs."""

from __future__ import annotations

import tomllib
from pathlib import Path
from urllib.parse import quote

import ada_url
import idna
import pytest

from linkfix.iri import convert, equivalent
from linkfix.iri.unicode import ucd
from linkfix.iri.unicode.ucd import to_nfc
from linkfix.iri.unicode.uts46 import to_ascii, to_unicode
from linkfix.iri.url import parse_url

#: Letters, digits and emoji of Unicode 15, 15.1, 16 and 17, each with what stands in front of it in a host.
PROBES = [
    *("a\u0cf3", "a\U0001e4d0", "a\U00031350", "a\U0001df25", "a\U00010efd"),
    *("a\U0002ebf0",),
    *("a\u1c89", "a\u1c8a", "a\U000105c0", "\U00010d50", "\U00010d70", "a\U00016d40", "a\U0001e5d0", "a\U00011bc0", "a\u0897", "a\U0001fae9"),
    *("a\U000323b0", "a\U00016ea0", "a\U00016ebb", "\U00010940", "a\U00011db0", "a\U0001e6c0", "a\ua7ce", "\u088f", "a\U0001faea"),
]  # fmt: skip


def test_the_version_is_named() -> None:
    assert ucd.VERSION == "17.0.0"


@pytest.mark.parametrize("text", PROBES, ids=ascii)
def test_new_characters_in_hosts_and_paths(text: str) -> None:
    """As ada-url has them; a conversion leaves hosts that WebKit refuses."""
    there = ada_url.URL(f"http://{text}.example/{text}")
    url = parse_url(f"http://{text}.example/{text}")
    assert url is not None
    assert url.href == there.href
    found = convert(f"http://{text}.example/", to="uri")
    assert found.text == there.href.rpartition("/")[0] + "/" if found.ok else found.problems[0].rule == "host-mapping-disputed"  # fmt: skip
    assert convert(f"/{text}", to="iri").text == f"/{text}"
    path = convert(f"/{text}", to="uri").text
    assert convert(path, to="iri").text == f"/{text}"


@pytest.mark.parametrize("text", [x for x in PROBES if x[-1] < "\U0001fa00" or x[-1] > "\U0001ffff"], ids=ascii)  # fmt: skip
def test_new_letters_by_idna_2008(text: str) -> None:
    assert to_unicode(to_ascii(text, "2008"), "2008") == to_unicode(to_ascii(text))


@pytest.mark.parametrize(
    ("text", "composed"),
    [
        ("\U000105d2\u0307", "\U000105c9"),  # Unicode 16
        ("\U00016121\U0001611f", "\U00016126"),
        ("a\u0897\u0323", "\u1ea1\u0897"),
        ("a\u1acf\u0323", "\u1ea1\u1acf"),  # Unicode 17
    ],
)
def test_new_characters_in_nfc(text: str, composed: str) -> None:
    assert to_nfc(text) == composed
    assert not ucd.is_nfc(text)
    assert ucd.is_nfc(composed)
    assert convert(f"/{text}", to="iri", nfc=True).text == f"/{composed}"


def test_nobody_asks_another_table() -> None:
    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    lint = settings["tool"]["ruff"]["lint"]
    assert {*lint["flake8-tidy-imports"]["banned-api"]} == {"unicodedata", "unicodedata2"}
    assert [x for x, rules in lint["per-file-ignores"].items() if "TID251" in rules and x.startswith("linkfix")] == ["linkfix/iri/unicode/ucd.py"]  # fmt: skip


def test_letter_case_is_that_of_the_version() -> None:
    """Every capital letter that `idna` maps to one other letter is folded to that."""
    for char in map(chr, range(0x110000)):
        if ucd.category(char) != "Lu" or ucd.normalize("NFKC", char) != char or char == "\u1e9e":
            continue
        mapped = idna.uts46_remap(char, std3_rules=False)
        if len(mapped) == 1 and mapped != char:
            assert ucd.folded(char) == ucd.folded(mapped), ascii(char)


@pytest.mark.parametrize("scheme", ["file:///%s", "cid:%s@h", "mailto:%s@h.example", "news:%s"])
@pytest.mark.parametrize(("one", "other"), [("é", "É"), ("é", "e\u0301"), ("\U00010d50", "\U00010d70")])  # fmt: skip
def test_no_rule_tells_letters_of_two_cases_apart(scheme: str, one: str, other: str) -> None:
    for texts in ((scheme % one, scheme % other), (scheme % other, scheme % quote(one))):
        assert equivalent(*texts).outcome == "unknown"
    assert equivalent(scheme % one, scheme % "e").outcome == "different"
