"""docs/security.md names tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_each_threat_has_tests_that_are_there() -> None:
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    rows = [line for line in text.partition("## Threats")[2].partition("\n## ")[0].splitlines() if line.startswith("| ")]  # fmt: skip
    assert len(rows) > 10
    for row in rows[2:]:
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", row)
        assert named, row
        for path, name in named:
            tree = ast.parse((ROOT / path).read_bytes())
            assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
