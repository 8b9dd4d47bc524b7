"""The examples of LEIRIs (3987bis, 7.1) as links of XML documents, in five charsets."""

from __future__ import annotations

import json
from html import escape

import pytest
from conformance_data import conformance
from invariants import check, rewritten
from oracles import is_iri_reference

import linkfix
from linkfix.charset import lookup

CHARSETS = ["utf-8", "utf-16", "shift_jis", "windows-1252", "iso-2022-jp"]
#: What no XML document can hold (XML 1.0, 2.2).
NOT_XML = {chr(c) for c in (*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF)}


@pytest.mark.conformance
@pytest.mark.parametrize("charset", CHARSETS)
def test_leiris(charset: str) -> None:
    cases = json.loads(conformance("rfc", "draft-ietf-iri-3987bis-01.json").read_text("utf-8"))
    examples = [c for c in cases if c["operation"] == "leiri-to-iri"]
    assert len(examples) == 4
    for case in examples:
        value, expected = (
            "".join(c for c in text if c not in NOT_XML).replace("%01", "")
            for text in (case["input"], case["expected"])
        )
        encoding = None if charset == "utf-16" else lookup(charset)
        spelled = escape(value)
        if encoding is None or not encoding.is_unicode:
            plain = encoding.encodable if encoding is not None else (lambda _: True)
            spelled = "".join(c if plain(c) else f"&#{ord(c)};" for c in spelled)
        text = f"<?xml version='1.0' encoding='{charset}'?><rss><link>{spelled}</link></rss>"
        source = text.encode("utf-16") if encoding is None else encoding.encode(text)
        (link,) = linkfix.extract(source, type="xml")
        assert link.value == value
        check(source, "uri", type="xml", cuts=(list(range(1, len(source))),))
        _, (outcome,) = rewritten(source, "iri", type="xml")
        # The step of 7.1 leaves what is no escape of RFC 3986; what is written must be one (I2, docs/decisions.md).
        became = outcome.conversion.text
        assert is_iri_reference(became)
        assert became == expected.replace("%zz", "%25zz")
