"""Write docs/clauses.md: the source documents clause by clause, each with the test that shows it.

    python tools/clauses.py

The clauses are in tests/clauses/, with their checks; tests/test_clauses.py runs these.
"""

from __future__ import annotations

import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "clauses.md"


def page() -> str:
    """Return the text of the page."""
    sys.path.insert(0, str(ROOT / "tests"))
    try:
        documents = import_module("clauses").DOCUMENTS
    finally:
        sys.path.pop(0)
    counts = Counter(clause.state for document in documents for clause in document.clauses)
    lines = [
        "# The sources, clause by clause",
        "",
        "<!-- Written by tools/clauses.py from tests/clauses/; change these. -->",
        "",
        f"{counts.total()} clauses: {counts['done']} done, {counts['deviates']} done otherwise for a reason,",
        f"{counts['partly']} done in part. Each row names the test that shows it; `clause N` is a case of",
        "`tests/test_clauses.py`.",
    ]
    for document in documents:
        lines += ["", f"## {document.title}", "", "| section | clause | state | shown by |"]
        lines.append("| --- | --- | --- | --- |")
        lines += [_row(n, document.name, clause) for n, clause in enumerate(document.clauses, 1)]
    return "\n".join([*lines, ""])


def _row(number: int, name: str, clause: Any) -> str:
    state = {"done": "done", "deviates": "otherwise", "partly": "in part"}[clause.state]
    if clause.why:
        state += f": {_cell(clause.why)}"
    shown = f"clause `{name} {number}`" if callable(clause.check) else f"`{clause.check}`"
    return f"| {_cell(clause.section)} | {_cell(clause.asks)} | {state} | {shown} |"


def _cell(text: str) -> str:
    """Write a text so that Markdown shows it as it is in a cell of a table."""
    for char in "\\`*_<>[]|#":
        text = text.replace(char, f"\\{char}")
    return text


if __name__ == "__main__":
    TARGET.write_text(page(), "utf-8")
