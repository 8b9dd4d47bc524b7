"""Occurrences are the same after an exchange between processes, as far as rules and formats need them."""

from __future__ import annotations

import json

import pytest

from linkfix.auditing.facts import Occurrence, from_plain, to_plain
from linkfix.links import LinkStream


@pytest.mark.parametrize(
    ("label", "letter"),
    [("utf-8", "é"), ("windows-1252", "é"), ("shift_jis", "エ"), ("iso-2022-jp", "エ"), ("utf-16be", "エ"), ("gb18030", "é"),
     ("koi8-u", "ж")],
)  # fmt: skip
def test_octets_and_charset_survive(label: str, letter: str) -> None:
    codec = f'<a href="a/{letter}.html">'.encode(label)
    (link,) = LinkStream(type="html", charset=label).whole(codec)
    flags = (True, False, True)
    occurrence = Occurrence(link, "http://h/", "http://h/a#b", "a", 7, *flags, frozenset("x"))
    again = from_plain(json.loads(json.dumps(to_plain(occurrence))))
    assert again._replace(link=link) == occurrence
    for name in ("start", "end", "line", "column", "value", "raw", "state", "kind"):
        assert getattr(again.link, name) == getattr(link, name), name
    assert again.link.charset.name == link.charset.name
    assert again.link.charset.decode(again.link.raw, link.state) == link.value
