"""White space inside the links of XML, with a schema that says their type and without (XML Schema Part 2, 4.3.6)."""

from __future__ import annotations

import io
import tempfile
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

import pytest
import xmlschema
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import check, rewritten
from tiers import examples

import linkfix
from linkfix.links.schemas import load
from linkfix.links.settings import XMLSettings
from linkfix.policy import Policy

if TYPE_CHECKING:
    from linkfix.links.schemas import Schema

XSD = """<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema'><s:element name='r'><s:complexType><s:sequence>
<s:element name='e' type='s:anyURI' maxOccurs='9'/><s:element name='t' type='s:string'/></s:sequence>
<s:attribute name='a' type='s:anyURI'/></s:complexType></s:element></s:schema>"""
RNG = """<element name='r' xmlns='http://relaxng.org/ns/structure/1.0' datatypeLibrary='http://www.w3.org/2001/XMLSchema-datatypes'>
<attribute name='a'><data type='anyURI'/></attribute><oneOrMore><element name='e'><data type='anyURI'/></element></oneOrMore>
<element name='t'><text/></element></element>"""
#: What a URI contains unencoded.
URI = "-._~:/?#[]@!$&'()*+,;=%"
WORDS = st.lists(st.sampled_from(["a", "é", " ", "  ", "\n", "\t", "&#10;", "&#32;", "&#x9;", "/", "?"]), max_size=8).map("".join)  # fmt: skip


@cache
def schema(text: str) -> Schema:
    suffix = ".xsd" if "schema" in text[:20] else ".rng"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"types{suffix}"
        path.write_text(text, "utf-8")
        return load(str(path))


def by_schema(
    source: str, text: str = XSD, to: Literal["uri", "iri"] = "uri", cuts: tuple[int, ...] = ()
) -> str:
    policy = Policy(to, xml=XMLSettings(schema=schema(text)))
    rewriter = linkfix.Rewriter(policy=policy, source=linkfix.Source(type="xml"))
    octets, out = source.encode(), io.BytesIO()
    edges = [0, *sorted(min(cut, len(octets)) for cut in cuts), len(octets)]
    for start, end in pairwise(edges):
        out.write(rewriter.feed(octets[start:end]))
    out.write(rewriter.close())
    return out.getvalue().decode()


@pytest.mark.parametrize("text", [XSD, RNG])
def test_a_schema_says_that_white_space_is_one_space(text: str) -> None:
    source = "<r a='a\n  b'><e>\n a\n   b\n</e><e>x &#10;&#9; y&amp;&#xE9;z</e><e><![CDATA[a\n b]]></e><e>a\u00a0\u00a0b</e><t>a\n b</t></r>"
    assert by_schema(source, text) == (
        "<r a='a%20b'><e>\n a%20b\n</e><e>x%20y&amp;%C3%A9z</e><e><![CDATA[a%20b]]></e><e>a%C2%A0%C2%A0b</e><t>a\n b</t></r>"
    )


def test_a_type_counts_for_rows_of_the_tables_as_well() -> None:
    text = XSD.replace("name='r'", "name='rss'").replace("name='e'", "name='link'")
    source = "<rss a='x'><link>http://x/a\n  b</link><t/></rss>"
    assert by_schema(source, text) == "<rss a='x'><link>http://x/a%20b</link><t/></rss>"


@settings(max_examples=examples(120), deadline=None)
@given(WORDS, WORDS, st.sampled_from(["uri", "iri"]), st.lists(st.integers(0, 60), max_size=3))
def test_a_schema_processor_reads_the_same_links(
    first: str, second: str, to: Literal["uri", "iri"], cuts: list[int]
) -> None:
    source = f"<r a='{first}'><e>{second}</e><t>{first}</t></r>"
    new = by_schema(source, to=to)
    read: Any = xmlschema.XMLSchema(XSD).decode
    before, after = (read(each, validation="skip") for each in (source, new))

    def uris(value: object) -> list[str]:
        each_of = value if isinstance(value, list) else [value]
        return [quote(str(each or ""), safe=URI) for each in each_of]

    assert {name: uris(value) for name, value in before.items()} == {
        name: uris(value) for name, value in after.items()
    }
    assert by_schema(new, to=to) == new
    assert by_schema(source, to=to, cuts=tuple(cuts)) == new


RUNS = ["a\n   b", "a  b", "a&#9;b", "a \u00e9\nb"]


@pytest.mark.parametrize("value", RUNS)
def test_without_a_schema_a_run_is_left_and_reported(value: str) -> None:
    source = f"<rss><link>http://x/{value}</link><link>http://x/a b</link></rss>"
    new, outcomes = rewritten(source.encode(), "uri", type="xml")
    assert new.decode() == source.replace("a b<", "a%20b<")
    assert "--schema" in outcomes[0].kept
    assert "DEL002" in [each.code for each in linkfix.audit(source.encode(), type="xml")]
    quiet = linkfix.Rewriter(source=linkfix.Source(type="xml"))
    assert quiet.feed(source.encode()) + quiet.close() == new
    assert (quiet.report.changed, quiet.report.kept) == (1, 1)
    [link, _] = linkfix.extract(source.encode(), type="xml")
    assert link.resolved is None


def test_browsers_collapse_nothing() -> None:
    source = "<a xmlns='http://www.w3.org/2000/svg' href='a  b&#10;c'/>"
    assert rewritten(source.encode(), "uri", type="xml")[0].decode() == source.replace(
        "a  b&#10;c", "a%20%20bc"
    )


@settings(max_examples=examples(60), deadline=None)
@given(WORDS, WORDS, st.sampled_from(["uri", "iri"]))
def test_invariants(first: str, second: str, to: Literal["uri", "iri"]) -> None:
    source = f"<rss xmlns:x='http://www.w3.org/1999/xlink' x:href='{first}'><link>{second}</link></rss>".encode()
    check(source, to, type="xml", cuts=([*range(1, len(source))],))
