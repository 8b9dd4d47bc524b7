"""The options for XML are checked before a command begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from linkfix.cli.group import cli

#: Commands over several files, and those that write one document to standard output.
MANY = [
    ["extract"],
    ["extract", "--format", "csv"],
    ["audit"],
    ["audit", "-o", "out.txt"],
    ["audit", "--fix"],
    ["rewrite", "-i"],
    ["rewrite", "-o", "out"],
    ["rewrite", "--diff"],
    ["migrate"],
]
STREAM = [["rewrite"], ["rewrite", "--report", "out.jsonl"]]
CASES = [(each, names) for each in MANY for names in ("a", "ab")] + [(each, "a") for each in STREAM]


@pytest.mark.parametrize("option", ["--schema", "--catalog"])
@pytest.mark.parametrize(("command", "names"), CASES, ids="".join)
def test_a_broken_schema_is_wrong_usage(
    command: list[str], names: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.xml").write_bytes(b"<catalog")
    Path("old").mkdir()
    pages = [f"old/{name}.html" for name in names]
    for page in pages:
        Path(page).write_bytes(b"<a href='a b'>")
    before = sorted(tmp_path.rglob("*"))
    paths = ["old", "new"] if command == ["migrate"] else pages
    result = CliRunner().invoke(cli, [*command, option, "broken.xml", *paths])
    assert result.exit_code == 2
    assert "unexpected" not in result.stderr
    assert "broken.xml: cannot read this" in result.stderr
    assert result.stdout == ""
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["a.rnc", "a.dtd"])
def test_a_schema_that_is_not_xml_is_refused_with_the_way_out(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"start = element a { attribute href { xsd:anyURI } }")
    result = CliRunner().invoke(cli, ["extract", "--schema", str(tmp_path / name)], input="<a/>")
    assert result.exit_code == 2
    assert f"{name}: cannot read this schema: it is not XML; convert it" in result.stderr


def test_what_a_catalog_lacks_is_said_with_its_place_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing schema, one that no entry names, and a missing ``nextCatalog`` (XML Catalogs 1.1, 8)."""
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path("sub/catalog.xml").write_text(
        "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>\n"
        "<nextCatalog catalog='none.xml'/>\n"
        "<uri name='http://e.example/a.xsd' uri='missing.xsd'/>"
        "<rewriteURI uriStartString='http://s.example/' rewritePrefix='./'/></catalog>"
    )
    Path("sub/good.xsd").write_text(
        "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='r'><xs:complexType>"
        "<xs:attribute name='u' type='xs:anyURI'/></xs:complexType></xs:element></xs:schema>"
    )
    names = ("http://e.example/a.xsd", "http://e.example/b.xsd", "http://s.example/good.xsd")
    for number, name in enumerate(names):
        Path(f"{number}.xml").write_text(
            "<r xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' "
            f"xsi:noNamespaceSchemaLocation='{name}' u='{number}'/>"
        )
    for command in ("extract", "audit", "rewrite -o out"):
        arguments = [*command.split(), "--catalog", "sub/catalog.xml", "0.xml", "1.xml", "2.xml"]
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, result.output
        assert [line.partition(" cannot be used: ")[0] for line in result.stderr.splitlines()[:3]] == [
            f"linkfix: {tmp_path}/sub/catalog.xml:2: the catalog {tmp_path}/sub/none.xml that it names",
            f"linkfix: 0.xml:1:1: the schema {tmp_path}/sub/missing.xsd that it names",
            "linkfix: 1.xml:1:1: the schema http://e.example/b.xsd that it names",
        ]  # fmt: skip
        if command == "extract":
            assert "2.xml:1:119: r@u  2\n" in result.stdout
            assert "r@u  0" not in result.stdout


@pytest.mark.parametrize(
    "command",
    [["rewrite"], ["rewrite", "-i"], ["rewrite", "-o", "out"], ["rewrite", "--diff"], ["migrate"],
     ["audit"], ["audit", "--fix"], ["audit", "--diff"]],
    ids=" ".join,
)  # fmt: skip
def test_that_a_document_is_read_leniently_is_said_once(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old").mkdir()
    Path("old/a.xml").write_bytes(
        b"<rss><channel></rss><link>http://a.example/a b</link><link>none.html</link>"
    )
    paths = ["old", "new"] if command == ["migrate"] else ["old/a.xml"]
    result = CliRunner().invoke(cli, [*command, "--recover", *paths])
    assert result.stderr.count("it was read leniently from there on") == 1


_WAY = "read a part of another document, or one under front matter, with --recover"


def test_a_part_of_a_document_is_refused_with_the_way_to_read_it(tmp_path: Path) -> None:
    part = tmp_path / "chapter.docbook"
    part.write_bytes(b"<para>&app; at <ulink url='a b'>b</ulink></para><para/>")
    result = CliRunner().invoke(cli, ["extract", str(part)])
    assert result.exit_code == 3
    assert "undefined entity" in result.stderr
    assert _WAY in result.stderr
    result = CliRunner().invoke(cli, ["extract", "--recover", str(part)])
    assert result.stdout.endswith("ulink@url  a b\n")


def test_xml_under_front_matter_is_refused_with_the_way_to_read_it(tmp_path: Path) -> None:
    feed = tmp_path / "news.rss"
    feed.write_bytes(b"---\nlayout: feed\n---\n<rss><channel><link>a b</link></channel></rss>")
    result = CliRunner().invoke(cli, ["extract", str(feed)])
    assert result.exit_code == 3
    assert _WAY in result.stderr
    result = CliRunner().invoke(cli, ["extract", "--recover", str(feed)])
    assert result.stdout.endswith("  a b\n")
    feed.write_bytes(b"<rss><channel></rss>")
    assert _WAY not in CliRunner().invoke(cli, ["extract", str(feed)]).stderr
