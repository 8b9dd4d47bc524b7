"""I8 (docs/decisions.md): expat, libxml2 and feedparser read the same links of XML before and after a rewrite.

The judge of values is the mapping of LEIRIs of tools/differential/mapping.py.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from xml.parsers import expat

import pytest
from conformance_data import conformance
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from tiers import examples

import linkfix
from linkfix.charset import lookup, names
from linkfix.charset.tables.registry import REGISTRY
from linkfix.errors import LinkfixError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    Reader = Callable[[bytes], list[str] | None]

TO: tuple[Literal["uri", "iri"], ...] = ("uri", "iri")
#: Every charset of XML: those that browsers have under the names of IANA's registry, and those that only XML has.
CHARSETS = [
    *REGISTRY,
    *(name for name in names() if name not in {web for web, _, _ in REGISTRY.values()}),
]


def _tool() -> ModuleType:
    path = Path(__file__).parents[2] / "tools" / "differential" / "xml_corpus.py"
    sys.path.append(str(path.parent))
    spec = importlib.util.spec_from_file_location("xml_corpus", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["xml_corpus"] = module
    spec.loader.exec_module(module)
    return module


CORPUS = _tool()


# --- Readers --------------------------------------------------------------------------------------------


def expat_values(data: bytes) -> list[str] | None:
    """The names and values of a document as expat reads it; None for one that it refuses or cannot decode."""
    found: list[str] = []
    parser = expat.ParserCreate()
    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, values: found.extend((f"<{name}", *values))
    parser.EndElementHandler = lambda name: found.append(f">{name}")
    parser.CharacterDataHandler = found.append
    # Readers of xml-stylesheet read references in it (Associating Style Sheets with XML documents, 2).
    parser.ProcessingInstructionHandler = lambda _, text: found.extend(
        re.sub("&#(?:([0-9]+)|x([0-9A-F]+));", _character, value)
        for value in re.findall("href='([^']*)'", text)
    )
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError):
        return None
    return found


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1]) if found[1] else int(found[2], 16))


def libxml2_values(data: bytes) -> list[str] | None:
    """The same as libxml2 reads it."""
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except (etree.XMLSyntaxError, LookupError):
        return None
    found = []
    for node in root.iter(etree.Element):
        found.append(f"<{node.tag}")
        for name, value in node.attrib.items():
            found += [str(name), str(value)]
        found += [node.text or "", node.tail or ""]
    return found


def feedparser_values(data: bytes) -> list[str] | None:
    """The links of a feed as feedparser reads it."""
    feedparser = pytest.importorskip("feedparser")
    feed = feedparser.parse(data, sanitize_html=False, resolve_relative_uris=False)
    entries = [entry.get("link", "") for entry in feed.entries]
    return [feed.feed.get("link", ""), *entries]


READERS: dict[str, Reader] = {
    "expat": expat_values,
    "libxml2": libxml2_values,
}


def agree(old: bytes, new: bytes, codec: str, readers: Mapping[str, Reader] = READERS) -> int:
    """Fail unless each reader of the old document reads the same links in the new one; return how many read it."""
    able = 0
    for name, read in readers.items():
        before = read(old)
        if before is None:
            continue
        able += 1
        after = read(new)
        assert after is not None, f"{name} refuses it now"
        assert len(before) == len(after), f"{name} reads other nodes now"
        for one, other in zip(before, after, strict=True):
            if codec == "shift_jis" and name == "libxml2":
                # It reads a tilde as an overline, which stays one.
                one, other = one.replace("\u203e", "~"), other.replace("\u203e", "~")
            if one != other:
                assert CORPUS.judge(one, other, codec), f"{name} read {one!a}, and now {other!a}"
    return able


def rewritten(source: bytes, to: Literal["uri", "iri"]) -> bytes:
    return linkfix.Rewriter(to, source=linkfix.Source(type="xml")).whole(source)


# --- Every charset --------------------------------------------------------------------------------------

DOCUMENTS = [
    "<rss version='2.0'><channel><link>http://h.example/{0}</link><item><link>http://h.example/{1}?q={0}</link></item></channel></rss>",
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'><a href='/{0}'/><a xlink:href='{1}?{1}#{0}'/></svg>",
    "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>{0}</title></head><body><a href='{1}?x={0}'>{1}</a></body></html>",
    "<?xml-stylesheet type='text/css' href='{0}.css'?><rss version='2.0'><channel><link><![CDATA[http://h.example/{1}]]></link></channel></rss>",
    "<d:a xmlns:d='http://docbook.org/ns/docbook' xmlns:l='http://www.w3.org/1999/xlink'><d:link l:href='{0}'/><d:link l:href='x/{1}?{0}'/></d:a>",
]  # fmt: skip
#: What a superset has and a charset lacks, what readers decode differently, and what stays.
PIECES = [
    "a", "é", "%C3%A9", "%E2%82%AC", "%E2%80%99", "\u20ac", "\u2019", "\x92", "\u0451", "%D1%9E", "\u045e", "\u255d", "\uff5e", "%EF%BD%9E", "\u301c",
    "%E3%80%9C", "\u2460", "%E2%91%A0", "\uac02", "%EA%B0%82", "\u9555", "%E9%95%95", "\u7881", "\u0e01", "\u1ea3", "\u0300", "%CC%80", "~", "%7E", "\\", " ", "%", "|",
    "\u65e5\u672c", "%E6%97%A5", "\xa0", "\x85", "\u0391", "\u05d0", "\u0627", "\u0110", "%E2%84%A6", "\u0394",
]  # fmt: skip


def spelled(text: str, name: str, *, raw: bool) -> bytes:
    """Encode a document as its author may: characters by references, or wherever a browser's table has them."""
    charset = lookup(name, xml=True)
    return charset.encode(
        "".join(
            char
            if char.isascii() or (charset.has(char) if raw else charset.encodable(char))
            else f"&#{ord(char)};"
            for char in text
        )
    )


def label_of(name: str) -> str:
    return {"x-mac-cyrillic": "maccyrillic", "x-mac-ukrainian": "macukraine"}.get(name, name)


#: Python's names of charsets that it has under others.
CODECS = {
    "x-mac-ukrainian": "mac_cyrillic",
    "MacCroatian": "mac_croatian",
    "MacRomania": "mac_romanian",
}


def codec_of(name: str) -> str:
    """Python's codec for queries: it has the characters that a rewrite does not leave alone."""
    _, codec, _ = REGISTRY.get(name, (name, "", ""))
    codec = codec or CODECS.get(name, name)
    try:
        "".encode(codec)
    except LookupError:
        return "utf-8"
    return "utf-8" if codec.lower().startswith("utf") else codec


@settings(
    max_examples=examples(20, quick=3), suppress_health_check=[HealthCheck.too_slow], deadline=None
)
@given(
    words=st.lists(st.lists(st.sampled_from(PIECES), max_size=5).map("".join), min_size=2, max_size=2),
    template=st.sampled_from(DOCUMENTS),
    raw=st.booleans(),
)  # fmt: skip
@pytest.mark.parametrize("name", CHARSETS)
def test_every_charset(name: str, words: list[str], template: str, raw: bool) -> None:
    label, codec = label_of(name), codec_of(name)
    if codec == "utf-8" and not name.startswith("UTF"):
        # Nobody else says how a query is mapped; the charset is not Unicode, so that values are in NFC.
        codec = "latin_1"
        template = re.sub(r"\?(?:[qx]=)?\{\d\}", "", template)
    source = spelled(f"<?xml version='1.0' encoding='{label}'?>" + template.format(*words), label, raw=raw)  # fmt: skip
    for to in TO:
        try:
            new = rewritten(source, to)
        except LinkfixError:
            # What linkfix refuses all of them refuse: octets beyond US-ASCII, control characters.
            assert expat_values(source) is None or name.startswith(("IBM", "UTF"))
            assert libxml2_values(source) is None or name.startswith(("IBM", "UTF"))
            return
        agree(source, new, codec)
        assert rewritten(new, to) == new


def test_the_readers_read_most_charsets() -> None:
    """Otherwise the test above would show little."""
    able = Counter[int]()
    for name in CHARSETS:
        source = spelled(f"<?xml version='1.0' encoding='{label_of(name)}'?><a/>", name, raw=True)
        able[agree(source, source, "utf-8")] += 1
    assert able[0] <= 30
    assert able[2] >= 40


@pytest.mark.parametrize("name", ["US-ASCII", "ISO-8859-1", "KOI8-U", "Shift_JIS", "GB2312", "Big5", "EUC-KR"])  # fmt: skip
@pytest.mark.parametrize("to", TO)
def test_feeds(name: str, to: Literal["uri", "iri"]) -> None:
    path = "%E2%82%AC%E2%80%99/%D1%9E%EF%BD%9E%E2%91%A0%EA%B0%82%C3%A9 &#xE9;"
    text = f"<?xml version='1.0' encoding='{name}'?>" + DOCUMENTS[0].format(path, path)
    source = text.encode("ascii")
    new = rewritten(source, to)
    assert new != source
    assert agree(source, new, codec_of(name), READERS | {"feedparser": feedparser_values}) >= 2


# --- Every public document ------------------------------------------------------------------------------


def judged(source: bytes, figures: Counter[str]) -> None:
    """Judge a document, and the same one with characters in its links that no URI has."""
    judge(source, figures)
    try:
        links = CORPUS._links(source, "")
        dirty = CORPUS._spoilt(source, links, len(source))
    except (LinkfixError, LookupError, UnicodeError):
        return
    if dirty != source:
        figures["dirt added"] += 1
        judge(dirty, figures)


def judge(source: bytes, figures: Counter[str]) -> None:
    for to in TO:
        try:
            new = rewritten(source, to)
        except LinkfixError:
            figures["refused"] += 1
            return
        figures["read"] += 1
        if new == source:
            continue
        figures["changed"] += 1
        found = CORPUS._LABEL.match(source)
        label = found[1].decode() if found else "utf-8"
        figures["judged"] += agree(source, new, codec_of(label))


@pytest.mark.nightly
@pytest.mark.conformance
def test_public_documents() -> None:
    figures: Counter[str] = Counter()
    for path in sorted(conformance("documents").rglob("*.xml")):
        judged(path.read_bytes(), figures)
    print("I8, public documents:", dict(figures))
    assert figures["judged"] > 200


@pytest.mark.conformance
def test_the_xml_conformance_suite() -> None:
    figures: Counter[str] = Counter()
    cases: list[dict[str, Any]] = json.loads(conformance("xml", "catalog.json").read_text("utf-8"))
    for case in cases:
        if case["type"] in {"valid", "invalid"}:
            judged(conformance("xml", "xmlconf", case["uri"]).read_bytes(), figures)
    print("I8, the XML conformance suite:", dict(figures))
    assert figures["read"] > 1500
