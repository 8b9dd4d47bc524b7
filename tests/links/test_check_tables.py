"""The tool that compares rows written by hand with published schemas, and what it says of schemas that are at hand."""

from __future__ import annotations

import runpy
import sys
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

TOOLS = Path(__file__).parents[2] / "tools" / "links"
XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:v">
<xs:element name="a"><xs:complexType><xs:attribute name="original" type="xs:string"/><xs:attribute name="href" type="xs:anyURI"/>
<xs:attribute name="id" type="xs:string"/><xs:attribute name="any" type="xs:string"/></xs:complexType></xs:element>
<xs:element name="b" type="xs:string"/><xs:element name="c" type="xs:anyURI"/></xs:schema>"""
RNG = """<element name="a" ns="urn:v" xmlns="http://relaxng.org/ns/structure/1.0"
datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes"><attribute name="any"><data type="anyURI"/></attribute></element>"""
TABLE = """[v]
namespace = "urn:v"
source = "V"
[[v.link]]
elements = ["a"]
attributes = ["original", "href", "any"]
[[v.link]]
elements = ["a"]
attribute = "id"
kind = "identity"
[[v.link]]
elements = ["b", "c"]
content = true
"""


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(TOOLS))
    return runpy.run_path(str(TOOLS / "check_tables.py"))


def run(tool: dict[str, Any], monkeypatch: pytest.MonkeyPatch, folder: Path) -> int:
    monkeypatch.setattr(sys, "argv", ["check_tables.py", str(folder)])
    status: int = tool["main"]()
    return status


def test_a_string_is_no_link(
    tool: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in (
        ("v.xsd", XSD),
        ("tables/v.toml", TABLE),
        ("broken.xsd", "<"),
        ("judged.toml", ""),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    places = tool["main"].__globals__
    monkeypatch.setitem(places, "TABLES", tmp_path / "tables")
    monkeypatch.setitem(places, "JUDGED", tmp_path / "judged.toml")
    assert run(tool, monkeypatch, tmp_path) == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "urn:v a@any: no anyURI in v.xsd",
        "urn:v a@original: no anyURI in v.xsd",
        "urn:v b@: no anyURI in v.xsd",
        "1 schemas, 3 rows differ, 3 without a reason",
    ]
    assert "not read" in said.err
    # Another version of the schema agrees with one of them.
    (tmp_path / "v2.rng").write_text(RNG)
    (tmp_path / "judged.toml").write_text('"urn:v b@" = "a reason"\n')
    assert run(tool, monkeypatch, tmp_path) == 1
    assert capsys.readouterr().out.splitlines() == [
        "urn:v a@original: no anyURI in v.xsd",
        "2 schemas, 2 rows differ, 1 without a reason",
    ]


@pytest.mark.parametrize("package", ["xmlschema"])
def test_rows_agree_with_the_schemas_of_packages(
    package: str,
    tool: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip(package)
    with resources.as_file(resources.files(package)) as folder:
        assert run(tool, monkeypatch, folder) == 0
    assert int(capsys.readouterr().out.split()[-9]) > 10


def test_every_reason_is_about_a_row(tool: dict[str, Any]) -> None:
    table = tool["by_hand"]()
    places = {f"{key} {local}@" for key, local in table.contents}
    for (key, local), attributes in table.attributes.items():
        places |= {f"{key} {local}@{tool['spelled'](attribute)}" for attribute in attributes}
    for pattern in tomllib.loads(tool["JUDGED"].read_text("utf-8")):
        namespace = pattern.partition(" ")[0]
        assert any(tool["fnmatchcase"](each, f"{namespace} *") for each in places), pattern
