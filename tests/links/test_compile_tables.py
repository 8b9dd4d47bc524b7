"""The tool that compiles published schemas into tables, and what it has made."""

from __future__ import annotations

import json
import runpy
import sys
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from linkfix.links.table import of_vocabularies, xml_table

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "links" / "compile_tables.py"
SCHEMAS = tomllib.loads(TOOL.with_name("schemas.toml").read_text("utf-8"))
RNG = """<grammar xmlns="http://relaxng.org/ns/structure/1.0" ns="urn:v" xmlns:x="http://www.w3.org/1999/xlink"
    datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes"><start><element name="root"><zeroOrMore><choice>
<element name="a"><attribute name="href"><data type="anyURI"/></attribute><attribute name="ns"><data type="anyURI"/></attribute>
  <attribute name="both"><data type="anyURI"/></attribute><attribute name="prose"><text/></attribute>
  <attribute name="x:href"><data type="anyURI"/></attribute><attribute name="code"><data type="anyURI"/></attribute></element>
<element name="b"><attribute name="href"><data type="anyURI"/></attribute><attribute name="both"><text/></attribute></element>
<element name="c"><attribute name="both"><choice><data type="anyURI"/><text/></choice></attribute><data type="anyURI"/></element>
<element name="d"><list><oneOrMore><data type="anyURI"/></oneOrMore></list></element>
</choice></zeroOrMore></element></start></grammar>"""


def tables() -> dict[str, dict[str, Any]]:
    folder = resources.files("linkfix.links") / "tables"
    return {
        file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    }


def test_a_schema_becomes_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "v.rng").write_text(RNG)
    (tmp_path / "schemas.toml").write_text(
        '[v]\nschemas = ["v.rng"]\ntitle = "V 1.0, v.rng"\naddress = "http://example.org/v.rng"\n'
        'namespaces = ["urn:v"]\nidentity = ["a@ns"]\nskip = ["*@code"]\n[v.prose]\n"a@prose" = "V 1.0, 3"\n'
    )
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "hand.toml").write_text(
        '[xlink]\nnamespace = "*"\n[[xlink.link]]\nelements = ["*"]\nattribute = "xlink:href"\nsource = "XLink"\n'
    )
    tool = runpy.run_path(str(TOOL))
    main = tool["main"]
    monkeypatch.setitem(main.__globals__, "SCHEMAS", tmp_path / "schemas.toml")
    monkeypatch.setitem(main.__globals__, "TABLES", tmp_path / "tables")
    monkeypatch.setattr(sys, "argv", ["compile_tables.py", str(tmp_path)])
    main()
    made = tomllib.loads((tmp_path / "tables" / "v.toml").read_text("utf-8"))["v"]
    assert made["source"] == "V 1.0, v.rng, http://example.org/v.rng"
    assert made["namespace"] == ["urn:v"]
    assert sorted(made["link"], key=json.dumps) == sorted(
        [
            {"elements": ["*"], "attributes": ["href"]},
            {"elements": ["a"], "attributes": ["both"]},
            {"elements": ["a"], "attributes": ["ns"], "kind": "identity"},
            {"elements": ["a"], "attributes": ["prose"], "source": "V 1.0, 3"},
            {"elements": ["c"], "content": True},
            {"elements": ["d"], "content": True, "kind": "list"},
        ],
        key=json.dumps,
    )
    assert capsys.readouterr().err == "v\n  mixed: c@both: mixed\n"


def test_every_schema_has_its_table_with_its_source() -> None:
    made = tables()
    for name, entry in SCHEMAS.items():
        for vocabulary in made[name].values():
            assert vocabulary["source"] == f"{entry['title']}, {entry['address']}"
            assert "link" in vocabulary


def test_names_of_vocabularies_are_unique() -> None:
    names = [name for table in tables().values() for name in table]
    assert len(names) == len({*names})


def test_vocabularies_share_the_name_of_a_root_element() -> None:
    """A root of two vocabularies has the rows of both; a public identifier says which one it is."""
    row = {"elements": ["e"], "source": "s"}
    table = of_vocabularies(
        [
            ("v", {"roots": ["r", "v"], "publics": ["-//V//"], "link": [row | {"attribute": "one"}]}),
            ("w", {"roots": ["r"], "link": [row | {"attribute": "two"}]}),
        ]
    )  # fmt: skip

    def rows(root: str, public: str) -> set[object]:
        return {*table.of_element(table.vocabulary(root, public), "e")}

    assert rows("r", "") == {"one", "two"}
    assert rows("v", "") == {"one"}
    assert rows("r", "-//V//DTD V 1.0//EN") == {"one"}
    assert rows("any", "-//V//DTD V 1.0//EN") == {"one"}
    assert rows("any", "-//W//") == set()


@pytest.mark.parametrize("root", ["para", "sect4", "bookinfo", "legalnotice", "webpage", "refsection", "qandaset"])  # fmt: skip
def test_every_element_of_docbook_4_may_be_a_root(root: str) -> None:
    key = xml_table().vocabulary(root, "")
    assert "url" in xml_table().of_element(key, "ulink")
