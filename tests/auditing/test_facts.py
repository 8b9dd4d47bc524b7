"""Facts depend on the octets of a document alone, and are the same after an exchange between processes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkfix.auditing import Auditor, select
from linkfix.auditing.finding import Facts, Occurrence, from_plain, to_plain
from linkfix.links import LinkStream
from linkfix.policy import Source


@pytest.mark.parametrize(
    ("label", "letter"),
    [("utf-8", "é"), ("windows-1252", "é"), ("shift_jis", "エ"), ("iso-2022-jp", "エ"), ("utf-16be", "エ"), ("gb18030", "é"),
     ("koi8-u", "ж")],
)  # fmt: skip
def test_octets_and_charset_survive(label: str, letter: str) -> None:
    codec = f'<a href="a/{letter}.html">'.encode(label)
    (link,) = LinkStream(type="html", charset=label).whole(codec)
    flags = (True, False, True)
    occurrence = Occurrence(link, "http://h/", "http://h/a#b", 7, *flags, frozenset("x"))
    again = from_plain(json.loads(json.dumps(to_plain(occurrence))))
    assert again._replace(link=link) == occurrence
    for name in ("start", "end", "line", "column", "value", "raw", "state", "kind"):
        assert getattr(again.link, name) == getattr(link, name), name
    assert again.link.charset.name == link.charset.name
    assert again.link.charset.decode(again.link.raw, link.state) == link.value


PIECES = [
    b"<a href=b.html>", b"<a class=c href='B.html'>", b"<a href='a b'>", b"<a href='&#97;/x'>", b"<a href='\xc3\xa9'>",
    b"<img src=%61>", b"<style>a { background: url(b.html) }</style>", b"<a href='#x'>", b"<base href=/c/>", b"<a href=b.html#y>",
    b"<iframe srcdoc='<a href=d>'>", b"<link rel=canonical href=b.html>", b"<a href='x?a&amp;b'>",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=20), st.integers(1, 60), st.booleans())
def test_pieces_make_no_difference(tags: list[bytes], size: int, keeps_places: bool) -> None:
    page = b"<meta charset=utf-8>" + b"".join(tags)

    def facts(sizes: range) -> list[Any]:
        found = Facts(keeps_places=keeps_places)
        source = Source(type="html", base="http://h.example/a/b")
        auditor = Auditor(rules=select(["SIT"]), facts=found, has_roles=True, source=source)
        for at in sizes:
            auditor.feed(page[at : at + sizes.step])
        auditor.close()
        return found.taken()

    assert facts(range(0, len(page), size)) == facts(range(0, len(page), len(page)))
