"""References that readers do not agree on: none of them moves in any of three browsers."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest

from linkfix.iri import convert, disputes, equivalent
from linkfix.iri.compare.classes_data import CLASSES, DEPARTING
from linkfix.iri.compare.comparison import BROWSERS
from linkfix.iri.url import parse_url

TABLE = Path(__file__).parents[1] / "conformance" / "disputed.tsv"
READERS: tuple[Literal["chromium", "firefox", "webkit"], ...] = ("chromium", "firefox", "webkit")
#: What only one reader sees, and no class of references is known by: input and base.
ALONE = {("http:/", "http://example.com/"), ("..", "abc://x/y/z/C:/")}
#: Each class with a reference and what it is relative to; the last ones are not changed by a conversion.
EXAMPLES = (
    ("scheme-disputed", "chrome: a b", "http://h/"),
    ("scheme-disputed", "view-source:\\\\a\\b", "http://h/"),
    ("drive-letter-disputed", "file:///C|/x", "http://h/"),
    ("drive-letter-disputed", "C|", "file://host/dir/file"),
    ("drive-host-disputed", "//d:", "file:///C:/a/b"),
    ("backslash-disputed", "\\/x", "foo://h/d/p"),
    ("backslash-disputed", "foo:/a\\b", "http://h/"),
    ("userinfo-disputed", "foo://a%b@host/", "http://h/"),
    ("host-mapping-disputed", "http://a\u1e9e.com/", "http://h/"),
    ("host-mapping-disputed", "http://a\u115f.com/", "http://h/"),
    ("host-mapping-disputed", "http://\u10a0.example/", "http://h/"),
    ("host-composed-disputed", "http://<\u0338/", "http://h/"),
    ("host-composed-disputed", "http://>\u00ad\u0338/", "http://h/"),
    ("host-character-disputed", "http://é*/", "http://h/"),
    ("opaque-host-disputed", "sc://%/", "http://h/"),
    ("opaque-host-disputed", "foo://é/", "http://h/"),
    ("fragment-controls-disputed", "#a\x1f", "http://h/"),
    ("dots-disputed", "about:/a/../b", "http://h/"),
    ("drive-base-disputed", "/", "file:///C:/a/b"),
    ("file-host-disputed", "file://host/x", "http://h/"),
    ("file-host-disputed", "/x", "file://host/"),
    ("file-slashes-disputed", "file:////x", "http://h/"),
    ("host-number-disputed", "http://0x/", "http://h/"),
    ("quote-disputed", "foo://h/?'", "http://h/"),
)


def read(text: str) -> str:
    """The characters that a field of the table stands for."""
    text = re.sub(
        r"\\(?:u([0-9a-f]{4})|(.))",
        lambda found: (
            chr(int(found[1], 16))
            if found[1]
            else {"n": "\n", "t": "\t", "r": "\r"}.get(found[2], found[2])
        ),
        text,
    )
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@pytest.mark.conformance
@pytest.mark.parametrize("to", ["uri", "iri"])
def test_no_reference_of_the_table_moves(to: Literal["uri", "iri"]) -> None:
    """It is left as it is, or becomes what was tried out in all three and moved in none."""
    head, *lines = TABLE.read_text("utf-8").split("\n")
    columns = head.split("\t")
    outcomes = Counter[str]()
    wrong = []
    for line in filter(None, lines):
        row = dict(zip(columns, line.split("\t"), strict=True))
        text, base = read(row["input"]), read(row["base"])
        found = convert(text, to=to, base=base)
        moves = any(entry.startswith(to) for entry in row["moved"].split())
        if found.text == text:
            outcomes["left"] += 1
        elif found.text == read(row[f"linkfix_{to}"]) and not moves:
            outcomes["rewritten, moved nowhere"] += 1
        else:
            wrong.append((text, base, found.text))
        # What is left has a finding: its own, that of an A-label, or that of a refused host.
        named = disputes(text, base=base) or "xn--" in text.lower() or not found.ok
        if not named and (text, base) not in ALONE:
            wrong.append((text, base, "no finding"))
    print(to, dict(outcomes))
    assert not wrong
    assert outcomes.total() == 716


def test_no_comparison_of_the_table_takes_a_side() -> None:
    """By default none is called equivalent or different; by reader as each browser goes, or unknown."""
    head, *lines = TABLE.read_text("utf-8").split("\n")
    outcomes = Counter[str]()
    wrong = []
    for line in filter(None, lines):
        row = dict(zip(head.split("\t"), map(read, line.split("\t")), strict=True))
        text, base = row["input"], row["base"]
        for there in {row[reader] for reader in BROWSERS} - {"INVALID", text}:
            default = equivalent(text, there, base=base)
            if default.outcome != "unknown":
                wrong.append((text, base, there, default.outcome, ""))
            for reader in READERS:
                found = equivalent(text, there, base=base, reader=reader, level="url").outcome
                outcomes[f"{reader} {found}"] += 1
                own = parse_url(row[reader]) if row[reader] != "INVALID" else None
                is_same = own is not None and own == parse_url(there)
                if found != "unknown" and (found == "equivalent") != is_same:
                    wrong.append((text, base, there, found, reader))
    assert wrong == []
    assert min(outcomes[f"{reader} equivalent"] for reader in READERS) > 50


@pytest.mark.parametrize(("rule", "text", "base"), EXAMPLES)
def test_each_class_has_a_finding_that_names_who_goes_where(
    rule: str, text: str, base: str
) -> None:
    (found,) = [dispute for dispute in disputes(text, base=base) if dispute.rule == rule]
    assert "browser" in found.message or "WebKit" in found.message
    assert 0 <= found.start <= found.end <= len(text)
    for to in ("uri", "iri"):
        assert convert(text, to="uri" if to == "uri" else "iri", base=base).text == text


def test_every_class_has_an_example() -> None:
    assert {rule for rule, _, _ in EXAMPLES} == set(CLASSES) == set(DEPARTING)


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("file:///C:/x", None),
        ("http://bücher.example/", None),
        ("http://a-b_c.example/", None),
        ("mailto:a\\b", None),
        ("a\\b", "http://h/"),
        ("foo://h/a", None),
        ("#a\n", None),
        ("../x", "file:///a/b"),
        ("x", "no base at all"),
        ("about:blank", None),
        ("About:srcdoc", "http://h/"),
    ],
)
def test_what_readers_agree_on_has_none(text: str, base: str | None) -> None:
    assert disputes(text, base=base) == ()


def test_a_disputed_host_does_not_keep_the_rest_from_conversion() -> None:
    assert convert("foo://%C3%A9/a b", to="uri").text == "foo://%C3%A9/a%20b"
    assert convert("foo://%C3%A9/a b", to="iri").ok is False
    assert convert("file://h/a b", to="uri").text == "file://h/a%20b"


def test_the_message_names_the_versions_of_unicode() -> None:
    (found,) = disputes("http://\u1e9e/")
    assert "Unicode 15.0.0 and " in found.message


def test_the_tool_reads_the_table_of_a_version() -> None:
    tool = runpy.run_path(
        str(Path(__file__).parents[2] / "tools" / "iri" / "make_disputed.py"), run_name="tool"
    )
    version, mapped = tool["table"]()
    assert version
    assert mapped("A") == "a"
    assert mapped("\uffff") is None
