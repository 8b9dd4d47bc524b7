"""Names of namespaces: identity tokens, listed where they are declared and never rewritten."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

import linkfix
from linkfix.links import LinkStream
from linkfix.links.settings import XMLSettings
from linkfix.policy import Source

DOCUMENTS = sorted((Path(__file__).parent / "data").glob("*.xml"))
FEED = (
    '<f:feed xmlns:f="http://www.w3.org/2005/Atom" xmlns="http://x.example/&#xE9;">'
    + '<f:entry xmlns:f="http://www.w3.org/2005/Atom"><x xmlns=""/><y b="1"/></f:entry>' * 600
    + "<z xmlns='urn:é'/></f:feed>"
).encode()


def declared(source: bytes) -> list[tuple[str, str]]:
    """Every prefix with its namespace, as linkfix lists them."""
    links = linkfix.extract(source, type="xml")
    return [
        (link.attribute[6:], link.value)
        for link in links
        if link.attribute == "xmlns" or link.attribute.startswith("xmlns:")
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_all_that_lxml_knows_of(document: Path) -> None:
    source = document.read_bytes()
    events = etree.iterparse(BytesIO(source), events=("start-ns",), recover=True)
    theirs = [(prefix, name) for _, (prefix, name) in events if name]
    assert sorted(declared(source)) == sorted(theirs)


def test_declared_again_and_again() -> None:
    atom = ("f", "http://www.w3.org/2005/Atom")
    expected = [atom, ("", "http://x.example/é"), *[atom] * 600, ("", "urn:é")]
    assert declared(FEED) == expected
    stream = linkfix.Extractor(source=linkfix.Source(type="xml"))
    links = [link for i in range(0, len(FEED), 7) for link in stream.feed(FEED[i : i + 7])]
    links += stream.close()
    assert [link.value for link in links] == [name for _, name in expected]
    assert all(link.kind == "identity" for link in links)
    assert all(FEED[link.start : link.end] == link.raw for link in links)


def test_only_who_asks_is_given_them() -> None:
    stream = LinkStream(type="xml")
    assert stream.feed(FEED) + stream.close() == []
    rewriter = linkfix.Rewriter("uri", source=linkfix.Source(type="xml"))
    assert rewriter.feed(FEED) + rewriter.close() == FEED
    assert rewriter.report.links == 0


def test_they_are_audited() -> None:
    source = b"<a xmlns='http://a.example/b c'><d xmlns='http://a.example/'/></a>"
    [finding] = linkfix.audit(source, type="xml")
    assert finding.link is not None
    assert (finding.link.attribute, finding.link.value) == ("xmlns", "http://a.example/b c")


def test_a_policy_decides_whether_declarations_are_links() -> None:
    source = b'<r xmlns="http://e.example/n"/>'
    for settings, expected in (
        (XMLSettings(), []),
        (XMLSettings(declarations=True), ["http://e.example/n"]),
    ):
        stream = linkfix.Policy(xml=settings).stream(Source(type="xml"))
        assert [link.value for link in stream.whole(source)] == expected
