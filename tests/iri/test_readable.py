"""Minimal escaping, by UTS #58."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from conformance_data import conformance
from hypothesis import given
from hypothesis import strategies as st

from linkfix.iri import display, find
from linkfix.iri.unicode.bidi import readable
from linkfix.iri.url import parse_url

_FIELD = re.compile(" ?([𝑺𝑯𝑷𝑸𝑽𝑭])=")
_BEFORE = {"𝑺": "", "𝑯": "", "𝑷": "/", "𝑸": "&", "𝑽": "=", "𝑭": "#"}


def escaped(structure: str) -> str:
    """The URL of a structure, every part fully escaped."""
    pieces = _FIELD.split(structure)[1:]
    fields = [*zip(pieces[::2], pieces[1::2], strict=True)]
    url = "".join(
        _BEFORE[name] + (value if name in "𝑺𝑯" else quote(value, safe="")) for name, value in fields
    )
    return url.replace("&", "?", 1)


@pytest.mark.conformance
def test_every_pair_of_the_standard() -> None:
    data = conformance("uts58", "LinkFormattingTest.txt").read_text("utf-8")
    selected, wikipedia = data.split("# Wikipedia test cases")
    wrong, count = [], 0
    for section, final in ((selected, True), (wikipedia, False)):
        for structure, source, expected in re.findall(
            r"^# \{(.*)\}\n(\S+)\n(\S+)$", section, re.MULTILINE
        ):
            # Sources of the file have lost the escapes of delimiters inside a part.
            values = [value for value in _FIELD.split(structure)[5:] if not _FIELD.match(value)]
            if re.search("[/?#&=]", "".join(values)):
                source = escaped(structure)
            # Wikipedia's are not at the end of a text: their last character stays.
            found = readable(source, final=final)
            count += 1
            if found != expected:
                wrong.append((source, expected, found))
    assert (count, wrong) == (55, [])


def test_what_is_decoded_and_what_is_not() -> None:
    assert (
        display("http://xn--bcher-kva.example/%C3%A9%20b?%22") == "http://bücher.example/é%20b?%22"
    )
    assert display("http://h/%%34%31%41%2f%2F") == "http://h/%%34%31%41%2f%2F"
    assert display("http://h/a(b.") == "http://h/a(b%2E"
    assert display("urn:x:%C3%A9", "plain") == "urn:x:%C3%A9"
    assert display("/%D7%90", "plain") == "/א"
    assert display("/%E2%80%AE%E3%80%80%0A", "plain") == "/%E2%80%AE%E3%80%80%0A"


PIECES = [
    "a",
    "é",
    "表",
    ".",
    "/",
    "(",
    ")",
    "（",
    "）",
    "。",
    "%20",
    "%41",
    "%C3%A9",
    "%EF%BC%88",
    "%E3%80%82",
    "%22",
    "%",
    "4",
    "`",
    "<",
    "😀",
    "!",
    "'",
    "=",
    "&",
    "א",
]
TEXT = st.lists(st.sampled_from(PIECES)).map("".join)


@given(TEXT, TEXT, TEXT)
def test_what_is_shown_is_found_as_a_whole(path: str, query: str, fragment: str) -> None:
    shown = readable(f"http://h/x{path}?x{query}#x{fragment}")
    assert [link[:2] for link in find(f"a {shown} b")] == [(2, 2 + len(shown))]
    assert readable(shown) == shown


@given(TEXT)
def test_browsers_go_to_the_same_place(path: str) -> None:
    """But for what RFC 3986, 6.2.2.2, has as the same."""
    one, other = (parse_url(text) for text in (f"http://h/x{path}", readable(f"http://h/x{path}")))
    assert one is not None
    assert other is not None
    assert plain(one.href) == plain(other.href)


def plain(href: str) -> str:
    """Decode unreserved characters and what UTS #58 escapes at the end and in brackets."""
    return re.sub("%(?:41|2E|28|29|21|27|60|3C|20)", lambda x: chr(int(x[0][1:], 16)), href)
