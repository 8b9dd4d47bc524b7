"""Each clause of the source documents is shown by a check; docs/clauses.md says so.

`python tools/clauses.py` writes the page.
"""

from __future__ import annotations

import ast
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from clauses import DOCUMENTS
from clauses.examples import CALLS, EXAMPLES

if TYPE_CHECKING:
    from clauses.examples import Example
    from clauses.model import Clause

ROOT = Path(__file__).parents[1]
ROWS = [
    pytest.param(clause, id=f"{document.name} {number}")
    for document in DOCUMENTS
    for number, clause in enumerate(document.clauses, 1)
]


@pytest.mark.parametrize("clause", ROWS)
def test_clause(clause: Clause) -> None:
    if callable(clause.check):
        assert clause.check(), f"{clause.section}: {clause.asks}"
        return
    path, _, name = clause.check.partition("::")
    tree = ast.parse((ROOT / path).read_bytes())
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert name in tests if name else any(test.startswith("test_") for test in tests)


@pytest.mark.parametrize("example", [each for pair in EXAMPLES.values() for each in pair], ids=repr)
def test_example(example: Example) -> None:
    assert CALLS[example.call](example.argument) == example.result


@pytest.mark.parametrize("key", EXAMPLES, ids=" ".join)
def test_examples_belong_to_one_clause(key: tuple[str, str, str]) -> None:
    name, section, start = key
    clauses = [each for document in DOCUMENTS if document.name == name for each in document.clauses]
    assert sum(each.section == section and each.asks.startswith(start) for each in clauses) == 1


def test_what_is_not_done_has_a_reason() -> None:
    for document in DOCUMENTS:
        for clause in document.clauses:
            assert bool(clause.why) == (clause.state != "done")


def test_the_page_is_the_one_that_its_tool_writes() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "clauses.py"))
    assert (ROOT / "docs" / "clauses.md").read_text("utf-8") == tool["page"]()
