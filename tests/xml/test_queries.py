"""Queries beyond ASCII in XML of a legacy charset (docs/decisions.md, decision 2)."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import lxml.html
import pytest
from click.testing import CliRunner
from lxml import etree

import linkfix
from linkfix import trees
from linkfix.cli.group import cli

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.system

ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
#: The specification says UTF-8, and readers send it.
DISPUTED = [
    f'<feed {ATOM}><link href="http://h.example/?q=мир"/></feed>',
    f"<feed {ATOM}><logo>?q=мир</logo></feed>",
    f"<feed {ATOM}><entry><author><uri>/a?q=мир</uri></author></entry></feed>",
    f'<feed {ATOM}><entry><content type="html">&lt;a href="?q=мир"></content></entry></feed>',
    f'<feed {ATOM}><entry><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="?q=мир"/></div></content></entry></feed>',
    "<rss><channel><link>http://h.example/?q=мир</link></channel></rss>",
    '<rss><channel><item><enclosure url="http://h.example/?q=мир"/></item></channel></rss>',
    '<rss xmlns:m="http://search.yahoo.com/mrss/"><channel><m:content url="?q=мир"/></channel></rss>',
    '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><item><link>/?q=мир</link></item></r:RDF>',
    '<opml><body><outline xmlUrl="http://h.example/?q=мир"/></body></opml>',
    '<x xmlns:i="http://www.w3.org/2001/XInclude"><i:include href="a?q=мир"/></x>',
]
#: 3987bis, 3.5, rules.
NOT_DISPUTED = [
    '<x xmlns:l="http://www.w3.org/1999/xlink" l:href="?q=мир"/>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://h.example/?q=мир</loc></url></urlset>',
]
BY = {"windows-1251": "%EC%E8%F0", "koi8-r": "%CD%C9%D2", "utf-8": "%D0%BC%D0%B8%D1%80"}


def document(text: str, charset: str = "windows-1251") -> bytes:
    return f'<?xml version="1.0" encoding="{charset}"?>{text}'.encode(charset)


def rewritten(source: bytes, policy: linkfix.Policy | None = None) -> tuple[bytes, list[str]]:
    out, outcomes = io.BytesIO(), list[linkfix.Outcome]()
    linkfix.rewrite(source, out, type="xml", policy=policy, on_outcome=outcomes.append)
    return out.getvalue(), [outcome.kept for outcome in outcomes]


@pytest.mark.parametrize("text", DISPUTED)
def test_it_is_left_and_reported_where_readers_send_utf_8(text: str) -> None:
    source = document(text)
    new, (kept,) = rewritten(source)
    assert new == source
    assert "disagree" in kept
    (finding,) = (each for each in linkfix.audit(source, type="xml") if each.code == "ENC010")
    assert "windows-1251 or UTF-8" in finding.message
    assert rewritten(document(text, "utf-8"))[0] == document(text, "utf-8").replace(
        "мир".encode(), BY["utf-8"].encode()
    )


@pytest.mark.parametrize("text", NOT_DISPUTED)
def test_elsewhere_the_charset_of_the_document_counts(text: str) -> None:
    assert rewritten(document(text))[0] == document(text.replace("мир", BY["windows-1251"]))


@pytest.mark.parametrize("text", DISPUTED + NOT_DISPUTED)
@pytest.mark.parametrize("charset", ["document", *BY])
def test_the_setting_decides_for_all(text: str, charset: str) -> None:
    octets = BY["windows-1251" if charset == "document" else charset]
    new, _ = rewritten(document(text), linkfix.Policy(query_charset=charset))
    assert new == document(text.replace("мир", octets))


def test_the_setting_decides_in_html_and_trees_too() -> None:
    page = '<meta charset=windows-1251><base href="/?q=мир">'.encode("windows-1251")
    assert linkfix.rewrite(page, io.BytesIO()).changed == 0
    assert (
        linkfix.rewrite(page, io.BytesIO(), policy=linkfix.Policy(query_charset="document")).changed
        == 1
    )
    tree = lxml.html.document_fromstring(page)
    assert trees.rewrite_links(tree) == 0
    assert trees.rewrite_links(tree, policy=linkfix.Policy(query_charset="document")) == 1
    assert tree.xpath("//base/@href") == ["/?q=" + BY["windows-1251"]]


def test_the_command_line_and_the_settings_decide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.xml").write_bytes(document(DISPUTED[0]))

    def href(*options: str) -> str:
        done = CliRunner().invoke(cli, ["rewrite", "-q", *options, "q.xml"])
        assert done.exit_code == 0, done.output
        return str(etree.fromstring(done.stdout_bytes)[0].get("href")).partition("=")[2]

    assert href() == "мир"
    assert href("--query-charset", "document") == BY["windows-1251"]
    assert href("--query-charset", "utf-8") == BY["utf-8"]
    (tmp_path / "pyproject.toml").write_text('[tool.linkfix]\nquery-charset = "utf-8"\n')
    assert href() == BY["utf-8"]
    assert href("--query-charset", "document") == BY["windows-1251"]


def test_a_conversion_to_utf_8_reports_it() -> None:
    source, out = document(DISPUTED[0]), io.BytesIO()
    report = linkfix.transcode(source, out, type="xml")
    assert out.getvalue() == document(DISPUTED[0], "utf-8").replace(b"utf-8", b"UTF-8")
    assert [outcome.link.value for outcome in report.unpinned] == ["http://h.example/?q=мир"]
    report = linkfix.transcode(
        source, out, type="xml", policy=linkfix.Policy(query_charset="document")
    )
    assert (report.pinned, report.unpinned) == (1, [])
