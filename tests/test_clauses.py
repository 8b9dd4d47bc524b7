"""Each clause of the source documents is shown by a check; docs/clauses.md says so.

`python tools/clauses_page.py` writes the page.
"""

from __future__ import annotations

import ast
import runpy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from clauses import DOCUMENTS
from clauses.calls import CALLS
from clauses.examples import EXAMPLES, WITHOUT

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


def test_each_clause_has_examples_or_a_reason_why_not() -> None:
    keys = [*EXAMPLES, *WITHOUT]
    for document in DOCUMENTS:
        for clause in document.clauses:
            found = [
                key
                for key in keys
                if key[:2] == (document.name, clause.section) and clause.asks.startswith(key[2])
            ]
            assert len(found) == 1, (document.name, clause.section, clause.asks, found)
    assert len(keys) == sum(len(document.clauses) for document in DOCUMENTS)
    assert all(WITHOUT.values())


def test_what_is_not_done_has_a_reason() -> None:
    for document in DOCUMENTS:
        for clause in document.clauses:
            assert bool(clause.why) == (clause.state != "done")


def test_the_page_is_the_one_that_its_tool_writes() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "clauses_page.py"))
    assert (ROOT / "docs" / "clauses.md").read_text("utf-8") == tool["page"]()
