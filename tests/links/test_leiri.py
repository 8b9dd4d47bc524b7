"""LEIRIs in XML documents of several charsets (3987bis 7.1 and 7.3)."""

from __future__ import annotations

import json
import re
from html import escape

import pytest
from conformance_data import conformance
from lxml import etree

import linkfix
from linkfix.charset import lookup

pytestmark = pytest.mark.conformance

CHARSETS = ["UTF-8", "UTF-16LE", "windows-1252", "Shift_JIS", "gb18030"]
HREF = "{http://www.w3.org/1999/xlink}href"
#: XML 1.0, 2.2: the characters that a document can hold.
XML = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


def rewritten(value: str, charset: str) -> str:
    """What a value becomes as a readable IRI, as an XML parser reads it."""
    encoding = lookup(charset, xml=True)
    label = "utf-16" if charset == "UTF-16LE" else charset
    spelled = "".join(
        c if encoding.encodable(c) and c.isprintable() else f"&#{ord(c)};" for c in value
    )
    quoted = escape(spelled, quote=True).replace("&amp;#", "&#")
    text = (
        f"<?xml version='1.0' encoding='{label}'?>"
        f'<r xmlns:x="http://www.w3.org/1999/xlink" x:href="{quoted}"/>'
    )
    mark = "\ufeff" if charset == "UTF-16LE" else ""
    rewriter = linkfix.Rewriter(
        "iri", source=linkfix.Source(type="xml"), policy=linkfix.Policy("iri", nfc=False)
    )
    new = rewriter.feed(encoding.encode(mark + text)) + rewriter.close()
    decoded = encoding.decode(new).removeprefix("\ufeff")
    root = etree.fromstring(decoded.partition("?>")[2])
    return str(root.get(HREF))


@pytest.mark.parametrize("charset", CHARSETS)
def test_examples_of_the_draft(charset: str) -> None:
    cases = json.loads(conformance("rfc", "draft-ietf-iri-3987bis-01.json").read_text("utf-8"))
    tried = 0
    for case in cases:
        if case["operation"] != "leiri-to-iri" or "%zz" in case["input"]:
            continue  # a stray percent is mended as well: the result has to be valid
        value = case["input"].replace("\x01", "")  # no XML document can hold it
        assert rewritten(value, charset) == case["expected"].replace("%01", "")
        tried += 1
    assert tried >= 3


@pytest.mark.parametrize("charset", CHARSETS)
def test_the_groups_of_characters(charset: str) -> None:
    ranges = json.loads(conformance("rfc", "iri-character-ranges.json").read_text("utf-8"))
    tried = 0
    for row in ranges:
        first, last = (int(row[name].removeprefix("U+"), 16) for name in ("first", "last"))
        for char in {chr(first), chr((first + last) // 2), chr(last)}:
            if (
                not XML.fullmatch(char)
                or char in "#%?/"
                or row["leiri_to_iri"] not in {"keep", "percent-encode"}
            ):
                continue
            expected = char
            if row["leiri_to_iri"] == "percent-encode":
                expected = "".join(f"%{octet:02X}" for octet in char.encode())
            if char in "\t\n\r":  # a reader who knows the type of the value may read a space there
                expected = char
            if char in "[]":  # only an IP literal has brackets, and the result has to be valid
                expected = f"%{ord(char):02X}"
            assert (
                rewritten(f"http://e.example/a{char}b", charset) == f"http://e.example/a{expected}b"
            ), row
            tried += 1
    assert tried > 100
