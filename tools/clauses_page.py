"""Write docs/clauses.md: the source documents clause by clause, each with the test that shows it.

    python tools/clauses_page.py

The clauses are in tests/clauses/, with their checks; tests/test_clauses.py runs these.
"""

from __future__ import annotations

import ast
import re
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
        module = import_module("clauses.examples")
        examples, without = module.EXAMPLES, module.WITHOUT
    finally:
        sys.path.pop(0)
    counts = Counter(clause.state for document in documents for clause in document.clauses)
    lines = [
        "# The sources, clause by clause",
        "",
        "<!-- Written by tools/clauses_page.py from tests/clauses/; change these. -->",
        "",
        f"{counts.total()} clauses: {counts['done']} done, {counts['deviates']} done otherwise for a reason,",
        f"{counts['partly']} done in part. Each row names the test that shows it; `clause N` is a case of",
        "`tests/test_clauses.py`, and so are the edge case and the hostile input behind it, written from the sources.",
        f"{len(examples)} clauses have all three examples; {len(without)} can have no more than one and says why.",
        "Tests with * read public data beside the project, or need a browser: where these are missing, as in a clone, they are",
        "skipped and say so.",
    ]
    for document in documents:
        lines += ["", f"## {document.title}", "", "| section | clause | state | shown by |"]
        lines.append("| --- | --- | --- | --- |")
        for number, clause in enumerate(document.clauses, 1):
            pair, reason = (
                next(
                    (
                        found
                        for (name, section, start), found in table.items()
                        if (name, section) == (document.name, clause.section)
                        and clause.asks.startswith(start)
                    ),
                    (),
                )
                for table in (examples, without)
            )
            lines.append(_row(number, document.name, clause, pair, reason))
    return "\n".join([*lines, ""])


def _row(number: int, name: str, clause: Any, examples: Any, reason: Any) -> str:
    state = {"done": "done", "deviates": "otherwise", "partly": "in part"}[clause.state]
    if clause.why:
        state += f": {_cell(clause.why)}"
    if callable(clause.check):
        shown = f"clause `{name} {number}`"
    else:
        shown = f"`{clause.check}`" + ("\\*" if _needs_more(clause.check) else "")
    for kind, example in zip(("edge", "hostile"), examples, strict=False):
        call = f"{_cell(example.call)} {_shown(example.argument)}"
        shown += f"; {kind}: {call} gives {_shown(example.result)}"
    if reason:
        shown += f"; no other example: {_cell(reason)}"
    return f"| {_cell(clause.section)} | {_cell(clause.asks)} | {state} | {shown} |"


#: Public data is read; what is in `tests/conformance/` is our own.
PUBLIC = re.compile(r"conformance\('(?!rfc|query-encoding|documents\.tsv|encodings\.tsv)")


def _needs_more(check: str) -> bool:
    """Return whether a test reads public data, or needs a browser."""
    path, _, name = check.partition("::")
    # What other tests read does not matter, what helpers read does.
    parts = [
        ast.unparse(node)
        for node in ast.parse((ROOT / path).read_bytes()).body
        if not (name and isinstance(node, ast.FunctionDef) and node.name.startswith("test_"))
        or node.name == name
    ]
    return any(PUBLIC.search(part) for part in parts) or path.startswith("tests/browser/")


def _shown(value: object) -> str:
    return _cell(ascii(value))


def _cell(text: str) -> str:
    """Write a text so that Markdown shows it as it is in a cell of a table."""
    for char in "\\`*_<>[]|#":
        text = text.replace(char, f"\\{char}")
    return text


if __name__ == "__main__":
    TARGET.write_text(page(), "utf-8")
