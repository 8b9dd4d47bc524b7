"""The modules of tables have what the files in TOML say."""

from __future__ import annotations

import runpy
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOL = runpy.run_path(str(ROOT / "tools" / "make_tables.py"))


@pytest.mark.parametrize("module", TOOL["SOURCES"])
def test_a_module_has_the_tables(module: str) -> None:
    tables = [tomllib.loads(file.read_text("utf-8")) for file in TOOL["files"](module)]
    name = f"linkfix.{module.removesuffix('.py').replace('/', '.')}"
    found = import_module(name).TABLES
    assert found == {key: value for table in tables for key, value in table.items()}
    assert [*found] == [key for table in tables for key in table]
